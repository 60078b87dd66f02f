package fetch

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"time"

	"mtok/scrapers"
)

var (
	errBodyTime  = errors.New("body took longer than its limit")
	errTotalTime = errors.New("fetch took longer than its limit")
)

// attempt is the RoundTripper of one attempt: time limits around it, and the
// body read, unpacked and decoded before it returns, so that a broken body can
// be tried again and a slot is free when the answer is out.
type attempt struct {
	base     http.RoundTripper
	plan     *retryPlan
	recorded bool
}

// page is a body that has been read.
type page struct {
	*bytes.Reader
	data []byte
}

// Close does nothing: the network's body is closed already.
func (page) Close() error { return nil }

// bodyOf is the content of an attempt's answer.
func bodyOf(resp *http.Response) []byte {
	if p, ok := resp.Body.(page); ok {
		return p.data
	}
	return nil
}

// RoundTrip sends the request once and returns an answer whose body is in
// memory, plain and, where textual, UTF-8.
func (a *attempt) RoundTrip(req *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancelCause(req.Context())
	defer cancel(nil)
	started := time.Now()
	total := time.AfterFunc(a.plan.busy, func() { cancel(errTotalTime) })
	defer func() {
		total.Stop()
		a.plan.busy -= time.Since(started)
	}()

	out := req.Clone(ctx)
	out.Header.Set("Accept-Encoding", "gzip")
	resp, err := a.base.RoundTrip(out)
	if err != nil {
		return nil, timedOut(ctx, err)
	}
	defer resp.Body.Close()
	resp.Request = req
	body := time.AfterFunc(a.plan.limits.Body, func() { cancel(errBodyTime) })
	defer body.Stop()
	data, err := readBody(resp, a.plan.limits.MaxBody, a.recorded)
	if err != nil {
		return nil, timedOut(ctx, err)
	}
	return a.plain(resp, data)
}

// plain is the answer as if it had been sent plain and in UTF-8. Uncompressed
// keeps colly from unpacking a ".xml.gz", which it does without a cap.
func (a *attempt) plain(resp *http.Response, data []byte) (*http.Response, error) {
	data, contentType := toUTF8(data, resp.Header.Get("Content-Type"))
	if int64(len(data)) > a.plan.limits.MaxBody {
		return nil, bodyError(errTooLarge)
	}
	resp.Header = resp.Header.Clone()
	if contentType != "" {
		resp.Header.Set("Content-Type", contentType)
	}
	resp.Uncompressed = true
	resp.ContentLength = int64(len(data))
	resp.Body = page{Reader: bytes.NewReader(data), data: data}
	return resp, nil
}

// timedOut names the limit that ended an attempt, if one did.
func timedOut(ctx context.Context, err error) error {
	if why := context.Cause(ctx); errors.Is(why, errBodyTime) || errors.Is(why, errTotalTime) {
		return &scrapers.FetchError{Kind: scrapers.FetchTimeout, Err: why}
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}
