package reports

import (
	"cmp"
	"maps"
	"slices"

	"mtok/schema"
	"mtok/schema/stat"
)

type priceKey struct {
	class      schema.ClassID
	provider   schema.ProviderID
	tier       schema.Tier
	term       schema.Term
	commitment schema.Commitment
	count      int
	origin     schema.Origin
}

func comparePriceKeys(a, b priceKey) int {
	if order := cmp.Compare(a.class, b.class); order != 0 {
		return order
	}
	if order := cmp.Compare(a.provider, b.provider); order != 0 {
		return order
	}
	return cmp.Or(cmp.Compare(a.tier, b.tier), cmp.Compare(a.term, b.term),
		compareCommitment(a.commitment, b.commitment),
		cmp.Compare(a.count, b.count), cmp.Compare(a.origin, b.origin))
}

// dailyPrices gives each key a row for all node sizes together and one for each.
func dailyPrices(day schema.Day, asks []*schema.Observation, catalog *schema.Catalog, rules Eligibility) []schema.DailyPrice {
	buckets := map[priceKey][]*schema.Observation{}
	for _, o := range asks {
		class, _ := catalog.GPU(o.Class)
		for _, tier := range dailyTiers(o, class, rules) {
			k := priceKey{o.Class, o.Offer.Provider, tier, o.Offer.Term, o.Offer.Commitment, schema.AnyGPUCount, o.Origin}
			buckets[k] = append(buckets[k], o)
			k.count = o.Offer.GPUCount
			buckets[k] = append(buckets[k], o)
		}
	}
	var out []schema.DailyPrice
	for _, k := range slices.SortedFunc(maps.Keys(buckets), comparePriceKeys) {
		row := schema.DailyPrice{Day: day, Class: k.class, Provider: k.provider, Tier: k.tier, Term: k.term,
			Commitment: k.commitment, GPUCount: k.count, Origin: k.origin}
		groupUp(buckets[k]).fill(&row)
		out = append(out, row)
	}
	return out
}

// dailyTiers are the tiers that an offer counts in: its own; at a marketplace
// verified, reliable machines and, of all, the eligible ones.
func dailyTiers(o *schema.Observation, class schema.GPUClass, rules Eligibility) []schema.Tier {
	if !isMarketplace(o.Offer) {
		return []schema.Tier{tierOf(o.Offer)}
	}
	var tiers []schema.Tier
	if verified(o.Offer) {
		tiers = append(tiers, schema.TierVerified)
	}
	if len(rules.Judge(*o, class, o.Offer.GPUCount)) == 0 {
		tiers = append(tiers, TierEligible)
	}
	return tiers
}

// dailyMarkets goes by provider first and then across providers: the minimum of
// their minima, the median of their medians, of eligible offers only.
func dailyMarkets(day schema.Day, asks []*schema.Observation, catalog *schema.Catalog, rules Eligibility) []schema.DailyMarket {
	type key struct {
		class  schema.ClassID
		term   schema.Term
		origin schema.Origin
	}
	buckets := map[key]map[schema.ProviderID][]*schema.Observation{}
	for _, o := range eligible(asks, catalog, rules, 0) {
		k := key{o.Class, o.Offer.Term, o.Origin}
		if buckets[k] == nil {
			buckets[k] = map[schema.ProviderID][]*schema.Observation{}
		}
		buckets[k][o.Offer.Provider] = append(buckets[k][o.Offer.Provider], o)
	}
	keys := slices.SortedFunc(maps.Keys(buckets), func(a, b key) int {
		return cmp.Or(cmp.Compare(a.class, b.class), cmp.Compare(a.term, b.term), cmp.Compare(a.origin, b.origin))
	})
	var out []schema.DailyMarket
	for _, k := range keys {
		row := schema.DailyMarket{Day: day, Class: k.class, Term: k.term, Origin: k.origin, Providers: len(buckets[k])}
		var medians []schema.USD
		for _, provider := range slices.Sorted(maps.Keys(buckets[k])) {
			p := groupUp(buckets[k][provider])
			medians = append(medians, stat.Median(p.usd()))
			if best := p.cheapest(); row.CheapestProvider == "" || best.USDPerGPUHour < row.Cheapest {
				row.Cheapest, row.CheapestProvider = best.USDPerGPUHour, provider
				row.CheapestTier = eligibleTier(best.Offer)
			}
		}
		row.Median = stat.Median(medians)
		out = append(out, row)
	}
	return out
}
