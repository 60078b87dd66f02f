package reports

import (
	"cmp"
	"slices"

	"mtok/schema"
)

// Recompute derives everything of one day from its observations: daily prices,
// the market across providers, and token costs. The order of the observations
// changes nothing. Those of another day, excluded or quarantined ones and bid
// floors never count. Only an impossible setting or a figure out of range is an
// error, which does not name the day.
func Recompute(day schema.Day, observations []schema.Observation, catalog *schema.Catalog, s Settings) (schema.Daily, error) {
	asks := countable(day, observations)
	costs, inputs, err := tokenCosts(day, asks, catalog, s)
	if err != nil {
		return schema.Daily{}, err
	}
	return schema.Daily{
		Day:        day,
		Prices:     dailyPrices(day, asks, catalog, s.Eligibility),
		Markets:    dailyMarkets(day, asks, catalog, s.Eligibility),
		TokenCosts: costs,
		Inputs:     inputs,
	}, nil
}

// countable returns one observation per offer and origin of the day, sorted.
func countable(day schema.Day, observations []schema.Observation) []*schema.Observation {
	type key struct {
		offerID
		origin schema.Origin
	}
	seen := make(map[key][]*schema.Observation, len(observations))
	for i := range observations {
		o := &observations[i]
		if o.Day != day || !published(o) || o.Offer.Term == schema.TermBidFloor {
			continue
		}
		k := key{identify(o), o.Origin}
		seen[k] = append(seen[k], o)
	}
	out := make([]*schema.Observation, 0, len(seen))
	for _, same := range seen {
		out = append(out, fold(same))
	}
	slices.SortFunc(out, compareIdentity)
	return out
}

// eligible returns those that production can rent, judged for a configuration
// of so many GPUs, or each for its own count where gpus is 0.
func eligible(asks []*schema.Observation, catalog *schema.Catalog, rules Eligibility, gpus int) []*schema.Observation {
	var out []*schema.Observation
	for _, o := range asks {
		class, _ := catalog.GPU(o.Class) // an unmatched class has no form factor to judge
		if len(rules.Judge(*o, class, cmp.Or(gpus, o.Offer.GPUCount))) == 0 {
			out = append(out, o)
		}
	}
	return out
}

// eligibleTier is the tier that an eligible offer has in daily figures.
func eligibleTier(o schema.Offer) schema.Tier {
	if isMarketplace(o) {
		return TierEligible
	}
	return tierOf(o)
}
