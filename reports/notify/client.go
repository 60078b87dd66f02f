package notify

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"net/netip"
	"syscall"
	"time"
)

// PermittedAddress is the dialer policy of channels. Their URLs are the user's own
// words, and many a receiver stands in the user's own network: only what no receiver
// has is refused, above all the addresses of cloud metadata.
func PermittedAddress(ap netip.AddrPort) bool {
	addr := ap.Addr().Unmap()
	if addr.IsUnspecified() || addr.IsMulticast() || addr.IsLinkLocalUnicast() || addr.IsInterfaceLocalMulticast() {
		return false
	}
	for _, metadata := range []string{"fd00:ec2::254", "100.100.100.200", "192.0.0.192", "168.63.129.16"} {
		if addr == netip.MustParseAddr(metadata) {
			return false
		}
	}
	return addr.IsValid()
}

// own reports whether an address is in the user's own network, where a message may
// travel without encryption.
func own(addr netip.Addr) bool {
	addr = addr.Unmap()
	return addr.IsLoopback() || addr.IsPrivate()
}

// policy is which addresses may be dialled.
type policy struct {
	allow     func(netip.AddrPort) bool
	allowHTTP bool
}

func (p policy) check(ap netip.AddrPort, encrypted bool) *Fault {
	switch {
	case !p.allow(ap):
		return fault("its address is one that no message goes to")
	case !encrypted && !p.allowHTTP && !own(ap.Addr()):
		return fault("its URL is not encrypted: plain http goes to private addresses alone")
	}
	return nil
}

// dialer checks the address after the name is resolved, so that no name leads
// around it.
func (p policy) dialer(timeout time.Duration, encrypted bool) *net.Dialer {
	return &net.Dialer{
		Timeout: timeout,
		ControlContext: func(_ context.Context, _, address string, _ syscall.RawConn) error {
			ap, err := netip.ParseAddrPort(address)
			if err != nil {
				return fault("its address can't be read")
			}
			if f := p.check(ap, encrypted); f != nil {
				return f
			}
			return nil
		},
	}
}

// client is one that follows no redirect: a message goes where it is sent.
func (p policy) client(timeout time.Duration, now func() time.Time) *http.Client {
	secure := &tls.Dialer{NetDialer: p.dialer(timeout, true), Config: &tls.Config{MinVersion: tls.VersionTLS12}}
	return &http.Client{
		Timeout: timeout,
		CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse
		},
		Transport: answers{now: now, next: &http.Transport{
			DialContext:            p.dialer(timeout, false).DialContext,
			DialTLSContext:         secure.DialContext,
			DisableKeepAlives:      true,
			MaxResponseHeaderBytes: maxAnswer,
		}},
	}
}

// maxAnswer is how much of an answer is read.
const maxAnswer = 64 << 10

// answers turns an answer that is no success into a Fault, before a library reads
// it, throws Retry-After away and puts the rest into an error.
type answers struct {
	next http.RoundTripper
	now  func() time.Time
}

func (a answers) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := a.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	if response.StatusCode >= http.StatusMultipleChoices {
		after := retryAfter(response.Header, a.now())
		response.Body.Close()
		return nil, statusFault(response.StatusCode, after)
	}
	return response, nil
}

// reachable resolves the host of a service that dials by itself, and checks what the
// dialer would.
func (p policy) reachable(ctx context.Context, host, port string) *Fault {
	addrs, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	if err != nil {
		return faultOf(err)
	}
	number, _ := net.DefaultResolver.LookupPort(ctx, "tcp", port)
	for _, addr := range addrs {
		// Whether it encrypts is the service's own affair.
		if f := p.check(netip.AddrPortFrom(addr, uint16(number)), true); f != nil {
			return f
		}
	}
	return nil
}
