package recorded

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"
)

// meta is a .meta.toml: what is known of an answer besides its body. All of it
// is optional.
type meta struct {
	URL         string            `toml:"url"`
	Method      string            `toml:"method"`
	Status      int               `toml:"status"`
	ContentType string            `toml:"content_type"`
	FetchedAt   *time.Time        `toml:"fetched_at"`
	Headers     map[string]string `toml:"headers"`
}

// readMeta decodes strictly: an unknown key is an error with its line.
func readMeta(text []byte) (meta, error) {
	m := meta{Status: http.StatusOK}
	err := toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields().Decode(&m)
	var strict *toml.StrictMissingError
	if errors.As(err, &strict) && len(strict.Errors) > 0 {
		line, _ := strict.Errors[0].Position()
		return meta{}, fmt.Errorf("line %d: unknown key %q", line, strings.Join(strict.Errors[0].Key(), "."))
	}
	var decode *toml.DecodeError
	if errors.As(err, &decode) {
		line, _ := decode.Position()
		return meta{}, fmt.Errorf("line %d: %w", line, err)
	}
	if err != nil {
		return meta{}, err
	}
	return m, m.validate()
}

// validate refuses what can't be served as an answer.
func (m meta) validate() error {
	ok := m.Status >= 200 && m.Status < 300 || m.Status == http.StatusNotModified || m.Status >= 400 && m.Status < 600
	if !ok {
		return fmt.Errorf("status %d is no final answer: record where a redirect ends", m.Status)
	}
	if m.Method != "" && m.Method != http.MethodGet && m.Method != http.MethodPost {
		return fmt.Errorf("method %q is not GET or POST", m.Method)
	}
	// Without an offset it was read in the zone of the machine, and the day of a
	// night would depend on that.
	if m.FetchedAt != nil && m.FetchedAt.Location() == time.Local {
		return errors.New("fetched_at has no offset: write it like 2026-08-22T18:00:00Z")
	}
	// These are made from the other keys and from the body as it is kept.
	own := []string{"Content-Type", "Content-Length", "Content-Encoding", "Transfer-Encoding", "Date"}
	for name, value := range m.Headers {
		if slices.Contains(own, http.CanonicalHeaderKey(name)) {
			return fmt.Errorf("header %s can't be set: the body is kept decoded, content_type and fetched_at say the rest", name)
		}
		if name == "" || strings.ContainsAny(name+value, "\r\n") {
			return fmt.Errorf("header %q is not one line", name)
		}
	}
	return nil
}

// bodyless reports whether an answer of this status has no body.
func (m meta) bodyless() bool {
	return m.Status == http.StatusNoContent || m.Status == http.StatusNotModified
}

// marshal writes what readMeta reads.
func (m meta) marshal() ([]byte, error) {
	return toml.Marshal(struct {
		URL         string            `toml:"url,omitempty"`
		Status      int               `toml:"status"`
		ContentType string            `toml:"content_type,omitempty"`
		FetchedAt   *time.Time        `toml:"fetched_at,omitempty"`
		Headers     map[string]string `toml:"headers,omitempty"`
	}{m.URL, m.Status, m.ContentType, m.FetchedAt, m.Headers})
}
