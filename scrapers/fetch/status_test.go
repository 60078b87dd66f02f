package fetch_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"mtok/scrapers"
	"mtok/scrapers/fetch"
)

func TestFetch(t *testing.T) {
	var seen http.Header
	s := newSite(t, map[string]http.HandlerFunc{"/pricing": func(w http.ResponseWriter, r *http.Request) {
		seen = r.Header.Clone()
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("ETag", `"one"`)
		w.Header().Set("Last-Modified", "Sat, 22 Aug 2026 18:00:00 GMT")
		_, _ = io.WriteString(w, "<p>$2.49 per GPU-hour")
	}})
	o := options()
	at := time.Date(2026, 8, 22, 2, 0, 0, 0, time.FixedZone("", 3600))
	o.Now = func() time.Time { return at }
	got, err := newFetcher(t, o).Fetch(context.Background(), page,
		scrapers.Request{URL: s.URL + "/pricing", Header: http.Header{"Accept": {"text/html"}}}, scrapers.Validators{})
	if err != nil {
		t.Fatal(err)
	}
	if got.Robots == nil || got.Robots.Status != http.StatusNotFound || got.Robots.URL != s.URL+"/robots.txt" {
		t.Errorf("robots evidence %+v", got.Robots)
	}
	got.Robots = nil
	want := scrapers.Fetched{
		URL: s.URL + "/pricing", Status: 200, ContentType: "text/html; charset=utf-8", Body: []byte("<p>$2.49 per GPU-hour"),
		ETag: `"one"`, LastModified: "Sat, 22 Aug 2026 18:00:00 GMT", FetchedAt: at.UTC(),
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for name, want := range map[string]string{"User-Agent": agent, "Accept": "text/html", "Accept-Encoding": "gzip", "If-None-Match": ""} {
		if seen.Get(name) != want {
			t.Errorf("request header %s is %q, want %q", name, seen.Get(name), want)
		}
	}
}

// The chain of a 304: full answer, 304 with the old validators, 304 with a new
// one, and the next fetch asks with the new one.
func TestNotModifiedChain(t *testing.T) {
	var asked []string
	s := newSite(t, map[string]http.HandlerFunc{"/p": func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.Header.Get("If-None-Match")+" "+r.Header.Get("If-Modified-Since"))
		switch len(asked) {
		case 1:
			w.Header().Set("ETag", `"1"`)
			w.Header().Set("Last-Modified", "Fri, 21 Aug 2026 00:00:00 GMT")
			_, _ = io.WriteString(w, "body")
		case 2:
			w.WriteHeader(304)
		default:
			w.Header().Set("ETag", `"2"`)
			w.WriteHeader(304)
		}
	}})
	v := scrapers.Validators{}
	for night := range 4 {
		got, err := newFetcher(t, options()).Fetch(context.Background(), page, scrapers.Request{URL: s.URL + "/p"}, v)
		if err != nil {
			t.Fatalf("night %d: %v", night, err)
		}
		if got.NotModified != (night > 0) || night > 0 && (got.Status != 304 || len(got.Body) != 0) {
			t.Errorf("night %d: %+v", night, got)
		}
		v = scrapers.Validators{ETag: got.ETag, LastModified: got.LastModified}
	}
	const since = "Fri, 21 Aug 2026 00:00:00 GMT"
	if diff := cmp.Diff([]string{" ", `"1" ` + since, `"1" ` + since, `"2" ` + since}, asked); diff != "" {
		t.Error(diff)
	}
}

func TestUnaskedNotModifiedIsAnError(t *testing.T) {
	s := newSite(t, map[string]http.HandlerFunc{"/p": status(304)})
	_, err := get(newFetcher(t, options()), s.URL+"/p")
	if fe := wantKind(t, err, scrapers.FetchStatus); fe.Status != 304 {
		t.Errorf("status %d", fe.Status)
	}
}

func TestStatusIsData(t *testing.T) {
	const challenge = `<html><head><title>Just a moment...</title></head><script src="/cdn-cgi/challenge-platform/x.js">`
	const form = `<h1>Pricing</h1><td>$2.49</td><script src="/recaptcha/api.js"></script>`
	cases := []struct {
		name    string
		status  int
		header  [2]string
		body    string
		accepts []int
		kind    scrapers.FetchKind // "" for none
		hits    int
	}{
		{name: "created", status: 201, body: "x", kind: scrapers.FetchStatus, hits: 1},
		{name: "no content", status: 204, kind: scrapers.FetchStatus, hits: 1},
		{name: "partial content", status: 206, body: "x", kind: scrapers.FetchStatus, hits: 1},
		{name: "redirect without a place", status: 302, kind: scrapers.FetchStatus, hits: 1},
		{name: "bad request", status: 400, body: "x", kind: scrapers.FetchStatus, hits: 1},
		{name: "unauthorised", status: 401, body: "x", kind: scrapers.FetchStatus, hits: 1},
		{name: "gone", status: 410, body: "x", kind: scrapers.FetchStatus, hits: 1},
		{name: "not found", status: 404, body: "nothing here", kind: scrapers.FetchStatus, hits: 1},
		{name: "not found that the source reads", status: 404, body: form, accepts: []int{404}, hits: 1},
		{name: "not found with a challenge", status: 404, body: challenge, accepts: []int{404}, kind: scrapers.FetchBlocked, hits: 1},
		{name: "not found with a captcha", status: 404, body: form, kind: scrapers.FetchBlocked, hits: 1},
		{name: "forbidden", status: 403, body: "no", kind: scrapers.FetchBlocked, hits: 1},
		{name: "challenge with 200", status: 200, body: challenge, kind: scrapers.FetchBlocked, hits: 1},
		{name: "challenge by header", status: 200, header: [2]string{"Cf-Mitigated", "challenge"}, body: "x", kind: scrapers.FetchBlocked, hits: 1},
		{name: "firewall by header", status: 202, header: [2]string{"X-Amzn-Waf-Action", "challenge"}, kind: scrapers.FetchBlocked, hits: 1},
		{name: "challenge with 503", status: 503, body: challenge, kind: scrapers.FetchBlocked, hits: 1},
		{name: "captcha of a contact form", status: 200, body: form, hits: 1},
		{name: "server error", status: 500, body: "oops", kind: scrapers.FetchStatus, hits: 4},
		{name: "bad gateway", status: 502, body: "oops", kind: scrapers.FetchStatus, hits: 4},
		{name: "unavailable", status: 503, body: "oops", kind: scrapers.FetchStatus, hits: 4},
		{name: "not implemented", status: 501, body: "oops", kind: scrapers.FetchStatus, hits: 1},
		{name: "too many requests", status: 429, body: "slow down", kind: scrapers.FetchRateLimited, hits: 4},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := newSite(t, map[string]http.HandlerFunc{"/p": func(w http.ResponseWriter, _ *http.Request) {
				if c.header[0] != "" {
					w.Header().Set(c.header[0], c.header[1])
				}
				w.Header().Set("Content-Type", "text/html")
				w.WriteHeader(c.status)
				_, _ = io.WriteString(w, c.body)
			}})
			target := page
			target.Accepts = c.accepts
			got, err := newFetcher(t, options()).Fetch(context.Background(), target, scrapers.Request{URL: s.URL + "/p"}, scrapers.Validators{})
			if c.kind == "" && err != nil {
				t.Fatal(err)
			}
			if c.kind != "" {
				if fe := wantKind(t, err, c.kind); fe.Status != c.status || fe.URL != s.URL+"/p" {
					t.Errorf("error %+v", fe)
				}
			}
			if got.Status != c.status || string(got.Body) != c.body {
				t.Errorf("answer beside the error: %d %q", got.Status, got.Body)
			}
			if s.hits() != c.hits {
				t.Errorf("%d requests, want %d", s.hits(), c.hits)
			}
		})
	}
}

// colly runs its HTML callbacks for HTML types only; the body is ours to read.
func TestBodyOfAnyType(t *testing.T) {
	const body = "<table><tr><td>H100</td><td>$2.49</td></tr></table>"
	for _, contentType := range []string{"text/plain", "application/octet-stream", "application/xhtml+xml", ""} {
		s := newSite(t, map[string]http.HandlerFunc{"/p": func(w http.ResponseWriter, _ *http.Request) {
			w.Header()["Content-Type"] = nil
			if contentType != "" {
				w.Header().Set("Content-Type", contentType)
			}
			_, _ = io.WriteString(w, body)
		}})
		got, err := get(newFetcher(t, options()), s.URL+"/p")
		if err != nil || string(got.Body) != body || got.ContentType != contentType {
			t.Errorf("%q: %q %q, %v", contentType, got.ContentType, got.Body, err)
		}
	}
}

func TestTwoNightsInOneProcess(t *testing.T) {
	s := newSite(t, map[string]http.HandlerFunc{"/p": text("x")})
	for night := range 2 {
		f := newFetcher(t, options())
		for range 2 {
			if _, err := get(f, s.URL+"/p"); err != nil {
				t.Fatalf("night %d: %v", night, err)
			}
		}
	}
	if s.hits() != 4 || s.robotsHits() != 2 {
		t.Errorf("%d pages and %d robots.txt, want 4 and 2", s.hits(), s.robotsHits())
	}
}

func TestEnvironmentCannotOverride(t *testing.T) {
	for name, value := range map[string]string{
		"COLLY_USER_AGENT": "evil", "COLLY_ALLOWED_DOMAINS": "example.com", "COLLY_DISALLOWED_DOMAINS": "127.0.0.1",
		"COLLY_CACHE_DIR": t.TempDir(), "COLLY_MAX_BODY_SIZE": "10", "COLLY_MAX_DEPTH": "-1", "COLLY_MAX_REQUESTS": "1",
		"COLLY_FOLLOW_REDIRECTS": "no", "COLLY_DISABLE_COOKIES": "1", "COLLY_PARSE_HTTP_ERROR_RESPONSE": "no",
		"COLLY_DETECT_CHARSET": "yes", "COLLY_IGNORE_ROBOTSTXT": "no", "COLLY_TRACE_HTTP": "yes",
	} {
		t.Setenv(name, value)
	}
	long := strings.Repeat("\xe9", 5000)
	var agents []string
	s := newSite(t, map[string]http.HandlerFunc{
		"/p": func(w http.ResponseWriter, r *http.Request) {
			agents = append(agents, r.UserAgent())
			if r.Referer() != "" {
				t.Errorf("referer %s", r.Referer())
			}
			if _, err := r.Cookie("seen"); err != nil {
				redirect(302, "/consent")(w, r)
				return
			}
			w.Header().Set("Content-Type", "application/octet-stream")
			w.WriteHeader(404)
			_, _ = io.WriteString(w, long)
		},
		"/consent": func(w http.ResponseWriter, r *http.Request) {
			http.SetCookie(w, &http.Cookie{Name: "seen", Value: "1"})
			redirect(302, "/p")(w, r)
		},
	})
	target := page
	target.Accepts = []int{404}
	f := newFetcher(t, options())
	for range 2 {
		got, err := f.Fetch(context.Background(), target, scrapers.Request{URL: s.URL + "/p"}, scrapers.Validators{})
		if err != nil || string(got.Body) != long {
			t.Fatalf("%d bytes, %v", len(got.Body), err)
		}
	}
	if diff := cmp.Diff([]string{agent, agent, agent, agent}, agents); diff != "" {
		t.Error(diff)
	}
	if s.robotsHits() != 1 {
		t.Errorf("%d robots.txt", s.robotsHits())
	}
}

func TestDefaults(t *testing.T) {
	l := fetch.DefaultLimits()
	if l.MaxBody != 32<<20 || l.MaxRedirects != 5 || l.MaxTries != 4 {
		t.Errorf("limits %+v", l)
	}
	if s := fetch.DefaultSpacing(); s["vast"] != 7*time.Second || s[""] < time.Second {
		t.Errorf("spacing %v", s)
	}
}
