package pipeline

import (
	"fmt"

	"mtok/pipeline/validate"
	"mtok/schema"
)

// RuleCrossCheck is the rule of a reject by which a second source of the same
// offers contradicts the first.
const RuleCrossCheck = "cross_check"

// crossCheck folds the offers of a provider's checking source into those of its
// listing: what the check knows of stock goes to the listing's offer, and where
// the two disagree the listing's price stands and the disagreement is told.
// Where the listing gave nothing at all, the check stands in for it.
func crossCheck(listed, checked []schema.Observation) (merged []schema.Observation, told []validate.Double) {
	if len(listed) == 0 {
		return checked, nil
	}
	at := make(map[schema.OfferKey]int, len(listed))
	for i, o := range listed {
		at[o.Offer.OfferKey] = i
	}
	for _, c := range checked {
		reject := schema.Reject{
			Source: c.Source, Label: c.Offer.SKU, PriceText: c.Offer.PriceText, Rule: RuleCrossCheck,
		}
		i, found := at[c.Offer.OfferKey]
		if !found {
			reject.Reason = fmt.Sprintf("%d GPUs, %s: not in the listing", c.Offer.GPUCount, c.Offer.Term)
			told = append(told, validate.Double{FetchID: c.FetchID, Reject: reject})
			continue
		}
		if c.Offer.Stock != schema.StockUnknown {
			listed[i].Offer.Stock = c.Offer.Stock
		}
		if len(c.Offer.StockPoints) > 0 {
			listed[i].Offer.StockPoints = c.Offer.StockPoints
		}
		if !samePrice(listed[i], c) {
			reject.Reason = fmt.Sprintf("%s says %s $/GPU-h, %s says %s for %d GPUs", c.Source, c.USDPerGPUHour,
				listed[i].Source, listed[i].USDPerGPUHour, c.Offer.GPUCount)
			told = append(told, validate.Double{FetchID: c.FetchID, Reject: reject})
		}
	}
	return listed, told
}

// samePrice compares two listings of an offer, exactly where both are in one unit.
func samePrice(a, b schema.Observation) bool {
	if a.Offer.Unit == b.Offer.Unit {
		return a.USDPerGPUHour == b.USDPerGPUHour
	}
	return validate.SameInstance(a.USDPerGPUHour, b.USDPerInstanceHour, a.Offer.GPUCount)
}

// bySource splits a part's observations into those of its listings and those of
// its checking sources.
func (pn *providerNight) bySource(seen []schema.Observation) (listed, checked []schema.Observation) {
	check := map[string]bool{}
	any := false
	for _, s := range pn.provider.Sources {
		check[s.Name] = s.CrossCheck
		any = any || s.CrossCheck
	}
	if !any {
		return seen, nil
	}
	for _, o := range seen {
		if check[o.Source] {
			checked = append(checked, o)
		} else {
			listed = append(listed, o)
		}
	}
	return listed, checked
}
