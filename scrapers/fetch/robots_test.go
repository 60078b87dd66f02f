package fetch_test

import (
	"context"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"mtok/schema"
	"mtok/scrapers"
	"mtok/scrapers/fetch"
)

func TestRobotsRules(t *testing.T) {
	cases := []struct {
		name, robots string
		allowed      bool
	}{
		{"empty", "", true},
		{"all", "User-agent: *\nDisallow: /\n", false},
		{"another path", "User-agent: *\nDisallow: /private\n", true},
		{"query", "User-agent: *\nDisallow: /p?x=\n", false},
		{"ours by name", "User-agent: *\nDisallow:\n\nUser-agent: mtok-test\nDisallow: /p\n", false},
		{"others only", "User-agent: badbot\nDisallow: /\n", true},
		{"ours is freed", "User-agent: *\nDisallow: /\n\nUser-agent: MTOK-TEST\nAllow: /\n", true},
		{"longest rule", "User-agent: *\nDisallow: /\nAllow: /p\n", true},
		{"byte order mark", "\ufeffUser-agent: *\nDisallow: /\n", false},
		{"carriage returns", "User-agent: *\rDisallow: /\r", false},
		{"HTML page", "<!doctype html><title>Home</title>\n<p>User-agent: * Disallow: /", true},
		{"rule before any agent", "Disallow: /p\nUser-agent: *\nDisallow: /q\n", true},
		{"odd delay", "User-agent: *\nCrawl-delay: 1,5\nDisallow: /p\n", false},
		{"endless delay", "User-agent: *\nCrawl-delay: 1e999\nDisallow: /p\n", false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := newSite(t, map[string]http.HandlerFunc{"/robots.txt": text(c.robots), "/p": text("page")})
			got, err := get(newFetcher(t, options()), s.URL+"/p?x=1")
			if c.allowed != (err == nil) || c.allowed != (s.hits() == 1) {
				t.Errorf("allowed %v: %v, %d requests", c.allowed, err, s.hits())
			}
			if !c.allowed {
				wantKind(t, err, scrapers.FetchRobots)
			}
			if got.Robots == nil || got.Robots.Status != 200 {
				t.Errorf("evidence %+v", got.Robots)
			}
		})
	}
}

func TestRobotsStatus(t *testing.T) {
	for code, allowed := range map[int]bool{
		200: true, 204: true, 401: true, 403: true, 404: true, 410: true, 429: false, 500: false, 503: false, 302: false, 304: false,
	} {
		s := newSite(t, map[string]http.HandlerFunc{"/robots.txt": status(code), "/p": text("page")})
		f := newFetcher(t, options())
		for range 2 { // the answer holds for the run
			_, err := get(f, s.URL+"/p")
			if allowed != (err == nil) {
				t.Errorf("HTTP %d: %v", code, err)
			}
			if !allowed {
				wantKind(t, err, scrapers.FetchRobots)
			}
		}
		if !allowed && s.hits() != 0 {
			t.Errorf("HTTP %d: %d requests for the page", code, s.hits())
		}
	}
}

// Where nothing answers, robots.txt is unreachable and the page is not asked
// for; the kind names the real trouble.
func TestRobotsUnreachable(t *testing.T) {
	hang := func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	drop := func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }
	for kind, h := range map[scrapers.FetchKind]http.HandlerFunc{scrapers.FetchTimeout: hang, scrapers.FetchNetwork: drop} {
		s := newSite(t, map[string]http.HandlerFunc{"/robots.txt": h, "/p": text("page")})
		o := options()
		o.Limits.Header = 50 * time.Millisecond
		f := newFetcher(t, o)
		for range 2 {
			got, err := get(f, s.URL+"/p")
			wantKind(t, err, kind)
			if got.Robots != nil {
				t.Errorf("evidence of nothing: %+v", got.Robots)
			}
		}
		if s.hits() != 0 || s.robotsHits() > 4 {
			t.Errorf("%s: %d pages, %d robots.txt", kind, s.hits(), s.robotsHits())
		}
	}
}

func TestRobotsOncePerRun(t *testing.T) {
	s := newSite(t, map[string]http.HandlerFunc{"/robots.txt": text("User-agent: *\nDisallow: /no"), "/p": text("x"), "/no": text("x")})
	f := newFetcher(t, options())
	var wg sync.WaitGroup
	var mu sync.Mutex
	evidence := 0
	for i := range 8 {
		wg.Go(func() {
			path := "/p"
			if i%2 == 1 {
				path = "/no"
			}
			got, err := get(f, s.URL+path)
			mu.Lock()
			defer mu.Unlock()
			if got.Robots != nil {
				evidence++
			}
			if (err == nil) != (path == "/p") {
				t.Errorf("%s: %v", path, err)
			}
		})
	}
	wg.Wait()
	if s.robotsHits() != 1 || evidence != 1 || s.hits() != 4 {
		t.Errorf("%d robots.txt, handed out %d times, %d pages", s.robotsHits(), evidence, s.hits())
	}
}

// The Crawl-delay is kept, between robots.txt and page too, but up to the cap.
func TestCrawlDelay(t *testing.T) {
	for delay, want := range map[string]time.Duration{"3": 3 * time.Second, "2.5": 2500 * time.Millisecond, "86400": 30 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			var at []time.Time
			f := fetch.New(fetch.Options{
				Spacing: map[schema.ProviderID]time.Duration{"": time.Second},
				Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
					at = append(at, time.Now())
					if r.URL.Path == "/robots.txt" {
						return reply(200, nil, "User-agent: *\nCrawl-delay: "+delay+"\n"), nil
					}
					return reply(200, nil, "x"), nil
				}),
			})
			for range 2 {
				if _, err := get(f, "https://acme.example/p"); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff([]time.Duration{want, want}, []time.Duration{at[1].Sub(at[0]), at[2].Sub(at[1])}); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A cancelled run learns nothing about a host's robots.txt.
func TestRobotsOfACancelledFetch(t *testing.T) {
	var s *site
	first := true
	ctx, cancel := context.WithCancel(context.Background())
	s = newSite(t, map[string]http.HandlerFunc{"/p": text("x"), "/robots.txt": func(w http.ResponseWriter, r *http.Request) {
		if first {
			first = false
			cancel()
			<-r.Context().Done()
		}
	}})
	f := newFetcher(t, options())
	_, err := f.Fetch(ctx, page, scrapers.Request{URL: s.URL + "/p"}, scrapers.Validators{})
	wantKind(t, err, scrapers.FetchCanceled)
	if _, err := get(f, s.URL+"/p"); err != nil {
		t.Error(err)
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }
