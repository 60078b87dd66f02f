package fetch

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"time"

	"github.com/temoto/robotstxt"

	"mtok/scrapers"
)

var errDisallowed = errors.New("robots.txt disallows it")

// robots is a host's answer for robots.txt, good for one run.
type robots struct {
	data *robotstxt.RobotsData // nil when it could not be read
	kind scrapers.FetchKind    // then, and why
	why  error
}

// admit is the robots gate: nil when the URL may be fetched. The first call for
// a host reads its robots.txt and adds the answer to the call's evidence.
func (f *Fetcher) admit(ctx context.Context, c *call, u *url.URL) error {
	h := f.hosts.get(u)
	if err := lock(ctx, h.gate); err != nil {
		return err
	}
	defer func() { <-h.gate }()
	if h.robots == nil {
		answer, err := f.readRobots(ctx, c, u)
		if ctx.Err() != nil {
			return ctx.Err() // says nothing about the host
		}
		h.robots = parseRobots(answer, err)
		h.delay.Store(int64(f.crawlDelay(h.robots)))
		if answer.Status != 0 {
			c.evidence = append(c.evidence, answer)
		}
	}
	if h.robots.data == nil {
		err := fmt.Errorf("robots.txt could not be read: %w", h.robots.why)
		return &scrapers.FetchError{Kind: h.robots.kind, URL: u.String(), Err: err}
	}
	path := cmp.Or(u.EscapedPath(), "/")
	if u.RawQuery != "" {
		path += "?" + u.RawQuery
	}
	if !h.robots.data.TestAgent(path, f.opts.UserAgent) {
		return &scrapers.FetchError{Kind: scrapers.FetchRobots, URL: u.String(), Err: errDisallowed}
	}
	return nil
}

// readRobots fetches robots.txt through the layers of any other page, but for
// the gate itself.
func (f *Fetcher) readRobots(ctx context.Context, c *call, u *url.URL) (scrapers.Fetched, error) {
	at := &url.URL{Scheme: u.Scheme, Host: u.Host, Path: "/robots.txt"}
	read := &call{
		target:  scrapers.Target{Provider: c.target.Provider, Source: scrapers.SourceRobots},
		method:  http.MethodGet,
		url:     at,
		header:  http.Header{"User-Agent": {f.opts.UserAgent}, "Accept": {"text/plain, */*;q=0.5"}},
		secrets: c.secrets,
	}
	got, err := f.exchange(scrapers.WithTarget(ctx, read.target), read)
	if err != nil {
		return scrapers.Fetched{}, read.failure(ctx, err)
	}
	return f.fetched(read, got), nil
}

// parseRobots follows RFC 9309: no file (4xx) allows, a server in trouble (5xx,
// unreachable) forbids. A 429 is trouble too: it asks for less, not for more.
// Where the host did not answer at all, the kind says that and not "robots".
func parseRobots(answer scrapers.Fetched, err error) *robots {
	if err != nil {
		switch kind := kindOf(err); kind {
		case scrapers.FetchNotRecorded:
			answer.Status = http.StatusNotFound
		case scrapers.FetchNetwork, scrapers.FetchTimeout, scrapers.FetchAddress:
			return &robots{kind: kind, why: err}
		default:
			return &robots{kind: scrapers.FetchRobots, why: err}
		}
	}
	trouble := answer.Status == http.StatusTooManyRequests || answer.Status >= http.StatusInternalServerError
	data, err := robotstxt.FromStatusAndBytes(answer.Status, rules(answer.Body))
	if err != nil || trouble {
		return &robots{kind: scrapers.FetchRobots, why: fmt.Errorf("HTTP %d", answer.Status)}
	}
	return &robots{data: data}
}

// crawlDelay is a host's Crawl-delay for us, up to the cap.
func (f *Fetcher) crawlDelay(r *robots) time.Duration {
	if r.data == nil || f.opts.Recorded {
		return 0
	}
	return min(r.data.FindGroup(f.opts.UserAgent).CrawlDelay, f.opts.Limits.MaxCrawlDelay)
}

var (
	agentLine = regexp.MustCompile(`(?i)^\s*user-?agent\s*:`)
	ruleLine  = regexp.MustCompile(`(?i)^\s*((dis)?allow\s*:|crawl-?delay\s*:\s*[0-9]{1,9}(\.[0-9]+)?\s*(#.*)?$)`)
)

// rules keeps the lines that mean something to us. RFC 9309 has a crawler skip
// what it cannot read; the parser refuses a whole file for one rule before the
// first User-agent or one odd Crawl-delay.
func rules(body []byte) []byte {
	var kept bytes.Buffer
	agent := false
	for line := range bytes.FieldsFuncSeq(bytes.TrimPrefix(body, bomUTF8), func(r rune) bool { return r == '\n' || r == '\r' }) {
		isAgent := agentLine.Match(line)
		agent = agent || isAgent
		if isAgent || agent && ruleLine.Match(line) {
			kept.Write(line)
			kept.WriteByte('\n')
		}
	}
	return kept.Bytes()
}
