package validate

import (
	"fmt"

	"mtok/schema"
)

// exchanged finds prices that went from one listing to another: where each of a
// set of offers has tonight what another of them had before, the prices stand in
// the wrong rows. Each alone would be a believable move. Prices are compared by
// the GPU and as printed, since a row of another size may have given its own.
func exchanged(n Night) []Breach {
	if by := exchangedBy(n, byGPU); len(by) > 0 {
		return by
	}
	return exchangedBy(n, asPrinted)
}

func byGPU(_ schema.Offer, perGPU schema.USD) string { return perGPU.String() }
func asPrinted(o schema.Offer, _ schema.USD) string  { return o.PriceText }

// repriced is an offer whose price is not that of before.
type repriced struct {
	key           schema.OfferKey
	before, after string
	text          string
}

func exchangedBy(n Night, price printed) []Breach {
	moved, hidden := repricedBy(n, price)
	return misplaced(closed(moved, hidden))
}

// printed is a price as it is compared.
type printed func(o schema.Offer, perGPU schema.USD) string

func misplaced(moved []repriced) []Breach {
	var offers []schema.OfferKey
	var texts []string
	for _, m := range moved {
		offers, texts = append(offers, m.key), append(texts, m.text)
	}
	return offerBreach(RuleExchanged, offers, texts)
}

// repricedBy are the offers whose price is not that of before, and the old prices of
// offers that can't be read tonight: each may have given its price, and have taken any.
func repricedBy(n Night, price printed) (moved []repriced, hidden []string) {
	for _, o := range n.Seen {
		known, ok := n.Baseline.Known[o.Offer.OfferKey]
		if !ok || o.Excluded != "" || n.Baseline.believed(o) {
			continue
		}
		before, after := price(known.Offer, known.USDPerGPUHour), price(o.Offer, o.USDPerGPUHour)
		if before == after {
			continue
		}
		moved = append(moved, repriced{
			o.Offer.OfferKey, before, after,
			fmt.Sprintf("%s %s to %s $/GPU-h", label(o.Offer), known.USDPerGPUHour, o.USDPerGPUHour),
		})
	}
	for _, k := range unreadOffers(n.Baseline.Standing(), n.Seen, n.Rejects) {
		hidden = append(hidden, price(k.Offer, k.USDPerGPUHour))
	}
	return moved, hidden
}

// closed leaves of the moves those whose new price another one had before, and
// whose old price another one took. hidden are the old prices of offers whose new
// ones are not known.
func closed(moved []repriced, hidden []string) []repriced {
	for {
		before, after := map[string]bool{}, map[string]bool{}
		for _, text := range hidden {
			before[text] = true
		}
		for _, m := range moved {
			before[m.before], after[m.after] = true, true
		}
		var left []repriced
		for _, m := range moved {
			if before[m.after] && (len(hidden) > 0 || after[m.before]) {
				left = append(left, m)
			}
		}
		if len(left) == len(moved) {
			return left
		}
		moved = left
	}
}

// resized finds a listing that stands under another GPU count than before, at the
// price that it had: the row may have come under the heading of another size,
// and its price of an instance would be wrong by as much. Only a complete night
// can say that the listing of the old size is gone.
func resized(n Night) []Breach {
	if !n.Complete {
		return nil
	}
	seen := map[schema.OfferKey]bool{}
	for _, o := range n.Seen {
		seen[o.Offer.OfferKey] = true
	}
	type sizeless struct {
		key   schema.OfferKey
		price schema.USD
	}
	gone := map[sizeless]int{} // the GPU count that it had, the smallest of several
	for _, k := range n.Baseline.Standing() {
		if seen[k.Offer.OfferKey] {
			continue
		}
		key, count := k.Offer.OfferKey, k.Offer.GPUCount
		key.GPUCount = 0
		for _, price := range []schema.USD{k.USDPerGPUHour, k.USDPerGPUHour * schema.USD(count)} {
			if other, met := gone[sizeless{key, price}]; !met || count < other {
				gone[sizeless{key, price}] = count
			}
		}
	}
	var offers []schema.OfferKey
	var texts []string
	for _, o := range n.Seen {
		if _, known := n.Baseline.Known[o.Offer.OfferKey]; known || o.Excluded != "" || n.Baseline.believed(o) {
			continue
		}
		key := o.Offer.OfferKey
		key.GPUCount = 0
		for _, price := range []schema.USD{o.USDPerGPUHour, o.USDPerGPUHour * schema.USD(o.Offer.GPUCount)} {
			if count, ok := gone[sizeless{key, price}]; ok {
				offers = append(offers, o.Offer.OfferKey)
				texts = append(texts, fmt.Sprintf("%s at %s $/GPU-h stands for the listing of %d GPUs that is gone", label(o.Offer), o.USDPerGPUHour, count))
				break
			}
		}
	}
	return offerBreach(RuleResized, offers, texts)
}
