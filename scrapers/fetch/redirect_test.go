package fetch_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"mtok/schema"
	"mtok/scrapers"
	"mtok/scrapers/fetch"
)

func TestRedirectCount(t *testing.T) {
	s := newSite(t, map[string]http.HandlerFunc{"/": nil})
	s.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n, _ := strconv.Atoi(r.URL.Query().Get("n"))
		switch {
		case r.URL.Path == "/robots.txt":
			w.WriteHeader(404)
		case n > 0:
			redirect(301, fmt.Sprintf("/p?n=%d", n-1))(w, r)
		default:
			_, _ = io.WriteString(w, "there")
		}
	})
	f := newFetcher(t, options())
	got, err := get(f, s.URL+"/p?n=5")
	if err != nil || string(got.Body) != "there" || got.URL != s.URL+"/p?n=0" {
		t.Errorf("five hops: %+v, %v", got, err)
	}
	_, err = get(f, s.URL+"/p?n=6")
	wantKind(t, err, scrapers.FetchRedirect)
}

func TestRedirectLoop(t *testing.T) {
	s := newSite(t, map[string]http.HandlerFunc{"/p": redirect(302, "/q"), "/q": redirect(302, "/q")})
	_, err := get(newFetcher(t, options()), s.URL+"/p")
	wantKind(t, err, scrapers.FetchRedirect)
	if s.hits() != 6 {
		t.Errorf("%d requests, want the first and five hops", s.hits())
	}
}

func TestRedirectToPlainHTTP(t *testing.T) {
	hits := 0
	f := fetch.New(fetch.Options{Spacing: map[schema.ProviderID]time.Duration{}, Transport: memory(func(*http.Request) *http.Response {
		hits++
		return reply(301, http.Header{"Location": {"http://acme.example/p"}}, "")
	})})
	_, err := get(f, "https://acme.example/p")
	wantKind(t, err, scrapers.FetchAddress)
	if hits != 1 {
		t.Errorf("%d requests", hits)
	}
}

// A listed host is followed to, under its own robots.txt, and gets none of the
// headers that were meant for the first one.
func TestRedirectToListedHost(t *testing.T) {
	for robots, allowed := range map[string]bool{"User-agent: *\nDisallow: /q\n": true, "User-agent: *\nDisallow: /\n": false} {
		var seen http.Header
		second := newSite(t, map[string]http.HandlerFunc{"/robots.txt": text(robots), "/p": func(w http.ResponseWriter, r *http.Request) {
			seen = r.Header.Clone()
			_, _ = io.WriteString(w, "there")
		}})
		first := newSite(t, map[string]http.HandlerFunc{"/p": redirect(302, second.URL+"/p")})
		o := options()
		o.ExtraHosts = map[schema.ProviderID][]string{"acme": {second.host()}}
		got, err := newFetcher(t, o).Fetch(context.Background(), page, scrapers.Request{
			URL: first.URL + "/p?api_key=canary-0123456789",
			Header: http.Header{
				"Authorization": {"Bearer canary-0123456789"}, "X-Api-Key": {"canary-0123456789"}, "Accept": {"text/html"},
			},
		}, scrapers.Validators{ETag: `"etag-of-the-first"`})
		if allowed != (err == nil) {
			t.Fatalf("allowed %v: %v", allowed, err)
		}
		if got.Robots == nil || got.Robots.Robots == nil || string(got.Robots.Robots.Body) != robots || got.Robots.Robots.Robots != nil {
			t.Errorf("evidence of both hosts: %+v", got.Robots)
		}
		if !allowed {
			wantKind(t, err, scrapers.FetchRobots)
			continue
		}
		want := http.Header{"User-Agent": {agent}, "Accept": {"text/html"}, "Accept-Encoding": {"gzip"}}
		if diff := cmp.Diff(want, seen); diff != "" {
			t.Error(diff)
		}
		if got.URL != second.URL+"/p" || string(got.Body) != "there" {
			t.Errorf("%s %q", got.URL, got.Body)
		}
	}
}

// Another provider's list does not count.
func TestRedirectListIsPerProvider(t *testing.T) {
	second := newSite(t, map[string]http.HandlerFunc{"/p": text("there")})
	first := newSite(t, map[string]http.HandlerFunc{"/p": redirect(302, "http://localhost:1/p")})
	o := options()
	o.ExtraHosts = map[schema.ProviderID][]string{"other": {"localhost:1", second.host()}}
	_, err := get(newFetcher(t, o), first.URL+"/p")
	wantKind(t, err, scrapers.FetchRedirect)
}
