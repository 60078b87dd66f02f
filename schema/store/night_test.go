package store_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mtok/schema"
	"mtok/schema/store"
)

func TestObservationsComeBackAsSaved(t *testing.T) {
	eachBackend(t, func(t *testing.T, c store.Config) {
		s := mustOpen(t, c, store.Create)
		run := mustRun(t, s, firstNight)
		f := mustFetch(t, s, run)
		plain, full := h100(f, 1, 3_990_000), marketOffer(f)
		mustSave(t, s, nightOf(run, schema.StatusComplete, full, plain))

		got, err := s.Observations(context.Background(), schema.ObservationFilter{})
		if err != nil {
			t.Fatal(err)
		}
		for i := range got {
			if got[i].OfferID == 0 {
				t.Errorf("observation %d has no offer id", i)
			}
			got[i].OfferID = 0
		}
		opts := cmp.AllowUnexported(schema.Decimal{})
		if diff := cmp.Diff([]schema.Observation{plain, full}, got, opts); diff != "" {
			t.Errorf("observations (-want +got):\n%s", diff)
		}
	})
}

func TestNightRunAgain(t *testing.T) {
	eachBackend(t, func(t *testing.T, c store.Config) {
		s := mustOpen(t, c, store.Create)
		all := schema.ObservationFilter{}
		saveDay(t, s, firstNight, 3_990_000, 3_890_000)
		saveDay(t, s, firstNight+1, 3_790_000)
		offers := prices(t, s, all)
		before, err := s.Observations(context.Background(), all)
		if err != nil {
			t.Fatal(err)
		}

		saveDay(t, s, firstNight, 3_990_000, 3_890_000)
		if diff := cmp.Diff(offers, prices(t, s, all)); diff != "" {
			t.Errorf("the same night again (-want +got):\n%s", diff)
		}
		after, err := s.Observations(context.Background(), all)
		if err != nil {
			t.Fatal(err)
		}
		for i := range before {
			if before[i].OfferID != after[i].OfferID {
				t.Errorf("offer %d became %d", before[i].OfferID, after[i].OfferID)
			}
		}

		saveDay(t, s, firstNight, 3_500_000) // the 2-GPU offer is gone
		want := []string{"2026-08-22 1x 3.50", "2026-08-23 1x 3.79"}
		if diff := cmp.Diff(want, prices(t, s, all)); diff != "" {
			t.Errorf("a later complete night (-want +got):\n%s", diff)
		}
	})
}

func TestPartialAndFailedNights(t *testing.T) {
	eachBackend(t, func(t *testing.T, c store.Config) {
		ctx := context.Background()
		s := mustOpen(t, c, store.Create)
		saveDay(t, s, firstNight, 3_990_000, 3_890_000)

		run := mustRun(t, s, firstNight)
		f := mustFetch(t, s, run)
		mustSave(t, s, nightOf(run, schema.StatusPartial, h100(f, 2, 3_000_000), h100(f, 4, 2_900_000)))
		want := []string{"2026-08-22 1x 3.99", "2026-08-22 2x 3.00", "2026-08-22 4x 2.90"}
		if diff := cmp.Diff(want, prices(t, s, schema.ObservationFilter{})); diff != "" {
			t.Errorf("partial (-want +got):\n%s", diff)
		}
		mustFinish(t, s, run)

		run = mustRun(t, s, firstNight)
		f = mustFetch(t, s, run)
		failed := nightOf(run, schema.StatusFailed, h100(f, 1, 1_000_000))
		failed.Result.ErrorKind, failed.Result.Detail = "layout", "no table\x00\xff"
		failed.Parses = []schema.Parse{{FetchID: f.ID, ParserVersion: 1, Error: "layout", ParsedAt: run.StartedAt}}
		mustSave(t, s, failed)
		if diff := cmp.Diff(want, prices(t, s, schema.ObservationFilter{})); diff != "" {
			t.Errorf("failed (-want +got):\n%s", diff)
		}
		latest, err := s.LatestProviderRuns(ctx)
		if err != nil {
			t.Fatal(err)
		}
		failed.Result.Detail = "no table\uFFFD\uFFFD"
		if diff := cmp.Diff([]schema.ProviderRun{failed.Result}, latest); diff != "" {
			t.Errorf("latest (-want +got):\n%s", diff)
		}
		all, err := s.ProviderRuns(ctx, firstNight, firstNight)
		if err != nil || len(all) != 3 {
			t.Errorf("got %d provider runs (%v), want 3", len(all), err)
		}
		parses, err := s.Parses(ctx, run.ID)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(failed.Parses, parses); diff != "" {
			t.Errorf("parses (-want +got):\n%s", diff)
		}
	})
}

func TestImportsAreNeverTouched(t *testing.T) {
	eachBackend(t, func(t *testing.T, c store.Config) {
		s := mustOpen(t, c, store.Create)
		run := mustRun(t, s, firstNight)
		f := newFetch(run)
		f.Origin, f.Source = schema.OriginImport, "a-data-set"
		id, err := s.SaveFetch(context.Background(), f, newPage("csv"))
		if err != nil {
			t.Fatal(err)
		}
		f.ID = id
		mustSave(t, s, nightOf(run, schema.StatusPartial, h100(f, 1, 2_490_000)))
		mustFinish(t, s, run)

		saveDay(t, s, firstNight, 3_990_000)
		saveDay(t, s, firstNight, 3_890_000)
		want := []string{"2026-08-22 1x 2.49", "2026-08-22 1x 3.89"}
		if diff := cmp.Diff(want, prices(t, s, schema.ObservationFilter{})); diff != "" {
			t.Errorf("import and own (-want +got):\n%s", diff)
		}

		run = mustRun(t, s, firstNight)
		own := mustFetch(t, s, run)
		own.Source = f.Source // the very key of the import
		for _, status := range []schema.RunStatus{schema.StatusComplete, schema.StatusPartial} {
			err := s.SaveProviderNight(context.Background(), nightOf(run, status, h100(own, 1, 1_000_000)))
			if !errors.Is(err, store.ErrCollision) {
				t.Errorf("%s night over an import: got %v, want ErrCollision", status, err)
			}
		}
		if diff := cmp.Diff(want, prices(t, s, schema.ObservationFilter{})); diff != "" {
			t.Errorf("after the collision (-want +got):\n%s", diff)
		}
	})
}

func TestTwoPricesForOneOffer(t *testing.T) {
	eachBackend(t, func(t *testing.T, c store.Config) {
		s := mustOpen(t, c, store.Create)
		saveDay(t, s, firstNight, 3_990_000)
		run := mustRun(t, s, firstNight)
		f := mustFetch(t, s, run)
		n := nightOf(run, schema.StatusComplete, h100(f, 1, 3_000_000), h100(f, 1, 2_000_000))
		if err := s.SaveProviderNight(context.Background(), n); !errors.Is(err, store.ErrCollision) {
			t.Errorf("got %v, want ErrCollision", err)
		}
		if diff := cmp.Diff([]string{"2026-08-22 1x 3.99"}, prices(t, s, schema.ObservationFilter{})); diff != "" {
			t.Errorf("the last good night (-want +got):\n%s", diff)
		}
		foreign := h100(f, 1, 3_000_000)
		foreign.Offer.Provider = "crusoe"
		if err := s.SaveProviderNight(context.Background(), nightOf(run, schema.StatusComplete, foreign)); err == nil {
			t.Error("an offer of another provider was saved")
		}
	})
}

func TestFailureLeavesNothing(t *testing.T) {
	eachBackend(t, func(t *testing.T, c store.Config) {
		ctx := context.Background()
		s := mustOpen(t, c, store.Create)
		saveDay(t, s, firstNight, 3_990_000)
		run := mustRun(t, s, firstNight)
		f := mustFetch(t, s, run)
		n := nightOf(run, schema.StatusComplete)
		for i := range 250 {
			n.Observations = append(n.Observations, h100(f, i+1, 3_000_000))
		}
		n.Observations[249].FetchID = 1_000_000 // no such fetch
		n.Rejects = []schema.FetchRejects{{FetchID: f.ID, Rejects: []schema.Reject{{Label: "B200"}}}}
		n.Quarantine = &schema.Quarantine{Rule: "ratio"}
		if err := s.SaveProviderNight(ctx, n); err == nil {
			t.Fatal("an observation of an unknown fetch was saved")
		}
		stats, err := s.Stats(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if stats.Observations != 1 || stats.Offers != 1 || stats.Rejects != 0 {
			t.Errorf("got %+v, want the first night only", stats)
		}
		if held, err := s.HeldQuarantines(ctx); err != nil || len(held) != 0 {
			t.Errorf("got quarantines %v, %v", held, err)
		}

		n.Observations[249].FetchID = f.ID
		mustSave(t, s, n)
		if stats, err = s.Stats(ctx); err != nil || stats.Observations != 250 || stats.Offers != 250 {
			t.Errorf("after mending: got %+v, %v", stats, err)
		}
	})
}

func TestOfferFollowsTheCatalog(t *testing.T) {
	eachBackend(t, func(t *testing.T, c store.Config) {
		ctx := context.Background()
		s := mustOpen(t, c, store.Create)
		saveDay(t, s, firstNight, 3_990_000)
		run := mustRun(t, s, firstNight+1)
		f := mustFetch(t, s, run)
		o := h100(f, 1, 3_990_000)
		o.Class, o.Offer.GPURaw = "h100-sxm-94gb", "H100 94GB\xff"
		second := o // the same offer by another source, worded otherwise
		second.Source, second.Offer.GPURaw = "instance-types-api", "gpu_1x_h100"
		mustSave(t, s, nightOf(run, schema.StatusComplete, o, second))

		got, err := s.Observations(ctx, schema.ObservationFilter{})
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != 3 {
			t.Fatalf("got %d observations, want 3", len(got))
		}
		for _, o := range got {
			if o.Class != "h100-sxm-94gb" || o.Offer.GPURaw != "H100 94GB\uFFFD" || o.OfferID != got[0].OfferID {
				t.Errorf("got offer %d, class %s, raw name %q", o.OfferID, o.Class, o.Offer.GPURaw)
			}
		}
	})
}

func TestObservationFilters(t *testing.T) {
	eachBackend(t, func(t *testing.T, c store.Config) {
		s := mustOpen(t, c, store.Create)
		saveDay(t, s, firstNight, 3_990_000)
		saveDay(t, s, firstNight+1, 3_890_000)
		run := mustRun(t, s, firstNight+2)
		f := mustFetch(t, s, run)
		other := h100(f, 8, 6_000_000)
		other.Class, other.Offer.Term = "b200-sxm-180gb", schema.TermSpot
		mustSave(t, s, nightOf(run, schema.StatusComplete, other))

		first, second, third := "2026-08-22 1x 3.99", "2026-08-23 1x 3.89", "2026-08-24 8x 6.00"
		for _, test := range []struct {
			name   string
			filter schema.ObservationFilter
			want   []string
		}{
			{"from", schema.ObservationFilter{FromDay: firstNight + 1}, []string{second, third}},
			{"to", schema.ObservationFilter{ToDay: firstNight + 1}, []string{first, second}},
			{"class", schema.ObservationFilter{Class: "h100-sxm-80gb"}, []string{first, second}},
			{"term", schema.ObservationFilter{Term: schema.TermSpot}, []string{third}},
			{"origin", schema.ObservationFilter{Origin: schema.OriginImport}, []string{}},
			{"provider", schema.ObservationFilter{Provider: "lambda"}, []string{first, second, third}},
			{"other provider", schema.ObservationFilter{Provider: "crusoe"}, []string{}},
		} {
			if diff := cmp.Diff(test.want, prices(t, s, test.filter)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", test.name, diff)
			}
		}
	})
}

// The order is by code point, whatever the database's locale.
func TestObservationOrder(t *testing.T) {
	eachBackend(t, func(t *testing.T, c store.Config) {
		s := mustOpen(t, c, store.Create)
		run := mustRun(t, s, firstNight)
		f := mustFetch(t, s, run)
		want := []string{"", "US-East", "a b", "a-b", "ab", "us-east", "\u00e9"}
		n := nightOf(run, schema.StatusComplete)
		for _, region := range want {
			o := h100(f, 1, 3_990_000)
			o.Offer.Region = region
			n.Observations = append(n.Observations, o)
		}
		slices.Reverse(n.Observations)
		mustSave(t, s, n)
		got, err := s.Observations(context.Background(), schema.ObservationFilter{})
		if err != nil {
			t.Fatal(err)
		}
		var regions []string
		for _, o := range got {
			regions = append(regions, o.Offer.Region)
		}
		if diff := cmp.Diff(want, regions); diff != "" {
			t.Errorf("regions (-want +got):\n%s", diff)
		}
	})
}

func TestRejects(t *testing.T) {
	eachBackend(t, func(t *testing.T, c store.Config) {
		ctx := context.Background()
		s := mustOpen(t, c, store.Create)
		run := mustRun(t, s, firstNight)
		f := mustFetch(t, s, run)
		n := nightOf(run, schema.StatusComplete)
		rejects := []schema.Reject{
			{Source: f.Source, Label: "B200 8x", PriceText: "—", Rule: "unpriced", Reason: "no price printed"},
			{Source: f.Source, Label: "A100 1x", PriceText: "€1", Rule: "currency", Reason: "EUR"},
		}
		n.Rejects = []schema.FetchRejects{{FetchID: f.ID, Rejects: rejects}}
		mustSave(t, s, n)
		mustSave(t, s, n) // parsed again: not counted twice

		var want []schema.Rejected
		for _, r := range rejects {
			want = append(want, schema.Rejected{Reject: r, Day: firstNight, Provider: "lambda", RunID: run.ID, FetchID: f.ID})
		}
		for _, filter := range []schema.FetchFilter{{}, {RunID: run.ID}, {FromDay: firstNight, ToDay: firstNight, Provider: "lambda"}} {
			got, err := s.Rejects(ctx, filter)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("rejects of %+v (-want +got):\n%s", filter, diff)
			}
		}
		if got, err := s.Rejects(ctx, schema.FetchFilter{Provider: "crusoe"}); err != nil || len(got) != 0 {
			t.Errorf("rejects of another provider: %v, %v", got, err)
		}
	})
}
