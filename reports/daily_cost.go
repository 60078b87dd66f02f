package reports

import (
	"cmp"
	"fmt"
	"maps"
	"math/big"
	"slices"

	"mtok/reports/cost"
	"mtok/schema"
)

// tokenCosts prices each workload's measured configurations per term and origin,
// at the cheapest provider and at the median of the providers. A configuration
// that was not measured has no series.
func tokenCosts(day schema.Day, asks []*schema.Observation, catalog *schema.Catalog, s Settings) ([]schema.DailyTokenCost, []schema.CostInputs, error) {
	var out []schema.DailyTokenCost
	var inputs []schema.CostInputs
	for _, w := range s.workloads(catalog) {
		measured, _, err := w.split(catalog)
		if err != nil {
			return nil, nil, err
		}
		for _, r := range measured {
			in := costInputs(w, r.Row, s)
			costs, err := configurationCosts(day, asks, catalog, s, w, r.Row, in.Hash)
			if err != nil {
				return nil, nil, fmt.Errorf("token cost of %s, %s: %w", w.Name, r.Row.ID, err)
			}
			out, inputs = append(out, costs...), append(inputs, in)
		}
	}
	return out, inputs, nil
}

func configurationCosts(day schema.Day, asks []*schema.Observation, catalog *schema.Catalog, s Settings,
	w Workload, row schema.Throughput, inputs string) ([]schema.DailyTokenCost, error) {
	type key struct {
		term   schema.Term
		origin schema.Origin
	}
	buckets := map[key][]*schema.Observation{}
	for _, o := range eligible(ofClass(asks, row.Class), catalog, s.Eligibility, row.GPUs) {
		k := key{o.Offer.Term, o.Origin}
		buckets[k] = append(buckets[k], o)
	}
	var out []schema.DailyTokenCost
	for _, k := range slices.SortedFunc(maps.Keys(buckets), func(a, b key) int {
		return cmp.Or(cmp.Compare(a.term, b.term), cmp.Compare(a.origin, b.origin))
	}) {
		base := schema.DailyTokenCost{Day: day, Class: row.Class, Term: k.term, Workload: w.Name,
			Inputs: inputs, Origin: k.origin, GPUs: row.GPUs}
		both, err := cheapestAndMedian(base, providerPlacements(row.GPUs, buckets[k]), row, s)
		if err != nil {
			return nil, err
		}
		out = append(out, both...)
	}
	return out, nil
}

// cheapestAndMedian is empty where no provider can hold the configuration.
func cheapestAndMedian(base schema.DailyTokenCost, placed []cost.Placement, row schema.Throughput, s Settings) ([]schema.DailyTokenCost, error) {
	if len(placed) == 0 {
		return nil, nil
	}
	best := placed[0]
	cheapest, median := base, base
	cheapest.Statistic, median.Statistic = schema.StatCheapest, schema.StatMedian
	cheapest.Provider, cheapest.Tier = best.Offer.Offer.Provider, eligibleTier(best.Offer.Offer)
	cheapest.Replicas = best.Replicas
	if err := fillCost(&cheapest, best.USDPerHour, row, s); err != nil {
		return nil, err
	}
	half := len(placed) / 2
	middle := placed[half].USDPerHour
	if len(placed)%2 == 0 {
		sum := new(big.Rat).Add(placed[half-1].USDPerHour, middle)
		middle = sum.Quo(sum, big.NewRat(2, 1))
	}
	if err := fillCost(&median, middle, row, s); err != nil {
		return nil, err
	}
	return []schema.DailyTokenCost{cheapest, median}, nil
}

func fillCost(c *schema.DailyTokenCost, perHour *big.Rat, row schema.Throughput, s Settings) error {
	per, err := s.compute(cost.Input{USDPerHour: perHour, TokensPerSecond: row.TokensPerSecond,
		Utilization: s.Utilization, Overhead: s.Overhead}, c.Term, row.GPUs)
	if err != nil {
		return err
	}
	c.Raw, c.Utilized, c.AllIn = per.Raw, per.Utilized, per.AllIn
	c.USDPerHour, err = schema.RoundUSD(perHour)
	return err
}

// providerPlacements is the cheapest placement of each provider, cheapest first.
func providerPlacements(gpus int, asks []*schema.Observation) []cost.Placement {
	best := map[schema.ProviderID]cost.Placement{}
	for _, p := range placements(gpus, asks) {
		provider := p.Offer.Offer.Provider
		if old, ok := best[provider]; p.Shape != cost.ShapeNone && (!ok || comparePlacements(p, old) < 0) {
			best[provider] = p
		}
	}
	return slices.SortedFunc(maps.Values(best), comparePlacements)
}

// placements places the configuration once per provider, tier, term, commitment
// and region.
func placements(gpus int, asks []*schema.Observation) []cost.Placement {
	type key struct {
		provider   schema.ProviderID
		tier       schema.Tier
		term       schema.Term
		commitment schema.Commitment
		region     string
	}
	buckets := map[key][]*schema.Observation{}
	for _, o := range asks {
		k := key{o.Offer.Provider, tierOf(o.Offer), o.Offer.Term, o.Offer.Commitment, o.Offer.Region}
		buckets[k] = append(buckets[k], o)
	}
	var out []cost.Placement
	for _, same := range buckets {
		out = append(out, cost.Place(gpus, same))
	}
	return out
}

// comparePlacements orders priced placements by price, then by their offers.
func comparePlacements(a, b cost.Placement) int {
	if order := a.USDPerHour.Cmp(b.USDPerHour); order != 0 {
		return order
	}
	return cmp.Or(cmp.Compare(a.Offer.Offer.Provider, b.Offer.Offer.Provider), cost.Cheaper(&a.Offer, &b.Offer))
}

func ofClass(asks []*schema.Observation, class schema.ClassID) []*schema.Observation {
	var out []*schema.Observation
	for _, o := range asks {
		if o.Class == class {
			out = append(out, o)
		}
	}
	return out
}
