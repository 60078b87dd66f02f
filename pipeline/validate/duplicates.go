package validate

import (
	"cmp"
	"fmt"
	"slices"

	"mtok/schema"
)

// RuleContradiction is a row rule: one identity at two prices.
const RuleContradiction = "contradiction"

// Double is an observation that another of the same night contradicts.
type Double struct {
	FetchID int64
	Reject  schema.Reject
}

// Duplicates finds offers listed twice in one night by one source: the same
// price twice is one observation, two prices under one identity are none.
func Duplicates(seen []schema.Observation) (kept []schema.Observation, doubles []Double) {
	type identity struct {
		key    schema.OfferKey
		day    schema.Day
		source string
	}
	// Nearly every offer is listed once: what stands alone is not copied about.
	at := make(map[identity]int, len(seen)) // of seen
	var firsts []int                        // of each identity
	more := map[int][]schema.Observation{}  // by the first, itself included
	for i, o := range seen {
		id := identity{o.Offer.OfferKey, o.Day, o.Source}
		first, again := at[id]
		if !again {
			at[id] = i
			firsts = append(firsts, i)
			continue
		}
		if more[first] == nil {
			more[first] = append(more[first], seen[first])
		}
		more[first] = append(more[first], o)
	}
	kept = make([]schema.Observation, 0, len(firsts))
	for _, i := range firsts {
		group := more[i]
		if group == nil {
			kept = append(kept, seen[i])
			continue
		}
		if agree(group) {
			kept = append(kept, group[0])
			continue
		}
		if group[0].Offer.GroupKey != "" {
			// A market: two asks for one machine, or one that moved between two
			// answers. The cheapest can be had.
			kept = append(kept, slices.MinFunc(group, func(a, b schema.Observation) int {
				return cmp.Compare(a.USDPerGPUHour, b.USDPerGPUHour)
			}))
			continue
		}
		for _, o := range group {
			doubles = append(doubles, Double{FetchID: o.FetchID, Reject: schema.Reject{
				Source: o.Source, SKU: o.Offer.SKU, Label: label(o.Offer), PriceText: o.Offer.PriceText, Rule: RuleContradiction,
				Reason: fmt.Sprintf("listed %d times at different prices", len(group)),
			}})
		}
	}
	return kept, doubles
}

func agree(group []schema.Observation) bool {
	for _, o := range group[1:] {
		if o.USDPerGPUHour != group[0].USDPerGPUHour || o.Offer.Stock != group[0].Offer.Stock {
			return false
		}
	}
	return true
}
