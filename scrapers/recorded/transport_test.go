package recorded_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"mtok/scrapers"
	"mtok/scrapers/recorded"
)

// get asks through a real client, as the fetcher does.
func get(ctx context.Context, t *testing.T, d *recorded.Dir, target scrapers.Target) (*http.Response, string, error) {
	t.Helper()
	req, err := http.NewRequestWithContext(scrapers.WithTarget(ctx, target), http.MethodGet, "https://user:pw@example.test/a/b?key=s3cret", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("If-None-Match", `"abc"`)
	resp, err := (&http.Client{Transport: d}).Do(req)
	if err != nil {
		return nil, "", err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, string(body), nil
}

func TestRoundTrip(t *testing.T) {
	d := mustOpen(t, map[string]string{
		"acme/plain.html":        "<p>$1.00</p>",
		"acme/full.html":         "<h1>404</h1>",
		"acme/full.meta.toml":    "url = \"https://acme.test/\"\nmethod = \"GET\"\nstatus = 404\ncontent_type = \"text/plain\"\nfetched_at = 2026-08-22T20:00:00+02:00\n[headers]\netag = '\"abc\"'\nRetry-After = \"60\"\n",
		"acme/api.h100.json":     `{"offers":[]}`,
		"acme/same.meta.toml":    "status = 304\n",
		"acme/robots.txt":        "User-agent: *\nDisallow: /x\n",
		"other/robots.txt":       "busy",
		"other/robots.meta.toml": "status = 503\n",
	})
	const date = "Sat, 22 Aug 2026 18:00:00 GMT"
	for _, tt := range []struct {
		name   string
		target scrapers.Target
		status int
		body   string
		header map[string]string // "" means absent
	}{
		{"defaults", scrapers.Target{Provider: "acme", Source: "plain"}, 200, "<p>$1.00</p>",
			map[string]string{"Content-Type": "text/html; charset=utf-8", "Date": "", "ETag": ""}},
		{"all of meta", scrapers.Target{Provider: "acme", Source: "full"}, 404, "<h1>404</h1>",
			map[string]string{"Content-Type": "text/plain", "Date": date, "ETag": `"abc"`, "Retry-After": "60"}},
		{"keyed", scrapers.Target{Provider: "acme", Source: "api", Key: "h100"}, 200, `{"offers":[]}`,
			map[string]string{"Content-Type": "application/json"}},
		{"304 as it is", scrapers.Target{Provider: "acme", Source: "same"}, 304, "", nil},
		{"robots", scrapers.Target{Provider: "acme", Source: "robots.txt"}, 200, "User-agent: *\nDisallow: /x\n",
			map[string]string{"Content-Type": "text/plain; charset=utf-8"}},
		{"robots with meta", scrapers.Target{Provider: "other", Source: "robots.txt"}, 503, "busy", nil},
		{"no robots", scrapers.Target{Provider: "nobody", Source: "robots.txt"}, 404, "", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			resp, body, err := get(t.Context(), t, d, tt.target)
			if err != nil {
				t.Fatal(err)
			}
			if resp.StatusCode != tt.status || body != tt.body || resp.ContentLength != int64(len(tt.body)) {
				t.Errorf("got %d %q (length %d), want %d %q", resp.StatusCode, body, resp.ContentLength, tt.status, tt.body)
			}
			if want := http.StatusText(tt.status); !strings.HasSuffix(resp.Status, want) {
				t.Errorf("status line %q, want it to end with %q", resp.Status, want)
			}
			for name, want := range tt.header {
				if got := resp.Header.Get(name); got != want {
					t.Errorf("header %s = %q, want %q", name, got, want)
				}
			}
		})
	}
}

func TestRoundTripNotRecorded(t *testing.T) {
	d := mustOpen(t, map[string]string{"acme/prices.html": ""})
	for _, tt := range []struct {
		target scrapers.Target
		want   string
	}{
		{scrapers.Target{Provider: "acme", Source: "pricing-page"}, "acme/pricing-page.html or .json"},
		{scrapers.Target{Provider: "acme", Source: "prices", Key: "h100"}, "acme/prices.h100.html or .json"},
		{scrapers.Target{Provider: "acme", Source: "../../etc/passwd"}, "a-z, 0-9"},
		{scrapers.Target{}, "a-z, 0-9"},
	} {
		_, _, err := get(t.Context(), t, d, tt.target)
		var fetch *scrapers.FetchError
		if !errors.As(err, &fetch) || fetch.Kind != scrapers.FetchNotRecorded {
			t.Errorf("%v: error %v, want kind not_recorded", tt.target, err)
			continue
		}
		if text := fetch.Error(); !strings.Contains(text, tt.want) || strings.Contains(text, "s3cret") || strings.Contains(text, "pw") {
			t.Errorf("%v: error %q, want %q and no secret", tt.target, text, tt.want)
		}
	}
}

func TestRoundTripWithoutTarget(t *testing.T) {
	d := mustOpen(t, map[string]string{"acme/prices.html": ""})
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://acme.test/", nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = d.RoundTrip(req)
	var fetch *scrapers.FetchError
	if !errors.As(err, &fetch) || fetch.Kind != scrapers.FetchNotRecorded {
		t.Errorf("error %v, want kind not_recorded", err)
	}
}

func TestRoundTripCanceled(t *testing.T) {
	d := mustOpen(t, map[string]string{"acme/prices.html": ""})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := get(ctx, t, d, scrapers.Target{Provider: "acme", Source: "prices"}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want canceled", err)
	}
}
