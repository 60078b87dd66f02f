package fetch

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"mtok/scrapers"
)

var errHops = errors.New("too many redirects")

func (f *Fetcher) schemeAllowed(u *url.URL) bool {
	return u.Scheme == "https" || u.Scheme == "http" && f.opts.AllowHTTP
}

// follow judges each hop of a call: number, scheme, host, then the robots.txt of
// the place. The address is judged again when it is dialled. The headers of the
// request stay behind when the host changes; net/http would drop Authorization
// only, not an X-Api-Key. The Referer always goes: it holds the whole last URL.
func (f *Fetcher) follow(ctx context.Context, c *call) func(*http.Request, []*http.Request) error {
	return func(req *http.Request, via []*http.Request) error {
		if len(via) > f.opts.Limits.MaxRedirects {
			return &scrapers.FetchError{Kind: scrapers.FetchRedirect, URL: req.URL.String(), Err: errHops}
		}
		if err := f.checkHop(c, req.URL); err != nil {
			return err
		}
		req.Header.Del("Referer")
		if hostKey(req.URL) != hostKey(c.url) {
			keep := http.Header{"User-Agent": {f.opts.UserAgent}}
			for _, name := range []string{"Accept", "Accept-Language", "Content-Type"} {
				if v := req.Header.Get(name); v != "" {
					keep.Set(name, v)
				}
			}
			req.Header = keep
		}
		if c.robots {
			return f.admit(ctx, c, req.URL)
		}
		return nil
	}
}

// checkHop judges where a redirect leads before anything is dialled.
func (f *Fetcher) checkHop(c *call, u *url.URL) error {
	forbidden := func(kind scrapers.FetchKind, format string, args ...any) error {
		return &scrapers.FetchError{Kind: kind, URL: u.String(), Err: fmt.Errorf(format, args...)}
	}
	if !f.schemeAllowed(u) {
		return forbidden(scrapers.FetchAddress, "redirect to scheme %q", u.Scheme)
	}
	if u.User != nil {
		return forbidden(scrapers.FetchAddress, "redirect with credentials")
	}
	if ap, ok := literal(u); ok && !f.opts.AllowAddress(ap) {
		return forbidden(scrapers.FetchAddress, "redirect to %s: %w", ap, errAddress)
	}
	if hostKey(u) == hostKey(c.url) {
		return nil
	}
	name := strings.ToLower(u.Hostname())
	sameName := name == strings.ToLower(c.url.Hostname())
	for _, extra := range f.opts.ExtraHosts[c.target.Provider] {
		listed := &url.URL{Scheme: u.Scheme, Host: extra}
		if hostKey(listed) == hostKey(u) {
			return nil
		}
		sameName = sameName || strings.ToLower(listed.Hostname()) == name
	}
	if sameName {
		return forbidden(scrapers.FetchAddress, "redirect to another port or scheme of %s", name)
	}
	return forbidden(scrapers.FetchRedirect, "redirect to host %s, which is not listed", name)
}

// literal is the address of a URL that names one instead of a host.
func literal(u *url.URL) (netip.AddrPort, bool) {
	addr, err := netip.ParseAddr(u.Hostname())
	if err != nil {
		return netip.AddrPort{}, false
	}
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	n, err := strconv.ParseUint(port, 10, 16)
	if err != nil {
		return netip.AddrPort{}, false
	}
	return netip.AddrPortFrom(addr, uint16(n)), true
}
