package notify

import (
	"context"
	"io"
	"net/http"
	"strings"

	"github.com/nicholas-fedor/shoutrrr/pkg/services/specialized/generic"
	"github.com/nicholas-fedor/shoutrrr/pkg/types"
)

// The headers with the id of a delivery, the first of them the one that has become
// usual: a receiver that has seen it may throw the message away.
const (
	headerIdempotency = "Idempotency-Key"
	headerDelivery    = "X-Mtok-Delivery"
)

// post sends to a generic webhook as the library would: the text alone, or JSON or a
// template where the URL asks for it.
func (s *Sender) post(ctx context.Context, hook *generic.Service, m Message) *Fault {
	config := hook.Config
	params := types.Params{config.TitleKey: m.Title, config.MessageKey: m.Text}
	contentType := config.ContentType
	switch {
	case config.Template == "":
		contentType = "text/plain; charset=utf-8"
	case strings.EqualFold(config.Template, generic.JSONTemplate):
		params["id"] = m.ID
	}
	body, err := hook.GetPayload(config, params)
	if err != nil {
		return fault("its template can't be filled in")
	}
	request, err := http.NewRequestWithContext(ctx, config.RequestMethod, config.WebhookURL().String(), body)
	if err != nil {
		return fault("its URL can't be read")
	}
	request.Header.Set("Content-Type", contentType)
	request.Header.Set("User-Agent", "mtok")
	for key, values := range config.GetURL().Query() {
		if name, custom := strings.CutPrefix(key, "@"); custom && len(values) > 0 {
			request.Header.Set(name, values[0])
		}
	}
	request.Header.Set(headerIdempotency, m.ID)
	request.Header.Set(headerDelivery, m.ID)
	response, err := s.client.Do(request)
	if err != nil {
		return faultOf(err)
	}
	defer response.Body.Close()
	// An answer that breaks off after a good status is a good one.
	io.Copy(io.Discard, io.LimitReader(response.Body, maxAnswer))
	return nil
}
