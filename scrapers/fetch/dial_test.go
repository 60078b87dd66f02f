package fetch_test

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"strings"
	"testing"
	"time"

	"mtok/schema"
	"mtok/scrapers"
	"mtok/scrapers/fetch"
)

func TestPublicAddress(t *testing.T) {
	for addr, want := range map[string]bool{
		"8.8.8.8:443": true, "104.18.1.1:443": true, "[2606:4700::1111]:443": true, "[::ffff:8.8.8.8]:443": true,
		"8.8.8.8:80": false, "8.8.8.8:8443": false, "[2606:4700::1111]:22": false, // other ports
		"127.0.0.1:443": false, "127.8.8.8:443": false, "[::1]:443": false, // loopback
		"0.0.0.0:443": false, "0.1.2.3:443": false, "[::]:443": false, // unspecified
		"10.0.0.1:443": false, "172.16.0.1:443": false, "172.31.255.255:443": false, "192.168.1.1:443": false, // private
		"[fc00::1]:443": false, "[fd12:3456::1]:443": false, "[fec0::1]:443": false,
		"169.254.169.254:443": false, "169.254.0.1:443": false, "[fe80::1]:443": false, "[fe80::1%eth0]:443": false, // link-local, metadata
		"[fd00:ec2::254]:443": false, "100.100.100.200:443": false, "192.0.0.192:443": false, "168.63.129.16:443": false, // metadata
		"100.64.0.1:443": false, "100.127.255.255:443": false, // CGNAT
		"224.0.0.1:443": false, "239.1.1.1:443": false, "[ff02::1]:443": false, "255.255.255.255:443": false, "240.0.0.1:443": false, // multicast, reserved
		"[::ffff:127.0.0.1]:443": false, "[::ffff:10.0.0.1]:443": false, "[::ffff:169.254.169.254]:443": false, // v4-mapped
		"[64:ff9b::7f00:1]:443": false, "[64:ff9b::a9fe:a9fe]:443": false, "[64:ff9b:1::1]:443": false, // NAT64
		"[::127.0.0.1]:443": false, "[2002:7f00:1::]:443": false, "[2001:0:1::1]:443": false, // v4-compatible, 6to4, Teredo
		"192.0.2.1:443": false, "198.51.100.1:443": false, "203.0.113.9:443": false, "198.19.0.1:443": false, // documentation, benchmark
		"192.88.99.1:443": false, "[2001:db8::1]:443": false, "[3fff::1]:443": false, "[100::1]:443": false,
	} {
		if got := fetch.PublicAddress(netip.MustParseAddrPort(addr)); got != want {
			t.Errorf("%s: %v, want %v", addr, got, want)
		}
	}
}

// With the policy of live fetching no loopback server is reached, whatever
// spelling its address has; the last are names that resolve to it.
func TestGuardedDialer(t *testing.T) {
	s := newSite(t, map[string]http.HandlerFunc{"/p": text("secret")})
	_, port, err := net.SplitHostPort(s.host())
	if err != nil {
		t.Fatal(err)
	}
	for _, host := range []string{"127.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0", "2130706433", "0x7f.1", "127.1", "localhost"} {
		o := options()
		o.AllowAddress = nil
		o.Limits.MaxTries = 1
		_, err := get(newFetcher(t, o), "http://"+host+":"+port+"/p")
		if kind := wantFetchError(t, err).Kind; kind != scrapers.FetchAddress {
			t.Errorf("%s: kind %q: %v", host, kind, err)
		}
	}
	if s.hits()+s.robotsHits() != 0 {
		t.Errorf("%d requests got through", s.hits()+s.robotsHits())
	}
}

func TestBadURL(t *testing.T) {
	f := newFetcher(t, fetch.Options{})
	for _, url := range []string{
		"http://acme.example/p", "file:///etc/passwd", "ftp://acme.example/p", "gopher://acme.example", "//acme.example/p",
		"https:///p", "/p", "", "https://a b/", "https://acme.example:port/", "data:text/html,x", "\x7f",
	} {
		_, err := get(f, url)
		wantKind(t, err, scrapers.FetchAddress)
	}
}

// A redirect reaches none of these: by the URL alone where it shows, at the
// dialer where it does not.
func TestRedirectToForbiddenPlace(t *testing.T) {
	inner := newSite(t, map[string]http.HandlerFunc{"/": text("metadata")})
	_, port, err := net.SplitHostPort(inner.host())
	if err != nil {
		t.Fatal(err)
	}
	cases := []struct {
		to   string
		kind scrapers.FetchKind
	}{
		{"http://169.254.169.254/latest/meta-data/", scrapers.FetchAddress},
		{"http://[fd00:ec2::254]/", scrapers.FetchAddress},
		{"http://10.0.0.1/", scrapers.FetchAddress},
		{"http://192.168.0.1:" + port + "/", scrapers.FetchAddress},
		{"http://100.64.0.1/", scrapers.FetchAddress},
		{"http://0.0.0.0:" + port + "/", scrapers.FetchAddress},
		{"http://224.0.0.1/", scrapers.FetchAddress},
		{"http://[::ffff:10.0.0.1]/", scrapers.FetchAddress},
		{"http://[64:ff9b::7f00:1]/", scrapers.FetchAddress},
		{"http://[::1]:" + port + "/", scrapers.FetchRedirect}, // loopback is allowed here, the host is not
		{"http://127.0.0.1:" + port + "/", scrapers.FetchAddress},
		{"//127.0.0.1:" + port + "/", scrapers.FetchAddress},
		{"https://127.0.0.1:" + port + "/", scrapers.FetchAddress},
		{"http://127.0.0.1/", scrapers.FetchAddress},
		{"http://other.example/", scrapers.FetchRedirect},
		{"http://2130706433:" + port + "/", scrapers.FetchRedirect},
		{"file:///etc/passwd", scrapers.FetchAddress},
		{"javascript:alert(1)", scrapers.FetchAddress},
		{"http://user:password@127.0.0.1:" + port + "/", scrapers.FetchAddress},
	}
	for _, c := range cases {
		s := newSite(t, map[string]http.HandlerFunc{"/p": redirect(302, c.to)})
		got, err := get(newFetcher(t, options()), s.URL+"/p")
		if kind := wantFetchError(t, err).Kind; kind != c.kind {
			t.Errorf("%s: kind %q, want %q: %v", c.to, kind, c.kind, err)
		}
		if len(got.Body) != 0 {
			t.Errorf("%s: body %q", c.to, got.Body)
		}
	}
	if n := inner.hits() + inner.robotsHits(); n != 0 {
		t.Errorf("%d requests reached the inner server", n)
	}
}

// A listed host whose name resolves to a forbidden address is stopped at the
// dialer: nothing in the URL shows it.
func TestRedirectToNameOfForbiddenAddress(t *testing.T) {
	inner := newSite(t, map[string]http.HandlerFunc{"/": text("metadata")})
	outer := newSite(t, map[string]http.HandlerFunc{"/p": redirect(302, "http://localhost:"+strings.Split(inner.host(), ":")[1]+"/")})
	o := options()
	o.ExtraHosts = map[schema.ProviderID][]string{"acme": {"localhost:" + strings.Split(inner.host(), ":")[1]}}
	o.AllowAddress = func(ap netip.AddrPort) bool { return ap.String() == outer.host() }
	_, err := get(newFetcher(t, o), outer.URL+"/p")
	wantKind(t, err, scrapers.FetchAddress)
	if n := inner.hits() + inner.robotsHits(); n != 0 {
		t.Errorf("%d requests reached the inner server", n)
	}
	if outer.hits() != 1 {
		t.Errorf("%d requests: a forbidden address is not tried again", outer.hits())
	}
}

// net/http reads the proxy variables once in a process, so they are set for all
// tests. Nothing listens there.
func TestMain(m *testing.M) {
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY"} {
		if err := os.Setenv(name, "http://127.0.0.1:1"); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}

// A proxy of the environment would see every request and make the address
// check pointless: the dialer would meet the proxy's allowed address only.
func TestNoProxy(t *testing.T) {
	_, err := get(newFetcher(t, options()), "http://203.0.113.7/p")
	wantKind(t, err, scrapers.FetchAddress)
}

func TestRedirectWithCredentials(t *testing.T) {
	s := newSite(t, map[string]http.HandlerFunc{"/q": text("there"), "/p": func(w http.ResponseWriter, r *http.Request) {
		redirect(302, "http://user:password@"+r.Host+"/q")(w, r)
	}})
	_, err := get(newFetcher(t, options()), s.URL+"/p")
	wantKind(t, err, scrapers.FetchAddress)
	if s.hits() != 1 {
		t.Errorf("%d requests", s.hits())
	}
}

func TestBadCertificateIsNotTriedAgain(t *testing.T) {
	handshakes := 0
	s := httptest.NewUnstartedServer(http.NotFoundHandler())
	s.Config.ErrorLog = quiet()
	s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			handshakes++
		}
	}
	s.StartTLS()
	_, err := get(newFetcher(t, options()), s.URL+"/p")
	wantKind(t, err, scrapers.FetchNetwork)
	s.Close()
	if handshakes != 1 {
		t.Errorf("%d handshakes", handshakes)
	}
}

func TestRefusedConnection(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	l.Close()
	_, err = get(newFetcher(t, options()), "http://"+addr+"/p")
	wantKind(t, err, scrapers.FetchNetwork)
}

func TestCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	s := newSite(t, map[string]http.HandlerFunc{"/p": func(_ http.ResponseWriter, r *http.Request) {
		cancel()
		<-r.Context().Done()
	}})
	started := time.Now()
	_, err := newFetcher(t, options()).Fetch(ctx, page, scrapers.Request{URL: s.URL + "/p"}, scrapers.Validators{})
	wantKind(t, err, scrapers.FetchCanceled)
	if took := time.Since(started); took > 2*time.Second || s.hits() != 1 {
		t.Errorf("took %v and %d requests", took, s.hits())
	}
}
