package reports

import (
	"context"
	"fmt"

	"mtok/reports/cost"
	"mtok/schema"
)

// explainedCost is a published token cost with what it was made with.
type explainedCost struct {
	schema.DailyTokenCost
	body string // of its inputs
}

// explainCosts are the lines of `explain` about the published token costs of a
// class: the formula with its numbers, the price and its page, the benchmark row
// with its source, and the version of the inputs.
func (l Loader) explainCosts(ctx context.Context, night Night, f Filter) ([]string, error) {
	if l.History == nil || night.Empty {
		return nil, nil
	}
	var lines []string
	for _, w := range l.Settings.workloads(l.Catalog) {
		for _, term := range []schema.Term{schema.TermOnDemand, schema.TermSpot, schema.TermReserved} {
			if f.Term != "" && f.Term != term {
				continue
			}
			costs, err := l.History.ClassTokenCosts(ctx, f.Class, w.Name, term, night.AsOf, night.AsOf)
			if err != nil {
				return nil, fmt.Errorf("token costs of %s: %w", f.Class, err)
			}
			for _, c := range costs {
				if f.Provider != "" && c.Provider != f.Provider {
					continue
				}
				in, err := l.History.CostInputs(ctx, c.Inputs)
				if err != nil {
					return nil, fmt.Errorf("inputs of token costs: %w", err)
				}
				lines = append(lines, explainedCost{c, in.Body}.lines(night)...)
			}
		}
	}
	return lines, nil
}

func (c explainedCost) lines(night Night) []string {
	who := "the median of its providers"
	if c.Statistic == schema.StatCheapest {
		who = seller(schema.Offer{OfferKey: schema.OfferKey{Provider: c.Provider, Tier: c.Tier}})
	}
	of := ""
	if c.Replicas > 1 {
		of = fmt.Sprintf(" (one of %d replicas on the node)", c.Replicas)
	}
	if c.Origin == schema.OriginImport {
		who += ", imported"
	}
	lines := []string{fmt.Sprintf("Token cost %s, %s, %s, %s: %s at %s $/h for %s%s; / (%s tok/s x 3600 s) x 1,000,000 = %s flat out, %s utilised, %s all-in $ per million output tokens",
		c.Day, c.Workload, termWords(c.Term), c.Statistic, who, c.USDPerHour, count(c.GPUs, "GPU"), of,
		inputField(c.body, "tokens_per_second"), c.Raw, c.Utilized, c.AllIn)}
	line := fmt.Sprintf("  inputs sha256:%s, throughput row %s, benchmark %s", c.Inputs, benchmark(c.body), inputField(c.body, "source"))
	if page := c.page(night); page != "" {
		line += "; page sha256:" + page
	}
	return append(lines, line)
}

// page is that of the price behind the cheapest cost; empty where it does not stand
// among the night's own prices.
func (c explainedCost) page(night Night) string {
	if c.Statistic != schema.StatCheapest || c.Origin == schema.OriginImport {
		return ""
	}
	var asks []*schema.Observation
	for _, o := range countable(night.AsOf, night.Observations) {
		if o.Class == c.Class && o.Offer.Provider == c.Provider && o.Offer.Term == c.Term && o.Origin == c.Origin && eligibleTier(o.Offer) == c.Tier {
			asks = append(asks, o)
		}
	}
	page := ""
	for _, p := range placements(c.GPUs, asks) {
		if p.Shape == cost.ShapeNone {
			continue
		}
		usd, err := schema.RoundUSD(p.USDPerHour)
		if err == nil && usd == c.USDPerHour && (page == "" || p.Offer.PageSHA256 < page) {
			page = p.Offer.PageSHA256
		}
	}
	return page
}
