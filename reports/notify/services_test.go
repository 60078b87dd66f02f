package notify

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"mtok/schema"
)

// TestServices sends through services of the library to a receiver on loopback: what
// they send is the message, and what they can't send is a fault.
func TestServices(t *testing.T) {
	answer := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"id":1,"success":true,"appid":1,"message":"","event":"message"}`)
	}
	m := Compose("m1", []schema.AlertEvent{{Detail: "[mtok] CUT somebody: 3.29 -> 2.99\nFirst seen 2026-07-07"}})
	for name, path := range map[string]string{
		"ntfy":       "ntfy://HOST/topic?scheme=http",
		"gotify":     "gotify://HOST/Aaaaaaaaaaaaaaa?disabletls=yes",
		"mattermost": "mattermost://HOST/token?disabletls=yes",
	} {
		t.Run(name, func(t *testing.T) {
			h := newHook(t, answer)
			c := Channel{Name: name, URL: schema.Secret(strings.Replace(path, "HOST", strings.TrimPrefix(h.URL, "http://"), 1))}
			err := NewSender(Options{Timeout: 5 * time.Second, Now: time.Now}).Send(t.Context(), c, m)
			if err != nil || len(h.bodies) != 1 || !strings.Contains(h.bodies[0], "CUT somebody: 3.29 ") {
				t.Errorf("%v, %q", err, h.bodies)
			}
		})
	}
}

// TestRetryAfterThroughService: a service on our client passes Retry-After on.
func TestRetryAfterThroughService(t *testing.T) {
	clock, h := evening(), newHook(t, status(429, "Retry-After", "50"))
	b := newBox(clock.now, "m1")
	c := Channel{Name: "hook", URL: schema.Secret("ntfy://" + strings.TrimPrefix(h.URL, "http://") + "/topic?scheme=http")}
	d := delivery(b, clock, c)
	d.Patience = 0
	if _, err := d.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := b.messages[0]; got.NextAt.Sub(clock.now) != 50*time.Second || got.Error != "HTTP 429 Too Many Requests" {
		t.Errorf("%+v", got)
	}
}

// TestMail: the words of a page make no header and end no mail.
func TestMail(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	mail := make(chan []string, 1)
	go func() { mail <- oneMail(listener) }()
	c := Channel{Name: "mail", URL: schema.Secret("smtp://" + listener.Addr().String() +
		"/?from=a@example.org&to=b@example.org&encryption=None&auth=None&usestarttls=No")}
	m := Compose("m1", []schema.AlertEvent{{Detail: "[mtok] CUT x\r\nBcc: evil@example.org\n.\nQUIT\n\u00e9"}})
	if err := NewSender(Options{Timeout: 5 * time.Second, Now: time.Now}).Send(t.Context(), c, m); err != nil {
		t.Fatal(err)
	}
	got := <-mail
	if !slices.Contains(got, "Subject: [mtok] CUT x") {
		t.Errorf("no subject:\n%s", strings.Join(got, "\n"))
	}
	for _, line := range got[:max(slices.Index(got, ""), 0)] {
		if strings.HasPrefix(strings.ToLower(line), "bcc") {
			t.Errorf("a header of a page: %q", line)
		}
	}
	if !slices.ContainsFunc(got, func(line string) bool { return strings.Contains(line, "delivery m1") }) {
		t.Errorf("the mail was cut:\n%s", strings.Join(got, "\n"))
	}
}

// oneMail takes one mail and returns its lines.
func oneMail(listener net.Listener) []string {
	connection, err := listener.Accept()
	if err != nil {
		return nil
	}
	defer connection.Close()
	in := bufio.NewScanner(connection)
	fmt.Fprint(connection, "220 ready\r\n")
	var lines []string
	for data := false; in.Scan(); {
		line := strings.TrimSuffix(in.Text(), "\r")
		switch {
		case data && line == ".":
			data = false
			fmt.Fprint(connection, "250 taken\r\n")
		case data:
			lines = append(lines, line)
		case strings.HasPrefix(line, "DATA"):
			data = true
			fmt.Fprint(connection, "354 go on\r\n")
		case strings.HasPrefix(line, "QUIT"):
			fmt.Fprint(connection, "221 bye\r\n")
			return lines
		default:
			fmt.Fprint(connection, "250 ok\r\n")
		}
	}
	return lines
}
