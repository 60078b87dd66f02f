package fetch_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"sync"
	"testing"
	"time"

	"mtok/schema"
	"mtok/scrapers"
	"mtok/scrapers/fetch"
)

const agent = "mtok-test/1 (+https://example.com/contact)"

var page = scrapers.Target{Provider: "acme", Source: "pricing-page"}

// site is a loopback server that notes its requests. robots.txt is 404 unless
// the handler map has one, and is not noted among the requests.
type site struct {
	*httptest.Server
	mu       sync.Mutex
	requests []string
	robots   int
}

func newSite(t *testing.T, handlers map[string]http.HandlerFunc) *site {
	t.Helper()
	s := &site{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		if r.URL.Path == "/robots.txt" {
			s.robots++
		} else {
			s.requests = append(s.requests, r.Method+" "+r.URL.Path)
		}
		s.mu.Unlock()
		if h, ok := handlers[r.URL.Path]; ok {
			h(w, r)
			return
		}
		http.NotFound(w, r)
	}))
	t.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
	})
	return s
}

// hits is the number of requests for pages so far.
func (s *site) hits() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.requests)
}

func (s *site) robotsHits() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.robots
}

// host is "127.0.0.1:port".
func (s *site) host() string {
	u, err := url.Parse(s.URL)
	if err != nil {
		panic(err)
	}
	return u.Host
}

func text(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, body)
	}
}

func status(code int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
}

func redirect(code int, to string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Location", to)
		w.WriteHeader(code)
	}
}

// options allow loopback and wait for nothing longer than milliseconds.
func options() fetch.Options {
	return fetch.Options{
		UserAgent:    agent,
		AllowHTTP:    true,
		AllowAddress: func(ap netip.AddrPort) bool { return ap.Addr().IsLoopback() },
		Spacing:      map[schema.ProviderID]time.Duration{},
		Limits: fetch.Limits{
			Connect: 2 * time.Second, Header: 2 * time.Second, Body: 2 * time.Second, Total: 5 * time.Second,
			MaxBody: 64 << 10, RetryWait: time.Millisecond, RateLimitWait: 2 * time.Millisecond,
			MaxRetryAfter: 3 * time.Second, MaxCrawlDelay: 100 * time.Millisecond,
		},
	}
}

func newFetcher(t *testing.T, o fetch.Options) *fetch.Fetcher {
	t.Helper()
	f := fetch.New(o)
	t.Cleanup(f.Close)
	return f
}

func get(f *fetch.Fetcher, url string) (scrapers.Fetched, error) {
	return f.Fetch(context.Background(), page, scrapers.Request{URL: url}, scrapers.Validators{})
}

// wantKind fails the test unless err is a FetchError of the kind.
func wantKind(t *testing.T, err error, kind scrapers.FetchKind) *scrapers.FetchError {
	t.Helper()
	fe := wantFetchError(t, err)
	if fe.Kind != kind {
		t.Fatalf("kind %q, want %q: %v", fe.Kind, kind, err)
	}
	return fe
}

// memory is a transport without a network, for tests under synctest.
type memory func(*http.Request) *http.Response

func (m memory) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Path == "/robots.txt" {
		return reply(404, nil, ""), nil
	}
	return m(r), nil
}

func reply(code int, header http.Header, body string) *http.Response {
	if header == nil {
		header = http.Header{}
	}
	return &http.Response{
		StatusCode: code, Status: http.StatusText(code), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: header, Body: io.NopCloser(bytes.NewReader([]byte(body))), ContentLength: int64(len(body)),
	}
}

// wantFetchError returns the FetchError of err.
func wantFetchError(t *testing.T, err error) *scrapers.FetchError {
	t.Helper()
	var fe *scrapers.FetchError
	if !errors.As(err, &fe) {
		t.Fatalf("error %v (%T) is no FetchError", err, err)
	}
	return fe
}

func quiet() *log.Logger { return log.New(io.Discard, "", 0) }
