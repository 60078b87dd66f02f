package web_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"mtok/reports/web"
)

func TestPages(t *testing.T) {
	o, _ := options(t, aNight(), at(7, 0))
	made, now := 0, at(7, 0)
	fail := false
	o.Now = func() time.Time { return now }
	o.Pages = func(context.Context) (map[string]web.File, error) {
		made++
		if fail {
			return nil, errBroken
		}
		return map[string]web.File{
			"index.html": {MediaType: "text/html; charset=utf-8", Body: []byte("all reports")},
			"mtok.json":  {MediaType: "application/json", Body: []byte("{}\n")},
		}, nil
	}
	url := serve(t, o)
	for path, want := range map[string]struct {
		status     int
		body, kind string
	}{
		"/":                {http.StatusOK, "all reports", "text/html; charset=utf-8"},
		"/index.html":      {http.StatusOK, "all reports", "text/html; charset=utf-8"},
		"/mtok.json":       {http.StatusOK, "{}\n", "application/json"},
		"/nothing.html":    {http.StatusNotFound, "404 page not found\n", "text/plain; charset=utf-8"},
		"/../mtok.json/..": {http.StatusOK, "all reports", "text/html; charset=utf-8"}, // a cleaned path
	} {
		r, body := get(t, url+path)
		if r.StatusCode != want.status || body != want.body || r.Header.Get("Content-Type") != want.kind {
			t.Errorf("%s: %s %q %q", path, r.Status, body, r.Header.Get("Content-Type"))
		}
		if want.status == http.StatusOK && !strings.HasPrefix(r.Header.Get("Content-Security-Policy"), "default-src 'none'") {
			t.Errorf("%s: no policy: %v", path, r.Header)
		}
	}
	if made != 1 {
		t.Errorf("made %d times within a minute", made)
	}
	now, fail = now.Add(2*time.Minute), true
	r, body := get(t, url+"/")
	if r.StatusCode != http.StatusInternalServerError || strings.Contains(body, "secret-place") {
		t.Errorf("a broken store: %s %q", r.Status, body)
	}
	fail = false
	if r, _ := get(t, url+"/"); r.StatusCode != http.StatusOK || made != 3 {
		t.Errorf("after it: %s, made %d times", r.Status, made)
	}
}

// Who asks and hangs up does not have the pages made again and again.
func TestPagesOfAGoneClient(t *testing.T) {
	o, _ := options(t, aNight(), at(7, 0))
	made := 0
	o.Pages = func(ctx context.Context) (map[string]web.File, error) {
		made++
		return map[string]web.File{"index.html": {MediaType: "text/html", Body: []byte("all")}}, ctx.Err()
	}
	handler := web.Server(o).Handler
	gone, hangUp := context.WithCancel(t.Context())
	hangUp()
	for range 3 {
		handler.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(gone, http.MethodGet, "/", nil))
	}
	if made != 1 {
		t.Errorf("made %d times for a client that is gone, want once", made)
	}
}
