package fetch

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"syscall"
	"time"

	"mtok/scrapers"
)

var errAddress = errors.New("address is not public or port is not 443")

// PublicAddress is the dialer policy of live fetching: port 443 of an address
// that the public internet routes. Private, loopback, link-local, CGNAT,
// multicast, documentation, tunnelled (NAT64, 6to4, Teredo) and cloud metadata
// addresses are refused; a v4-mapped address is judged as the v4 address.
func PublicAddress(ap netip.AddrPort) bool {
	addr := ap.Addr().Unmap()
	if ap.Port() != 443 || !addr.IsGlobalUnicast() || addr.IsPrivate() {
		return false
	}
	if addr.Is6() && !globalV6.Contains(addr) {
		return false
	}
	for _, p := range special() {
		if p.Contains(addr) {
			return false
		}
	}
	return true
}

// globalV6 is all that IANA has given out as global unicast. What lies outside,
// such as NAT64's 64:ff9b::/96, embeds other addresses or is local.
var globalV6 = netip.MustParsePrefix("2000::/3")

// special lists ranges of the IANA special-purpose registries that netip's own
// predicates do not know.
func special() []netip.Prefix {
	return []netip.Prefix{
		netip.MustParsePrefix("0.0.0.0/8"),
		netip.MustParsePrefix("100.64.0.0/10"), // CGNAT; Alibaba's metadata
		netip.MustParsePrefix("192.0.0.0/24"),  // protocol assignments; Oracle's metadata
		netip.MustParsePrefix("192.0.2.0/24"),
		netip.MustParsePrefix("192.88.99.0/24"), // 6to4 relays
		netip.MustParsePrefix("198.18.0.0/15"),
		netip.MustParsePrefix("198.51.100.0/24"),
		netip.MustParsePrefix("203.0.113.0/24"),
		netip.MustParsePrefix("240.0.0.0/4"),
		netip.MustParsePrefix("168.63.129.16/32"), // Azure's host agent, a public number
		netip.MustParsePrefix("2001::/23"),        // Teredo and other protocol assignments
		netip.MustParsePrefix("2001:db8::/32"),
		netip.MustParsePrefix("2002::/16"), // 6to4
		netip.MustParsePrefix("3fff::/20"),
	}
}

// liveTransport dials only what allow permits. The check sits in the dialer,
// after name resolution, so that no name and no redirect leads around it.
func liveTransport(l Limits, allow func(netip.AddrPort) bool) *http.Transport {
	dialer := &net.Dialer{
		Timeout: l.Connect,
		ControlContext: func(_ context.Context, network, address string, _ syscall.RawConn) error {
			ap, err := netip.ParseAddrPort(address)
			if err != nil || (network != "tcp4" && network != "tcp6") || !allow(ap) {
				return &scrapers.FetchError{Kind: scrapers.FetchAddress, Err: errAddress}
			}
			return nil
		},
	}
	return &http.Transport{
		Proxy:                  nil, // see the package's comment
		DialContext:            dialer.DialContext,
		ForceAttemptHTTP2:      true,
		TLSHandshakeTimeout:    l.Connect,
		ResponseHeaderTimeout:  l.Header,
		MaxResponseHeaderBytes: 1 << 20,
		DisableCompression:     true, // the attempt decompresses, under its own cap
		MaxIdleConns:           16,
		IdleConnTimeout:        30 * time.Second,
	}
}
