package reports_test

import (
	"context"
	"slices"
	"testing"

	"mtok/reports"
	"mtok/schema"
)

// pricedDays is a store whose daily prices are those given.
type pricedDays struct {
	source
	prices []schema.DailyPrice
}

func (p *pricedDays) DailyPrices(_ context.Context, from, to schema.Day, class schema.ClassID) ([]schema.DailyPrice, error) {
	return slices.DeleteFunc(slices.Clone(p.prices), func(d schema.DailyPrice) bool {
		return d.Day < from || d.Day > to || d.Class != class
	}), p.err("daily")
}

// TestPastLine: the lowest price of each day, our own before an imported one, and
// nothing of a market, whose machines are others every night.
func TestPastLine(t *testing.T) {
	day := func(d schema.Day, p schema.ProviderID, tier schema.Tier, count int, origin schema.Origin, price string) schema.DailyPrice {
		return schema.DailyPrice{Day: d, Class: h100, Provider: p, Tier: tier, Term: schema.TermOnDemand, GPUCount: count, Origin: origin, Min: usd(price)}
	}
	spot := day(tonight, "lambda", "", schema.AnyGPUCount, schema.OriginLive, "0.99")
	spot.Term = schema.TermSpot
	loader := reports.Loader{Source: &pricedDays{prices: []schema.DailyPrice{
		day(tonight-5, "lambda", "", schema.AnyGPUCount, schema.OriginImport, "3.29"),
		day(tonight-4, "lambda", "", schema.AnyGPUCount, schema.OriginImport, "9.99"),
		day(tonight-4, "lambda", "", schema.AnyGPUCount, schema.OriginLive, "3.29"),
		day(tonight-4, "lambda", "", 8, schema.OriginLive, "2.50"),
		day(tonight, "lambda", "", schema.AnyGPUCount, schema.OriginLive, "2.99"),
		day(tonight, "lambda", schema.TierCluster, schema.AnyGPUCount, schema.OriginLive, "1.99"),
		spot,
		day(tonight-1, "vast", schema.TierVerified, schema.AnyGPUCount, schema.OriginLive, "2.20"),
		day(tonight, "vast", schema.TierVerified, schema.AnyGPUCount, schema.OriginLive, "2.10"),
		day(tonight, "vast", "eligible", schema.AnyGPUCount, schema.OriginLive, "2.15"),
		day(tonight, "crusoe", "", schema.AnyGPUCount, schema.OriginLive, "3.90"),
	}}}
	for _, test := range []struct {
		provider schema.ProviderID
		tier     schema.Tier
		want     string
	}{
		{"lambda", "", "3.29 (Aug-17) > by Aug-22 2.99 (gap Aug 19-21)"},
		{"lambda", schema.TierCluster, ""},
		{"vast", schema.TierVerified, ""},
		{"crusoe", "", ""},
	} {
		got, err := loader.Past(t.Context(), tonight, h100, test.provider, test.tier)
		if err != nil || got != test.want {
			t.Errorf("%s %s: %q %v, want %q", test.provider, test.tier, got, err, test.want)
		}
	}
}
