package store_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"mtok/schema"
	"mtok/schema/store"
)

// holdDay runs a night that is quarantined and returns what holds it.
func holdDay(t *testing.T, s *store.Store, day schema.Day, price schema.USD) schema.Quarantine {
	t.Helper()
	run := mustRun(t, s, day)
	n := nightOf(run, schema.StatusQuarantined, h100(mustFetch(t, s, run), 1, price))
	n.Quarantine = &schema.Quarantine{Rule: "unit_ratio", Evidence: "x8 on 22 of 22 rows"}
	mustSave(t, s, n)
	mustFinish(t, s, run)
	if n.Quarantine.ID == 0 {
		t.Fatal("the quarantine got no id")
	}
	return *n.Quarantine
}

func TestQuarantine(t *testing.T) {
	held := schema.ObservationFilter{IncludeHeld: true}
	for _, test := range []struct {
		name      string
		decide    string
		published []string
		shown     []string
	}{
		{"held", "", []string{}, []string{"2026-08-22 1x 31.92"}},
		{"confirmed", "confirmed", []string{"2026-08-22 1x 31.92"}, []string{"2026-08-22 1x 31.92"}},
		{"discarded", "discarded", []string{}, []string{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			eachBackend(t, func(t *testing.T, c store.Config) {
				ctx := context.Background()
				s := mustOpen(t, c, store.Create)
				q := holdDay(t, s, firstNight, 31_920_000)
				list, err := s.HeldQuarantines(ctx)
				if err != nil {
					t.Fatal(err)
				}
				want := []schema.Quarantine{{
					ID: q.ID, RunID: 1, Provider: "lambda", Day: firstNight, Rule: "unit_ratio",
					Evidence: "x8 on 22 of 22 rows", State: schema.QuarantineHeld,
					CreatedAt: clock().Truncate(time.Millisecond),
				}}
				if diff := cmp.Diff(want, list); diff != "" {
					t.Errorf("held (-want +got):\n%s", diff)
				}
				if test.decide != "" {
					if err := s.DecideQuarantine(ctx, q.ID, test.decide, "ann"); err != nil {
						t.Fatal(err)
					}
					if err := s.DecideQuarantine(ctx, q.ID, test.decide, "bob"); !errors.Is(err, store.ErrNotFound) {
						t.Errorf("decided twice: got %v, want ErrNotFound", err)
					}
				}
				if diff := cmp.Diff(test.published, prices(t, s, schema.ObservationFilter{})); diff != "" {
					t.Errorf("published (-want +got):\n%s", diff)
				}
				if diff := cmp.Diff(test.shown, prices(t, s, held)); diff != "" {
					t.Errorf("shown (-want +got):\n%s", diff)
				}
				rows, err := s.Observations(ctx, schema.ObservationFilter{})
				if err != nil {
					t.Fatal(err)
				}
				for _, o := range rows {
					if o.Quarantine != 0 {
						t.Errorf("a confirmed price still names quarantine %d that holds it", o.Quarantine)
					}
				}
			})
		})
	}
}

func TestNextNightReplacesQuarantine(t *testing.T) {
	eachBackend(t, func(t *testing.T, c store.Config) {
		ctx := context.Background()
		s := mustOpen(t, c, store.Create)
		holdDay(t, s, firstNight, 31_920_000)
		other := holdDay(t, s, firstNight+1, 31_920_000)
		saveDay(t, s, firstNight, 3_990_000)

		want := []string{"2026-08-22 1x 3.99", "2026-08-23 1x 31.92"}
		if diff := cmp.Diff(want, prices(t, s, schema.ObservationFilter{IncludeHeld: true})); diff != "" {
			t.Errorf("observations (-want +got):\n%s", diff)
		}
		held, err := s.HeldQuarantines(ctx)
		if err != nil || len(held) != 1 || held[0].ID != other.ID {
			t.Errorf("held: got %v, %v; want only that of the other day", held, err)
		}
		var by string
		err = s.Reader().QueryRow("SELECT decided_by FROM quarantines WHERE state = 'replaced'").Scan(&by)
		if err != nil || by != "run 3" {
			t.Errorf("replaced by %q, %v; want run 3", by, err)
		}
	})
}

func TestQuarantinedRerunKeepsThePublishedRows(t *testing.T) {
	eachBackend(t, func(t *testing.T, c store.Config) {
		s := mustOpen(t, c, store.Create)
		saveDay(t, s, firstNight, 3_990_000)
		holdDay(t, s, firstNight, 31_920_000)
		want := []string{"2026-08-22 1x 3.99"}
		for _, all := range []bool{false, true} {
			if diff := cmp.Diff(want, prices(t, s, schema.ObservationFilter{IncludeHeld: all})); diff != "" {
				t.Errorf("observations, held ones %t (-want +got):\n%s", all, diff)
			}
		}
		held, err := s.HeldQuarantines(context.Background())
		if err != nil || len(held) != 1 {
			t.Errorf("held: got %v, %v; want the evidence of the second night", held, err)
		}
	})
}
