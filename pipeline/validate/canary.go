package validate

import (
	"fmt"
	"slices"

	"mtok/schema"
	"mtok/scrapers"
)

// Canaries holds a night against what every believable night of its provider has.
// They need no baseline; what a published night had in the same way was confirmed
// by a person, and stays believed.
func Canaries(n Night) []Breach {
	var breaches []Breach
	e, last := n.Expect, n.Baseline.newest()
	if rows := len(n.Seen); n.Complete && rows < e.MinOffers && (last == nil || len(last.Offers) >= e.MinOffers) {
		breaches = append(breaches, Breach{
			Rule: RuleMinOffers, Detail: fmt.Sprintf("%d priced offers, at least %d expected", rows, e.MinOffers),
		})
	}
	for _, class := range e.Classes {
		seen := slices.ContainsFunc(n.Seen, func(o schema.Observation) bool { return o.Class == class })
		if !seen && n.Answered && (last == nil || last.classes(n.ClassOf)[class] > 0) {
			breaches = append(breaches, Breach{
				Rule: RuleClassMissing, Detail: fmt.Sprintf("no offer of %s among %d", class, len(n.Seen)),
			})
		}
	}
	return append(breaches, providerBands(n)...)
}

// newest is the last complete night, nil where there is none.
func (b Baseline) newest() *PastNight {
	if len(b.Nights) == 0 {
		return nil
	}
	return &b.Nights[0]
}

// classes counts the offers of each class, by today's catalog.
func (p PastNight) classes(classOf func(schema.Offer) schema.ClassID) map[schema.ClassID]int {
	count := map[schema.ClassID]int{}
	for _, k := range p.Offers {
		count[classOf(k.Offer)]++
	}
	return count
}

// providerBands holds each price against the range of its provider's own.
func providerBands(n Night) []Breach {
	var offers []schema.OfferKey
	var texts []string
	for _, o := range n.Seen {
		out := func(b scrapers.PriceBand) bool {
			return b.Class == o.Class && b.Term == o.Offer.Term && o.Offer.Tier != schema.TierCluster && !b.Holds(o.USDPerGPUHour)
		}
		i := slices.IndexFunc(n.Expect.Bands, out)
		if i < 0 || n.Baseline.believed(o) {
			continue
		}
		b := n.Expect.Bands[i]
		offers = append(offers, o.Offer.OfferKey)
		texts = append(texts, fmt.Sprintf("%s (%s) is %s $/GPU-h, believable at this provider: %s to %s",
			label(o.Offer), o.Offer.PriceText, o.USDPerGPUHour, b.Low, b.High))
	}
	return offerBreach(RuleProviderBand, offers, texts)
}

// Reclassified finds the offers that another GPU name now puts into another
// class: the page says of a known key that it is another chip.
func Reclassified(n Night) []Breach {
	var offers []schema.OfferKey
	var texts []string
	for _, o := range n.Seen {
		known, ok := n.Baseline.Known[o.Offer.OfferKey]
		if !ok {
			continue
		}
		if before := known.Offer; n.ClassOf(before) != o.Class {
			offers = append(offers, o.Offer.OfferKey)
			texts = append(texts, fmt.Sprintf("%s was %q, %s; is %q, %s",
				label(o.Offer), before.GPURaw, n.ClassOf(before), o.Offer.GPURaw, o.Class))
		}
	}
	return offerBreach(RuleReclassified, offers, texts)
}
