package fetch

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"

	"mtok/scrapers"
)

// kindOf classifies an error of an exchange that brought no answer.
func kindOf(err error) scrapers.FetchKind {
	var fe *scrapers.FetchError
	var ne net.Error
	switch {
	case errors.As(err, &fe):
		return fe.Kind
	case errors.Is(err, context.Canceled):
		return scrapers.FetchCanceled
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &ne) && ne.Timeout():
		return scrapers.FetchTimeout
	}
	return scrapers.FetchNetwork
}

// failure makes the FetchError of an exchange that brought no answer. What the
// run's own context says outranks what its end looked like from below.
func (c *call) failure(ctx context.Context, err error) *scrapers.FetchError {
	failed := &scrapers.FetchError{Kind: kindOf(err), URL: c.secrets.url(c.url.String())}
	var fe *scrapers.FetchError
	switch {
	case ctx.Err() != nil:
		failed.Kind = kindOf(ctx.Err())
		err = ctx.Err()
	case errors.As(err, &fe):
		if fe.URL != "" {
			failed.URL = c.secrets.url(fe.URL)
		}
		failed.Status, err = fe.Status, fe.Err
	}
	failed.Err = c.secrets.strip(err)
	return failed
}

// judge says whether an answer is one that the source reads, and marks a 304.
func (c *call) judge(got *scrapers.Fetched, header http.Header, recorded bool) error {
	answered := got.Status == http.StatusOK || slices.Contains(c.target.Accepts, got.Status)
	failed := &scrapers.FetchError{URL: got.URL, Status: got.Status}
	if why := blocked(got.Status, header, got.Body, answered); why != "" {
		failed.Kind, failed.Err = scrapers.FetchBlocked, errors.New(why)
		return failed
	}
	switch {
	case answered:
		return nil
	case got.Status == http.StatusNotModified && (recorded || c.conditional):
		got.NotModified = true
		return nil
	case got.Status == http.StatusTooManyRequests:
		failed.Kind = scrapers.FetchRateLimited
	default:
		failed.Kind = scrapers.FetchStatus
	}
	return failed
}

// checkURL parses what a provider asks for.
func (f *Fetcher) checkURL(raw string) (*url.URL, error) {
	u, err := url.Parse(raw)
	if err != nil {
		return nil, &scrapers.FetchError{Kind: scrapers.FetchAddress, URL: redactURL(raw), Err: errors.New("URL is not readable")}
	}
	if !f.schemeAllowed(u) || u.Hostname() == "" {
		err := fmt.Errorf("scheme %q or host is not allowed", u.Scheme)
		return nil, &scrapers.FetchError{Kind: scrapers.FetchAddress, URL: redactURL(raw), Err: err}
	}
	return u, nil
}
