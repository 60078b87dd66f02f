package reports_test

import (
	"math/big"
	"strings"
	"testing"

	"mtok/reports"
	"mtok/reports/cost"
	"mtok/schema"
)

// cells are the machine cells of a row by their keys.
func cells(doc reports.Document, row int) map[string]reports.Cell {
	out := map[string]reports.Cell{}
	for i, c := range doc.Columns {
		if c.On(reports.OnMachine) {
			out[c.Key] = doc.Rows[row][i]
		}
	}
	return out
}

// Each figure of `report api` can be redone from its row alone: here with a node that
// must be rented whole, a fee, and input that is read from a cache.
func TestAPIRowCanBeRedone(t *testing.T) {
	n := apiNight()
	n.Observations = []schema.Observation{offer(1, "coreweave", h100, 8, "49.24")}
	settings := apiSettings()
	settings.APIs = []reports.APIChoice{{Endpoint: "host", Fee: schema.MustDecimal("0.055"), CachedShare: schema.MustDecimal("0.4")}}
	cached := listedAt(schema.ProviderOpenRouter, llama, "host", "fp8", "0.13", "0.40")
	cached.CacheRead = usd("0.02")
	doc := reports.API(n, openRouter(cached), schema.Contracts{}, embedded(t), settings, reports.Filter{Class: h100, Workload: "rag-70b"})
	row := cells(doc, 0)
	number := func(key string) *big.Rat {
		if row[key].Kind == reports.KindMoney {
			return row[key].Amount.Rat()
		}
		r, ok := new(big.Rat).SetString(row[key].Text)
		if !ok {
			t.Fatalf("%s is %+v", key, row[key])
		}
		return r
	}
	mul := func(a, b *big.Rat) *big.Rat { return new(big.Rat).Mul(a, b) }
	add := func(a, b *big.Rat) *big.Rat { return new(big.Rat).Add(a, b) }
	one := big.NewRat(1, 1)
	share := number("api_cached_share")
	input := add(mul(number("api_in_usd_per_mtok"), new(big.Rat).Sub(one, share)), mul(number("api_cache_read_usd_per_mtok"), share))
	input = mul(input, new(big.Rat).Quo(number("input_tokens"), number("output_tokens")))
	api := mul(add(input, number("api_out_usd_per_mtok")), add(one, number("api_fee")))
	if got := api.FloatString(6); got != number("api_usd_per_mtok").FloatString(6) {
		t.Errorf("by API %s, the row says %s", got, number("api_usd_per_mtok").FloatString(6))
	}
	raw := new(big.Rat).Quo(mul(number("usd_per_hour"), big.NewRat(1_000_000, 3600)), number("tokens_per_second"))
	if got := raw.FloatString(6); got != number("raw_usd_per_mtok").FloatString(6) {
		t.Errorf("flat out %s, the row says %s", got, number("raw_usd_per_mtok").FloatString(6))
	}
	even := new(big.Rat).Quo(raw, api)
	for key, want := range map[string]*big.Rat{"break_even_rent": even, "break_even_all_in": mul(even, number("overhead"))} {
		if got := number(key).FloatString(4); got != want.FloatString(4) {
			t.Errorf("%s %s, want %s", key, got, want.FloatString(4))
		}
	}
	if rent := mul(number("usd_per_hour"), number("replicas")); rent.FloatString(2) != "49.24" {
		t.Errorf("the node costs %s, want 49.24", rent.FloatString(2))
	}
}

// Items and a typed price cost the same as the same configuration in `report mtok`.
func TestCalculationByItems(t *testing.T) {
	s := reports.DefaultSettings()
	s.Items = cost.Items{OpsUSDMonth: schema.MustDecimal("2000"), Replicas: 4, SpareReplicas: 1,
		InterruptedShare: schema.MustDecimal("0.1"), EgressUSDPerGB: schema.MustDecimal("0.08")}
	doc := reports.MTok(apiNight(), embedded(t), s, reports.Filter{Class: h100, Provider: "runpod", Term: schema.TermOnDemand})
	row := cells(doc, 0)
	in := cost.Input{USDPerHour: row["usd_per_hour"].Amount.Rat(), TokensPerSecond: schema.MustDecimal(row["tokens_per_second"].Text), Utilization: s.Utilization}
	got, err := s.Compute(in, 2)
	if err != nil || got.AllIn != row["all_in_usd_per_mtok"].Amount || got.AllIn <= got.Utilized {
		t.Errorf("all-in %s, %v; report mtok has %s", got.AllIn, err, row["all_in_usd_per_mtok"].Amount)
	}
	in.Overhead = schema.MustDecimal("1.5")
	if got, err = s.Compute(in, 2); err != nil || got.AllIn != usd("0.954719") {
		t.Errorf("a typed overhead: %+v, %v", got, err)
	}
}

// A user's row against physics is marked, and what it leaves out leaves no gap.
func TestExplainMarksADoubtfulRow(t *testing.T) {
	catalog, err := embedded(t).With(schema.UserRows{Throughputs: []schema.Throughput{{ID: "mine", Class: h100, GPUs: 2, Model: "llama-3.3-70b",
		Precision: "FP8", Engine: "vLLM", EngineVersion: "0.10", InputTokens: schema.MustDecimal("1000"), OutputTokens: schema.MustDecimal("1000"),
		TokensPerSecond: schema.MustDecimal("42000"), Source: "us", Date: "2026-08-20", AllowImplausible: true}}}, "config.toml")
	if err != nil {
		t.Fatal(err)
	}
	settings := apiSettings()
	settings.Workloads = settings.Workloads[:1]
	doc := reports.Explain(apiNight(), nil, catalog, settings, reports.Filter{Class: h100})
	says(t, doc, "Throughput: 42000 output tok/s, llama-3.3-70b FP8 on 2 GPUs, 1000 in / 1000 out, vLLM 0.10, profile not stated\n",
		"Throughput row mine: us (2026-08-20)\n", "Doubt: the throughput breaks the physical bound, kept by allow_implausible")
	if text := strings.Join(doc.After, "\n"); strings.Contains(text, ", ,") || strings.Contains(text, ", ;") || strings.Contains(text, ": ,") {
		t.Errorf("a gap in\n%s", text)
	}
}

// TestAPIBeforeTheFirstList: the day of the first list is named, of however many.
func TestAPIBeforeTheFirstList(t *testing.T) {
	store := &tokenStore{}
	for _, age := range []schema.Day{0, 1, 7, 21} { // newest first
		store.lists = append(store.lists, reports.APIList{Provider: schema.ProviderOpenRouter, Day: tonight - age, Prices: []schema.TokenObservation{llamaList()}})
	}
	store.lists = append(store.lists, reports.APIList{Provider: schema.ProviderLiteLLM, Day: tonight - 40}) // it checks, and prices nothing
	loader := reports.Loader{Source: store, Tokens: store, Catalog: embedded(t), Settings: apiSettings()}
	for age, want := range map[schema.Day]bool{22: true, 100: true, 21: false} {
		doc, err := loader.API(t.Context(), reports.Filter{Day: tonight - age, DayNamed: true})
		if err != nil {
			t.Fatal(err)
		}
		line := "No price list of an API up to " + (tonight - age).String() + "; the first is of " + (tonight - 21).String() + "."
		if text := strings.Join(doc.After, "\n"); strings.Contains(text, line) != want || strings.Contains(text, "has been published yet: run") {
			t.Errorf("%d days before: %q stands: %t, in\n%s", age, line, !want, text)
		}
	}
}
