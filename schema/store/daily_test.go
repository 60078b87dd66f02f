package store_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mtok/schema"
	"mtok/schema/store"
)

// dailyOf is everything that is recomputed for a day, at one price.
func dailyOf(day schema.Day, offerID int64, price schema.USD) schema.Daily {
	inputs := schema.CostInputs{Body: "utilization = 0.65\n"}
	inputs.Hash = newPage(inputs.Body).SHA256
	return schema.Daily{
		Day: day,
		Prices: []schema.DailyPrice{{
			Day: day, Class: "h100-sxm-80gb", Provider: "lambda", Tier: "cluster", Term: schema.TermReserved,
			Commitment: schema.Commitment{MinDays: 14, MaxDays: 365}, GPUCount: 2, Origin: schema.OriginLive,
			N: 3, GPUs: 12, Min: price, P10: price + 1, Median: price + 2, Max: price + 3, MinOfferID: offerID,
			AsOf: day.Slot() + 60,
		}},
		Markets: []schema.DailyMarket{{
			Day: day, Class: "h100-sxm-80gb", Term: schema.TermOnDemand, Origin: schema.OriginLive,
			Cheapest: price, CheapestProvider: "lambda", CheapestTier: "secure", Median: price + 5, Providers: 4,
		}},
		TokenCosts: []schema.DailyTokenCost{{
			Day: day, Class: "h100-sxm-80gb", Term: schema.TermOnDemand, Workload: "h100-2x-fp8",
			Statistic: schema.StatCheapest, Inputs: inputs.Hash, Origin: schema.OriginLive, Provider: "lambda", Tier: "secure",
			GPUs: 2, Replicas: 4, USDPerHour: price * 2, Raw: 413_700, Utilized: 636_500, AllIn: 1_273_000,
		}},
		Inputs: []schema.CostInputs{inputs},
	}
}

// figures recompute a day to d, whatever was observed.
func figures(d schema.Daily) func([]schema.Observation) (schema.Daily, error) {
	return func([]schema.Observation) (schema.Daily, error) { return d, nil }
}

func TestDaily(t *testing.T) {
	eachBackend(t, func(t *testing.T, c store.Config) {
		ctx := context.Background()
		s := mustOpen(t, c, store.Create)
		if _, ok, err := s.LatestDay(ctx); ok || err != nil {
			t.Fatalf("latest day of nothing: %t, %v", ok, err)
		}
		saveDay(t, s, firstNight, 3_990_000)
		first, second := dailyOf(firstNight, 1, 3_990_000), dailyOf(firstNight+1, 0, 3_890_000)
		for _, d := range []schema.Daily{second, dailyOf(firstNight, 1, 9_000_000), first} { // the day again
			if err := s.Recompute(ctx, d.Day, figures(d)); err != nil {
				t.Fatal(err)
			}
		}

		got := []schema.Daily{{Day: firstNight}, {Day: firstNight + 1}}
		for i := range got {
			d := &got[i]
			var errs [4]error
			d.Prices, errs[0] = s.DailyPrices(ctx, d.Day, d.Day, "")
			d.Markets, errs[1] = s.DailyMarkets(ctx, d.Day, d.Day, "h100-sxm-80gb")
			d.TokenCosts, errs[2] = s.DailyTokenCosts(ctx, d.Day, d.Day, "")
			d.Inputs = make([]schema.CostInputs, 1)
			d.Inputs[0], errs[3] = s.CostInputs(ctx, first.Inputs[0].Hash)
			if err := errors.Join(errs[:]...); err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff([]schema.Daily{first, second}, got); diff != "" {
			t.Errorf("daily (-want +got):\n%s", diff)
		}
		if rows, err := s.DailyPrices(ctx, firstNight, firstNight+1, ""); err != nil || len(rows) != 2 {
			t.Errorf("both days: got %d rows, %v", len(rows), err)
		}
		if rows, err := s.DailyPrices(ctx, firstNight, firstNight+1, "b200"); err != nil || len(rows) != 0 {
			t.Errorf("another class: got %d rows, %v", len(rows), err)
		}
		if day, ok, err := s.LatestDay(ctx); day != firstNight+1 || !ok || err != nil {
			t.Errorf("latest day: got %s, %t, %v", day, ok, err)
		}

		for upTo, want := range map[schema.Day]schema.Day{
			firstNight - 1: 0, firstNight: firstNight, firstNight + 1: firstNight + 1, firstNight + 9: firstNight + 1,
		} {
			if day, ok, err := s.LatestDayUpTo(ctx, upTo); day != want || ok != (want != 0) || err != nil {
				t.Errorf("latest day up to %s: got %s, %t, %v; want %s", upTo, day, ok, err, want)
			}
		}

		if err := s.Recompute(ctx, firstNight+1, figures(schema.Daily{Day: firstNight + 1})); err != nil {
			t.Fatal(err)
		}
		if day, _, err := s.LatestDay(ctx); day != firstNight || err != nil {
			t.Errorf("latest day after emptying the last: got %s, %v", day, err)
		}
	})
}

func TestDailyIsAllOrNothing(t *testing.T) {
	eachBackend(t, func(t *testing.T, c store.Config) {
		ctx := context.Background()
		s := mustOpen(t, c, store.Create)
		good := dailyOf(firstNight, 0, 3_990_000)
		if err := s.Recompute(ctx, firstNight, figures(good)); err != nil {
			t.Fatal(err)
		}
		for name, spoil := range map[string]func(*schema.Daily){
			"unknown inputs":    func(d *schema.Daily) { d.Inputs = nil; d.TokenCosts[0].Inputs = newPage("x").SHA256 },
			"unknown offer":     func(d *schema.Daily) { d.Prices[0].MinOfferID = 99 },
			"price of a day":    func(d *schema.Daily) { d.Prices[0].Day++ },
			"market of a day":   func(d *schema.Daily) { d.Markets[0].Day++ },
			"cost of a day":     func(d *schema.Daily) { d.TokenCosts[0].Day++ },
			"hash of the input": func(d *schema.Daily) { d.Inputs[0].Body += "overhead = 2\n" },
			"another day":       func(d *schema.Daily) { *d = schema.Daily{Day: d.Day + 1} },
			"same key twice":    func(d *schema.Daily) { d.Markets = append(d.Markets, d.Markets[0]) },
		} {
			bad := dailyOf(firstNight, 0, 1_000_000)
			spoil(&bad)
			if err := s.Recompute(ctx, firstNight, figures(bad)); err == nil {
				t.Errorf("%s: saved", name)
			}
		}
		rows, err := s.DailyPrices(ctx, firstNight, firstNight, "")
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(good.Prices, rows); diff != "" {
			t.Errorf("prices (-want +got):\n%s", diff)
		}
	})
}
