package validate

import (
	"fmt"
	"slices"

	"mtok/schema"
)

// listing is what the patterns look at, of a night of today or before.
type listing struct {
	key   schema.OfferKey
	class schema.ClassID
	price schema.USD
}

func listings(seen []schema.Observation) []listing {
	var out []listing
	for _, o := range seen {
		if o.Excluded == "" {
			out = append(out, listing{o.Offer.OfferKey, o.Class, o.USDPerGPUHour})
		}
	}
	return out
}

func (p PastNight) listings(classOf func(schema.Offer) schema.ClassID) []listing {
	var out []listing
	for _, k := range p.Offers {
		if k.Offer.Excluded == "" {
			out = append(out, listing{k.Offer.OfferKey, classOf(k.Offer), k.USDPerGPUHour})
		}
	}
	return out
}

// patterns finds columns that look filled in rather than priced. They need no
// baseline; a pattern that the last published night had too was confirmed.
func patterns(n Night) []Breach {
	var before []listing
	if last := n.Baseline.newest(); last != nil {
		before = last.listings(n.ClassOf)
	}
	rows := listings(n.Seen)
	var breaches []Breach
	for _, term := range []schema.Term{schema.TermOnDemand, schema.TermSpot, schema.TermReserved} {
		text, same := oneValue(rows, term)
		if _, already := oneValue(before, term); same && !already {
			breaches = append(breaches, Breach{Rule: RuleOneValue, Detail: text})
		}
	}
	text, copied := spotCopy(rows)
	if _, already := spotCopy(before); copied && !already {
		breaches = append(breaches, Breach{Rule: RuleSpotCopy, Detail: text})
	}
	if n.market() {
		return breaches // where a host may ask what it likes
	}
	return append(breaches, placeholders(n)...)
}

const (
	// One value is no list of prices where two thirds of a term's offers, and no
	// fewer than six of three classes, have it.
	sameOffers  = 6
	sameClasses = 3
	// Spot is a copy where it equals on demand on more than 95 % of five pairs or
	// more: known from a catalog that was filled from the wrong variable.
	copyPairs   = 5
	copyPercent = 95
)

// oneValue finds a price that most offers of a term share.
func oneValue(rows []listing, term schema.Term) (string, bool) {
	offers := map[schema.USD]int{}
	classes := map[schema.USD][]schema.ClassID{}
	all := 0
	for _, r := range rows {
		if r.key.Term != term {
			continue
		}
		all++
		offers[r.price]++
		if !slices.Contains(classes[r.price], r.class) {
			classes[r.price] = append(classes[r.price], r.class)
		}
	}
	for price, count := range offers { // two thirds can be of one price alone
		if count >= sameOffers && len(classes[price]) >= sameClasses && count*3 >= all*2 {
			return fmt.Sprintf("%d of %d %s offers, of %d classes, are all %s $/GPU-h", count, all, term, len(classes[price]), price), true
		}
	}
	return "", false
}

// spotCopy finds a spot column that repeats the on-demand one.
func spotCopy(rows []listing) (string, bool) {
	onDemand := map[schema.OfferKey]schema.USD{}
	for _, r := range rows {
		if r.key.Term == schema.TermOnDemand {
			onDemand[r.key] = r.price
		}
	}
	pairs, equal := 0, 0
	for _, r := range rows {
		if r.key.Term != schema.TermSpot {
			continue
		}
		other := r.key
		other.Term = schema.TermOnDemand
		price, ok := onDemand[other]
		if !ok {
			continue
		}
		pairs++
		if price == r.price {
			equal++
		}
	}
	text := fmt.Sprintf("spot equals on demand for %d of %d offers", equal, pairs)
	return text, pairs >= copyPairs && equal*100 > pairs*copyPercent
}

// fillers are amounts that are put where there is no price.
func fillers() []schema.USD {
	return []schema.USD{10_000, 9_990_000, 99_990_000, 999_000_000, 999_990_000, 9_999_000_000, 9_999_990_000}
}

// halfDollar is what RunPod prints for types that it does not sell. Some small
// GPUs really cost as much: alone it is held where an offer's known price moves
// to it, else where more than halfClasses classes show it.
const (
	halfDollar  = schema.USD(500_000)
	halfClasses = 2
)

// placeholders finds figures that look like a price and are none.
func placeholders(n Night) []Breach {
	var offers, halves []schema.OfferKey
	var texts, halfTexts []string
	classes := map[schema.ClassID]bool{}
	moved := false
	for _, o := range n.Seen {
		if n.Baseline.believed(o) {
			continue
		}
		printed, err := o.Offer.Amount.Times(1, 1)
		text := fmt.Sprintf("%s is %s", label(o.Offer), o.Offer.PriceText)
		switch {
		case err == nil && slices.Contains(fillers(), printed):
			offers, texts = append(offers, o.Offer.OfferKey), append(texts, text)
		case o.USDPerGPUHour == halfDollar:
			_, known := n.Baseline.Known[o.Offer.OfferKey]
			moved = moved || known || n.shippedElsewhere(o)
			classes[o.Class] = true
			halves, halfTexts = append(halves, o.Offer.OfferKey), append(halfTexts, text)
		}
	}
	if moved || len(classes) > halfClasses {
		offers, texts = append(offers, halves...), append(texts, halfTexts...)
	}
	return offerBreach(RulePlaceholder, offers, texts)
}
