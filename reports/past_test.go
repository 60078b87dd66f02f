package reports_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"mtok/reports"
	"mtok/schema"
)

// past is a store of many days that obeys its filters.
type past struct {
	source
	newest    schema.Day
	unpublish bool
	markets   []schema.DailyMarket
	prices    []schema.DailyPrice
	costs     []schema.DailyTokenCost
	inputs    map[string]string
	api       []schema.DailyAPIPrice
	complete  map[schema.ProviderID][]schema.Day
	fails     string

	importedBy map[schema.Day]string
}

func (p *past) fault(call string) error {
	if p.fails == call {
		return errBroken
	}
	return nil
}

func (p *past) LatestDay(context.Context) (schema.Day, bool, error) {
	return p.newest, !p.unpublish, nil
}

func (p *past) NewestMarketDay(context.Context) (schema.Day, bool, error) {
	return p.newest, len(p.markets) > 0, p.fault("newest")
}

func (p *past) DailyMarkets(_ context.Context, from, to schema.Day, class schema.ClassID) ([]schema.DailyMarket, error) {
	var out []schema.DailyMarket
	for _, m := range p.markets {
		if m.Day >= from && m.Day <= to && (class == "" || m.Class == class) {
			out = append(out, m)
		}
	}
	return out, p.fault("markets")
}

func (p *past) ClassMarkets(ctx context.Context, class schema.ClassID, from, to schema.Day) ([]schema.DailyMarket, error) {
	out, _ := p.DailyMarkets(ctx, from, to, class)
	return out, p.fault("class markets")
}

func (p *past) ImportedBy(context.Context, schema.ClassID, schema.Term, schema.Day, schema.Day) (map[schema.Day]string, error) {
	return p.importedBy, p.fault("imported by")
}

func (p *past) ClassPrices(_ context.Context, class schema.ClassID, term schema.Term, from, to schema.Day) ([]schema.DailyPrice, error) {
	var out []schema.DailyPrice
	for _, d := range p.prices {
		if d.Class == class && d.Term == term && d.Day >= from && d.Day <= to {
			out = append(out, d)
		}
	}
	return out, p.fault("prices")
}

func (p *past) ClassTokenCosts(_ context.Context, class schema.ClassID, workload string, term schema.Term, from, to schema.Day) ([]schema.DailyTokenCost, error) {
	var out []schema.DailyTokenCost
	for _, c := range p.costs {
		if c.Class == class && c.Workload == workload && c.Term == term && c.Day >= from && c.Day <= to {
			out = append(out, c)
		}
	}
	return out, p.fault("costs")
}

func (p *past) APIModels(context.Context) ([]string, error) {
	return []string{"meta-llama/llama-3.3-70b-instruct", "openai/gpt-oss-120b"}, p.fault("models")
}

func (p *past) ModelAPIPrices(_ context.Context, model string, from, to schema.Day) ([]schema.DailyAPIPrice, error) {
	var out []schema.DailyAPIPrice
	for _, a := range p.api {
		if a.Model == model && a.Day >= from && a.Day <= to {
			out = append(out, a)
		}
	}
	return out, p.fault("api")
}

func (p *past) CostInputs(_ context.Context, hash string) (schema.CostInputs, error) {
	return schema.CostInputs{Hash: hash, Body: p.inputs[hash]}, p.fault("inputs")
}

func (p *past) CompleteDays(_ context.Context, id schema.ProviderID, from, to schema.Day) ([]schema.Day, error) {
	var out []schema.Day
	for _, d := range p.complete[id] {
		if d >= from && d <= to {
			out = append(out, d)
		}
	}
	return out, p.fault("complete")
}

func (p *past) RejectCounts(context.Context, schema.Day, schema.Day) ([]schema.RejectCount, error) {
	return []schema.RejectCount{
		{Provider: "lambda", Rule: "unpriced", N: 14, Last: tonight, Reason: "listed without a price"},
		{Provider: "runpod", Rule: "price_band", N: 1, Last: tonight - 3, Reason: "0.02 is outside 0.90 to 14.00"},
	}, p.fault("rejects")
}

func (p *past) ParseCounts(context.Context, schema.Day, schema.Day) ([]schema.ParseCount, error) {
	return []schema.ParseCount{
		{Provider: "crusoe", Version: 1, N: 4, First: tonight - 6, Last: tonight - 3, Errors: 1},
		{Provider: "crusoe", Version: 2, N: 3, First: tonight - 2, Last: tonight},
		{Provider: "nixj9", Version: 1, N: 1, First: tonight, Last: tonight},
	}, p.fault("parses")
}

func (p *past) Quarantines(context.Context, schema.Day, schema.Day) ([]schema.Quarantine, error) {
	return []schema.Quarantine{
		{Provider: "runpod", Day: tonight - 4, Rule: "unit_ratio", Evidence: "12 prices moved 8x", State: schema.QuarantineDiscarded, DecidedBy: "user"},
		{Provider: "vast", Day: tonight, Rule: "class_missing", Evidence: "h100-sxm-80gb is gone", State: schema.QuarantineHeld},
	}, p.fault("quarantines")
}

// The inputs of the token costs of the first days, and of those from the break on.
const (
	inputsBefore = "1111111111111111111111111111111111111111111111111111111111111111"
	inputsAfter  = "2222222222222222222222222222222222222222222222222222222222222222"
)

// twoWeeks ends tonight: imported days, own ones with a gap, a carried day, a day on
// which the cheapest provider was not read, and a changed benchmark row.
//
//	day  0-3 import; 4-6 own 3.29; 7 runpod failed: carried; 8 no run, and 9 a complete
//	     one without the class: gaps; 10 runpod failed, crusoe 3.90; 11-13 own 2.99
func twoWeeks() *past {
	first := tonight - 13
	p := &past{newest: tonight, inputs: map[string]string{
		inputsBefore: "formula 1\neligible community=false\nthroughput row-a class=h100-sxm-80gb gpus=2 precision=\"FP8\" tokens_per_second=4418 source=\"bench\"\n",
		inputsAfter:  "formula 1\neligible community=false\nthroughput row-a class=h100-sxm-80gb gpus=2 precision=\"FP8\" tokens_per_second=4500 source=\"bench\"\n",
	}, complete: map[schema.ProviderID][]schema.Day{"runpod": {first + 4, first + 5, first + 6, first + 9, first + 11, first + 12, first + 13},
		"crusoe": {first + 10, first + 11, first + 12, first + 13}}}
	day := func(n int, provider schema.ProviderID, price, median string, origin schema.Origin, inputs string) {
		d := first + schema.Day(n)
		p.markets = append(p.markets, schema.DailyMarket{Day: d, Class: h100, Term: schema.TermOnDemand, Origin: origin, Cheapest: usd(price),
			CheapestProvider: provider, CheapestTier: "secure", Median: usd(median), Providers: 2})
		hour := usd(price) * 2
		raw := hour * 1_000_000 / (4418 * 3600)
		if inputs == inputsAfter {
			raw = hour * 1_000_000 / (4500 * 3600)
		}
		for _, statistic := range []string{schema.StatCheapest, schema.StatMedian} {
			p.costs = append(p.costs, schema.DailyTokenCost{Day: d, Class: h100, Term: schema.TermOnDemand, Workload: "chat-70b", Statistic: statistic,
				Inputs: inputs, Origin: origin, Provider: provider, Tier: "secure", GPUs: 2, Replicas: 1, USDPerHour: hour,
				Raw: raw, Utilized: raw * 100 / 65, AllIn: raw * 200 / 65})
		}
	}
	for n := range 4 {
		day(n, "lambda", "3.49", "3.49", schema.OriginImport, inputsBefore)
	}
	for _, n := range []int{4, 5, 6} {
		day(n, "runpod", "3.29", "3.60", schema.OriginLive, inputsBefore)
	}
	day(6, "lambda", "3.45", "3.45", schema.OriginImport, inputsBefore)
	day(10, "crusoe", "3.90", "3.90", schema.OriginLive, inputsBefore)
	day(11, "runpod", "2.99", "3.45", schema.OriginLive, inputsBefore)
	day(12, "runpod", "2.99", "3.45", schema.OriginLive, inputsAfter)
	day(13, "runpod", "2.99", "3.40", schema.OriginLive, inputsAfter)
	for _, n := range []int{5, 13} {
		p.api = append(p.api, schema.DailyAPIPrice{Day: first + schema.Day(n), Origin: schema.OriginLive, In: usd("0.13"), Out: usd("0.40"),
			TokenKey: schema.TokenKey{Provider: schema.ProviderOpenRouter, Source: "models-api", Model: "meta-llama/llama-3.3-70b-instruct"}})
	}
	for _, n := range []int{4, 5, 6, 11, 12, 13} {
		for class, price := range map[schema.ClassID]string{h100: "3.29", h200: "4.59"} {
			p.prices = append(p.prices, schema.DailyPrice{Day: first + schema.Day(n), Class: class, Provider: "runpod", Tier: "secure",
				Term: schema.TermOnDemand, Origin: schema.OriginLive, N: 1, Min: usd(price), Median: usd(price)})
		}
		p.markets = append(p.markets, schema.DailyMarket{Day: first + schema.Day(n), Class: h200, Term: schema.TermOnDemand, Origin: schema.OriginLive,
			Cheapest: usd("4.29"), CheapestProvider: "crusoe", Median: usd("4.44"), Providers: 2})
	}
	return p
}

func (p *past) shuffled(random *rand.Rand) *past {
	q := *p
	q.markets, q.costs, q.prices, q.api = mixed(p.markets, random), mixed(p.costs, random), mixed(p.prices, random), mixed(p.api, random)
	return &q
}

func mixed[T any](in []T, random *rand.Rand) []T {
	out := append([]T(nil), in...)
	random.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}

func pastLoader(t *testing.T, p *past) reports.Loader {
	t.Helper()
	settings := reports.DefaultSettings()
	settings.Workloads = reports.DefaultWorkloads()[:1]
	settings.Workloads[0].Configurations = []reports.Configuration{{Class: h100, GPUs: 2, Precision: "FP8"}, {Class: h200, GPUs: 1, Precision: "FP8"}}
	return reports.Loader{Source: p, History: p, Catalog: testCatalog(t), Settings: settings,
		Parsers: map[schema.ProviderID]int{"crusoe": 2, "runpod": 1}}
}
