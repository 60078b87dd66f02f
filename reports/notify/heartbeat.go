package notify

import (
	"context"
	"io"
	"net/http"

	"mtok/schema"
)

// Beat asks for the heartbeat URL, by which a watchdog elsewhere hears that a night
// was complete. Its error is a *Fault.
func (s *Sender) Beat(ctx context.Context, to schema.Secret) error {
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, to.Reveal(), nil)
	if err != nil || request.URL.Scheme != "https" && request.URL.Scheme != "http" || request.URL.Host == "" {
		return fault("its URL is no http or https one")
	}
	request.Header.Set("User-Agent", "mtok")
	response, err := s.client.Do(request)
	if err != nil {
		return faultOf(err)
	}
	defer response.Body.Close()
	io.Copy(io.Discard, io.LimitReader(response.Body, maxAnswer))
	return nil
}
