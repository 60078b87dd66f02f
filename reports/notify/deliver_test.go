package notify

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"mtok/schema"
)

// TestArrivesAllTheSame: whatever happens to the tries, each message arrives, and all
// tries carry its one id.
func TestArrivesAllTheSame(t *testing.T) {
	release := make(chan struct{})
	t.Cleanup(func() { close(release) })
	hangs := func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-release:
		case <-r.Context().Done():
		}
	}
	for name, c := range map[string]struct {
		answers []http.HandlerFunc
		tries   int
		timeout time.Duration
		least   time.Duration // that it takes
	}{
		"2xx":                  {[]http.HandlerFunc{status(200)}, 1, 0, 0},
		"204 lost":             {[]http.HandlerFunc{lost, status(204)}, 2, 0, time.Second},
		"500 three times":      {[]http.HandlerFunc{status(500), status(500), status(500), status(200)}, 4, 0, 31 * time.Second},
		"429 with Retry-After": {[]http.HandlerFunc{status(429, "Retry-After", "40"), status(200)}, 2, 0, 40 * time.Second},
		"429 until a date": {[]http.HandlerFunc{
			status(429, "Retry-After", "Tue, 07 Jul 2026 06:10:50 GMT"), status(200),
		}, 2, 0, 50 * time.Second},
		"timeout after accept": {[]http.HandlerFunc{hangs, status(200)}, 2, 50 * time.Millisecond, time.Second},
		"redirect":             {[]http.HandlerFunc{status(302, "Location", "http://127.0.0.1:1/"), status(200)}, 2, 0, time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			clock, h := evening(), newHook(t, c.answers...)
			start := clock.now
			b := newBox(start, "m1")
			d := delivery(b, clock, h.channel())
			if c.timeout > 0 {
				d.Sender = NewSender(Options{Timeout: c.timeout, Now: clock.Now})
			}
			r, err := d.Run(t.Context())
			if err != nil || r.Sent != 1 || r.Failed != c.tries-1 || r.Waiting+r.Dead != 0 {
				t.Errorf("%+v, %v; want it sent at try %d", r, err, c.tries)
			}
			if took := clock.now.Sub(start); took < c.least {
				t.Errorf("it took %s, want %s or more", took, c.least)
			}
			if want := slices.Repeat([]string{"m1"}, c.tries); !slices.Equal(h.got, want) {
				t.Errorf("ids %q, want %q", h.got, want)
			}
		})
	}
}

// TestRetryAfterIsBounded: no server keeps a message for good.
func TestRetryAfterIsBounded(t *testing.T) {
	clock, h := evening(), newHook(t, status(503, "Retry-After", "2000000000"))
	b := newBox(clock.now, "m1")
	if r, err := delivery(b, clock, h.channel()).Run(t.Context()); err != nil || r.Waiting != 1 {
		t.Errorf("%+v, %v", r, err)
	}
	if wait := b.messages[0].NextAt.Sub(clock.now); wait != maxRetryAfter {
		t.Errorf("next try in %s, want %s", wait, maxRetryAfter)
	}
}

// TestDeadForADay: a channel that is dead for 24 hours gets every message when it is
// back, those of one series in order, without anybody's help.
func TestDeadForADay(t *testing.T) {
	clock, h := evening(), newHook(t, status(502))
	b := newBox(clock.now, "m1", "m2", "m3")
	back := clock.now.Add(24 * time.Hour)
	var ids []string
	for range 40 { // a night, an hour of serve, and so on
		if !clock.now.Before(back) && ids == nil {
			h.mu.Lock()
			h.answers, ids = []http.HandlerFunc{status(200)}, slices.Clone(h.got)
			h.mu.Unlock()
		}
		if _, err := delivery(b, clock, h.channel()).Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		clock.now = clock.now.Add(time.Hour)
	}
	for _, m := range b.messages {
		if m.State != schema.OutboxSent {
			t.Errorf("%s is %s after %d tries", m.ID, m.State, m.Tries)
		}
	}
	if slices.ContainsFunc(h.got, func(id string) bool { return id == "" }) || !slices.IsSorted(h.got) {
		t.Errorf("order: %q", h.got)
	}
	if slices.Contains(ids, "m2") {
		t.Errorf("m2 was tried while m1 stood before it: %q", ids)
	}
}

// TestDeadLetter: after six tries a message is given up, the next one goes, and once
// revived the first goes too.
func TestDeadLetter(t *testing.T) {
	clock, h := evening(), newHook(t, append(slices.Repeat([]http.HandlerFunc{status(404)}, maxTries), status(200))...)
	b := newBox(clock.now, "m1", "m2")
	for range 3 {
		if _, err := delivery(b, clock, h.channel()).Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		clock.now = clock.now.Add(25 * time.Hour)
	}
	if m := b.messages[0]; m.State != schema.OutboxDead || m.Tries != maxTries || m.Error != "HTTP 404 Not Found" {
		t.Errorf("m1: %+v", m)
	}
	if m := b.messages[1]; m.State != schema.OutboxSent {
		t.Errorf("m2: %+v", m)
	}
	b.messages[0].State, b.messages[0].Tries = schema.OutboxPending, 0
	if r, err := delivery(b, clock, h.channel()).Run(t.Context()); err != nil || r.Sent != 1 {
		t.Errorf("revived: %+v, %v", r, err)
	}
}

// TestKilledBetweenSendAndMark: the next process sends it again under the same id.
// One that is killed at every try is given up too.
func TestKilledBetweenSendAndMark(t *testing.T) {
	clock, h := evening(), newHook(t, status(200))
	b := newBox(clock.now, "m1")
	for range maxTries {
		d := delivery(b, clock, h.channel())
		d.Patience, b.killed = 0, true
		if _, err := d.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		clock.now = clock.now.Add(lease)
	}
	if want := slices.Repeat([]string{"m1"}, maxTries); !slices.Equal(h.got, want) {
		t.Errorf("ids %q", h.got)
	}
	b.killed = false
	if r, err := delivery(b, clock, h.channel()).Run(t.Context()); err != nil || r.Dead != 1 {
		t.Errorf("%+v, %v", r, err)
	}
	b = newBox(clock.now, "m1")
	d := delivery(b, clock, h.channel())
	d.Patience, b.killed, h.got = 0, true, nil
	if _, err := d.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	b.killed = false // the next process, at once: it waits until the other is sure to be dead
	if r, err := delivery(b, clock, h.channel()).Run(t.Context()); err != nil || r.Sent != 1 || !slices.Equal(h.got, []string{"m1", "m1"}) {
		t.Errorf("%+v, %v, ids %q", r, err, h.got)
	}
}

// TestOneChannelKeepsNoOther from its messages.
func TestOneChannelKeepsNoOther(t *testing.T) {
	clock, good, bad := evening(), newHook(t, status(200)), newHook(t, status(500))
	b := newBox(clock.now, "m1", "m2")
	b.messages[0].Channel = "bad"
	broken := bad.channel()
	broken.Name = "bad"
	b.messages = append(b.messages, schema.OutboxMessage{ID: "m3", Channel: "unset", State: schema.OutboxPending, NextAt: clock.now},
		schema.OutboxMessage{ID: "m4", Channel: "no longer there", State: schema.OutboxPending, NextAt: clock.now})
	unset := Channel{Name: "unset", Broken: "the environment variable HOOK is not set"}
	r, err := delivery(b, clock, broken, good.channel(), unset).Run(t.Context())
	if err != nil || r.Sent != 1 || r.Waiting != 3 || !slices.Equal(good.got, []string{"m2"}) {
		t.Errorf("%+v, %v, ids %q", r, err, good.got)
	}
	if m := b.messages[2]; m.Error != unset.Broken {
		t.Errorf("%+v", m)
	}
	if m := b.messages[3]; m.Tries != 0 {
		t.Errorf("%+v", m)
	}
}

// slow is a sender that takes its time and notes until when each try was claimed.
type slow struct {
	clock *nights
	box   *box
	left  []time.Duration // of the lease, as a try begins
}

func (s *slow) Send(context.Context, Channel, Message) error {
	m := s.box.messages[len(s.left)]
	s.left = append(s.left, m.NextAt.Sub(s.clock.now))
	s.clock.now = s.clock.now.Add(sendTimeout)
	return nil
}

// TestLeaseBeginsWithTheTry, not with the round: the tries before it take their time.
func TestLeaseBeginsWithTheTry(t *testing.T) {
	clock := evening()
	b := newBox(clock.now, "m1", "m2", "m3")
	s := &slow{clock: clock, box: b}
	d := delivery(b, clock, Channel{Name: "hook"})
	d.Sender = s
	if r, err := d.Run(t.Context()); err != nil || r.Sent != 3 || !slices.Equal(s.left, []time.Duration{lease, lease, lease}) {
		t.Errorf("%+v, %v, leases %v", r, err, s.left)
	}
}

// TestTenThousandMoves are one message, and no longer than any other.
func TestTenThousandMoves(t *testing.T) {
	clock, h := evening(), newHook(t, status(200))
	b := newBox(clock.now, "m1")
	for i := range 10_000 {
		b.events["m1"] = append(b.events["m1"], schema.AlertEvent{
			Detail: fmt.Sprintf("[mtok] CUT provider %d\n%s\nthird line", i, strings.Repeat("x", 2*maxLine)),
		})
	}
	if r, err := delivery(b, clock, h.channel()).Run(t.Context()); err != nil || r.Sent != 1 {
		t.Fatalf("%+v, %v", r, err)
	}
	body := h.bodies[0]
	if len(h.bodies) != 1 || len(body) > maxText+200 || !strings.Contains(body, "more: mtok alerts list") {
		t.Errorf("%d messages, %d bytes:\n%s", len(h.bodies), len(body), body)
	}
}
