package fetch

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"

	"github.com/gocolly/colly/v2"
)

// answer is what came back at the end of the redirects.
type answer struct {
	url    *url.URL
	status int
	header http.Header
	body   []byte
}

var errNoAnswer = errors.New("no answer was delivered")

// exchange sends a call through colly and all layers below it.
func (f *Fetcher) exchange(ctx context.Context, c *call) (answer, error) {
	collector, err := f.collector(ctx, c)
	if err != nil {
		return answer{}, err
	}
	got, err := answer{}, errNoAnswer
	// colly decodes by the Content-Type that it sees; the body is UTF-8 already.
	var contentType string
	collector.OnResponseHeaders(func(r *colly.Response) {
		contentType = r.Headers.Get("Content-Type")
		r.Headers.Del("Content-Type")
	})
	collector.OnResponse(func(r *colly.Response) {
		got = answer{url: r.Request.URL, status: r.StatusCode, header: *r.Headers, body: r.Body}
		got.header.Set("Content-Type", contentType)
		err = nil
	})
	var body io.Reader
	if len(c.body) > 0 {
		body = bytes.NewReader(c.body)
	}
	// colly writes into the header that it is given.
	if failed := collector.Request(c.method, c.url.String(), body, nil, c.header.Clone()); failed != nil {
		return answer{}, failed
	}
	return got, err
}

// collector is a fresh colly collector for one call, so that it has no memory
// of visited pages and its context is the call's. NewCollector applies COLLY_*
// environment variables last, so everything that they can set is set after it.
func (f *Fetcher) collector(ctx context.Context, c *call) (*colly.Collector, error) {
	jar, err := cookiejar.New(nil) // some sites set a cookie and redirect to themselves
	if err != nil {
		return nil, err
	}
	plan := newRetryPlan(f.opts.Limits, f.opts.Logger)
	once := &attempt{base: f.base, plan: plan, recorded: f.opts.Recorded}

	collector := colly.NewCollector()
	collector.Context = ctx
	collector.UserAgent = f.opts.UserAgent
	collector.AllowedDomains, collector.DisallowedDomains = nil, nil // redirects have their own list
	collector.CacheDir = ""                                          // the archive is the cache
	collector.DetectCharset = false                                  // decoded below, by declared charsets
	collector.IgnoreRobotsTxt = true                                 // its gate allows on 5xx; ours is above
	collector.MaxBodySize = int(f.opts.Limits.MaxBody) + 1           // never cuts: a longer body has failed below
	collector.MaxDepth, collector.MaxRequests = 0, 0
	collector.ParseHTTPErrorResponse = true // a status is data
	collector.AllowURLRevisit = true        // loops end by the number of hops
	collector.TraceHTTP = false
	collector.SetCookieJar(jar)
	collector.SetRequestTimeout(0) // the default of 10 s would cover all retries and waits
	collector.SetRedirectHandler(f.follow(ctx, c))
	collector.WithTransport(&polite{
		hosts: &f.hosts, spacing: f.opts.spacing(c.target.Provider), plan: plan, next: plan.transport(once),
	})
	return collector, nil
}
