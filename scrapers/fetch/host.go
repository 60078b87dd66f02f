package fetch

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"mtok/scrapers"
)

// hosts are the hosts that a run has met.
type hosts struct {
	mu  sync.Mutex
	all map[string]*host
}

// host is what a run knows of one host. Its two slots are channels and not
// mutexes, so that waiting for them ends with the context.
type host struct {
	slot chan struct{} // held during a request, its retries included
	gate chan struct{} // held while robots is read for the first time

	// Guarded by slot.
	last time.Time // end of the latest request
	rest time.Time // no request before: the host asked to be left alone

	robots *robots      // guarded by gate
	delay  atomic.Int64 // nanoseconds of its Crawl-delay for us
}

// hostKey is scheme, name and port, the default port left out.
func hostKey(u *url.URL) string {
	name, port := strings.ToLower(u.Hostname()), u.Port()
	if port == "" || port == "443" && u.Scheme == "https" || port == "80" && u.Scheme == "http" {
		return u.Scheme + "://" + name
	}
	return u.Scheme + "://" + net.JoinHostPort(name, port)
}

func (h *hosts) get(u *url.URL) *host {
	h.mu.Lock()
	defer h.mu.Unlock()
	key := hostKey(u)
	if h.all[key] == nil {
		h.all[key] = &host{slot: make(chan struct{}, 1), gate: make(chan struct{}, 1)}
	}
	return h.all[key]
}

// lock takes one of a host's slots, or gives up with the context.
func lock(ctx context.Context, slot chan struct{}) error {
	select {
	case slot <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// sleep waits, or gives up with the context.
func sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// polite is the RoundTripper that keeps the requests to a host apart: one at a
// time, with a pause between, and none while the host wants to be left alone.
// It stands above the retries, so that nobody else asks a host that is waited
// for, and below the redirects, so that each hop counts for its own host.
// colly's LimitRule would do the first, but it sleeps through a cancelled
// context and cannot tell a retry.
type polite struct {
	hosts   *hosts
	spacing time.Duration
	plan    *retryPlan
	next    http.RoundTripper
}

// RoundTrip waits for the host's slot and pause, then passes the request on.
func (p *polite) RoundTrip(req *http.Request) (*http.Response, error) {
	h := p.hosts.get(req.URL)
	if err := lock(req.Context(), h.slot); err != nil {
		return nil, err
	}
	defer func() { <-h.slot }()
	if left := time.Until(h.rest); left > 0 {
		err := fmt.Errorf("host asked for a pause, %s left", left.Round(time.Second))
		return nil, &scrapers.FetchError{Kind: scrapers.FetchRateLimited, Err: err}
	}
	spacing := max(p.spacing, time.Duration(h.delay.Load()))
	if !h.last.IsZero() {
		if err := sleep(req.Context(), spacing-time.Since(h.last)); err != nil {
			return nil, err
		}
	}
	p.plan.spacing = spacing
	resp, err := p.next.RoundTrip(req)
	h.last = time.Now()
	h.rest = h.last.Add(p.plan.rest)
	return resp, err
}
