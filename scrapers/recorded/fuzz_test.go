package recorded_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"mtok/scrapers"
	"mtok/scrapers/recorded"
)

// FuzzMeta gives a recorded page whatever meta file: it is refused with the
// file's name, or the answer can be served.
func FuzzMeta(f *testing.F) {
	f.Add("url = \"https://lambda.ai/pricing\"\nstatus = 200\ncontent_type = \"text/html\"\nfetched_at = 2026-08-22T18:00:00Z\n")
	f.Add("status = 304\n")
	f.Add("status = 404\n[headers]\nETag = '\"abc\"'\nRetry-After = \"60\"\n")
	f.Add("fetched_at = 2026-08-22T18:00:00\n")
	f.Add("[headers]\n\"a\\nb\" = \"c\"\n")
	f.Add("status = 301\nmethod = \"PUT\"\n")
	target := scrapers.Target{Provider: "lambda", Source: "pricing-page"}
	f.Fuzz(func(t *testing.T, text string) {
		dir, err := recorded.Open(files(map[string]string{
			"lambda/pricing-page.html": "<p>$2.49", "lambda/pricing-page.meta.toml": text,
		}))
		if err != nil {
			if !strings.Contains(err.Error(), "lambda/pricing-page.meta.toml") {
				t.Fatalf("%v does not name the file", err)
			}
			return
		}
		status, header := served(t, dir, target)
		at, dated := dir.LatestFetchedAt()
		if dated && (at.IsZero() || at.Location() != time.UTC) {
			t.Fatalf("fetched at %s", at)
		}
		if status < 200 || status > 599 {
			t.Fatalf("status %d is served", status)
		}
		for name, values := range header {
			if strings.ContainsAny(name+strings.Join(values, ""), "\r\n") {
				t.Fatalf("header %q: %q is not one line", name, values)
			}
		}
	})
}

func served(t *testing.T, dir *recorded.Dir, target scrapers.Target) (int, http.Header) {
	t.Helper()
	req, err := http.NewRequestWithContext(scrapers.WithTarget(t.Context(), target), http.MethodGet, "https://lambda.ai/pricing", nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := dir.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if _, err := io.ReadAll(resp.Body); err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, resp.Header
}
