package fetch

import (
	"context"
	"net/http"
	"net/url"

	"mtok/scrapers"
)

// Fetcher fetches the pages of one run. It is safe for concurrent use.
type Fetcher struct {
	opts  Options
	base  http.RoundTripper
	hosts hosts
}

// call is one page to fetch and what became of it on the way.
type call struct {
	target  scrapers.Target
	method  string
	url     *url.URL
	header  http.Header
	body    []byte
	secrets secrets
	// robots is whether redirects pass the robots gate.
	robots bool
	// conditional is whether validators are sent.
	conditional bool

	evidence []scrapers.Fetched // robots.txt answers that this call was the first to get
}

// New returns a Fetcher for one run: robots.txt answers and pauses are kept as
// long as it lives. Close it at the end of the run.
func New(o Options) *Fetcher {
	o = o.withDefaults()
	f := &Fetcher{opts: o, base: o.Transport, hosts: hosts{all: map[string]*host{}}}
	if f.base == nil {
		f.base = liveTransport(o.Limits, o.AllowAddress)
	}
	return f
}

// Close closes idle connections.
func (f *Fetcher) Close() {
	if t, ok := f.base.(interface{ CloseIdleConnections() }); ok {
		t.CloseIdleConnections()
	}
}

// Fetch asks for one page. Its error is always a *scrapers.FetchError. The
// Fetched beside an error of kind status, rate_limited or blocked holds the
// answer, so that it can be archived; beside any other it holds at most Robots.
//
// A POST is taken to be a query and tried again like a GET.
//
// Robots is set on the fetch that first met a host, on a failed one too. Where a
// redirect met a second host, that one's answer is the Robots of the first's.
func (f *Fetcher) Fetch(ctx context.Context, t scrapers.Target, req scrapers.Request, v scrapers.Validators) (scrapers.Fetched, error) {
	c, err := f.newCall(t, req, v)
	if err != nil {
		return scrapers.Fetched{}, err
	}
	ctx = scrapers.WithTarget(ctx, t)
	got, err := f.page(ctx, c)
	if err != nil {
		return scrapers.Fetched{Robots: c.chain()}, c.failure(ctx, err)
	}
	fetched := f.fetched(c, got)
	fetched.Robots = c.chain()
	if fetched.Status == http.StatusNotModified {
		// A 304 may renew the validators; what it leaves out still holds.
		if fetched.ETag == "" {
			fetched.ETag = v.ETag
		}
		if fetched.LastModified == "" {
			fetched.LastModified = v.LastModified
		}
	}
	return fetched, c.judge(&fetched, got.header, f.opts.Recorded)
}

// page passes the robots gate and fetches.
func (f *Fetcher) page(ctx context.Context, c *call) (answer, error) {
	if err := f.admit(ctx, c, c.url); err != nil {
		return answer{}, err
	}
	return f.exchange(ctx, c)
}

// newCall checks and completes a request.
func (f *Fetcher) newCall(t scrapers.Target, req scrapers.Request, v scrapers.Validators) (*call, error) {
	u, err := f.checkURL(req.URL)
	if err != nil {
		return nil, err
	}
	c := &call{target: t, method: req.Method, url: u, header: req.Header.Clone(), body: req.Body, robots: true}
	if c.method == "" {
		c.method = http.MethodGet
	}
	if c.header == nil {
		c.header = http.Header{}
	}
	c.secrets = secretsOf(u, c.header)
	c.header.Set("User-Agent", f.opts.UserAgent)
	if c.method == http.MethodGet && !f.opts.Recorded {
		if v.ETag != "" {
			c.header.Set("If-None-Match", v.ETag)
		}
		if v.LastModified != "" {
			c.header.Set("If-Modified-Since", v.LastModified)
		}
		c.conditional = v != (scrapers.Validators{})
	}
	return c, nil
}

// fetched is an answer as the pipeline sees it: nothing in it repeats a secret.
func (f *Fetcher) fetched(c *call, got answer) scrapers.Fetched {
	at := f.opts.Now()
	if f.opts.Recorded {
		if date, err := http.ParseTime(got.header.Get("Date")); err == nil {
			at = date
		}
	}
	return scrapers.Fetched{
		URL:          c.secrets.url(got.url.String()),
		Status:       got.status,
		ContentType:  c.secrets.hide(got.header.Get("Content-Type")),
		Body:         c.secrets.hideBody(got.body),
		ETag:         c.secrets.hide(got.header.Get("ETag")),
		LastModified: c.secrets.hide(got.header.Get("Last-Modified")),
		FetchedAt:    at.UTC(),
	}
}

// chain links the robots.txt answers of a call, the first in front.
func (c *call) chain() *scrapers.Fetched {
	var head *scrapers.Fetched
	for i := len(c.evidence) - 1; i >= 0; i-- {
		answer := c.evidence[i]
		answer.Robots = head
		head = &answer
	}
	return head
}
