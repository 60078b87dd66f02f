package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"slices"
	"time"

	"mtok/schema"
	"mtok/schema/store/db"
)

// SaveAlerts keeps the states and events of a night and puts the events that are
// new into the outbox, one grouped message a channel; an event that a silence covers
// is kept, and goes to nobody. An event that is kept already is not told again. It
// returns the new events, those that are silenced included.
//
// Within Together it is part of the transaction that made the figures.
func (s *Store) SaveAlerts(ctx context.Context, n schema.AlertNight) (fresh []schema.AlertEvent, err error) {
	err = s.update(ctx, "save alerts", func(t *tx) error {
		for _, state := range n.States {
			if err := t.PutAlertState(ctx, fromAlertState(state)); err != nil {
				return err
			}
		}
		silences, err := silencesAt(ctx, t.Queries, s.now())
		if err != nil {
			return err
		}
		boxes := map[string][]schema.AlertEvent{}
		var order []string
		for _, e := range n.Events {
			known, err := t.KnownAlertEvent(ctx, e.Event)
			if err != nil {
				return err
			}
			if known > 0 {
				continue
			}
			if e.ID, err = t.InsertAlertEvent(ctx, fromAlertEvent(e, s.now())); err != nil {
				return err
			}
			fresh = append(fresh, e)
			if Silenced(silences, e.Rule, e.Series) {
				continue
			}
			for _, channel := range e.Channels {
				if boxes[channel] == nil {
					order = append(order, channel)
				}
				boxes[channel] = append(boxes[channel], e)
			}
		}
		for _, channel := range order {
			if err := putMessage(ctx, t, channel, boxes[channel], s.now()); err != nil {
				return err
			}
		}
		return nil
	})
	return fresh, err
}

// putMessage puts one message with these events into the outbox. Its id is made of
// them, so that it never changes.
func putMessage(ctx context.Context, t *tx, channel string, events []schema.AlertEvent, now time.Time) error {
	h := sha256.New()
	h.Write([]byte(channel))
	for _, e := range events {
		h.Write([]byte("\n" + e.Event))
	}
	message := hex.EncodeToString(h.Sum(nil)[:messageBytes])
	for _, e := range events {
		err := t.InsertDelivery(ctx, db.InsertDeliveryParams{
			EventID: e.ID, Channel: clean(channel), Message: message, NextAt: now.UnixMilli(),
		})
		if err != nil {
			return err
		}
	}
	return nil
}

const messageBytes = 12

// Silenced reports whether a silence covers a series of a rule.
func Silenced(silences []schema.Silence, rule, series string) bool {
	return slices.ContainsFunc(silences, func(s schema.Silence) bool {
		return s.Rule == rule && (s.Series == "" || s.Series == series)
	})
}

// AlertStates returns what is kept of every rule and series.
func (s *Store) AlertStates(ctx context.Context) ([]schema.AlertState, error) {
	rows, err := s.queries.GetAlertStates(ctx)
	return mapRows(rows, toAlertState), s.fault("list alerts", err)
}

// LastAlertEvents returns the newest n events, newest first.
func (s *Store) LastAlertEvents(ctx context.Context, n int) ([]schema.AlertEvent, error) {
	rows, err := s.queries.LastAlertEvents(ctx, int32(n))
	return mapRows(rows, toAlertEvent), s.fault("list alert events", err)
}

// RunAlertEvents returns the events that a run found, in order.
func (s *Store) RunAlertEvents(ctx context.Context, run int64) ([]schema.AlertEvent, error) {
	rows, err := s.queries.RunAlertEvents(ctx, run)
	return mapRows(rows, toAlertEvent), s.fault("list alert events", err)
}

// AlertEventsOn returns the events of a night, in the order in which they came up.
func (s *Store) AlertEventsOn(ctx context.Context, day schema.Day) ([]schema.AlertEvent, error) {
	rows, err := s.queries.AlertEventsOn(ctx, int64(day))
	return mapRows(rows, toAlertEvent), s.fault("list alert events", err)
}

// AddSilence keeps a silence and returns it with its ID and time.
func (s *Store) AddSilence(ctx context.Context, silence schema.Silence) (schema.Silence, error) {
	silence.CreatedAt = toTime(s.now().UnixMilli())
	err := s.update(ctx, "silence "+silence.Rule, func(t *tx) error {
		until := sql.NullInt64{Int64: silence.Until.UnixMilli(), Valid: !silence.Until.IsZero()}
		var err error
		silence.ID, err = t.InsertSilence(ctx, db.InsertSilenceParams{
			Rule: clean(silence.Rule), Series: clean(silence.Series), Comment: clean(silence.Comment),
			CreatedBy: clean(silence.CreatedBy), CreatedAt: silence.CreatedAt.UnixMilli(), UntilAt: until,
		})
		return err
	})
	return silence, err
}

// EndSilences ends those in force of a rule and a series, and returns how many.
func (s *Store) EndSilences(ctx context.Context, rule, series string) (int, error) {
	var n int64
	err := s.update(ctx, "end silences of "+rule, func(t *tx) error {
		var err error
		n, err = t.EndSilences(ctx, db.EndSilencesParams{Now: s.now().UnixMilli(), Rule: rule, Series: series})
		return err
	})
	return int(n), err
}

// Silences returns those in force.
func (s *Store) Silences(ctx context.Context) ([]schema.Silence, error) {
	silences, err := silencesAt(ctx, s.queries, s.now())
	return silences, s.fault("list silences", err)
}

func silencesAt(ctx context.Context, q *db.Queries, at time.Time) ([]schema.Silence, error) {
	rows, err := q.SilencesAt(ctx, at.UnixMilli())
	return mapRows(rows, func(r db.Silence) schema.Silence {
		return schema.Silence{
			ID: r.ID, Rule: r.Rule, Series: r.Series, Comment: r.Comment, CreatedBy: r.CreatedBy,
			CreatedAt: toTime(r.CreatedAt), Until: toOptionalTime(r.UntilAt),
		}
	}), err
}

// dayAt is the midnight at which a day begins; 0 is NULL.
func dayAt(d schema.Day) sql.NullInt64 {
	return sql.NullInt64{Int64: d.Time().UnixMilli(), Valid: d != 0}
}

func dayOf(at sql.NullInt64) schema.Day {
	if !at.Valid {
		return 0
	}
	return schema.DayOf(toTime(at.Int64))
}

func fromAlertState(a schema.AlertState) db.PutAlertStateParams {
	return db.PutAlertStateParams{
		Rule: clean(a.Rule), Series: clean(a.Series), RuleChecksum: a.Checksum, State: a.Status, Day: int64(a.Day),
		Value: optionalID(int64(a.Value)), Baseline: optionalID(int64(a.Baseline)), Detail: clean(a.Detail),
		ActiveAt: dayAt(a.Active), FiredAt: dayAt(a.Fired), ResolvedAt: dayAt(a.Resolved), SentAt: dayAt(a.Told),
	}
}

func toAlertState(r db.Alert) schema.AlertState {
	return schema.AlertState{
		Rule: r.Rule, Series: r.Series, Checksum: r.RuleChecksum, Status: r.State, Day: schema.Day(r.Day),
		Value: schema.USD(r.Value.Int64), Baseline: schema.USD(r.Baseline.Int64), Detail: r.Detail,
		Active: dayOf(r.ActiveAt), Fired: dayOf(r.FiredAt), Resolved: dayOf(r.ResolvedAt), Told: dayOf(r.SentAt),
	}
}

func fromAlertEvent(e schema.AlertEvent, now time.Time) db.InsertAlertEventParams {
	return db.InsertAlertEventParams{
		Event: e.Event, RunID: optionalID(e.RunID), Rule: clean(e.Rule), Series: clean(e.Series), Day: int64(e.Day),
		Kind: e.Kind, Severity: e.Severity, FromValue: optionalID(int64(e.From)), ToValue: optionalID(int64(e.To)),
		Detail: clean(e.Detail), CreatedAt: now.UnixMilli(),
	}
}

func toAlertEvent(r db.AlertEvent) schema.AlertEvent {
	return schema.AlertEvent{
		ID: r.ID, Event: r.Event, RunID: r.RunID.Int64, Rule: r.Rule, Series: r.Series, Day: schema.Day(r.Day),
		Kind: r.Kind, Severity: r.Severity, From: schema.USD(r.FromValue.Int64), To: schema.USD(r.ToValue.Int64),
		Detail: r.Detail, CreatedAt: toTime(r.CreatedAt),
	}
}
