package scrapers

import (
	"fmt"
	"slices"

	"mtok/schema"
)

// millionths is how scores and reliabilities are counted.
const millionths = 1_000_000

// readAttributes reads what eligibility is judged by.
func (a *vastAsk) readAttributes(r *rowReader) schema.Attributes {
	var out schema.Attributes
	switch tier := schema.Tier(r.str("verification", a.Verification)); tier {
	case schema.TierVerified, schema.TierUnverified, schema.TierDeverified:
		out.Tier = tier
	}
	if hosting, given := r.whole("hosting_type", a.Hosting); given {
		out.Datacenter = ptr(hosting == 1)
	}
	if speed := r.number("bw_nvlink", a.NVLink); speed.IsSet() {
		out.NVLink = ptr(speed.Positive())
	}
	const day = 24 * 60 * 60
	if left := r.number("duration", a.Duration); left.IsSet() {
		if seconds, ok := scaled(left, 0); ok {
			out.MaxDays = ptr(seconds / day)
		}
	}
	out.ReliabilityPPM = a.readReliability(r)
	out.StorageGB = a.readStorageGB(r)
	return out
}

// readReliability returns millionths, rounded down so that no machine passes a
// bound by rounding. The two fields hold one figure; the older API had only the
// second.
func (a *vastAsk) readReliability(r *rowReader) *int64 {
	first, second := r.number("reliability", a.Reliability), r.number("reliability2", a.Reliability2)
	if !first.IsSet() {
		first = second
	}
	if ppm, ok := scaled(first, 6); ok && first.IsSet() && ppm <= millionths {
		return &ppm
	}
	return nil
}

// readStorageGB derives the disk that the price includes, so that the price
// says so itself, whatever was asked for: the market divides a month by 720.
func (a *vastAsk) readStorageGB(r *rowReader) *int64 {
	rate, okRate := scaled(r.number("storage_cost", a.StorageRate), 9)
	cost, okCost := scaled(r.number("storage_total_cost", a.Storage), 9)
	if !okRate || !okCost || rate == 0 || cost == 0 {
		return nil
	}
	return ptr((cost*720 + rate/2) / rate)
}

// excludeBroken marks the asks of machines that do not work. They are often the
// cheapest: on 2026-08-22 eight H100 that scored 15 in place of 2,000 and did
// not report a CPU stood at 1.93 per GPU (testdata/vast/broken-machine).
func excludeBroken(book []vastSlice) {
	var scores []int64
	for _, s := range book {
		if s.perf > 0 {
			scores = append(scores, s.perf)
		}
	}
	slices.Sort(scores)
	for i := range book {
		s := &book[i]
		if s.mute {
			s.offer.Excluded = "broken machine: reports no CPU cores"
		}
		if s.perf > 0 {
			if median := scores[len(scores)/2]; s.perf < median/10 {
				s.offer.Excluded = fmt.Sprintf("broken machine: dlperf %d per GPU, the model's median is %d", s.perf/millionths, median/millionths)
			}
		}
	}
}

// cheapestAsks gives each slice of a machine one price: the cheapest ask of it
// that works, and its lowest bid, each under its own term.
func cheapestAsks(list *offerList, book []vastSlice) {
	best := make(map[schema.OfferKey]int, len(book))
	var order []int
	for i, s := range book {
		j, again := best[s.offer.OfferKey]
		if !again {
			best[s.offer.OfferKey] = i
			order = append(order, i)
			continue
		}
		kept, left := j, i
		if betterAsk(s, book[j]) {
			kept, left = i, j
			order[slices.Index(order, j)] = i
		}
		best[s.offer.OfferKey] = kept
		list.reject(book[left].label(), book[left].offer.PriceText, "other_ask",
			"the same slice of the machine is also asked at "+clip(book[kept].offer.PriceText))
	}
	list.offers = make([]schema.Offer, 0, 2*len(order))
	for _, i := range order {
		list.offers = append(list.offers, book[i].offer)
		if floor, ok := book[i].floor(); ok {
			list.offers = append(list.offers, floor)
		}
	}
}

func betterAsk(a, b vastSlice) bool {
	if broken := a.offer.Excluded != ""; broken != (b.offer.Excluded != "") {
		return !broken
	}
	return a.offer.Amount.Rat().Cmp(b.offer.Amount.Rat()) < 0
}

// floor is the offer of the lowest bid that the host takes, for the whole slice
// too. It may stand above the ask, and nobody gets the machine at it: it is no
// spot price.
func (s vastSlice) floor() (schema.Offer, bool) {
	if !s.bid.Positive() {
		return schema.Offer{}, false
	}
	offer := s.offer
	offer.Term, offer.PriceText, offer.Amount = schema.TermBidFloor, s.bidAs, s.bid
	offer.Stock = schema.StockUnknown
	return offer, true
}

func ptr[T any](v T) *T { return &v }
