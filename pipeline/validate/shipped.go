package validate

import (
	"fmt"
	"slices"

	"mtok/schema"
)

// Shipped is what the program itself knows of a provider that has no baseline.
type Shipped struct {
	Offers []schema.KnownOffer
	// Unpriced says that the provider published no price.
	Unpriced bool
}

const (
	// fewMoved is up to how many prices a list may have moved since the program was made
	// for an unread listing to be asked whose price it gave: of many prices that moved,
	// one is soon another's old one.
	fewMoved = 3
	// shiftedOffers is from how many on prices that are each another's old one are no
	// chance, where they are half of those that moved.
	shiftedOffers = 3
	// strangeOffers is from how many known offers of a kind on it says something that
	// none of them is listed and others are.
	strangeOffers = 3
)

// againstShipped holds a first night against what the program itself knows of the
// provider: not the height of a price, which may have moved since, but its place. A
// first night whose prices stand in each other's rows, or under another GPU count, has
// nothing else that tells it.
func againstShipped(n Night) []Breach {
	known := n.Shipped
	if len(n.Baseline.Known) > 0 || !slices.ContainsFunc(n.Seen, func(o schema.Observation) bool { return !n.Baseline.believed(o) }) {
		return nil // what the day has published already is not asked about again
	}
	if known.Unpriced {
		return []Breach{{Rule: RuleUnpricedBefore, Detail: fmt.Sprintf("%d prices of a provider that published none when mtok was made", len(n.Seen))}}
	}
	n.Baseline.Known = map[schema.OfferKey]schema.KnownOffer{}
	for _, k := range known.Offers {
		n.Baseline.Known[k.Offer.OfferKey] = k
	}
	breaches := strayed(n)
	breaches = append(breaches, resized(n)...)
	breaches = append(breaches, strange(n)...)
	for i := range breaches {
		breaches[i].Detail += " (beside the night that comes with mtok: there is no other yet)"
	}
	return breaches
}

// strayed finds prices that stand in other rows.
func strayed(n Night) []Breach {
	for _, price := range []printed{byGPU, asPrinted, byInstance} {
		moved, hidden := repricedBy(n, price)
		found := shifted(moved, hidden)
		if len(moved) > fewMoved {
			hidden = nil
		}
		if round := closed(moved, hidden); len(round) > 0 {
			found = round
		}
		if len(found) > 0 {
			return misplaced(found)
		}
	}
	return nil
}

// byInstance compares what a whole instance costs: another source may state that.
func byInstance(o schema.Offer, perGPU schema.USD) string {
	return (perGPU * schema.USD(o.GPUCount)).String()
}

// shifted are the moves to a price that another offer had, an unread one included,
// where these are most.
func shifted(moved []repriced, hidden []string) []repriced {
	before := map[string]bool{}
	for _, text := range hidden {
		before[text] = true
	}
	for _, m := range moved {
		before[m.before] = true
	}
	var found []repriced
	for _, m := range moved {
		if before[m.after] {
			found = append(found, m)
		}
	}
	if len(found) < shiftedOffers || 2*len(found) < len(moved) {
		return nil
	}
	return found
}

// strange finds a tier and term of which all that is listed is unknown, and nothing of
// what is known is listed: it is other offers that stand there.
func strange(n Night) []Breach {
	type kind struct {
		term schema.Term
		tier schema.Tier
	}
	of := func(k schema.OfferKey) kind { return kind{k.Term, k.Tier} }
	known, met := map[kind]int{}, map[kind]int{}
	for key := range n.Baseline.Known {
		known[of(key)]++
	}
	for _, o := range n.Seen {
		if _, ok := n.Baseline.Known[o.Offer.OfferKey]; ok {
			met[of(o.Offer.OfferKey)]++
		}
	}
	var offers []schema.OfferKey
	var texts []string
	for _, o := range n.Seen {
		k := of(o.Offer.OfferKey)
		if met[k] == 0 && known[k] >= strangeOffers && !n.Baseline.believed(o) {
			offers, texts = append(offers, o.Offer.OfferKey), append(texts, label(o.Offer)+" is not known")
		}
	}
	return offerBreach(RuleStrange, offers, texts)
}

// shippedElsewhere reports whether the program knows another price of an offer of which
// there is no baseline.
func (n Night) shippedElsewhere(o schema.Observation) bool {
	for _, k := range n.Shipped.Offers {
		if k.Offer.OfferKey == o.Offer.OfferKey {
			return !agrees(k.USDPerGPUHour, o.USDPerGPUHour)
		}
	}
	return false
}
