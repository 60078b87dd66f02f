package fetch_test

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"mtok/scrapers"
	"mtok/scrapers/fetch"
)

// A recorded night: the target travels with the request, the date is that of
// the record, no validator is sent, nothing is waited for or tried again.
func TestRecorded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		started := time.Now()
		var targets []scrapers.Target
		answers := map[string]*http.Response{
			"/ok":   reply(200, http.Header{"Date": {"Sat, 22 Aug 2026 18:00:00 GMT"}, "Content-Encoding": {"gzip"}, "Etag": {`"x"`}}, "plain after all"),
			"/br":   reply(200, http.Header{"Content-Encoding": {"br"}}, "plain too"),
			"/same": reply(304, nil, ""),
			"/busy": reply(429, http.Header{"Retry-After": {"60"}}, "slow"),
			"/down": reply(503, nil, "down"),
		}
		f := fetch.New(fetch.Options{Recorded: true, Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
			target, ok := scrapers.TargetFrom(r.Context())
			if !ok || r.Header.Get("If-None-Match") != "" {
				t.Errorf("%s: target %v, headers %v", r.URL, ok, r.Header)
			}
			targets = append(targets, target)
			if target.Source == scrapers.SourceRobots {
				return reply(200, nil, "User-agent: *\nCrawl-delay: 20\n"), nil
			}
			if resp := answers[r.URL.Path]; resp != nil {
				return resp, nil
			}
			return nil, &scrapers.FetchError{Kind: scrapers.FetchNotRecorded, Err: errors.New("no such file")}
		})})
		ask := func(path string) (scrapers.Fetched, error) {
			target := page
			target.Key = path
			return f.Fetch(context.Background(), target, scrapers.Request{URL: "https://acme.example" + path}, scrapers.Validators{ETag: `"v"`})
		}
		got, err := ask("/ok")
		if err != nil || string(got.Body) != "plain after all" || got.ETag != `"x"` || !got.FetchedAt.Equal(time.Date(2026, 8, 22, 18, 0, 0, 0, time.UTC)) {
			t.Errorf("%+v, %v", got, err)
		}
		if got, err = ask("/br"); err != nil || string(got.Body) != "plain too" {
			t.Errorf("%+v, %v", got, err)
		}
		if got, err = ask("/same"); err != nil || !got.NotModified || got.Status != 304 {
			t.Errorf("%+v, %v", got, err)
		}
		_, err = ask("/busy")
		wantKind(t, err, scrapers.FetchRateLimited)
		_, err = ask("/down")
		wantKind(t, err, scrapers.FetchStatus)
		_, err = ask("/absent")
		wantKind(t, err, scrapers.FetchNotRecorded)
		if took := time.Since(started); took != 0 {
			t.Errorf("waited %v", took)
		}
		var want []scrapers.Target
		for i, key := range []string{"", "/ok", "/br", "/same", "/busy", "/down", "/absent"} {
			w := scrapers.Target{Provider: "acme", Source: "pricing-page", Key: key}
			if i == 0 {
				w.Source = scrapers.SourceRobots
			}
			want = append(want, w)
		}
		if diff := cmp.Diff(want, targets); diff != "" {
			t.Error(diff)
		}
	})
}

// No robots.txt in the record counts as 404.
func TestRecordedWithoutRobots(t *testing.T) {
	f := fetch.New(fetch.Options{Recorded: true, Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
		if target, _ := scrapers.TargetFrom(r.Context()); target.Source == scrapers.SourceRobots {
			return nil, &scrapers.FetchError{Kind: scrapers.FetchNotRecorded}
		}
		return reply(200, nil, "x"), nil
	})})
	if got, err := get(f, "https://acme.example/p"); err != nil || got.Robots != nil {
		t.Errorf("%+v, %v", got, err)
	}
}
