package fetch_test

import (
	"io"
	"net/http"
	"testing"

	"mtok/scrapers"
)

// TestPathIsAskedAsItIs: a slash at the end is part of an address. Without it
// Vast.ai's search may be a redirect, on which a POST loses its body.
func TestPathIsAskedAsItIs(t *testing.T) {
	body := ""
	s := newSite(t, map[string]http.HandlerFunc{"/api/v0/bundles/": func(w http.ResponseWriter, r *http.Request) {
		text, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		body = string(text)
	}})
	f := newFetcher(t, options())
	got, err := f.Fetch(t.Context(), page, scrapers.Request{Method: http.MethodPost, URL: s.URL + "/api/v0/bundles/", Body: []byte(`{"q":1}`)}, scrapers.Validators{})
	if err != nil {
		t.Fatal(err)
	}
	if got.URL != s.URL+"/api/v0/bundles/" || body != `{"q":1}` {
		t.Errorf("asked %s with %q", got.URL, body)
	}
}
