package store_test

import (
	"context"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mtok/schema"
	"mtok/schema/store"
)

// What reports over many days read is the same as what the whole tables give.
func TestTrends(t *testing.T) {
	eachBackend(t, func(t *testing.T, c store.Config) {
		ctx := context.Background()
		s := mustOpen(t, c, store.Create)
		if _, ok, err := s.NewestMarketDay(ctx); ok || err != nil {
			t.Fatalf("newest day of nothing: %t, %v", ok, err)
		}
		last := firstNight + 2
		for day := firstNight; day <= last; day++ {
			saveDay(t, s, day, 3_990_000)
			d := dailyOf(day, 1, 3_990_000+schema.USD(day))
			all := d.Prices[0]
			all.GPUCount = schema.AnyGPUCount
			d.Prices = append(d.Prices, all)
			if err := s.Recompute(ctx, day, figures(d)); err != nil {
				t.Fatal(err)
			}
			err := s.RecomputeAPI(ctx, day, func([]schema.TokenObservation) []schema.DailyAPIPrice {
				var out []schema.DailyAPIPrice
				for _, model := range []string{"b/two", "a/one"} {
					out = append(out, schema.DailyAPIPrice{Day: day, Origin: schema.OriginLive, In: 130_000, Out: 400_000,
						TokenKey: schema.TokenKey{Provider: schema.ProviderOpenRouter, Source: "models-api", Model: model}})
				}
				return out
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		same := func(what string, got, want any, err error) {
			t.Helper()
			if diff := cmp.Diff(want, got); diff != "" || err != nil {
				t.Errorf("%s: %v\n%s", what, err, diff)
			}
		}
		markets, _ := s.DailyMarkets(ctx, firstNight, last-1, "")
		got, err := s.ClassMarkets(ctx, "h100-sxm-80gb", firstNight, last-1)
		same("markets", got, markets, err)
		if len(markets) != 2 {
			t.Errorf("%d markets, want 2", len(markets))
		}
		costs, _ := s.DailyTokenCosts(ctx, firstNight, last, "")
		gotCosts, err := s.ClassTokenCosts(ctx, "h100-sxm-80gb", "h100-2x-fp8", schema.TermOnDemand, firstNight, last)
		same("costs", gotCosts, costs, err)
		if other, err := s.ClassTokenCosts(ctx, "h100-sxm-80gb", "rag-70b", schema.TermOnDemand, firstNight, last); len(other) != 0 || err != nil {
			t.Errorf("%d costs of another workload, %v", len(other), err)
		}
		prices, err := s.ClassPrices(ctx, "h100-sxm-80gb", schema.TermReserved, firstNight, last)
		if len(prices) != 3 || prices[0].GPUCount != schema.AnyGPUCount || err != nil {
			t.Errorf("prices %+v, %v", prices, err)
		}
		api, err := s.ModelAPIPrices(ctx, "a/one", firstNight+1, last)
		if len(api) != 2 || api[0].Day != firstNight+1 || api[0].Out != 400_000 || err != nil {
			t.Errorf("API prices %+v, %v", api, err)
		}
		models, err := s.APIModels(ctx)
		same("models", models, []string{"a/one", "b/two"}, err)
		days, err := s.DailyDays(ctx)
		same("days", days, []schema.Day{firstNight, firstNight + 1, last}, err)
		if day, ok, err := s.NewestMarketDay(ctx); day != last || !ok || err != nil {
			t.Errorf("newest day %s, %t, %v", day, ok, err)
		}
	})
}

// The counts of `report quality` are those of the rows.
func TestQualityCounts(t *testing.T) {
	eachBackend(t, func(t *testing.T, c store.Config) {
		ctx := context.Background()
		s := mustOpen(t, c, store.Create)
		run := mustRun(t, s, firstNight)
		f := mustFetch(t, s, run)
		night := nightOf(run, schema.StatusComplete, h100(f, 1, 3_990_000))
		night.Parses = []schema.Parse{{FetchID: f.ID, ParserVersion: 2, Offers: 1, Rejects: 3, Error: "half read"}}
		night.Rejects = []schema.FetchRejects{{FetchID: f.ID, Rejects: []schema.Reject{
			{Source: "pricing-page", Label: "a", Rule: "unpriced", Reason: "no price"}, {Source: "pricing-page", Label: "b", Rule: "unpriced", Reason: "no price"},
			{Source: "pricing-page", Label: "c", Rule: "price_band", Reason: "0.02 is too low"}}}}
		mustSave(t, s, night)
		mustFinish(t, s, run)
		counts, err := s.RejectCounts(ctx, firstNight, firstNight)
		if diff := cmp.Diff([]schema.RejectCount{{Provider: "lambda", Rule: "price_band", N: 1, Last: firstNight, Reason: "0.02 is too low"},
			{Provider: "lambda", Rule: "unpriced", N: 2, Last: firstNight, Reason: "no price"}}, counts); diff != "" || err != nil {
			t.Errorf("rejects: %v\n%s", err, diff)
		}
		read, err := s.ParseCounts(ctx, firstNight, firstNight)
		if diff := cmp.Diff([]schema.ParseCount{{Provider: "lambda", Version: 2, N: 1, First: firstNight, Last: firstNight, Errors: 1}}, read); diff != "" || err != nil {
			t.Errorf("parses: %v\n%s", err, diff)
		}
		if none, err := s.ParseCounts(ctx, firstNight+1, firstNight+9); len(none) != 0 || err != nil {
			t.Errorf("parses of other days: %+v, %v", none, err)
		}
		runs, err := s.ProviderRuns(ctx, firstNight, firstNight)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range runs {
			days, err := s.CompleteDays(ctx, r.Provider, firstNight-3, firstNight+3)
			if whole := r.Status == schema.StatusComplete; slices.Contains(days, firstNight) != whole || err != nil {
				t.Errorf("%s, %s: complete on %v, %v", r.Provider, r.Status, days, err)
			}
		}
		if len(runs) == 0 {
			t.Error("no run: nothing was told")
		}
		if q, err := s.Quarantines(ctx, firstNight, firstNight); len(q) != 0 || err != nil {
			t.Errorf("quarantines %+v, %v", q, err)
		}
		hashes, err := s.PageHashes(ctx)
		if len(hashes) == 0 || err != nil {
			t.Errorf("pages %v, %v", hashes, err)
		}
	})
}
