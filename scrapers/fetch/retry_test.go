package fetch_test

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"mtok/schema"
	"mtok/scrapers"
	"mtok/scrapers/fetch"
)

// Both forms of Retry-After against a real server and a real clock.
func TestRetryAfter(t *testing.T) {
	for name, value := range map[string]func() string{
		"seconds": func() string { return "1" },
		"date":    func() string { return time.Now().Add(2 * time.Second).UTC().Format(http.TimeFormat) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var at []time.Time
			s := newSite(t, map[string]http.HandlerFunc{"/p": func(w http.ResponseWriter, _ *http.Request) {
				at = append(at, time.Now())
				if len(at) == 1 {
					w.Header().Set("Retry-After", value())
					w.WriteHeader(429)
					return
				}
				_, _ = io.WriteString(w, "ok")
			}})
			got, err := get(newFetcher(t, options()), s.URL+"/p")
			if err != nil || string(got.Body) != "ok" {
				t.Fatalf("%q, %v", got.Body, err)
			}
			if wait := at[1].Sub(at[0]); len(at) != 2 || wait < 990*time.Millisecond || wait > 5*time.Second {
				t.Errorf("%d requests, wait %v", len(at), wait)
			}
		})
	}
}

// The waits that a live night takes, on a fake clock: nil header means none.
func TestWaits(t *testing.T) {
	const many = "18446744074" // wraps to 0.3 s in nanoseconds
	date := func(d time.Duration) string { return time.Now().Add(d).UTC().Format(http.TimeFormat) }
	cases := []struct {
		name   string
		status int
		after  func() string
		kind   scrapers.FetchKind
		waits  []time.Duration
	}{
		{"429 doubles from 30 s", 429, nil, scrapers.FetchRateLimited, []time.Duration{30e9, 60e9, 120e9}},
		{"5xx doubles from 1 s", 500, nil, scrapers.FetchStatus, []time.Duration{1e9, 2e9, 4e9}},
		{"429 with seconds", 429, func() string { return "45" }, scrapers.FetchRateLimited, []time.Duration{45e9, 45e9, 45e9}},
		{"429 with a date", 429, func() string { return date(50 * time.Second) }, scrapers.FetchRateLimited, []time.Duration{50e9, 50e9, 50e9}},
		{"503 with seconds", 503, func() string { return "9" }, scrapers.FetchStatus, []time.Duration{9e9, 9e9, 9e9}},
		{"429 that says now", 429, func() string { return "0" }, scrapers.FetchRateLimited, []time.Duration{1e9, 1e9, 1e9}},
		{"429 with a date gone by", 429, func() string { return date(-time.Hour) }, scrapers.FetchRateLimited, []time.Duration{1e9, 1e9, 1e9}},
		{"429 with nonsense", 429, func() string { return "soon" }, scrapers.FetchRateLimited, []time.Duration{30e9, 60e9, 120e9}},
		{"429 beyond the cap", 429, func() string { return "121" }, scrapers.FetchRateLimited, nil},
		{"429 with a date beyond the cap", 429, func() string { return date(time.Hour) }, scrapers.FetchRateLimited, nil},
		{"429 that overflows", 429, func() string { return many }, scrapers.FetchRateLimited, nil},
		{"503 beyond the cap", 503, func() string { return "3600" }, scrapers.FetchStatus, nil},
		{"403 with seconds", 403, func() string { return "1" }, scrapers.FetchBlocked, nil},
		{"404 with seconds", 404, func() string { return "1" }, scrapers.FetchStatus, nil},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var at []time.Time
				f := fetch.New(fetch.Options{
					Spacing: map[schema.ProviderID]time.Duration{},
					Transport: memory(func(*http.Request) *http.Response {
						at = append(at, time.Now())
						h := http.Header{}
						if c.after != nil {
							h.Set("Retry-After", c.after())
						}
						return reply(c.status, h, "")
					}),
				})
				_, err := get(f, "https://acme.example/p")
				wantKind(t, err, c.kind)
				var waits []time.Duration
				for i := 1; i < len(at); i++ {
					waits = append(waits, at[i].Sub(at[i-1]).Round(time.Second))
				}
				if diff := cmp.Diff(c.waits, waits); diff != "" {
					t.Error(diff)
				}
			})
		})
	}
}

// After a 429 that it would not wait for, a fetcher leaves the host alone: the
// other 25 queries of a market cost no request, and the pause ends in time.
func TestRateLimitedHostIsLeftAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hits := 0
		f := fetch.New(fetch.Options{Transport: memory(func(*http.Request) *http.Response {
			hits++
			if hits > 1 {
				return reply(200, nil, "ok")
			}
			return reply(429, http.Header{"Retry-After": {"600"}}, "")
		})})
		for range 5 {
			_, err := get(f, "https://acme.example/p")
			wantKind(t, err, scrapers.FetchRateLimited)
		}
		if hits != 1 {
			t.Errorf("%d requests during the pause", hits)
		}
		time.Sleep(600 * time.Second)
		if _, err := get(f, "https://acme.example/p"); err != nil {
			t.Error(err)
		}
	})
}

// A retry is a request too: it keeps the provider's spacing.
func TestRetryKeepsSpacing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var at []time.Time
		f := fetch.New(fetch.Options{Transport: memory(func(*http.Request) *http.Response {
			at = append(at, time.Now())
			return reply(502, nil, "")
		})})
		target := scrapers.Target{Provider: "vast", Source: "bundles-api"}
		_, err := f.Fetch(context.Background(), target, scrapers.Request{URL: "https://acme.example/p"}, scrapers.Validators{})
		wantKind(t, err, scrapers.FetchStatus)
		for i := 1; i < len(at); i++ {
			if gap := at[i].Sub(at[i-1]); gap < 7*time.Second {
				t.Errorf("retry %d after %v", i, gap)
			}
		}
		if len(at) != 4 {
			t.Errorf("%d tries", len(at))
		}
	})
}

func TestPostBodyIsRewound(t *testing.T) {
	var bodies []string
	s := newSite(t, map[string]http.HandlerFunc{
		"/from": redirect(307, "/api"),
		"/api": func(w http.ResponseWriter, r *http.Request) {
			b, _ := io.ReadAll(r.Body)
			bodies = append(bodies, r.Method+" "+r.Header.Get("Content-Type")+r.Header.Get("If-None-Match")+" "+string(b))
			if len(bodies) < 3 {
				w.WriteHeader(500)
			}
		},
	})
	_, err := newFetcher(t, options()).Fetch(context.Background(), page, scrapers.Request{
		Method: "POST", URL: s.URL + "/from", Body: []byte(`{"limit":64}`), Header: http.Header{"Content-Type": {"application/json"}},
	}, scrapers.Validators{ETag: `"old"`})
	if err != nil {
		t.Fatal(err)
	}
	want := `POST application/json {"limit":64}`
	if diff := cmp.Diff([]string{want, want, want}, bodies); diff != "" {
		t.Error(diff)
	}
}

// The tries are those of the fetch, however many hops it takes.
func TestTriesAreSharedByHops(t *testing.T) {
	flaky := map[string]int{}
	once := func(next http.HandlerFunc) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			if flaky[r.URL.Path]++; flaky[r.URL.Path] < 3 {
				w.WriteHeader(503)
				return
			}
			next(w, r)
		}
	}
	s := newSite(t, map[string]http.HandlerFunc{"/a": once(redirect(302, "/b")), "/b": once(text("x"))})
	_, err := get(newFetcher(t, options()), s.URL+"/a")
	wantKind(t, err, scrapers.FetchStatus)
	if diff := cmp.Diff([]string{"GET /a", "GET /a", "GET /a", "GET /b", "GET /b"}, s.requests); diff != "" {
		t.Error(diff)
	}
}

func TestRetriesAreLogged(t *testing.T) {
	tries := 0
	s := newSite(t, map[string]http.HandlerFunc{"/p": func(w http.ResponseWriter, _ *http.Request) {
		if tries++; tries == 1 {
			w.WriteHeader(502)
		}
	}})
	var log bytes.Buffer
	o := options()
	o.Logger = slog.New(slog.NewTextHandler(&log, nil))
	if _, err := get(newFetcher(t, o), s.URL+"/p"); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"provider=acme", "source=pricing-page", "status=502"} {
		if strings.Count(log.String(), part) != 1 {
			t.Errorf("no %s in %q", part, log.String())
		}
	}
}
