package reports

import (
	"mtok/reports/cost"
	"mtok/schema"
	"mtok/schema/stat"
)

// group is what counts once in a statistic: the machine at a marketplace, where
// one machine is listed in several slices, and the offer elsewhere.
type group struct {
	best *schema.Observation // its cheapest ask per GPU
	gpus int                 // its largest count
}

// prices are the groups of one statistic.
type prices struct {
	groups []group
	asOf   int64
}

// groupUp expects asks of one offer each, see countable.
func groupUp(asks []*schema.Observation) prices {
	type key struct {
		provider schema.ProviderID
		machine  string
		offer    offerID
	}
	if len(asks) == 1 { // as in most lists: one offer of a class and count
		o := asks[0]
		return prices{groups: []group{{best: o, gpus: o.Offer.GPUCount}}, asOf: max(0, o.FetchedAt.Unix())}
	}
	var out prices
	at := make(map[key]int, len(asks))
	for _, o := range asks {
		out.asOf = max(out.asOf, o.FetchedAt.Unix())
		k := key{provider: o.Offer.Provider, machine: o.Offer.GroupKey}
		if !isMarketplace(o.Offer) {
			k.offer = identify(o)
		}
		i, ok := at[k]
		if !ok {
			at[k] = len(out.groups)
			out.groups = append(out.groups, group{best: o, gpus: o.Offer.GPUCount})
			continue
		}
		g := &out.groups[i]
		g.gpus = max(g.gpus, o.Offer.GPUCount)
		if cost.Cheaper(o, g.best) < 0 {
			g.best = o
		}
	}
	return out
}

// usd lists the price of each group.
func (p prices) usd() []schema.USD {
	out := make([]schema.USD, 0, len(p.groups))
	for _, g := range p.groups {
		out = append(out, g.best.USDPerGPUHour)
	}
	return out
}

// cheapest is the lowest ask, of equal ones that with the lowest offer id.
func (p prices) cheapest() *schema.Observation {
	best := p.groups[0].best
	for _, g := range p.groups[1:] {
		if g.best.USDPerGPUHour <= best.USDPerGPUHour && cost.Cheaper(g.best, best) < 0 {
			best = g.best
		}
	}
	return best
}

func (p prices) gpus() int {
	n := 0
	for _, g := range p.groups {
		n += g.gpus
	}
	return n
}

func (p prices) fill(d *schema.DailyPrice) {
	usd := p.usd()
	d.N, d.GPUs, d.AsOf = len(p.groups), p.gpus(), p.asOf
	d.Min, d.P10, d.Median, d.Max = stat.Min(usd), stat.P10(usd), stat.Median(usd), stat.Max(usd)
	d.MinOfferID = p.cheapest().OfferID
}
