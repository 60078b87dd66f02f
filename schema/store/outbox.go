package store

import (
	"context"
	"time"

	"mtok/schema"
	"mtok/schema/store/db"
)

// OutboxMessages returns the messages in a state, in the order in which their
// events came up.
func (s *Store) OutboxMessages(ctx context.Context, state string) ([]schema.OutboxMessage, error) {
	rows, err := s.queries.OutboxMessages(ctx, state)
	return mapRows(rows, func(r db.OutboxMessagesRow) schema.OutboxMessage {
		return schema.OutboxMessage{
			ID: r.Message, Channel: r.Channel, State: r.State, Events: int(r.Events), Tries: int(r.Tries),
			NextAt: toTime(r.NextAt), Error: r.Error, CreatedAt: toTime(r.CreatedAt), First: r.First,
		}
	}), s.fault("list the outbox", err)
}

// ClaimMessage counts a try of a pending message that is due by now, and keeps
// others from trying it until then. It is false where another process was quicker.
// A try that ends without a word is due again at until.
func (s *Store) ClaimMessage(ctx context.Context, m schema.OutboxMessage, now, until time.Time) (bool, error) {
	var n int64
	err := s.update(ctx, "claim message "+m.ID, func(t *tx) error {
		var err error
		n, err = t.ClaimMessage(ctx, db.ClaimMessageParams{
			Message: m.ID, Channel: m.Channel, Tries: int64(m.Tries), Now: now.UnixMilli(), UntilAt: until.UnixMilli(),
		})
		return err
	})
	return n > 0, err
}

// MessageEvents returns the events of a message, in the order in which they came up.
func (s *Store) MessageEvents(ctx context.Context, m schema.OutboxMessage) ([]schema.AlertEvent, error) {
	rows, err := s.queries.MessageEvents(ctx, db.MessageEventsParams{Message: m.ID, Channel: m.Channel})
	return mapRows(rows, toAlertEvent), s.fault("read message "+m.ID, err)
}

// MessageSent marks a message as accepted by its channel.
func (s *Store) MessageSent(ctx context.Context, m schema.OutboxMessage, at time.Time) error {
	return s.update(ctx, "mark message "+m.ID, func(t *tx) error {
		return t.MessageSent(ctx, db.MessageSentParams{Message: m.ID, Channel: m.Channel, SentAt: at.UnixMilli()})
	})
}

// MessageFailed notes why a try failed and when the next is due, or that there is
// none any more.
func (s *Store) MessageFailed(ctx context.Context, m schema.OutboxMessage, next time.Time, dead bool, reason string) error {
	state := schema.OutboxPending
	if dead {
		state = schema.OutboxDead
	}
	return s.update(ctx, "mark message "+m.ID, func(t *tx) error {
		return t.MessageFailed(ctx, db.MessageFailedParams{
			Message: m.ID, Channel: m.Channel, State: state, NextAt: next.UnixMilli(), Error: clean(reason),
		})
	})
}

// ReviveDeadLetters makes the messages that were given up due again, those of every
// channel where it is empty, and returns how many deliveries that are.
func (s *Store) ReviveDeadLetters(ctx context.Context, channel string) (int, error) {
	var n int64
	err := s.update(ctx, "retry dead letters", func(t *tx) error {
		var err error
		n, err = t.ReviveDeadLetters(ctx, db.ReviveDeadLettersParams{Now: s.now().UnixMilli(), Channel: optional(channel)})
		return err
	})
	return int(n), err
}

// HurryMessages makes the messages that failed and wait for another try due now; a try
// that is under way is left alone.
func (s *Store) HurryMessages(ctx context.Context, channel string) error {
	return s.update(ctx, "hurry messages", func(t *tx) error {
		return t.HurryMessages(ctx, db.HurryMessagesParams{Now: s.now().UnixMilli(), Channel: optional(channel)})
	})
}
