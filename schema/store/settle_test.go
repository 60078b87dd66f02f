package store_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mtok/schema"
	"mtok/schema/store"
)

// unsettled fails the test unless these days are unsettled, as a reader sees it.
func unsettled(t *testing.T, s *store.Store, after string, want ...schema.Day) {
	t.Helper()
	got, err := s.UnsettledDays(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if want == nil {
		want = []schema.Day{}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("unsettled after %s (-want +got):\n%s", after, diff)
	}
}

// settle recomputes a day to nothing.
func settle(t *testing.T, s *store.Store, day schema.Day) {
	t.Helper()
	if err := s.Recompute(context.Background(), day, figures(schema.Daily{Day: day})); err != nil {
		t.Fatal(err)
	}
}

func TestRecomputeSettles(t *testing.T) {
	eachBackend(t, func(t *testing.T, c store.Config) {
		ctx := context.Background()
		s := mustOpen(t, c, store.Create)
		unsettled(t, s, "nothing")
		day := firstNight + 1
		saveDay(t, s, day+1, 3_890_000)
		saveDay(t, s, day, 3_990_000)
		saveDay(t, s, firstNight, 3_890_000)
		saveDay(t, s, day, 3_990_000, 3_790_000)
		unsettled(t, s, "three days", firstNight, day, day+1)

		broken := errors.New("no benchmark")
		err := s.Recompute(ctx, day, func([]schema.Observation) (schema.Daily, error) {
			return dailyOf(day, 0, 3_990_000), broken
		})
		if !errors.Is(err, broken) {
			t.Errorf("got %v, want the error of the figures", err)
		}
		unsettled(t, s, "a failure", firstNight, day, day+1)

		want, err := s.Observations(ctx, schema.ObservationFilter{FromDay: day, ToDay: day})
		if err != nil || len(want) != 2 {
			t.Fatalf("observations: %v, %v", want, err)
		}
		err = s.Recompute(ctx, day, func(got []schema.Observation) (schema.Daily, error) {
			if diff := cmp.Diff(want, got, cmp.AllowUnexported(schema.Decimal{})); diff != "" {
				t.Errorf("the day's observations (-want +got):\n%s", diff)
			}
			return dailyOf(day, got[0].OfferID, 3_990_000), nil
		})
		if err != nil {
			t.Fatal(err)
		}
		unsettled(t, s, "settling one", firstNight, day+1)
		if rows, err := s.DailyPrices(ctx, day, day, ""); err != nil || len(rows) != 1 {
			t.Errorf("daily prices: %v, %v", rows, err)
		}
	})
}

func TestWhatUnsettles(t *testing.T) {
	eachBackend(t, func(t *testing.T, c store.Config) {
		ctx := context.Background()
		s := mustOpen(t, c, store.Create)
		saveDay(t, s, firstNight, 3_990_000)
		settle(t, s, firstNight)

		run := mustRun(t, s, firstNight)
		f := mustFetch(t, s, run)
		mustSave(t, s, nightOf(run, schema.StatusFailed, h100(f, 1, 1_000_000)))
		mustFinish(t, s, run)
		unsettled(t, s, "a failed night")
		holdDay(t, s, firstNight, 31_920_000)
		unsettled(t, s, "a held night that the published one withstood")

		saveDay(t, s, firstNight) // complete, and nothing is sold any more
		unsettled(t, s, "an empty night", firstNight)
		settle(t, s, firstNight)

		run = mustRun(t, s, firstNight)
		f = mustFetch(t, s, run)
		mustSave(t, s, nightOf(run, schema.StatusPartial, h100(f, 1, 3_000_000)))
		mustFinish(t, s, run)
		unsettled(t, s, "a partial night", firstNight)
		settle(t, s, firstNight)

		q := holdDay(t, s, firstNight+1, 31_920_000)
		settle(t, s, firstNight+1)
		if err := s.DecideQuarantine(ctx, q.ID, "confirmed", "ann"); err != nil {
			t.Fatal(err)
		}
		unsettled(t, s, "a confirmation", firstNight+1)
		settle(t, s, firstNight+1)
		if err := s.DecideQuarantine(ctx, q.ID, "confirmed", "bob"); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("decided twice: got %v, want ErrNotFound", err)
		}
		unsettled(t, s, "a decision that was none")
	})
}

func TestKilledNightUnsettlesNothing(t *testing.T) {
	eachBackend(t, func(t *testing.T, c store.Config) {
		s := mustOpen(t, c, store.Create)
		run := mustRun(t, s, firstNight)
		f := mustFetch(t, s, run)
		last := errors.New("the end")
		err := s.SaveNightThen(context.Background(), nightOf(run, schema.StatusComplete, h100(f, 1, 3_990_000)),
			func() error { return last })
		if !errors.Is(err, last) {
			t.Fatalf("got %v, want %v", err, last)
		}
		unsettled(t, s, "a night that was rolled back")
	})
}

// A floor of a bid is in no figure.
func TestRecomputeGetsNoFloors(t *testing.T) {
	eachBackend(t, func(t *testing.T, c store.Config) {
		s := mustOpen(t, c, store.Create)
		run := mustRun(t, s, firstNight)
		f := mustFetch(t, s, run)
		floor := h100(f, 1, 1_000_000)
		floor.Offer.Term = schema.TermBidFloor
		mustSave(t, s, nightOf(run, schema.StatusComplete, floor, h100(f, 1, 3_990_000)))
		var terms []schema.Term
		err := s.Recompute(context.Background(), firstNight, func(got []schema.Observation) (schema.Daily, error) {
			for _, o := range got {
				terms = append(terms, o.Offer.Term)
			}
			return schema.Daily{Day: firstNight}, nil
		})
		if diff := cmp.Diff([]schema.Term{schema.TermOnDemand}, terms); err != nil || diff != "" {
			t.Errorf("%v, terms (-want +got):\n%s", err, diff)
		}
	})
}
