package notify

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"mtok/schema"
)

// box is an outbox in memory, with the rules of the store.
type box struct {
	messages []schema.OutboxMessage
	events   map[string][]schema.AlertEvent
	// killed drops what a try would mark, as the death of the process does.
	killed bool
}

func newBox(at time.Time, ids ...string) *box {
	b := &box{events: map[string][]schema.AlertEvent{}}
	for i, id := range ids {
		b.messages = append(b.messages, schema.OutboxMessage{ID: id, Channel: "hook", State: schema.OutboxPending, Events: 1, NextAt: at, First: int64(i)})
		b.events[id] = []schema.AlertEvent{{Event: id, Series: "runpod/a", Detail: "[mtok] CUT " + id}}
	}
	return b
}

func (b *box) OutboxMessages(_ context.Context, state string) ([]schema.OutboxMessage, error) {
	return slices.DeleteFunc(slices.Clone(b.messages), func(m schema.OutboxMessage) bool { return m.State != state }), nil
}

func (b *box) at(m schema.OutboxMessage) *schema.OutboxMessage {
	i := slices.IndexFunc(b.messages, func(n schema.OutboxMessage) bool { return n.ID == m.ID && n.Channel == m.Channel })
	return &b.messages[i]
}

func (b *box) ClaimMessage(_ context.Context, m schema.OutboxMessage, now, until time.Time) (bool, error) {
	kept := b.at(m)
	if kept.State != schema.OutboxPending || kept.Tries != m.Tries || kept.NextAt.After(now) {
		return false, nil
	}
	kept.Tries, kept.NextAt = kept.Tries+1, until
	return true, nil
}

func (b *box) MessageEvents(_ context.Context, m schema.OutboxMessage) ([]schema.AlertEvent, error) {
	return b.events[m.ID], nil
}

func (b *box) MessageSent(_ context.Context, m schema.OutboxMessage, _ time.Time) error {
	if !b.killed {
		b.at(m).State = schema.OutboxSent
	}
	return nil
}

func (b *box) MessageFailed(_ context.Context, m schema.OutboxMessage, next time.Time, dead bool, reason string) error {
	kept := b.at(m)
	if kept.NextAt, kept.Error = next, reason; dead {
		kept.State = schema.OutboxDead
	}
	return nil
}

// hook is a receiver on loopback that answers as it is told, one answer a request;
// the last goes on.
type hook struct {
	*httptest.Server
	mu      sync.Mutex
	answers []http.HandlerFunc
	got     []string // delivery ids, in order
	bodies  []string
}

func newHook(t *testing.T, answers ...http.HandlerFunc) *hook {
	h := &hook{answers: answers}
	h.Server = httptest.NewServer(http.HandlerFunc(h.serve))
	t.Cleanup(h.Close)
	return h
}

func (h *hook) serve(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	h.mu.Lock()
	id := r.Header.Get(headerDelivery)
	h.got, h.bodies = append(h.got, id), append(h.bodies, string(body))
	answer := h.answers[0]
	if len(h.answers) > 1 {
		h.answers = h.answers[1:]
	}
	h.mu.Unlock()
	answer(w, r)
}

func (h *hook) channel() Channel {
	return Channel{Name: "hook", URL: schema.Secret("generic+" + h.URL + "/in/secret-token")}
}

func status(code int, headers ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(code)
	}
}

// lost accepts the request, and its answer never arrives.
func lost(w http.ResponseWriter, _ *http.Request) {
	connection, _, err := w.(http.Hijacker).Hijack()
	if err == nil {
		connection.Close()
	}
}

// nights is a clock that only waiting moves.
type nights struct{ now time.Time }

func (c *nights) Now() time.Time { return c.now }

func (c *nights) Wait(ctx context.Context, d time.Duration) error {
	c.now = c.now.Add(d)
	return ctx.Err()
}

func evening() *nights { return &nights{time.Date(2026, 7, 7, 6, 10, 0, 0, time.UTC)} }

// delivery is one from the box to the hook, with an hour of patience at most.
func delivery(b *box, c *nights, channels ...Channel) Delivery {
	return Delivery{
		Outbox: b, Channels: channels, Sender: NewSender(Options{Timeout: 5 * time.Second, Now: c.Now}), Now: c.Now, Wait: c.Wait,
		Log: slog.New(slog.DiscardHandler), Patience: Patience,
	}
}
