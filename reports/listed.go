package reports

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"mtok/reports/cost"
	"mtok/schema"
)

// listed is a current price with what a report says of it.
type listed struct {
	Seen
	why []string // why it is in no minimum; empty when eligible
}

func (l listed) eligible() bool { return len(l.why) == 0 }

// counts reports whether the price enters the minimum of on-demand prices. A
// reservation may be eligible too, but stands in the minimum of its own term.
func (l listed) counts() bool { return l.rank() == 0 }

// stock is that of what must be rented for so many GPUs, of the offer itself for 0.
func (l listed) stock(gpus int) schema.Stock {
	return stockOn(l.Offer, cmp.Or(gpus, l.Offer.GPUCount))
}

// current are the current prices that a filter keeps, judged for a
// configuration of so many GPUs, or each for its own count where gpus is 0.
func (n Night) current(catalog *schema.Catalog, s Settings, f Filter, gpus int) []listed {
	var kept []schema.Observation
	for i := range n.Observations {
		if o := &n.Observations[i]; f.keeps(o) {
			kept = append(kept, *o)
		}
	}
	var out []listed
	for _, seen := range Current(n.AsOf, s.MaxAge, kept, n.Runs) {
		class, _ := catalog.GPU(seen.Class)
		l := listed{Seen: seen, why: s.Eligibility.Judge(seen.Observation, class, cmp.Or(gpus, seen.Offer.GPUCount))}
		switch seen.Offer.Term {
		case schema.TermSpot:
			l.why = append(l.why, "interruptible: in no minimum")
		case schema.TermBidFloor:
			l.why = append(l.why, "floor of a bid: in no minimum")
		}
		if seen.Age > 0 {
			l.why = append(l.why, fmt.Sprintf("carried %d d", seen.Age))
		}
		out = append(out, l)
	}
	return out
}

// rank puts what can be rented on demand first, then what is eligible under
// other terms, then the rest.
func (l listed) rank() int {
	switch {
	case l.eligible() && l.Offer.Term == schema.TermOnDemand:
		return 0
	case l.eligible():
		return 1
	}
	return 2
}

// sortListed orders by class (catalog order, unknown classes last), rank and
// price.
func sortListed(lines []listed, catalog *schema.Catalog) {
	order := classOrder(catalog)
	slices.SortFunc(lines, func(a, b listed) int {
		return cmp.Or(order(a.Class, b.Class), cmp.Compare(a.rank(), b.rank()),
			cost.Cheaper(&a.Observation, &b.Observation), compareIdentity(&a.Observation, &b.Observation))
	})
}

// classOrder compares classes by their place in the catalog, unknown ones last
// and by name.
func classOrder(catalog *schema.Catalog) func(a, b schema.ClassID) int {
	place := make(map[schema.ClassID]int, len(catalog.GPUs))
	for i, g := range catalog.GPUs {
		place[g.ID] = i
	}
	at := func(id schema.ClassID) int {
		if i, ok := place[id]; ok {
			return i
		}
		return len(place)
	}
	return func(a, b schema.ClassID) int {
		return cmp.Or(cmp.Compare(at(a), at(b)), cmp.Compare(a, b))
	}
}

// commitmentNote says that a price is of a reservation and for how long; empty
// for none.
func commitmentNote(o schema.Offer) string {
	var parts []string
	if o.Term == schema.TermReserved {
		parts = append(parts, "reserved")
	}
	switch c := o.Commitment; {
	case c == (schema.Commitment{}):
	case c.MinDays == c.MaxDays || c.MaxDays == 0:
		parts = append(parts, fmt.Sprintf("commitment %d d", c.MinDays))
	default:
		parts = append(parts, fmt.Sprintf("commitment %d-%d d", c.MinDays, c.MaxDays))
	}
	return strings.Join(parts, ": ")
}

// seller names the provider with its tier, and spot where it is that: the two
// are never taken for each other.
func seller(o schema.Offer) string {
	name := string(o.Provider)
	if tier := tierOf(o); tier != "" {
		name += " " + string(tier)
	}
	if o.Term == schema.TermSpot {
		name += " spot"
	}
	return name
}
