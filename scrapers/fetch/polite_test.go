package fetch_test

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"mtok/schema"
	"mtok/scrapers"
	"mtok/scrapers/fetch"
)

// As the server counts: never two requests at once, and a pause between any
// two, those for robots.txt, retries and redirects included.
func TestSpacingAndParallelism(t *testing.T) {
	const pause = 40 * time.Millisecond
	var mu sync.Mutex
	var ends, starts []time.Time
	var active, most atomic.Int32
	failed := false
	s := newSite(t, nil)
	s.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		most.Store(max(most.Load(), active.Add(1)))
		time.Sleep(10 * time.Millisecond)
		mu.Lock()
		defer mu.Unlock()
		defer active.Add(-1)
		starts, ends = append(starts, start), append(ends, time.Now())
		switch {
		case r.URL.Path == "/2":
			redirect(302, "/there")(w, r)
		case r.URL.Path == "/3" && !failed:
			failed = true
			w.WriteHeader(500)
		}
	})
	o := options()
	o.Spacing = map[schema.ProviderID]time.Duration{"acme": pause}
	f := newFetcher(t, o)
	var wg sync.WaitGroup
	for i := range 6 {
		wg.Go(func() {
			if _, err := get(f, fmt.Sprintf("%s/%d", s.URL, i)); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if len(starts) != 9 || most.Load() != 1 {
		t.Errorf("%d requests, at most %d at once; want 9 and 1", len(starts), most.Load())
	}
	for i := 1; i < len(starts); i++ {
		if gap := starts[i].Sub(ends[i-1]); gap < pause-2*time.Millisecond {
			t.Errorf("request %d came %v after the one before", i, gap)
		}
	}
}

// Two hosts do not wait for each other.
func TestHostsAreIndependent(t *testing.T) {
	gate := make(chan struct{})
	slow := newSite(t, map[string]http.HandlerFunc{"/p": func(http.ResponseWriter, *http.Request) { <-gate }})
	fast := newSite(t, map[string]http.HandlerFunc{"/p": func(http.ResponseWriter, *http.Request) { close(gate) }})
	f := newFetcher(t, options())
	var wg sync.WaitGroup
	wg.Go(func() {
		if _, err := get(f, slow.URL+"/p"); err != nil {
			t.Error(err)
		}
	})
	for slow.hits() == 0 {
		time.Sleep(time.Millisecond)
	}
	if _, err := get(f, fast.URL+"/p"); err != nil {
		t.Error(err)
	}
	wg.Wait()
}

func TestVastSpacing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var at []time.Time
		f := fetch.New(fetch.Options{Transport: memory(func(*http.Request) *http.Response {
			at = append(at, time.Now())
			return reply(200, nil, "{}")
		})})
		target := scrapers.Target{Provider: "vast", Source: "bundles-api"}
		for range 26 {
			req := scrapers.Request{Method: "POST", URL: "https://acme.example/api", Body: []byte("{}")}
			if _, err := f.Fetch(context.Background(), target, req, scrapers.Validators{}); err != nil {
				t.Fatal(err)
			}
		}
		if took := at[25].Sub(at[0]); took != 25*7*time.Second {
			t.Errorf("26 queries took %v", took)
		}
	})
}

// Waiting for a slot, a pause or a retry ends at once with the context.
func TestWaitsEndWithTheContext(t *testing.T) {
	for _, code := range []int{200, 429} {
		synctest.Test(t, func(t *testing.T) {
			f := fetch.New(fetch.Options{
				Spacing:   map[schema.ProviderID]time.Duration{"": time.Hour},
				Limits:    fetch.Limits{MaxRetryAfter: 2 * time.Hour},
				Transport: memory(func(*http.Request) *http.Response { return reply(code, nil, "x") }),
			})
			ctx, cancel := context.WithTimeout(context.Background(), 90*time.Minute)
			defer cancel()
			started := time.Now()
			var wg sync.WaitGroup
			for range 3 {
				wg.Go(func() {
					_, err := f.Fetch(ctx, page, scrapers.Request{URL: "https://acme.example/p"}, scrapers.Validators{})
					if err != nil {
						wantKind(t, err, scrapers.FetchTimeout)
					}
				})
			}
			wg.Wait()
			if took := time.Since(started); took != 90*time.Minute {
				t.Errorf("took %v", took)
			}
		})
	}
}
