package store_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mtok/schema"
	"mtok/schema/store"
)

// A recorded run whose pages are of two days writes two nights; a rerun of one
// leaves the other.
func TestRunOfTwoDays(t *testing.T) {
	eachBackend(t, func(t *testing.T, c store.Config) {
		ctx := context.Background()
		s := mustOpen(t, c, store.Create)
		if days, err := s.ObservationDays(ctx); err != nil || len(days) != 0 {
			t.Errorf("days of nothing: %v, %v", days, err)
		}
		run := mustRun(t, s, firstNight+2)
		f := mustFetch(t, s, run)
		save := func(day schema.Day, prices ...schema.USD) {
			f := f
			f.Day = day
			n := nightOf(run, schema.StatusComplete)
			n.Result.Day = day
			for i, price := range prices {
				n.Observations = append(n.Observations, h100(f, i+1, price))
			}
			mustSave(t, s, n)
		}
		save(firstNight, 3_990_000, 3_890_000)
		save(firstNight+2, 3_790_000)
		save(firstNight, 3_690_000)

		want := []string{"2026-08-22 1x 3.69", "2026-08-24 1x 3.79"}
		if diff := cmp.Diff(want, prices(t, s, schema.ObservationFilter{})); diff != "" {
			t.Errorf("observations (-want +got):\n%s", diff)
		}
		days, err := s.ObservationDays(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]schema.Day{firstNight, firstNight + 2}, days); diff != "" {
			t.Errorf("days (-want +got):\n%s", diff)
		}
		unsettled(t, s, "a run of two days", firstNight, firstNight+2)
	})
}

// A night replaces one slot: what lies in another would stay for ever.
func TestObservationOutsideItsNight(t *testing.T) {
	eachBackend(t, func(t *testing.T, c store.Config) {
		s := mustOpen(t, c, store.Create)
		run := mustRun(t, s, firstNight)
		f := mustFetch(t, s, run)
		for name, move := range map[string]func(*schema.Observation){
			"another day":  func(o *schema.Observation) { o.Day++ },
			"another slot": func(o *schema.Observation) { o.Slot++ },
		} {
			o := h100(f, 1, 3_990_000)
			move(&o)
			for _, status := range []schema.RunStatus{schema.StatusComplete, schema.StatusPartial} {
				if err := s.SaveProviderNight(context.Background(), nightOf(run, status, o)); err == nil {
					t.Errorf("%s, %s: saved", name, status)
				}
			}
		}
		if got, err := s.ProviderRuns(context.Background(), 0, firstNight+1); err != nil || len(got) != 0 {
			t.Errorf("the refused nights left %v, %v", got, err)
		}
	})
}

// A partial night writes over the row of an offer, every column of it.
func TestPartialNightWritesEveryColumn(t *testing.T) {
	eachBackend(t, func(t *testing.T, c store.Config) {
		s := mustOpen(t, c, store.Create)
		run := mustRun(t, s, firstNight)
		f := mustFetch(t, s, run)
		full := marketOffer(f)
		plain := h100(f, 8, 3_990_000)
		plain.Offer.OfferKey = full.Offer.OfferKey
		for _, o := range []schema.Observation{plain, full, plain} {
			mustSave(t, s, nightOf(run, schema.StatusPartial, o))
			got, err := s.Observations(context.Background(), schema.ObservationFilter{})
			if err != nil || len(got) != 1 {
				t.Fatalf("got %v, %v", got, err)
			}
			got[0].OfferID = 0
			if diff := cmp.Diff(o, got[0], cmp.AllowUnexported(schema.Decimal{})); diff != "" {
				t.Errorf("observation (-want +got):\n%s", diff)
			}
		}
	})
}

func TestExclusionByTheSource(t *testing.T) {
	eachBackend(t, func(t *testing.T, c store.Config) {
		s := mustOpen(t, c, store.Create)
		run := mustRun(t, s, firstNight)
		f := mustFetch(t, s, run)
		both, source := h100(f, 1, 3_990_000), h100(f, 2, 3_990_000)
		both.Excluded, both.Offer.Excluded = "component price", "machine down"
		source.Offer.Excluded = "machine down"
		mustSave(t, s, nightOf(run, schema.StatusComplete, both, source))
		got, err := s.Observations(context.Background(), schema.ObservationFilter{})
		if err != nil {
			t.Fatal(err)
		}
		var reasons []string
		for _, o := range got {
			reasons = append(reasons, o.Excluded)
		}
		if diff := cmp.Diff([]string{"component price", "machine down"}, reasons); diff != "" {
			t.Errorf("reasons (-want +got):\n%s", diff)
		}
	})
}

func TestStockThatWouldNotReadBack(t *testing.T) {
	eachBackend(t, func(t *testing.T, c store.Config) {
		s := mustOpen(t, c, store.Create)
		run := mustRun(t, s, firstNight)
		o := h100(mustFetch(t, s, run), 1, 3_990_000)
		o.Offer.StockPoints = schema.StockPoints{{GPUs: 1, Region: "us, west", Level: "high"}}
		if err := s.SaveProviderNight(context.Background(), nightOf(run, schema.StatusComplete, o)); err == nil {
			t.Error("saved")
		}
		o.Offer.StockPoints[0].Region = "us-west"
		mustSave(t, s, nightOf(run, schema.StatusComplete, o))
		mustExec(t, s.Writer(), "UPDATE observations SET stock_points = 'plenty'")
		if got, err := s.Observations(context.Background(), schema.ObservationFilter{}); err == nil {
			t.Errorf("read broken stock as %v", got)
		}
	})
}
