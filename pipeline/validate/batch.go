package validate

import (
	"fmt"

	"mtok/schema"
	"mtok/scrapers"
)

// Breach is a batch rule that a whole night broke: the night is quarantined.
type Breach struct {
	Rule   string
	Detail string
}

// Error names the rule and what was seen.
func (b *Breach) Error() string { return b.Rule + ": " + b.Detail }

// The stable names of the batch rules.
const (
	RuleMinOffers    = "canary_min_offers"
	RuleClassMissing = "canary_class_missing"
)

// Canaries holds a complete night of one provider against what every
// believable night of it has; nil when it holds.
func Canaries(e scrapers.Expect, seen []schema.Observation) *Breach {
	if len(seen) < e.MinOffers {
		return &Breach{Rule: RuleMinOffers, Detail: fmt.Sprintf("%d priced offers, at least %d expected", len(seen), e.MinOffers)}
	}
	found := make(map[schema.ClassID]bool, len(seen))
	for _, o := range seen {
		found[o.Class] = true
	}
	for _, class := range e.Classes {
		if !found[class] {
			return &Breach{Rule: RuleClassMissing, Detail: fmt.Sprintf("no offer of %s among %d", class, len(seen))}
		}
	}
	return nil
}

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
	groups := make(map[identity][]schema.Observation, len(seen))
	var order []identity
	for _, o := range seen {
		id := identity{o.Offer.OfferKey, o.Day, o.Source}
		if _, ok := groups[id]; !ok {
			order = append(order, id)
		}
		groups[id] = append(groups[id], o)
	}
	for _, id := range order {
		group := groups[id]
		if agree(group) {
			kept = append(kept, group[0])
			continue
		}
		for _, o := range group {
			doubles = append(doubles, Double{FetchID: o.FetchID, Reject: schema.Reject{
				Source: o.Source, Label: label(o.Offer), PriceText: o.Offer.PriceText, Rule: RuleDuplicate,
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
