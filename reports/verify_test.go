package reports_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"mtok/reports"
	"mtok/reports/cost"
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
	v.Untraced = 5
	if last := v.Document(1).After; v.Whole() || last[len(last)-1] != "94 of 96 match, 5 can't be traced to a page here (import of our own export holds none)." {
		t.Errorf("with a difference: whole %t, %q", v.Whole(), last)
	}
	whole := reports.Verification{Days: []schema.Day{tonight}, Untraced: 5, Prices: reports.Tally{Checked: 3, Match: 3}}
	if doc := whole.Document(1); !whole.Whole() || doc.After[len(doc.After)-1] != "3 match, 5 can't be traced to a page here (import of our own export holds none)." ||
		doc.Rows[1][4].Text != "5" || doc.Rows[1][1].Text != "0" {
		t.Errorf("without one: whole %t, %q %v", whole.Whole(), doc.After, doc.Rows)
	}
	var none reports.Verification
	if doc := none.Document(0); !none.Whole() || !doc.Empty || !strings.HasPrefix(doc.After[0], "Nothing has been published") {
		t.Errorf("an empty database: whole %t, %q", none.Whole(), doc.After)
	}
}

// Costs under other settings are held to the inputs that were kept beside them; one
// of them that is another figure is a fault all the same.
func TestVerifyDayUnderTheInputsOfThen(t *testing.T) {
	items := reports.DefaultSettings()
	items.Items = cost.Items{OpsUSDMonth: schema.MustDecimal("2000"), Replicas: 4, SpareReplicas: 1, InterruptedShare: schema.MustDecimal("0.1")}
	strict := reports.DefaultSettings()
	strict.Utilization, strict.Overhead, strict.Eligibility.MinDays = schema.MustDecimal("0.5"), schema.MustDecimal("1.25"), 3
	strict.Workloads = apiSettings().Workloads
	strict.Workloads[0].Name = `a "name" in=3 here`
	for name, then := range map[string]reports.Settings{"items": items, "other rules": strict} {
		t.Run(name, func(t *testing.T) {
			p, seen, tokens := publishedNight(t)
			catalog := testCatalog(t)
			if name == "other rules" {
				catalog = embedded(t)
			}
			daily, err := reports.Recompute(tonight, seen, catalog, then)
			if err != nil || len(daily.TokenCosts) == 0 {
				t.Fatalf("%d costs, %v", len(daily.TokenCosts), err)
			}
			if p.TokenCosts, p.Inputs = daily.TokenCosts, daily.Inputs; name == "other rules" {
				p.Prices, p.Markets = nil, nil // those of the other catalog and rules are not looked at here
			}
			got, err := reports.VerifyDay(p, seen, tokens, catalog, reports.DefaultSettings())
			if err != nil || got.Settings != 0 || got.Then != len(p.TokenCosts) || got.TokenCosts.Match != len(p.TokenCosts) || got.TokenCosts.Checked != len(p.TokenCosts) {
				t.Fatalf("%+v, %v; want %d costs of then", got, err, len(p.TokenCosts))
			}
			p.TokenCosts[0].AllIn++
			if got, err = reports.VerifyDay(p, seen, tokens, catalog, reports.DefaultSettings()); err != nil || got.TokenCosts.Match != len(p.TokenCosts)-1 {
				t.Errorf("a changed figure matches: %+v, %v", got, err)
			}
			p.TokenCosts = p.TokenCosts[1:]
			if got, err = reports.VerifyDay(p, seen, tokens, catalog, reports.DefaultSettings()); err != nil || got.TokenCosts.Match == got.TokenCosts.Checked {
				t.Errorf("a figure that lacks is none: %+v, %v", got, err)
			}
		})
	}
}

// Inputs that say more or less than this version reads are not guessed at.
func TestVerifyDayDoesNotGuessInputs(t *testing.T) {
	for name, change := range map[string]func(body string) string{
		"another formula": func(b string) string { return strings.Replace(b, "formula 1", "formula 2", 1) },
		"one more line":   func(b string) string { return b + "tax 0.19\n" },
		"one more key":    func(b string) string { return strings.Replace(b, " min_days=", " tax=1 min_days=", 1) },
		"one key less":    func(b string) string { return strings.Replace(b, "utilization 0.65\n", "", 1) },
		"no text":         func(string) string { return "" },
		"another rate":    func(b string) string { return strings.Replace(b, "tokens_per_second=", "tokens_per_second=1", 1) },
	} {
		p, seen, tokens := publishedNight(t)
		daily, err := reports.Recompute(tonight, seen, testCatalog(t), reports.DefaultSettings())
		if err != nil {
			t.Fatal(err)
		}
		for _, in := range daily.Inputs {
			in.Body = change(in.Body)
			p.Inputs = append(p.Inputs, in)
		}
		other := reports.DefaultSettings()
		other.Utilization = schema.MustDecimal("0.5")
		got, err := reports.VerifyDay(p, seen, tokens, testCatalog(t), other)
		if err != nil || got.Settings != len(p.TokenCosts) || got.Then != 0 || got.TokenCosts.Match != 0 {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}
