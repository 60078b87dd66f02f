package store_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"mtok/schema"
	"mtok/schema/store"
)

func TestContractsOfADay(t *testing.T) {
	eachBackend(t, func(t *testing.T, c store.Config) {
		ctx := t.Context()
		s := mustOpen(t, c, store.Create)
		full := schema.Contracts{
			Fleets: []schema.Fleet{
				{Name: "bare", Class: "h100-sxm-80gb", GPUs: 1, USDPerGPUHour: 3_290_000, HoursOn: schema.MustDecimal("24")},
				{Name: "prod", Class: "h100-sxm-80gb", GPUs: 8, USDPerGPUHour: 2_490_000, FixedFrom: firstNight, FixedTo: firstNight + 200,
					NoticeDays: 30, Model: "llama-3.3-70b", OutputTokensPerMonth: 4_200_000_000, HoursOn: schema.MustDecimal("12.5")},
			},
			Quotes: []schema.Quote{{Name: "a reseller", Provider: "reseller", Class: "h200-sxm-141gb", GPUCount: 8, Term: schema.TermReserved,
				Commitment: schema.Commitment{MinDays: 365, MaxDays: 365}, USDPerGPUHour: 2_100_000, USDPerInstanceHour: 16_800_000,
				QuotedOn: firstNight - 3, Source: "mail of the 19th"}},
		}
		other := schema.Contracts{Fleets: []schema.Fleet{{Name: "gone", Class: "h100-sxm-80gb", GPUs: 1, USDPerGPUHour: 1, HoursOn: schema.MustDecimal("24")}}}
		for _, save := range []struct {
			day schema.Day
			c   schema.Contracts
		}{{firstNight, other}, {firstNight, full}, {firstNight + 1, full}} {
			if err := s.SaveContracts(ctx, save.day, save.c); err != nil {
				t.Fatal(err)
			}
		}
		fleets, err := s.Fleets(ctx, firstNight, firstNight)
		if err != nil {
			t.Fatal(err)
		}
		exact := cmp.Comparer(func(a, b schema.Decimal) bool { return a == b })
		if diff := cmp.Diff(full.Fleets, fleets, exact, cmpopts.IgnoreFields(schema.Fleet{}, "Day")); diff != "" {
			t.Errorf("fleets (-want +got):\n%s", diff)
		}
		quotes, err := s.Quotes(ctx, firstNight, firstNight+1)
		if err != nil || len(quotes) != 2 || quotes[1].Day != firstNight+1 {
			t.Fatalf("quotes of both days: %+v, %v", quotes, err)
		}
		if diff := cmp.Diff(full.Quotes, quotes[:1], cmpopts.IgnoreFields(schema.Quote{}, "Day")); diff != "" {
			t.Errorf("quotes (-want +got):\n%s", diff)
		}
		if fleets[0].Day != firstNight {
			t.Errorf("kept under %s, want %s", fleets[0].Day, firstNight)
		}
	})
}
