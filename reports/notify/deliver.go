package notify

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"mtok/schema"
)

const (
	// maxTries is after how many tries a message is a dead letter.
	maxTries = 6
	// lease is how long a try is nobody else's. One that ends without a word, since
	// its process was killed, is due again then.
	lease = 30 * time.Second
	// Patience is how long a night waits for tries that are soon due.
	Patience = time.Minute
	// maxRetryAfter bounds what a server may ask for.
	maxRetryAfter = 26 * time.Hour
)

// pause is how long to wait after a try: the first ones stay within the patience of a
// night, the last two outlast a day without the channel.
func pause(tries int) time.Duration {
	pauses := []time.Duration{time.Second, 5 * time.Second, 25 * time.Second, time.Hour, 25 * time.Hour}
	return pauses[min(max(tries, 1), len(pauses))-1]
}

// Outbox is what is asked of a store.
type Outbox interface {
	// OutboxMessages are the messages in a state, in the order of their events.
	OutboxMessages(ctx context.Context, state string) ([]schema.OutboxMessage, error)
	// ClaimMessage counts a try and keeps others from trying until then; false
	// where it is not due or another process was quicker.
	ClaimMessage(ctx context.Context, m schema.OutboxMessage, now, until time.Time) (bool, error)
	MessageEvents(ctx context.Context, m schema.OutboxMessage) ([]schema.AlertEvent, error)
	MessageSent(ctx context.Context, m schema.OutboxMessage, at time.Time) error
	MessageFailed(ctx context.Context, m schema.OutboxMessage, next time.Time, dead bool, reason string) error
}

// Delivery takes the outbox to its channels.
type Delivery struct {
	Outbox   Outbox
	Channels []Channel
	Sender   interface {
		Send(ctx context.Context, c Channel, m Message) error
	}
	Now func() time.Time
	// Wait sleeps; only its end by the context is an error.
	Wait func(ctx context.Context, d time.Duration) error
	Log  *slog.Logger
	// Patience is for how long Run waits for further tries; 0 for none.
	Patience time.Duration
}

// Result is what came of a Run.
type Result struct {
	Sent, Failed, Dead int
	Waiting            int // messages that are pending at the end
}

// Run sends what is due, the messages of each channel in order: one that fails keeps
// those behind it. That a channel can't be reached is no error; what the outbox
// itself says is one.
func (d Delivery) Run(ctx context.Context) (Result, error) {
	var r Result
	now, end := d.Now(), d.Now().Add(d.Patience)
	for {
		next, err := d.round(ctx, now, &r)
		if err != nil {
			return r, err
		}
		if next.IsZero() || next.After(end) {
			break
		}
		if err := d.Wait(ctx, next.Sub(now)); err != nil {
			return r, err
		}
		if now = next; d.Now().After(now) { // a clock that stands still does not keep us
			now = d.Now()
		}
	}
	pending, err := d.Outbox.OutboxMessages(ctx, schema.OutboxPending)
	r.Waiting = len(pending)
	return r, err
}

// round tries what is due of every channel and returns when the next try is, zero for
// none.
func (d Delivery) round(ctx context.Context, now time.Time, r *Result) (next time.Time, err error) {
	pending, err := d.Outbox.OutboxMessages(ctx, schema.OutboxPending)
	if err != nil {
		return next, err
	}
	blocked := map[string]bool{}
	for _, m := range pending {
		at := slices.IndexFunc(d.Channels, func(c Channel) bool { return c.Name == m.Channel })
		if at < 0 || blocked[m.Channel] {
			continue
		}
		due, err := d.try(ctx, d.Channels[at], m, now, r)
		if err != nil {
			return next, err
		}
		if due.IsZero() { // it is out of the way
			continue
		}
		blocked[m.Channel] = true
		if next.IsZero() || due.Before(next) {
			next = due
		}
	}
	return next, nil
}

// try sends one message if it is due and returns when it is due next, zero where it is
// sent or given up.
func (d Delivery) try(ctx context.Context, c Channel, m schema.OutboxMessage, now time.Time, r *Result) (time.Time, error) {
	if m.NextAt.After(now) {
		return m.NextAt, nil
	}
	if d.Now().After(now) { // the tries before took their time: the lease begins now
		now = d.Now()
	}
	if m.Tries >= maxTries { // a process was killed in the last try
		r.Dead++
		return time.Time{}, d.Outbox.MessageFailed(ctx, m, now, true, "the last try ended without a word")
	}
	until := now.Add(lease)
	mine, err := d.Outbox.ClaimMessage(ctx, m, now, until)
	if err != nil || !mine {
		return until, err
	}
	m.Tries++
	events, err := d.Outbox.MessageEvents(ctx, m)
	if err != nil {
		return time.Time{}, err
	}
	sending := d.Sender.Send(ctx, c, Compose(m.ID, events))
	// What came of it is kept even when we are interrupted.
	marking := context.WithoutCancel(ctx)
	if sending == nil {
		r.Sent++
		return time.Time{}, d.Outbox.MessageSent(marking, m, now)
	}
	r.Failed++
	due, dead := now.Add(pause(m.Tries)), m.Tries >= maxTries
	var f *Fault
	if errors.As(sending, &f) && f.RetryAfter > 0 {
		if asked := now.Add(min(f.RetryAfter, maxRetryAfter)); asked.After(due) {
			due = asked
		}
	}
	d.Log.Warn("alert not delivered", slog.String("channel", c.Name), slog.String("delivery", m.ID),
		slog.Int("try", m.Tries), slog.Bool("given_up", dead), slog.String("reason", sending.Error()))
	if err := d.Outbox.MessageFailed(marking, m, due, dead, sending.Error()); err != nil {
		return time.Time{}, err
	}
	if dead {
		r.Dead++
		due = time.Time{}
	}
	return due, ctx.Err()
}
