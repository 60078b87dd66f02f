package store_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"mtok/schema"
	"mtok/schema/store"
)

// told is an event of the first night to two channels.
func told(event, series string, to schema.USD) schema.AlertEvent {
	return schema.AlertEvent{
		Event: event, Rule: "list-price-any", Series: series, Day: firstNight, Kind: "move", Severity: "info",
		From: 3_290_000, To: to, Detail: "[mtok] CUT " + series + "\nFirst seen", Channels: []string{"slack", "hook"},
	}
}

func TestOutboxOfANight(t *testing.T) {
	eachBackend(t, func(t *testing.T, c store.Config) {
		ctx := t.Context()
		s := mustOpen(t, c, store.Create)
		night := schema.AlertNight{
			States: []schema.AlertState{{Rule: "mtok", Series: "chat", Checksum: "aa", Status: "firing", Day: firstNight, Value: 376_000,
				Baseline: 414_000, Detail: `{"Nights":3}`, Active: firstNight - 2, Fired: firstNight, Told: firstNight}},
			Events: []schema.AlertEvent{told("e1", "runpod/a", 2_990_000), told("e2", "runpod/b", 2_490_000)},
		}
		for again := range 2 {
			fresh, err := s.SaveAlerts(ctx, night)
			if err != nil {
				t.Fatal(err)
			}
			if want := 2 - 2*again; len(fresh) != want {
				t.Errorf("time %d: %d new events, want %d", again, len(fresh), want)
			}
		}
		states, err := s.AlertStates(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(night.States, states); diff != "" {
			t.Errorf("states (-want +got):\n%s", diff)
		}
		pending := messages(t, s, schema.OutboxPending)
		if len(pending) != 2 || pending[0].Channel != "slack" || pending[1].Channel != "hook" || pending[0].Events != 2 ||
			pending[0].ID == pending[1].ID {
			t.Fatalf("pending: %+v", pending)
		}
		events, err := s.MessageEvents(ctx, pending[0])
		if err != nil {
			t.Fatal(err)
		}
		ignore := cmpopts.IgnoreFields(schema.AlertEvent{}, "ID", "CreatedAt", "Channels")
		if diff := cmp.Diff(night.Events, events, ignore); diff != "" {
			t.Errorf("events (-want +got):\n%s", diff)
		}
	})
}

func messages(t *testing.T, s *store.Store, state string) []schema.OutboxMessage {
	t.Helper()
	list, err := s.OutboxMessages(t.Context(), state)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestOutboxTries takes one message through a claim, a failure, its end and its
// revival; nobody else gets it while it is claimed.
func TestOutboxTries(t *testing.T) {
	eachBackend(t, func(t *testing.T, c store.Config) {
		ctx := t.Context()
		s := mustOpen(t, c, store.Create)
		event := told("e1", "runpod/a", 2_990_000)
		event.Channels = []string{"hook"}
		if _, err := s.SaveAlerts(ctx, schema.AlertNight{Events: []schema.AlertEvent{event}}); err != nil {
			t.Fatal(err)
		}
		claim := func(m schema.OutboxMessage, at time.Time, want bool) {
			t.Helper()
			if got, err := s.ClaimMessage(ctx, m, at, at.Add(time.Minute)); err != nil || got != want {
				t.Fatalf("claim: %v, %v; want %v", got, err, want)
			}
		}
		m := messages(t, s, schema.OutboxPending)[0]
		claim(m, clock().Add(-time.Second), false) // not due yet
		claim(m, clock(), true)
		claim(m, clock().Add(time.Hour), false) // its first try is another process's
		m = messages(t, s, schema.OutboxPending)[0]
		claim(m, clock().Add(30*time.Second), false)
		claim(m, clock().Add(time.Minute), true) // which never said what became of it
		next := clock().Add(time.Hour).Truncate(time.Millisecond)
		if err := s.MessageFailed(ctx, m, next, false, "HTTP 500"); err != nil {
			t.Fatal(err)
		}
		m = messages(t, s, schema.OutboxPending)[0]
		if m.Tries != 2 || !m.NextAt.Equal(next) || m.Error != "HTTP 500" {
			t.Errorf("after a failure: %+v", m)
		}
		if err := s.MessageFailed(ctx, m, next, true, "HTTP 500"); err != nil {
			t.Fatal(err)
		}
		claim(m, next, false)
		if dead := messages(t, s, schema.OutboxDead); len(dead) != 1 {
			t.Errorf("dead: %+v", dead)
		}
		if n, err := s.ReviveDeadLetters(ctx, "slack"); err != nil || n != 0 {
			t.Errorf("revived %d of another channel, %v", n, err)
		}
		if n, err := s.ReviveDeadLetters(ctx, ""); err != nil || n != 1 {
			t.Errorf("revived %d, %v", n, err)
		}
		m = messages(t, s, schema.OutboxPending)[0]
		if m.Tries != 0 {
			t.Errorf("revived: %+v", m)
		}
		claim(m, clock(), true)
		if err := s.MessageSent(ctx, m, clock()); err != nil {
			t.Fatal(err)
		}
		if err := s.MessageFailed(ctx, m, next, true, "a late word"); err != nil {
			t.Fatal(err)
		}
		if sent := messages(t, s, schema.OutboxSent); len(sent) != 1 || len(messages(t, s, schema.OutboxPending)) != 0 {
			t.Errorf("sent: %+v", sent)
		}
	})
}

// TestHurryMessages makes a message due that failed and waits, and leaves alone one
// whose next try is under way.
func TestHurryMessages(t *testing.T) {
	eachBackend(t, func(t *testing.T, c store.Config) {
		ctx := t.Context()
		s := mustOpen(t, c, store.Create)
		event := told("e1", "runpod/a", 2_990_000)
		event.Channels = []string{"hook"}
		if _, err := s.SaveAlerts(ctx, schema.AlertNight{Events: []schema.AlertEvent{event}}); err != nil {
			t.Fatal(err)
		}
		hurried := func() schema.OutboxMessage {
			t.Helper()
			if err := s.HurryMessages(ctx, ""); err != nil {
				t.Fatal(err)
			}
			return messages(t, s, schema.OutboxPending)[0]
		}
		now := clock().Truncate(time.Millisecond)
		if err := s.MessageFailed(ctx, hurried(), now.Add(time.Hour), false, "HTTP 500"); err != nil {
			t.Fatal(err)
		}
		m := hurried()
		if !m.NextAt.Equal(now) || m.Error != "HTTP 500" {
			t.Fatalf("waits: %+v", m)
		}
		until := now.Add(time.Minute)
		if mine, err := s.ClaimMessage(ctx, m, now, until); err != nil || !mine {
			t.Fatal(mine, err)
		}
		if m = hurried(); !m.NextAt.Equal(until) {
			t.Errorf("a try under way is due again at %s, want %s", m.NextAt, until)
		}
	})
}

func TestSilences(t *testing.T) {
	eachBackend(t, func(t *testing.T, c store.Config) {
		ctx := t.Context()
		s := mustOpen(t, c, store.Create)
		for _, silence := range []schema.Silence{
			{Rule: "list-price-any", Series: "runpod/a", Comment: "known", CreatedBy: "me", Until: clock().Add(time.Hour)},
			{Rule: "list-price-any", Series: "runpod/b", CreatedBy: "me", Until: clock().Add(-time.Hour)},
		} {
			if _, err := s.AddSilence(ctx, silence); err != nil {
				t.Fatal(err)
			}
		}
		fresh, err := s.SaveAlerts(ctx, schema.AlertNight{Events: []schema.AlertEvent{told("e1", "runpod/a", 1), told("e2", "runpod/b", 1)}})
		if err != nil || len(fresh) != 2 {
			t.Fatalf("%d new, %v", len(fresh), err)
		}
		pending := messages(t, s, schema.OutboxPending)
		if len(pending) != 2 || pending[0].Events != 1 {
			t.Errorf("pending: %+v; want the event that is not silenced, to both channels", pending)
		}
		if n, err := s.EndSilences(ctx, "list-price-any", "runpod/a"); err != nil || n != 1 {
			t.Errorf("ended %d, %v", n, err)
		}
		if left, err := s.Silences(ctx); err != nil || len(left) != 0 {
			t.Errorf("in force: %+v, %v", left, err)
		}
	})
}

// TestTogether: what fails leaves nothing of all that was written.
func TestTogether(t *testing.T) {
	eachBackend(t, func(t *testing.T, c store.Config) {
		ctx := t.Context()
		s := mustOpen(t, c, store.Create)
		boom := errors.New("boom")
		for _, want := range []error{boom, nil} {
			err := s.Together(ctx, "test", func(s *store.Store) error {
				if _, err := s.SaveAlerts(ctx, schema.AlertNight{Events: []schema.AlertEvent{told("e1", "runpod/a", 1)}}); err != nil {
					return err
				}
				if events, err := s.LastAlertEvents(ctx, 5); err != nil || len(events) != 1 {
					t.Errorf("within: %d events, %v", len(events), err)
				}
				return want
			})
			if !errors.Is(err, want) {
				t.Errorf("error %v, want %v", err, want)
			}
			kept := 1
			if want != nil {
				kept = 0
			}
			if events, err := s.LastAlertEvents(ctx, 5); err != nil || len(events) != kept {
				t.Errorf("after %v: %d events, %v; want %d", want, len(events), err, kept)
			}
		}
	})
}
