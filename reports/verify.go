package reports

import (
	"fmt"
	"slices"

	"mtok/schema"
)

// PublishedDay is what was published of one day.
type PublishedDay struct {
	Day        schema.Day
	Prices     []schema.DailyPrice
	Markets    []schema.DailyMarket
	TokenCosts []schema.DailyTokenCost
	APIPrices  []schema.DailyAPIPrice
	// Inputs are what the token costs were made with, of those that name any.
	Inputs []schema.CostInputs
}

// Tally counts what was held to its evidence.
type Tally struct {
	What           string
	Checked, Match int
}

// VerifiedDay is what a day's published figures are worth.
type VerifiedDay struct {
	Prices, Markets, TokenCosts, APIPrices Tally
	// Faults say which figure is another one. Settings counts the token costs that can't
	// be made again, since what they were made with is not all known; Then those that
	// were made with other inputs than today's and are held to these.
	Faults   []string
	Settings int
	Then     int
}

// VerifyDay makes the figures of a day again from what its pages give, and holds
// the published ones to them. The order of the prices changes nothing.
func VerifyDay(p PublishedDay, seen []schema.Observation, tokens []schema.TokenObservation,
	catalog *schema.Catalog, s Settings) (VerifiedDay, error) {
	daily, err := Recompute(p.Day, seen, catalog, s)
	if err != nil {
		return VerifiedDay{}, fmt.Errorf("figures of %s: %w", p.Day, err)
	}
	var out VerifiedDay
	out.Prices.Checked, out.Prices.Match = hold(&out, "daily price", p.Prices, daily.Prices, priceName)
	out.Markets.Checked, out.Markets.Match = hold(&out, "market", p.Markets, daily.Markets, marketName)
	costs, others := madeWith(p.TokenCosts, daily.Inputs)
	fresh := daily.TokenCosts
	if len(others) > 0 { // those of today's inputs were never published: not a fault of their own
		fresh = slices.DeleteFunc(slices.Clone(fresh), func(c schema.DailyTokenCost) bool {
			return !slices.ContainsFunc(costs, func(o schema.DailyTokenCost) bool { return o.Inputs == c.Inputs })
		})
	}
	asThen, then, err := madeAsThen(p, seen, others, catalog)
	if err != nil {
		return VerifiedDay{}, fmt.Errorf("figures of %s: %w", p.Day, err)
	}
	other := len(others) - len(then)
	costs, fresh = append(costs, then...), slices.Concat(fresh, asThen)
	out.Settings, out.Then = other, len(then)
	out.TokenCosts.Checked, out.TokenCosts.Match = hold(&out, "token cost", costs, fresh, costName)
	out.TokenCosts.Checked += other
	out.APIPrices.Checked, out.APIPrices.Match = hold(&out, "API price", p.APIPrices, DailyAPIPrices(p.Day, tokens), apiName)
	return out, nil
}

// madeAsThen makes token costs again with the inputs that they were made with, and
// says of which published ones these are known.
func madeAsThen(p PublishedDay, seen []schema.Observation, others []schema.DailyTokenCost,
	catalog *schema.Catalog) (made, then []schema.DailyTokenCost, err error) {
	if len(others) == 0 {
		return nil, nil, nil
	}
	asks := countable(p.Day, seen)
	for _, in := range p.Inputs {
		of := slices.DeleteFunc(slices.Clone(others), func(c schema.DailyTokenCost) bool { return c.Inputs != in.Hash })
		if len(of) == 0 {
			continue
		}
		from, ok := readInputs(in)
		if !ok {
			continue
		}
		again, err := configurationCosts(p.Day, asks, catalog, from.settings, from.workload, from.row, in.Hash)
		if err != nil {
			return nil, nil, fmt.Errorf("token cost of %s, %s: %w", from.workload.Name, from.row.ID, err)
		}
		made, then = append(made, again...), append(then, of...)
	}
	return made, then, nil
}

// madeWith tells the costs that were made with the inputs of today from the others.
func madeWith(costs []schema.DailyTokenCost, inputs []schema.CostInputs) (kept, others []schema.DailyTokenCost) {
	for _, c := range costs {
		if slices.ContainsFunc(inputs, func(in schema.CostInputs) bool { return in.Hash == c.Inputs }) {
			kept = append(kept, c)
		} else {
			others = append(others, c)
		}
	}
	return kept, others
}

// hold sets published figures against those that were made again. One that lacks on
// either side is a fault like one that differs.
func hold[F comparable](out *VerifiedDay, what string, published, made []F, name func(F) string) (checked, match int) {
	at := make(map[string]F, len(made))
	for _, f := range made {
		at[name(f)] = f
	}
	for _, f := range published {
		checked++
		again, found := at[name(f)]
		delete(at, name(f))
		switch {
		case !found:
			out.Faults = append(out.Faults, fmt.Sprintf("%s %s: published, its pages give none", what, name(f)))
		case again != f:
			out.Faults = append(out.Faults, fmt.Sprintf("%s %s: published %s, its pages give %s", what, name(f), valueOf(f), valueOf(again)))
		default:
			match++
		}
	}
	var lacking []string
	for key := range at {
		checked++
		lacking = append(lacking, fmt.Sprintf("%s %s: its pages give %s, nothing is published", what, key, valueOf(at[key])))
	}
	slices.Sort(lacking)
	out.Faults = append(out.Faults, lacking...)
	return checked, match
}

func priceName(p schema.DailyPrice) string {
	return fmt.Sprintf("%s %s %s %s %s %d-%d d %dx %s", p.Day, p.Class, p.Provider, p.Tier, p.Term,
		p.Commitment.MinDays, p.Commitment.MaxDays, p.GPUCount, p.Origin)
}

func marketName(m schema.DailyMarket) string {
	return fmt.Sprintf("%s %s %s %s", m.Day, m.Class, m.Term, m.Origin)
}

func costName(c schema.DailyTokenCost) string {
	return fmt.Sprintf("%s %s %s %s %s %s %s", c.Day, c.Class, c.Term, c.Workload, c.Statistic, shortPage(c.Inputs), c.Origin)
}

func apiName(p schema.DailyAPIPrice) string {
	return fmt.Sprintf("%s %s %s %s %s %s %d %s", p.Day, p.Provider, p.Source, p.Model, p.Endpoint, p.Precision, p.MinPromptTokens, p.Origin)
}

// valueOf is a figure in words.
func valueOf(figure any) string {
	switch f := figure.(type) {
	case schema.DailyPrice:
		return fmt.Sprintf("n %d, min %s (offer %d), median %s, max %s, as of %d", f.N, f.Min, f.MinOfferID, f.Median, f.Max, f.AsOf)
	case schema.DailyMarket:
		return fmt.Sprintf("%s at %s %s, median %s of %d", f.Cheapest, f.CheapestProvider, f.CheapestTier, f.Median, f.Providers)
	case schema.DailyTokenCost:
		return fmt.Sprintf("%s $/h, raw %s at %s", f.USDPerHour, f.Raw, f.Provider)
	case schema.DailyAPIPrice:
		return fmt.Sprintf("%s in, %s out, as of %d", f.In, f.Out, f.AsOf)
	}
	return fmt.Sprint(figure)
}
