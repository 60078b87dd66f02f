package reports

import (
	"cmp"
	"slices"

	"mtok/reports/cost"
	"mtok/schema"
)

// State is how current an offer's last price is.
type State string

// The states. Only a fresh price enters a minimum, a median or an alert; a
// carried one is shown and flagged; the others are not shown.
const (
	StateFresh   State = "fresh"   // seen by a run of the day
	StateCarried State = "carried" // 1 to max_age days old, and nobody said that it is gone
	StateGone    State = "gone"    // absent from a later complete run of its provider
	StateGap     State = "gap"     // older than max_age
)

// Freshness judges an offer last seen on a day. laterComplete says whether its
// provider had a complete run after that day, up to asOf.
func Freshness(asOf, last schema.Day, maxAge int, laterComplete bool) State {
	switch age := asOf - last; {
	case age == 0:
		return StateFresh
	case laterComplete:
		return StateGone
	case age < 0 || age > schema.Day(maxAge):
		return StateGap
	}
	return StateCarried
}

// Seen is an offer's newest price, fresh or carried.
type Seen struct {
	schema.Observation
	Age int // days, 0 when fresh
}

// Current returns the newest price of each offer that is fresh or carried on a
// day, in the order of identity. Quarantined, excluded and imported prices are
// not current.
func Current(asOf schema.Day, maxAge int, observations []schema.Observation, runs []schema.ProviderRun) []Seen {
	complete := lastComplete(asOf, runs)
	newest := map[offerID][]*schema.Observation{} // of its newest day
	for i := range observations {
		o := &observations[i]
		if !published(o) || o.Origin == schema.OriginImport || o.Day > asOf {
			continue
		}
		id := identify(o)
		same := newest[id]
		if len(same) > 0 && o.Day < same[0].Day {
			continue
		}
		if len(same) > 0 && o.Day > same[0].Day {
			same = same[:0]
		}
		newest[id] = append(same, o)
	}
	var current []*schema.Observation
	for _, same := range newest {
		day := same[0].Day
		done, ran := complete[same[0].Offer.Provider]
		switch Freshness(asOf, day, maxAge, ran && done > day) {
		case StateFresh, StateCarried:
			current = append(current, fold(same))
		}
	}
	slices.SortFunc(current, compareIdentity)
	out := make([]Seen, len(current))
	for i, o := range current {
		out[i] = Seen{Observation: *o, Age: int(asOf - o.Day)}
	}
	return out
}

// lastComplete is the newest day of a complete run of each provider.
func lastComplete(asOf schema.Day, runs []schema.ProviderRun) map[schema.ProviderID]schema.Day {
	out := map[schema.ProviderID]schema.Day{}
	for _, r := range runs {
		if r.Status != schema.StatusComplete || r.Day > asOf {
			continue
		}
		if d, ok := out[r.Provider]; !ok || r.Day > d {
			out[r.Provider] = r.Day
		}
	}
	return out
}

// published reports whether a price may be shown as a price.
func published(o *schema.Observation) bool {
	return o.Quarantine == 0 && exclusion(o) == "" && o.USDPerGPUHour > 0
}

// exclusion is why a price is kept but never counts; empty for most.
func exclusion(o *schema.Observation) string {
	reason := cmp.Or(o.Excluded, o.Offer.Excluded)
	if reason == "" && o.Offer.Basis == schema.BasisGPUComponent {
		return "the GPU alone, without its server"
	}
	return reason
}

// offerID is an offer's identity: the store's, else its key.
type offerID struct {
	id  int64
	key schema.OfferKey
}

func identify(o *schema.Observation) offerID {
	if o.OfferID != 0 {
		return offerID{id: o.OfferID}
	}
	return offerID{key: o.Offer.OfferKey}
}

// fold makes one price of an offer that several sources of its provider list on
// one day: the newest slot and there the first fetch, with the stock of
// whichever source knows it.
func fold(seen []*schema.Observation) *schema.Observation {
	if len(seen) == 1 {
		return seen[0]
	}
	ordered := slices.SortedFunc(slices.Values(seen), func(a, b *schema.Observation) int {
		return cmp.Or(cmp.Compare(b.Slot, a.Slot), cmp.Compare(a.FetchID, b.FetchID),
			cmp.Compare(a.Source, b.Source), cost.Cheaper(a, b))
	})
	first := *ordered[0]
	for _, o := range ordered {
		if o.Slot != first.Slot {
			continue
		}
		if first.Offer.Stock == schema.StockUnknown {
			first.Offer.Stock = o.Offer.Stock
		}
		if len(first.Offer.StockPoints) == 0 {
			first.Offer.StockPoints = o.Offer.StockPoints
		}
	}
	return &first
}

func compareIdentity(a, b *schema.Observation) int {
	x, y := &a.Offer, &b.Offer
	// cmp.Or makes every comparison each time, and the machines of a market differ
	// in their names.
	if order := cmp.Or(cmp.Compare(x.Provider, y.Provider), cmp.Compare(x.SKU, y.SKU)); order != 0 {
		return order
	}
	return cmp.Or(
		cmp.Compare(x.GPUCount, y.GPUCount), cmp.Compare(x.Region, y.Region),
		cmp.Compare(x.Term, y.Term), compareCommitment(x.Commitment, y.Commitment),
		cmp.Compare(tierOf(*x), tierOf(*y)), cmp.Compare(a.OfferID, b.OfferID),
		cmp.Compare(a.Origin, b.Origin),
	)
}

func compareCommitment(a, b schema.Commitment) int {
	return cmp.Or(cmp.Compare(a.MinDays, b.MinDays), cmp.Compare(a.MaxDays, b.MaxDays))
}
