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
		q := holdDay(t, s, firstNight, 31_920_000)
		want := []string{"2026-08-22 1x 3.99"}
		for _, all := range []bool{false, true} {
			if diff := cmp.Diff(want, prices(t, s, schema.ObservationFilter{IncludeHeld: all})); diff != "" {
				t.Errorf("observations, held ones %t (-want +got):\n%s", all, diff)
			}
		}
		held, err := s.HeldQuarantines(context.Background())
		if err != nil || len(held) != 0 {
			t.Errorf("held: got %v, %v; want none, there is nothing to decide on", held, err)
		}
		if q.State != schema.QuarantineDiscarded || q.DecidedBy == "" || q.DecidedAt.IsZero() {
			t.Errorf("the quarantine of the second night came back as %+v", q)
		}
		var state, by, evidence string
		err = s.Reader().QueryRow("SELECT state, decided_by, evidence FROM quarantines WHERE id = $1", q.ID).
			Scan(&state, &by, &evidence)
		if err != nil || state != q.State || by != "the published rows of that day" || evidence != q.Evidence {
			t.Errorf("kept: %s by %q, evidence %q, %v", state, by, evidence, err)
		}
	})
}

// A held night may bring offers of its own, but what it says of one that is
// known would change the published past.
func TestHeldNightRewordsNoOffer(t *testing.T) {
	eachBackend(t, func(t *testing.T, c store.Config) {
		s := mustOpen(t, c, store.Create)
		saveDay(t, s, firstNight, 3_990_000)
		before, err := s.Observations(context.Background(), schema.ObservationFilter{})
		if err != nil {
			t.Fatal(err)
		}

		run := mustRun(t, s, firstNight+1)
		f := mustFetch(t, s, run)
		known, fresh := h100(f, 1, 1_990_000), h100(f, 2, 1_990_000)
		for _, o := range []*schema.Observation{&known, &fresh} {
			o.Class, o.Offer.GPURaw, o.Offer.FormRaw, o.Offer.VRAMMiB = "b200-sxm-180gb", "NVIDIA B200", "SXM6", 180*1024
			o.Offer.Unit, o.Offer.Basis, o.Offer.GroupKey = schema.UnitInstanceHour, schema.BasisGPUComponent, "m"
			o.Offer.PerGPU, o.Offer.MaxGPUs = true, 8
		}
		n := nightOf(run, schema.StatusQuarantined, known, fresh)
		n.Quarantine = &schema.Quarantine{Rule: "class_gone"}
		mustSave(t, s, n)

		after, err := s.Observations(context.Background(), schema.ObservationFilter{IncludeHeld: true})
		if err != nil {
			t.Fatal(err)
		}
		opts := cmp.AllowUnexported(schema.Decimal{})
		if diff := cmp.Diff(before, after[:1], opts); diff != "" {
			t.Errorf("the published night (-want +got):\n%s", diff)
		}
		classes := []schema.ClassID{}
		for _, o := range after[1:] {
			classes = append(classes, o.Class)
		}
		if diff := cmp.Diff([]schema.ClassID{"h100-sxm-80gb", "b200-sxm-180gb"}, classes); diff != "" {
			t.Errorf("classes of the held night (-want +got):\n%s", diff)
		}
	})
}
