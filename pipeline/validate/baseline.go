package validate

import (
	"slices"

	"mtok/schema"
	"mtok/scrapers"
)

// Night is what one provider's pages of one day gave, with all that it is judged
// by.
type Night struct {
	Expect scrapers.Expect
	// Complete says that all that was asked for was read: only then does it mean
	// something that an offer is absent.
	Complete bool
	// Answered says that every request was answered, in full or not: the classes
	// that must appear are then due.
	Answered bool
	Seen     []schema.Observation
	Rejects  []schema.Reject
	Baseline Baseline
	Shipped  Shipped
	// ClassOf gives the class of a listing by today's catalog, so that a new alias
	// is no change.
	ClassOf func(schema.Offer) schema.ClassID
}

// Baseline is what the provider's own nights published before. Imports are never
// part of it.
type Baseline struct {
	// Nights are the complete ones, the newest first.
	Nights []PastNight
	// Known is the newest price of each offer.
	Known map[schema.OfferKey]schema.KnownOffer
	// Today are the prices that are published of this very day already: judged
	// again, they are believed.
	Today map[schema.OfferKey]schema.USD
}

// PastNight is a night that was published.
type PastNight struct {
	Day    schema.Day
	Offers []schema.KnownOffer
}

// NewBaseline sorts what was published, the newest day first, into the baseline
// of a day. complete says which days had a complete night.
func NewBaseline(day schema.Day, published []schema.KnownOffer, complete func(schema.Day) bool) Baseline {
	b := Baseline{Known: map[schema.OfferKey]schema.KnownOffer{}, Today: map[schema.OfferKey]schema.USD{}}
	for _, k := range published {
		if k.Day >= day {
			if _, known := b.Today[k.Offer.OfferKey]; !known && k.Day == day {
				b.Today[k.Offer.OfferKey] = k.USDPerGPUHour
			}
			continue
		}
		newest, known := b.Known[k.Offer.OfferKey]
		if !known {
			b.Known[k.Offer.OfferKey] = k
		}
		if !complete(k.Day) || known && newest.Day == k.Day {
			continue // of several sources and slots of a day, the first is the offer
		}
		if n := len(b.Nights); n == 0 || b.Nights[n-1].Day != k.Day {
			b.Nights = append(b.Nights, PastNight{Day: k.Day})
		}
		night := &b.Nights[len(b.Nights)-1]
		night.Offers = append(night.Offers, k)
	}
	return b
}

// tolerance is how far, in per cent, two prices may lie apart and still agree.
const tolerance = 2

// agrees reports whether two prices are the same within the tolerance.
func agrees(a, b schema.USD) bool {
	return max(a-b, b-a)*100 <= max(a, b)*tolerance
}

// believed reports whether a price is published already: of this day, or as the
// offer's newest price. Rules that need no baseline do not ask again for what
// somebody confirmed.
func (b Baseline) believed(o schema.Observation) bool {
	if today, ok := b.Today[o.Offer.OfferKey]; ok && agrees(today, o.USDPerGPUHour) {
		return true
	}
	known, ok := b.Known[o.Offer.OfferKey]
	return ok && agrees(known.USDPerGPUHour, o.USDPerGPUHour)
}

// Standing are the offers of which no complete night since has said that they are
// gone: those of the last complete night, and of what came after it.
func (b Baseline) Standing() []schema.KnownOffer {
	last := b.newest()
	var standing []schema.KnownOffer
	for _, k := range b.Known {
		if last == nil || k.Day >= last.Day {
			standing = append(standing, k)
		}
	}
	return standing
}

// market reports whether the offers are those of a market, where each host sets
// prices of its own.
func (n Night) market() bool {
	if IsMarket(n.Seen) {
		return true
	}
	for _, k := range n.Baseline.Known {
		return k.Offer.GroupKey != ""
	}
	return false
}

// IsMarket reports whether observations are those of a market.
func IsMarket(seen []schema.Observation) bool {
	return slices.ContainsFunc(seen, func(o schema.Observation) bool { return o.Offer.GroupKey != "" })
}

// Judge returns the batch rules that a night broke. A provider that only says
// that it publishes no price is judged by none of them.
func Judge(n Night) []Breach {
	breaches := slices.Concat(Reclassified(n), Canaries(n), patterns(n))
	if n.market() {
		return append(breaches, market(n)...)
	}
	return slices.Concat(breaches, againstShipped(n), exchanged(n), resized(n), moves(n), shape(n))
}
