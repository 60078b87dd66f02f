package store_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mtok/schema"
	"mtok/schema/store"
)

// holdOffer runs a partial night of two offers, of which the first is held.
func holdOffer(t *testing.T, s *store.Store, day schema.Day, held, other schema.USD) schema.Quarantine {
	t.Helper()
	run := mustRun(t, s, day)
	f := mustFetch(t, s, run)
	n := nightOf(run, schema.StatusPartial, h100(f, 1, held), h100(f, 2, other))
	n.Quarantine = &schema.Quarantine{Rule: "price_jump"}
	n.HeldOffers = []schema.OfferKey{n.Observations[0].Offer.OfferKey}
	mustSave(t, s, n)
	mustFinish(t, s, run)
	return *n.Quarantine
}

// stand fails the test unless these prices are published, and these known at all.
func stand(t *testing.T, s *store.Store, after string, published, all []string) {
	t.Helper()
	if diff := cmp.Diff(published, prices(t, s, schema.ObservationFilter{})); diff != "" {
		t.Errorf("published after %s (-want +got):\n%s", after, diff)
	}
	if diff := cmp.Diff(all, prices(t, s, schema.ObservationFilter{IncludeHeld: true})); diff != "" {
		t.Errorf("known after %s (-want +got):\n%s", after, diff)
	}
}

func TestHeldOfferLeavesTheRestPublished(t *testing.T) {
	eachBackend(t, func(t *testing.T, c store.Config) {
		ctx := context.Background()
		s := mustOpen(t, c, store.Create)
		q := holdOffer(t, s, firstNight, 6_990_000, 3_890_000)
		stand(t, s, "a held offer", []string{"2026-08-22 2x 3.89"}, []string{"2026-08-22 1x 6.99", "2026-08-22 2x 3.89"})
		settle(t, s, firstNight)

		if err := s.DecideQuarantine(ctx, q.ID, schema.QuarantineConfirmed, "ann"); err != nil {
			t.Fatal(err)
		}
		both := []string{"2026-08-22 1x 6.99", "2026-08-22 2x 3.89"}
		stand(t, s, "its confirmation", both, both)
		unsettled(t, s, "its confirmation", firstNight)
	})
}

func TestHeldOfferNeverReplacesAPublishedOne(t *testing.T) {
	eachBackend(t, func(t *testing.T, c store.Config) {
		s := mustOpen(t, c, store.Create)
		saveDay(t, s, firstNight, 3_990_000, 3_890_000)
		q := holdOffer(t, s, firstNight, 31_920_000, 3_790_000)
		want := []string{"2026-08-22 1x 3.99", "2026-08-22 2x 3.79"}
		stand(t, s, "a rerun with a held offer", want, want)
		if q.State != schema.QuarantineDiscarded || q.DecidedBy != "the published rows of that day" {
			t.Errorf("the quarantine came back as %+v: there is nothing to decide on", q)
		}
	})
}

func TestRerunClosesWhatHoldsNothing(t *testing.T) {
	eachBackend(t, func(t *testing.T, c store.Config) {
		ctx := context.Background()
		s := mustOpen(t, c, store.Create)
		holdOffer(t, s, firstNight, 6_990_000, 3_890_000)
		second := holdOffer(t, s, firstNight, 7_990_000, 3_890_000)
		held, err := s.HeldQuarantines(ctx)
		if err != nil || len(held) != 1 || held[0].ID != second.ID {
			t.Errorf("held %+v, %v; want only %d", held, err, second.ID)
		}
		stand(t, s, "two held nights of a day", []string{"2026-08-22 2x 3.89"}, []string{"2026-08-22 1x 7.99", "2026-08-22 2x 3.89"})

		run := mustRun(t, s, firstNight)
		mustSave(t, s, nightOf(run, schema.StatusPartial, h100(mustFetch(t, s, run), 1, 3_990_000)))
		mustFinish(t, s, run)
		if held, err := s.HeldQuarantines(ctx); err != nil || len(held) != 0 {
			t.Errorf("held %+v, %v; want none, its row was published", held, err)
		}
	})
}

func TestHeldOfferRewordsNothing(t *testing.T) {
	eachBackend(t, func(t *testing.T, c store.Config) {
		s := mustOpen(t, c, store.Create)
		saveDay(t, s, firstNight, 3_990_000, 3_890_000)
		run := mustRun(t, s, firstNight+1)
		f := mustFetch(t, s, run)
		odd, fine := h100(f, 1, 6_990_000), h100(f, 2, 3_890_000)
		for _, o := range []*schema.Observation{&odd, &fine} {
			o.Class, o.Offer.GPURaw = "h200-sxm-141gb", "NVIDIA H200 SXM"
		}
		n := nightOf(run, schema.StatusPartial, odd, fine)
		n.Quarantine = &schema.Quarantine{Rule: "class_changed"}
		n.HeldOffers = []schema.OfferKey{odd.Offer.OfferKey}
		mustSave(t, s, n)

		seen, err := s.Observations(context.Background(), schema.ObservationFilter{IncludeHeld: true, FromDay: firstNight + 1, ToDay: firstNight + 1})
		if err != nil || len(seen) != 2 {
			t.Fatalf("%v, %v", seen, err)
		}
		if seen[0].Class != "h100-sxm-80gb" || seen[1].Class != "h200-sxm-141gb" {
			t.Errorf("classes %s and %s; want the held offer's as it was", seen[0].Class, seen[1].Class)
		}
	})
}

func TestNightConfirmsHeldOnes(t *testing.T) {
	eachBackend(t, func(t *testing.T, c store.Config) {
		ctx := context.Background()
		s := mustOpen(t, c, store.Create)
		q := holdDay(t, s, firstNight, 5_990_000)
		gone := holdDay(t, s, firstNight+1, 5_990_000)
		if err := s.DecideQuarantine(ctx, gone.ID, schema.QuarantineDiscarded, "ann"); err != nil {
			t.Fatal(err)
		}
		settle(t, s, firstNight)
		settle(t, s, firstNight+1)

		run := mustRun(t, s, firstNight+2)
		n := nightOf(run, schema.StatusComplete, h100(mustFetch(t, s, run), 1, 5_990_000))
		n.Confirms = []int64{q.ID, gone.ID}
		mustSave(t, s, n)
		mustFinish(t, s, run)
		want := []string{"2026-08-22 1x 5.99", "2026-08-24 1x 5.99"}
		stand(t, s, "a night that agrees", want, want)
		unsettled(t, s, "a night that agrees", firstNight, firstNight+2)
		var by string
		if err := s.Reader().QueryRow("SELECT decided_by FROM quarantines WHERE state = 'confirmed'").Scan(&by); err != nil || by != "night of 2026-08-24" {
			t.Errorf("confirmed by %q, %v", by, err)
		}
	})
}

func TestPublishedOffers(t *testing.T) {
	eachBackend(t, func(t *testing.T, c store.Config) {
		ctx := context.Background()
		s := mustOpen(t, c, store.Create)
		saveDay(t, s, firstNight-3, 4_990_000)
		saveDay(t, s, firstNight-1, 3_990_000, 3_890_000)
		holdDay(t, s, firstNight, 31_920_000)
		holdOffer(t, s, firstNight+1, 6_990_000, 3_790_000)
		saveImport(t, s, firstNight+2)
		for _, test := range []struct {
			name     string
			provider schema.ProviderID
			from, to schema.Day
			want     []string
		}{
			{"all", "lambda", firstNight - 3, firstNight + 2, []string{"2026-08-23 2x 3.79", "2026-08-21 1x 3.99", "2026-08-21 2x 3.89", "2026-08-19 1x 4.99"}},
			{"some days", "lambda", firstNight - 2, firstNight, []string{"2026-08-21 1x 3.99", "2026-08-21 2x 3.89"}},
			{"none", "crusoe", firstNight - 3, firstNight + 2, nil},
		} {
			offers, err := s.PublishedOffers(ctx, test.provider, test.from, test.to)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, o := range offers {
				got = append(got, o.Day.String()+" "+priceOf(o))
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", test.name, diff)
			}
		}
	})
}

// Pages of another day than their run's are found too: their slot is midnight.
func TestPublishedOffersOfRedatedPages(t *testing.T) {
	eachBackend(t, func(t *testing.T, c store.Config) {
		s := mustOpen(t, c, store.Create)
		run := mustRun(t, s, firstNight)
		f := newFetch(run)
		f.Day = firstNight - 1
		id, err := s.SaveFetch(context.Background(), f, newPage("a page of yesterday"))
		if err != nil {
			t.Fatal(err)
		}
		f.ID = id
		n := nightOf(run, schema.StatusComplete, h100(f, 1, 3_990_000))
		n.Result.Day = f.Day
		mustSave(t, s, n)
		got, err := s.PublishedOffers(context.Background(), "lambda", firstNight-1, firstNight)
		if err != nil || len(got) != 1 || got[0].Day != firstNight-1 {
			t.Errorf("%+v, %v; want the offer of yesterday", got, err)
		}
	})
}
