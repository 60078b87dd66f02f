package notify

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"

	"mtok/schema"
)

// TestSecretsStaySecret: nothing of a URL comes out of an error or a log line, whatever
// the service and the fault.
func TestSecretsStaySecret(t *testing.T) {
	const token = "s3cr3t"
	answer := newHook(t, status(401))
	host := strings.TrimPrefix(answer.URL, "http://")
	gone := newHook(t, status(200))
	gone.Close()
	for _, url := range []string{
		"generic+" + answer.URL + "/" + token, "generic+" + gone.URL + "/" + token,
		"generic://" + host + "/" + token + "?disabletls=yes&template=json&@Authorization=" + token,
		"ntfy://:" + token + "@" + host + "/topic?scheme=http",
		"gotify://" + host + "/A" + strings.Repeat(token, 3) + "?disabletls=yes",
		"mattermost://" + host + "/" + token + "?disabletls=yes",
		"smtp://user:" + token + "@" + host + "/?from=a@example.org&to=b@example.org",
		"slack://hook:" + token + "@webhook", "nosuch://" + token, "https://" + host + "/" + token, token, "logger://" + token,
		"generic+http://" + token + " " + host,
	} {
		var log bytes.Buffer
		c := Channel{Name: "hook", URL: schema.Secret(url)}
		sender := NewSender(Options{Timeout: 2 * time.Second, Now: time.Now})
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		err := sender.Send(ctx, c, Message{ID: "m1", Title: "t", Text: "x"})
		cancel()
		var f *Fault
		if !errors.As(err, &f) || f.Reason == "" {
			t.Errorf("%s: %v is no fault", url, err)
			continue
		}
		slog.New(slog.NewTextHandler(&log, nil)).Error("x", "channel", c, "error", err)
		if text := log.String() + fmt.Sprintf("%v %+v %#v", err, c, c.URL); strings.Contains(text, token) || strings.Contains(text, host) {
			t.Errorf("%s: %s", url, text)
		}
	}
}

// TestAddressPolicy: no message goes to cloud metadata, none unencrypted out of one's
// own network; tests and no configuration may choose another policy.
func TestAddressPolicy(t *testing.T) {
	for address, want := range map[string]bool{
		"8.8.8.8:443": true, "192.168.1.5:8080": true, "127.0.0.1:80": true, "[fd00::1]:443": true,
		"169.254.169.254:80": false, "[fe80::1]:443": false, "[fd00:ec2::254]:80": false, "100.100.100.200:80": false,
		"0.0.0.0:80": false, "224.0.0.1:443": false, "[::ffff:169.254.169.254]:80": false,
	} {
		if got := PermittedAddress(netip.MustParseAddrPort(address)); got != want {
			t.Errorf("%s: %v, want %v", address, got, want)
		}
	}
	p := policy{allow: PermittedAddress}
	if f := p.check(netip.MustParseAddrPort("8.8.8.8:80"), false); f == nil {
		t.Error("plain http to a public address was let through")
	}
	if f := p.check(netip.MustParseAddrPort("10.1.2.3:80"), false); f != nil {
		t.Error("plain http to a private address:", f)
	}
	h := newHook(t, status(200))
	nobody := NewSender(Options{AllowAddress: func(netip.AddrPort) bool { return false }, Now: time.Now})
	if err := nobody.Send(t.Context(), h.channel(), Message{ID: "m1"}); err == nil || len(h.got) != 0 {
		t.Errorf("sent past the policy: %v", err)
	}
	if err := nobody.Beat(t.Context(), schema.Secret(h.URL)); err == nil || len(h.got) != 0 {
		t.Errorf("heartbeat past the policy: %v", err)
	}
}

// TestWebhookForms: text, JSON and headers as the URL asks for them.
func TestWebhookForms(t *testing.T) {
	var head http.Header
	h := newHook(t, func(w http.ResponseWriter, r *http.Request) { head = r.Header.Clone() })
	sender := NewSender(Options{Now: time.Now})
	m := Message{ID: "m1", Title: "[mtok] 2 alerts", Text: "one\ntwo"}
	for query, want := range map[string]string{
		"":                                 "one\ntwo",
		"?template=json":                   `{"id":"m1","message":"one\ntwo","title":"[mtok] 2 alerts"}`,
		"?template=json&messagekey=text":   `{"id":"m1","text":"one\ntwo","title":"[mtok] 2 alerts"}`,
		"?template=json&$team=gpu&@X-Me=1": `{"id":"m1","message":"one\ntwo","team":"gpu","title":"[mtok] 2 alerts"}`,
	} {
		c := Channel{Name: "hook", URL: schema.Secret("generic+" + h.URL + "/in" + query)}
		h.bodies = nil
		if err := sender.Send(t.Context(), c, m); err != nil {
			t.Errorf("%s: %v", query, err)
			continue
		}
		if h.bodies[0] != want || head.Get("Idempotency-Key") != "m1" || head.Get("X-Mtok-Delivery") != "m1" {
			t.Errorf("%s: %s, %v", query, h.bodies[0], head)
		}
		if strings.Contains(query, "@X-Me") && head.Get("X-Me") != "1" {
			t.Errorf("%s: %v", query, head)
		}
		if strings.Contains(query, "json") && !json.Valid([]byte(h.bodies[0])) {
			t.Errorf("%s: no JSON", query)
		}
	}
}

// TestInert: words of a page act nowhere: no markup, mention, link, header or line of
// their own.
func TestInert(t *testing.T) {
	evil := "a\x1b[31m<!channel> <@U1> @everyone [x](https://evil.example) <b>b</b> &lt;i&gt; *b* `c` ~d~ |e| \\f\r\nBcc: x@evil.example\u202e\u2028#h"
	m := Compose("m1", []schema.AlertEvent{{Detail: evil + "\n# heading\n> quote\n- item"}})
	for _, bad := range []string{"<", "@", "](", "://", "*", "`", "~", "|", "\\", "&", "\x1b", "\r", "\u202e", "\u2028", "\n#", "\n>", "\n- "} {
		if strings.Contains(m.Text, bad) {
			t.Errorf("%q is in %q", bad, m.Text)
		}
	}
	if strings.ContainsFunc(m.Title, func(r rune) bool { return r < ' ' || r > '~' }) {
		t.Errorf("title %q", m.Title)
	}
	plain := "[mtok] CUT RunPod secure, H100 SXM 80GB, on-demand: 3.29 -> 2.99 $/GPU-h (-0.30, -9.1 %)"
	if got := inert(plain); got != plain {
		t.Errorf("%q became %q", plain, got)
	}
}

func TestHeartbeat(t *testing.T) {
	h := newHook(t, status(200), status(500))
	sender := NewSender(Options{Now: time.Now})
	if err := sender.Beat(t.Context(), schema.Secret(h.URL+"/ping/s3cr3t")); err != nil {
		t.Error(err)
	}
	for _, url := range []string{h.URL + "/ping/s3cr3t", "ftp://s3cr3t", "s3cr3t"} {
		if err := sender.Beat(t.Context(), schema.Secret(url)); err == nil || strings.Contains(err.Error(), "s3cr3t") {
			t.Errorf("%s: %v", url, err)
		}
	}
}
