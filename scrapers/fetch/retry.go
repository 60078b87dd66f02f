package fetch

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"github.com/hashicorp/go-retryablehttp"

	"mtok/scrapers"
)

// day in seconds: a longer pause outlasts any run.
const day = 24 * 60 * 60

// retryPlan is the memory of one fetch over its hops: how many attempts and how
// much time are left. One fetch is sequential, so nothing here needs a lock.
type retryPlan struct {
	limits  Limits
	spacing time.Duration // of the host that is asked: a retry is a request too
	logger  *slog.Logger

	tries   int           // attempts that may still follow
	busy    time.Duration // time that attempts may still take
	limited int           // 429s without Retry-After so far
	wait    time.Duration // before the next attempt
	rest    time.Duration // that the host wants beyond what this fetch waits for
}

func newRetryPlan(l Limits, logger *slog.Logger) *retryPlan {
	return &retryPlan{limits: l, logger: logger, tries: l.MaxTries - 1, busy: l.Total}
}

// transport is the retrying RoundTripper over next. Its own logger stays off,
// because it would print errors with the whole URL in them.
func (p *retryPlan) transport(next http.RoundTripper) http.RoundTripper {
	return &retryablehttp.RoundTripper{Client: &retryablehttp.Client{
		HTTPClient: &http.Client{
			Transport: next,
			// Redirects belong to colly above, where each hop is judged.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
		RetryWaitMin: p.limits.RetryWait,
		RetryWaitMax: p.limits.MaxRetryAfter,
		RetryMax:     p.limits.MaxTries - 1,
		CheckRetry:   p.check,
		Backoff:      func(_, _ time.Duration, _ int, _ *http.Response) time.Duration { return p.wait },
		ErrorHandler: retryablehttp.PassthroughErrorHandler,
	}}
}

// check decides whether an attempt is repeated, and sets the wait before it.
func (p *retryPlan) check(ctx context.Context, resp *http.Response, err error) (bool, error) {
	if err != nil && !retryable(err) {
		return false, nil
	}
	again, ctxErr := retryablehttp.DefaultRetryPolicy(ctx, resp, err)
	if !again || ctxErr != nil {
		return false, ctxErr
	}
	if resp != nil && blocked(resp.StatusCode, resp.Header, bodyOf(resp), false) != "" {
		return false, nil // a challenge answers no sooner when asked again
	}
	if p.limits.MaxTries == 1 {
		return false, nil
	}
	p.wait = p.next(resp)
	beyond := p.wait > p.limits.MaxRetryAfter
	if beyond || p.tries <= 0 || p.busy <= 0 {
		if beyond || resp != nil && resp.StatusCode == http.StatusTooManyRequests {
			p.rest = p.wait
		}
		return false, nil
	}
	p.tries--
	p.wait = max(p.wait, p.spacing)
	t, _ := scrapers.TargetFrom(ctx)
	attrs := []slog.Attr{
		slog.String("provider", string(t.Provider)), slog.String("source", t.Source), slog.String("key", t.Key),
		slog.Duration("wait", p.wait),
	}
	if resp != nil {
		attrs = append(attrs, slog.Int("status", resp.StatusCode))
	} else {
		attrs = append(attrs, slog.String("kind", string(kindOf(err))))
	}
	p.logger.LogAttrs(ctx, slog.LevelWarn, "fetch is tried again", attrs...)
	return true, nil
}

// next is how long to wait: what Retry-After says, even beyond the cap, else
// a doubling time of our own.
func (p *retryPlan) next(resp *http.Response) time.Duration {
	failed := p.limits.MaxTries - 1 - p.tries
	if resp == nil {
		return retryablehttp.DefaultBackoff(p.limits.RetryWait, p.limits.MaxRetryAfter, failed, nil)
	}
	limited := resp.StatusCode == http.StatusTooManyRequests
	first := p.limits.RetryWait
	if limited {
		first, failed = p.limits.RateLimitWait, p.limited
		p.limited++
	}
	// The library multiplies seconds without a look at the overflow.
	after, err := strconv.ParseInt(resp.Header.Get("Retry-After"), 10, 64)
	if asks := limited || resp.StatusCode == http.StatusServiceUnavailable; asks && err == nil && after > day {
		return day * time.Second
	}
	wait := retryablehttp.DefaultBackoff(first, p.limits.MaxRetryAfter, failed, resp)
	if limited {
		return max(wait, p.limits.RetryWait) // "now" is not believed of a 429
	}
	return wait
}

// retryable tells whether an attempt's error may pass when asked again. Errors
// without a kind come from the network; the library's policy judges those.
func retryable(err error) bool {
	var fe *scrapers.FetchError
	if !errors.As(err, &fe) {
		return true
	}
	switch fe.Kind {
	case scrapers.FetchNetwork, scrapers.FetchTimeout, scrapers.FetchBody:
		return true
	}
	return false
}
