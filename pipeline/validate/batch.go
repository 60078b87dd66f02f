package validate

import (
	"cmp"
	"fmt"
	"slices"

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
	RuleProviderBand = "canary_price_band"
	RuleReclassified = "class_changed"
	// RuleContradiction is a row rule: one identity at two prices.
	RuleContradiction = "contradiction"
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
	return providerBands(e.Bands, seen)
}

// providerBands holds each price against the range of its provider's own.
func providerBands(bands []scrapers.PriceBand, seen []schema.Observation) *Breach {
	for _, o := range seen {
		for _, b := range bands {
			if b.Class == o.Class && b.Term == o.Offer.Term && o.Offer.Tier != schema.TierCluster && !b.Holds(o.USDPerGPUHour) {
				return &Breach{Rule: RuleProviderBand, Detail: fmt.Sprintf("%s (%s) is %s $/GPU-h, believable at this provider: %s to %s",
					label(o.Offer), o.Offer.PriceText, o.USDPerGPUHour, b.Low, b.High)}
			}
		}
	}
	return nil
}

// Reclassified finds an offer that another GPU name now puts into another
// class: the page says of a known key that it is another chip. classOf gives
// the class of an earlier listing by today's catalog, so that a new alias is no
// breach.
func Reclassified(last []schema.KnownOffer, seen []schema.Observation, classOf func(schema.Offer) schema.ClassID) *Breach {
	known := make(map[schema.OfferKey]schema.Offer, len(last))
	for _, k := range last {
		known[k.Offer.OfferKey] = k.Offer
	}
	for _, o := range seen {
		before, ok := known[o.Offer.OfferKey]
		if !ok {
			continue
		}
		if was := classOf(before); was != o.Class {
			return &Breach{Rule: RuleReclassified, Detail: fmt.Sprintf("%s was %q, %s; is %q, %s",
				label(o.Offer), before.GPURaw, was, o.Offer.GPURaw, o.Class)}
		}
	}
	return nil
}

// Unread lists the offers of the last night that tonight's pages still show but
// that could not be read: they are not gone.
func Unread(last []schema.KnownOffer, seen []schema.Observation, rejects []schema.Reject) []string {
	read := make(map[schema.OfferKey]bool, len(seen))
	for _, o := range seen {
		read[o.Offer.OfferKey] = true
	}
	faulty := make(map[string]schema.Reject)
	for _, r := range rejects {
		if r.SKU != "" && r.Rule != schema.RuleUnpriced && r.Rule != schema.RuleDuplicate {
			faulty[r.SKU] = r
		}
	}
	var unread []string
	for _, k := range last {
		if r, ok := faulty[k.Offer.SKU]; ok && !read[k.Offer.OfferKey] {
			unread = append(unread, fmt.Sprintf("%s: %s", r.Label, r.Reason))
		}
	}
	slices.Sort(unread)
	return slices.Compact(unread)
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
