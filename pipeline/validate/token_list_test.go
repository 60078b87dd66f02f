package validate_test

import (
	"fmt"
	"slices"
	"testing"

	"mtok/pipeline/validate"
	"mtok/schema"
	"mtok/scrapers"
)

const listDay = schema.Day(20687)

// priceList is a list of n models at falling prices, changed model by model.
func priceList(day schema.Day, n int, change func(i int, p *schema.TokenObservation)) []schema.TokenObservation {
	var out []schema.TokenObservation
	for i := range n {
		p := schema.TokenObservation{Day: day}
		p.TokenKey = schema.TokenKey{Provider: schema.ProviderOpenRouter, Source: "models-api", Model: fmt.Sprintf("vendor/model-%d", i)}
		p.In, p.Out = schema.USD(100_000+1000*i), schema.USD(400_000+1000*i)
		if change != nil {
			change(i, &p)
		}
		out = append(out, p)
	}
	return out
}

func times(factor schema.USD, every int) func(int, *schema.TokenObservation) {
	return func(i int, p *schema.TokenObservation) {
		if i%every == 0 {
			p.In, p.Out = p.In*factor, p.Out*factor
		}
	}
}

func TestJudgeTokens(t *testing.T) {
	expect := scrapers.Expect{MinOffers: 10, Tokens: []scrapers.TokenBand{{Model: "vendor/model-0", Low: 20_000, High: 5_000_000}}}
	last := priceList(listDay-1, 100, nil)
	for _, c := range []struct {
		name     string
		seen     []schema.TokenObservation
		last     []schema.TokenObservation
		partial  bool
		breaches []string
	}{
		{"same", priceList(listDay, 100, nil), last, false, nil},
		{"first night", priceList(listDay, 100, nil), nil, false, nil},
		{"a fifth doubled", priceList(listDay, 100, times(2, 5)), last, false, nil},
		{"a third doubled", priceList(listDay, 100, times(2, 3)), last, false, []string{validate.RuleShareMoved}},
		{"all up by a third", priceList(listDay, 100, func(_ int, p *schema.TokenObservation) { p.In, p.Out = p.In*4/3, p.Out*4/3 }), last, false, nil},
		{"per thousand", priceList(listDay, 100, func(_ int, p *schema.TokenObservation) { p.In, p.Out = p.In/1000, p.Out/1000 }), last, false,
			[]string{validate.RuleProviderBand, validate.RuleUnitRatio}},
		{"per thousand on the first night", priceList(listDay, 100, func(_ int, p *schema.TokenObservation) { p.In, p.Out = p.In/1000, p.Out/1000 }), nil, false,
			[]string{validate.RuleProviderBand}},
		{"a few in another unit", priceList(listDay, 100, func(i int, p *schema.TokenObservation) {
			if i > 80 {
				p.Out *= 1000
			}
		}), last, false, []string{validate.RuleUnitRatio}},
		{"half gone", priceList(listDay, 49, nil), last, false, []string{validate.RuleRows}},
		{"half gone, in part", priceList(listDay, 49, nil), last, true, nil},
		{"too short", priceList(listDay, 9, nil), nil, false, []string{validate.RuleMinOffers}},
		{"output no longer priced", priceList(listDay, 100, func(_ int, p *schema.TokenObservation) { p.Out = 0 }), last, false, nil},
	} {
		var rules []string
		for _, b := range validate.JudgeTokens(validate.TokenNight{Expect: expect, Complete: !c.partial, Seen: c.seen, Last: c.last}) {
			rules = append(rules, b.Rule)
			if b.Detail == "" || len(b.Offers) > 0 {
				t.Errorf("%s: breach %+v", c.name, b)
			}
		}
		if !slices.Equal(rules, c.breaches) {
			t.Errorf("%s: %v, want %v", c.name, rules, c.breaches)
		}
	}
}

// TestDecideTokens: what moved is believed when the next complete list says it
// too; what only a person may lift stays held.
func TestDecideTokens(t *testing.T) {
	last := priceList(listDay-2, 100, nil)
	doubled := func(day schema.Day) []schema.TokenObservation { return priceList(day, 100, times(2, 2)) }
	held := func(rule string, rows []schema.TokenObservation) []validate.HeldTokens {
		return []validate.HeldTokens{{Quarantine: schema.Quarantine{ID: 7, Day: listDay - 1, Rule: rule}, Rows: rows}}
	}
	for _, c := range []struct {
		name     string
		night    validate.TokenNight
		held     []validate.HeldTokens
		holds    string
		confirms []int64
	}{
		{"moved", validate.TokenNight{Complete: true, Seen: doubled(listDay), Last: last}, nil, validate.RuleShareMoved, nil},
		{"moved twice", validate.TokenNight{Complete: true, Seen: doubled(listDay), Last: last}, held(validate.RuleShareMoved, doubled(listDay-1)), "", []int64{7}},
		{"moved on", validate.TokenNight{Complete: true, Seen: priceList(listDay, 100, times(3, 2)), Last: last},
			held(validate.RuleShareMoved, doubled(listDay-1)), validate.RuleShareMoved, nil},
		{"back again", validate.TokenNight{Complete: true, Seen: priceList(listDay, 100, nil), Last: last}, held(validate.RuleShareMoved, doubled(listDay-1)), "", nil},
		{"in part", validate.TokenNight{Seen: doubled(listDay), Last: last}, held(validate.RuleShareMoved, doubled(listDay-1)), validate.RuleShareMoved, nil},
		{"unit", validate.TokenNight{Complete: true, Seen: priceList(listDay, 100, times(1000, 2)), Last: last},
			held(validate.RuleUnitRatio, priceList(listDay-1, 100, times(1000, 2))), validate.RuleUnitRatio, nil},
		{"published since", validate.TokenNight{Complete: true, Seen: doubled(listDay), Last: priceList(listDay-1, 100, nil)},
			held(validate.RuleShareMoved, doubled(listDay-1)), validate.RuleShareMoved, nil},
	} {
		v := validate.DecideTokens(c.night, c.held)
		rule := ""
		if v.Hold != nil {
			rule = v.Hold.Rule
		}
		if rule != c.holds || !slices.Equal(v.Confirms, c.confirms) {
			t.Errorf("%s: holds %q, confirms %v; want %q, %v", c.name, rule, v.Confirms, c.holds, c.confirms)
		}
	}
}

// TestDoubtTokens excludes single prices in another unit for as long as they say
// so, and no true move.
func TestDoubtTokens(t *testing.T) {
	one := func(in, out schema.USD, excluded string) []schema.TokenObservation {
		return priceList(listDay, 1, func(_ int, p *schema.TokenObservation) { p.In, p.Out, p.Excluded = in, out, excluded })
	}
	for name, c := range map[string]struct {
		last, seen []schema.TokenObservation
		want       string
	}{
		"new":                     {nil, one(130_000, 400_000, ""), ""},
		"halved":                  {one(130_000, 400_000, ""), one(65_000, 200_000, ""), ""},
		"a hundred times":         {one(130_000, 400_000, ""), one(13_000_000, 40_000_000, ""), validate.ExcludedUnit},
		"one side, by a thousand": {one(130_000, 400_000, ""), one(130_000, 400, ""), validate.ExcludedUnit},
		"the same on the second":  {one(13_000_000, 40_000_000, validate.ExcludedUnit), one(13_000_000, 40_000_000, ""), validate.ExcludedUnit},
		"right again":             {one(13_000_000, 40_000_000, validate.ExcludedUnit), one(130_000, 400_000, ""), ""},
		"an alias stays one":      {one(130_000, 400_000, ""), one(13_000_000, 40_000_000, "an alias"), "an alias"},
		"a side not listed":       {one(0, 400_000, ""), one(130_000, 400_000, ""), ""},
	} {
		validate.DoubtTokens(c.last, c.seen)
		if got := c.seen[0].Excluded; got != c.want {
			t.Errorf("%s: excluded %q, want %q", name, got, c.want)
		}
		n := validate.TokenNight{Complete: true, Seen: c.seen, Last: c.last}
		if name == "right again" && len(validate.JudgeTokens(n)) > 0 {
			t.Errorf("%s: %v", name, validate.JudgeTokens(n))
		}
	}
}
