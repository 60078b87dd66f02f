package fetch

import (
	"cmp"
	"log/slog"
	"net/http"
	"net/netip"
	"time"

	"mtok/schema"
)

// Options configure a Fetcher. The zero value is a live fetcher with defaults.
type Options struct {
	// UserAgent names the product and a contact: "mtok/0.1 (+https://contact)".
	UserAgent string
	// Transport replaces the live transport; a recorded night passes its own.
	Transport http.RoundTripper
	// AllowAddress judges every address that the live transport dials, after
	// name resolution. Nil is PublicAddress; only tests set another.
	AllowAddress func(netip.AddrPort) bool
	// AllowHTTP permits plain http. Only tests set it.
	AllowHTTP bool
	// Now stamps what was fetched. Nil is time.Now.
	Now func() time.Time
	// Limits bound one fetch; a zero field takes its default.
	Limits Limits
	// Spacing is the pause between two requests to one host, by provider; the
	// entry "" is for all others. Nil is DefaultSpacing.
	Spacing map[schema.ProviderID]time.Duration
	// ExtraHosts are the hosts that a provider's redirects may lead to besides
	// the host that was asked: "www.example.com" or "example.com:8443".
	ExtraHosts map[schema.ProviderID][]string
	// Recorded says that Transport serves recorded pages: FetchedAt is their
	// Date header, no validators are sent, nothing is retried or waited for.
	Recorded bool
	// Logger tells about retries. Nil discards.
	Logger *slog.Logger
}

// Limits bound one fetch.
type Limits struct {
	Connect time.Duration // TCP connect, and as much again for the TLS handshake
	Header  time.Duration // from the sent request to the answer's headers
	Body    time.Duration // from the headers to the end of the body
	// Total bounds all attempts and redirects of a fetch together. The waits
	// between attempts come on top; MaxTries and MaxRetryAfter bound those.
	Total time.Duration

	MaxBody      int64 // bytes, compressed and decompressed alike; a longer body fails
	MaxRedirects int   // hops after the first request
	MaxTries     int   // attempts of a fetch, whatever the number of hops

	RetryWait     time.Duration // first wait after a network error or 5xx; doubles
	RateLimitWait time.Duration // first wait after a 429 without Retry-After; doubles
	MaxRetryAfter time.Duration // a Retry-After beyond it ends the fetch
	MaxCrawlDelay time.Duration // a longer Crawl-delay counts as this
}

// DefaultLimits are the limits of a live night. Vast.ai may take most of a
// minute to answer and wants 30 s of peace after a 429.
func DefaultLimits() Limits {
	return Limits{
		Connect:       10 * time.Second,
		Header:        60 * time.Second,
		Body:          60 * time.Second,
		Total:         120 * time.Second,
		MaxBody:       32 << 20,
		MaxRedirects:  5,
		MaxTries:      4,
		RetryWait:     time.Second,
		RateLimitWait: 30 * time.Second,
		MaxRetryAfter: 120 * time.Second,
		MaxCrawlDelay: 30 * time.Second,
	}
}

// DefaultSpacing is 7 s for Vast.ai, whose API allows 10 requests a minute,
// and 1.5 s for everyone else.
func DefaultSpacing() map[schema.ProviderID]time.Duration {
	return map[schema.ProviderID]time.Duration{
		"":     1500 * time.Millisecond,
		"vast": 7 * time.Second,
	}
}

// withDefaults fills what is zero.
func (o Options) withDefaults() Options {
	d := DefaultLimits()
	l := &o.Limits
	l.Connect = cmp.Or(l.Connect, d.Connect)
	l.Header = cmp.Or(l.Header, d.Header)
	l.Body = cmp.Or(l.Body, d.Body)
	l.Total = cmp.Or(l.Total, d.Total)
	l.MaxBody = cmp.Or(l.MaxBody, d.MaxBody)
	l.MaxRedirects = cmp.Or(l.MaxRedirects, d.MaxRedirects)
	l.MaxTries = cmp.Or(l.MaxTries, d.MaxTries)
	l.RetryWait = cmp.Or(l.RetryWait, d.RetryWait)
	l.RateLimitWait = cmp.Or(l.RateLimitWait, d.RateLimitWait)
	l.MaxRetryAfter = cmp.Or(l.MaxRetryAfter, d.MaxRetryAfter)
	l.MaxCrawlDelay = cmp.Or(l.MaxCrawlDelay, d.MaxCrawlDelay)
	o.UserAgent = cmp.Or(o.UserAgent, "mtok")
	if o.AllowAddress == nil {
		o.AllowAddress = PublicAddress
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Spacing == nil {
		o.Spacing = DefaultSpacing()
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Recorded {
		l.MaxTries = 1
	}
	return o
}

// spacing is the pause between requests for a provider.
func (o *Options) spacing(id schema.ProviderID) time.Duration {
	if o.Recorded {
		return 0
	}
	if d, ok := o.Spacing[id]; ok {
		return d
	}
	return o.Spacing[""]
}
