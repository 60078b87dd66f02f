package reports_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"mtok/reports"
	"mtok/reports/render"
	"mtok/schema"
)

// publishedNight is what is published of the night of the goldens.
func publishedNight(t *testing.T) (reports.PublishedDay, []schema.Observation, []schema.TokenObservation) {
	t.Helper()
	seen := append(night().Observations, market()...)
	var tokens []schema.TokenObservation
	for i, model := range []string{"meta-llama/llama-3.3-70b-instruct", "openai/gpt-oss-120b"} {
		tokens = append(tokens, schema.TokenObservation{Day: tonight, Slot: tonight.Slot(), FetchID: int64(i), Origin: schema.OriginLive, TokenPrice: schema.TokenPrice{
			TokenKey: schema.TokenKey{Provider: schema.ProviderOpenRouter, Source: "models-api", Model: model}, In: usd("0.13"), Out: usd("0.40")}})
	}
	daily, err := reports.Recompute(tonight, seen, testCatalog(t), reports.DefaultSettings())
	if err != nil {
		t.Fatal(err)
	}
	return reports.PublishedDay{Day: tonight, Prices: daily.Prices, Markets: daily.Markets, TokenCosts: daily.TokenCosts,
		APIPrices: reports.DailyAPIPrices(tonight, tokens)}, seen, tokens
}

// Whatever the order of the prices, the same figures come out.
func TestVerifyDayIgnoresOrder(t *testing.T) {
	p, seen, tokens := publishedNight(t)
	random := rand.New(rand.NewPCG(9, 10))
	for range 20 {
		got, err := reports.VerifyDay(p, mixed(seen, random), mixed(tokens, random), testCatalog(t), reports.DefaultSettings())
		if err != nil {
			t.Fatal(err)
		}
		for _, tally := range []reports.Tally{got.Prices, got.Markets, got.TokenCosts, got.APIPrices} {
			if tally.Checked == 0 || tally.Match != tally.Checked {
				t.Fatalf("%+v: %q", got, got.Faults)
			}
		}
		if len(got.Faults) > 0 || got.Settings != 0 {
			t.Fatalf("%d other settings, faults %q", got.Settings, got.Faults)
		}
	}
}

func TestVerifyDayFindsEachDifference(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*reports.PublishedDay)
		want   string
		faults int
	}{
		"a minimum": {func(p *reports.PublishedDay) { p.Prices[0].Min++ }, "daily price", 1},
		"the offer": {func(p *reports.PublishedDay) { p.Prices[0].MinOfferID++ }, "daily price", 1},
		"one lacks": {func(p *reports.PublishedDay) { p.Markets = p.Markets[1:] }, "nothing is published", 1},
		"one too many": {func(p *reports.PublishedDay) {
			m := p.Markets[0]
			m.Class = "l4-24gb"
			p.Markets = append(p.Markets, m)
		}, "its pages give none", 1},
		"another key":      {func(p *reports.PublishedDay) { p.Markets[0].Term = schema.TermReserved }, "its pages give none", 2},
		"a cost":           {func(p *reports.PublishedDay) { p.TokenCosts[0].AllIn-- }, "token cost", 1},
		"an API price":     {func(p *reports.PublishedDay) { p.APIPrices[0].Out++ }, "API price", 1},
		"when it was read": {func(p *reports.PublishedDay) { p.Prices[1].AsOf++ }, "as of", 1},
	} {
		t.Run(name, func(t *testing.T) {
			p, seen, tokens := publishedNight(t)
			c.change(&p)
			got, err := reports.VerifyDay(p, seen, tokens, testCatalog(t), reports.DefaultSettings())
			if err != nil {
				t.Fatal(err)
			}
			if len(got.Faults) != c.faults || !strings.Contains(strings.Join(got.Faults, "\n"), c.want) {
				t.Errorf("faults %q, want %d with %q", got.Faults, c.faults, c.want)
			}
		})
	}
}

// Costs under other settings are no match, and are told apart from faults.
func TestVerifyDayUnderOtherSettings(t *testing.T) {
	p, seen, tokens := publishedNight(t)
	settings := reports.DefaultSettings()
	settings.Utilization = schema.MustDecimal("0.5")
	got, err := reports.VerifyDay(p, seen, tokens, testCatalog(t), settings)
	if err != nil {
		t.Fatal(err)
	}
	if got.Settings != len(p.TokenCosts) || got.TokenCosts.Match != 0 || got.TokenCosts.Checked != len(p.TokenCosts) || len(got.Faults) != 0 {
		t.Errorf("%+v of %d costs", got, len(p.TokenCosts))
	}
	var v reports.Verification
	v.Add(p.Day, got)
	if v.Whole() {
		t.Error("a database of other settings matches")
	}
}

func TestVerificationGolden(t *testing.T) {
	p, seen, tokens := publishedNight(t)
	p.Markets[0].Median++
	p.Prices[2].Max++
	got, err := reports.VerifyDay(p, seen, tokens, testCatalog(t), reports.DefaultSettings())
	if err != nil {
		t.Fatal(err)
	}
	v := reports.Verification{Pages: reports.Tally{Checked: 9, Match: 9}, NotHeld: 1, Observations: reports.Tally{Checked: 27, Match: 27},
		Versions: []string{"crusoe: read by parser version 1, today's is 2"}}
	v.Add(tonight, got)
	golden(t, "verify.txt", v.Document(1), render.Table)
	golden(t, "verify.json", v.Document(1), render.JSON)
	var none reports.Verification
	if doc := none.Document(0); !none.Whole() || !doc.Empty || !strings.HasPrefix(doc.After[0], "Nothing has been published") {
		t.Errorf("an empty database: whole %t, %q", none.Whole(), doc.After)
	}
}
