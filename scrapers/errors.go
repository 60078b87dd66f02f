package scrapers

import (
	"errors"
	"fmt"
)

// ErrLayout is wrapped by a Parse error when a page is not of the layout that
// the parser knows. Such a page gives no price at all.
var ErrLayout = errors.New("unknown page layout")

// layoutf says what was expected and not found.
func layoutf(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrLayout, fmt.Sprintf(format, args...))
}

// FetchKind classifies a failed fetch.
type FetchKind string

// The kinds of failure.
const (
	FetchNetwork     FetchKind = "network"      // no answer: DNS, connect, TLS, reset
	FetchTimeout     FetchKind = "timeout"      // a connect, header, body or total limit passed
	FetchStatus      FetchKind = "status"       // an HTTP status that the source does not read
	FetchRateLimited FetchKind = "rate_limited" // 429 beyond the retries
	FetchBlocked     FetchKind = "blocked"      // 403 or a challenge page
	FetchRobots      FetchKind = "robots"       // robots.txt forbids it, or could not be read
	FetchTooLarge    FetchKind = "too_large"    // body over the limit; never cut
	FetchBody        FetchKind = "body"         // broken or truncated body
	FetchRedirect    FetchKind = "redirect"     // too many hops or to a forbidden place
	FetchAddress     FetchKind = "address"      // a forbidden address, scheme or port
	FetchNotRecorded FetchKind = "not_recorded" // the recorded night has no such file
	FetchPanic       FetchKind = "panic"        // the provider's code panicked
	FetchCanceled    FetchKind = "canceled"     // the run was interrupted
)

// FetchError is the one error type of fetching.
type FetchError struct {
	Kind   FetchKind
	URL    string // without credentials or query secrets
	Status int    // HTTP status, 0 when nothing came back
	Err    error  // may be nil
}

// Error names kind, URL, status and cause.
func (e *FetchError) Error() string {
	text := fmt.Sprintf("fetch %s: %s", e.URL, e.Kind)
	if e.Status != 0 {
		text += fmt.Sprintf(" (HTTP %d)", e.Status)
	}
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

// Unwrap returns the cause.
func (e *FetchError) Unwrap() error { return e.Err }
