package history

import (
	"cmp"
	"maps"
	"slices"

	"mtok/pipeline/validate"
	"mtok/schema"
)

// within is for how many days a price is held against the one before.
const within = 14

// strand is one provider as one source saw it, day by day.
type strand struct {
	source   string
	provider schema.ProviderID
}

// series judges what each source says of each provider from day to day, as a night
// of our own is judged by the nights before.
func (g *ring) series() {
	days := map[strand]map[schema.Day][]int{}
	for i := range g.seen {
		o := &g.seen[i]
		s := strand{o.Source, o.Offer.Provider}
		if days[s] == nil {
			days[s] = map[schema.Day][]int{}
		}
		days[s][o.Day] = append(days[s][o.Day], i)
	}
	out := map[int]fault{}
	for _, s := range slices.SortedFunc(maps.Keys(days), func(a, b strand) int {
		return cmp.Or(cmp.Compare(a.source, b.source), cmp.Compare(a.provider, b.provider))
	}) {
		g.strand(s, days[s], out)
	}
	if len(out) == 0 {
		return
	}
	g.keep(func(i int) (rule, reason string) { return out[i].rule, out[i].reason })
}

// fault is why a row is not believed.
type fault struct{ rule, reason string }

// strand judges one provider at one source.
func (g *ring) strand(s strand, days map[schema.Day][]int, out map[int]fault) {
	order := slices.Sorted(maps.Keys(days))
	market := slices.Contains(g.format.Markets, s.provider)
	for _, day := range order {
		g.totals(days[day], market, out)
	}
	if market {
		return
	}
	g.reverted(order, days, out)
	base := validate.Baseline{Known: map[schema.OfferKey]schema.KnownOffer{}}
	for at, day := range order {
		rows := make([]int, 0, len(days[day]))
		night := validate.Night{Expect: g.Expect(s.provider), Baseline: base, ClassOf: func(o schema.Offer) schema.ClassID {
			return base.Known[o.OfferKey].Class
		}}
		for _, i := range days[day] {
			if _, refused := out[i]; refused {
				continue
			}
			o := &g.seen[i]
			if k, ok := base.Known[o.Offer.OfferKey]; ok && day-k.Day > within {
				delete(base.Known, o.Offer.OfferKey)
			}
			night.Seen = append(night.Seen, *o)
			rows = append(rows, i)
		}
		for _, b := range validate.Judge(night) {
			g.breach(b, rows, func(i int) bool {
				if b.Rule == validate.RulePlaceholder { // a small GPU that costs 0.46 may come to 0.50
					k, ok := base.Known[g.seen[i].Offer.OfferKey]
					return ok && moved(k.USDPerGPUHour, g.seen[i].USDPerGPUHour) <= believedMove
				}
				return validate.SelfConfirms(b.Rule) && g.repeats(i, order[at+1:], days)
			}, out)
		}
		for _, i := range rows {
			if _, refused := out[i]; !refused {
				o := &g.seen[i]
				base.Known[o.Offer.OfferKey] = schema.KnownOffer{Offer: o.Offer, Class: o.Class, Day: day, USDPerGPUHour: o.USDPerGPUHour}
			}
		}
	}
}

// believedMove is by how many per cent a price may move without a doubt: the largest
// true move of a list price on record is 21.
const believedMove = 40

func moved(from, to schema.USD) schema.USD { return max(to-from, from-to) * 100 / max(from, 1) }

// breach refuses the rows that broke a rule, all of the term where the rule names
// none. What only moved far is believed when the next day says the same.
func (g *ring) breach(b validate.Breach, rows []int, believed func(int) bool, out map[int]fault) {
	for _, i := range rows {
		o := &g.seen[i]
		switch {
		case len(b.Offers) > 0 && !slices.Contains(b.Offers, o.Offer.OfferKey):
			continue
		case len(b.Offers) == 0 && b.Rule == validate.RuleSpotCopy && o.Offer.Term != schema.TermSpot:
			continue
		case len(b.Offers) == 0 && b.Rule != validate.RuleSpotCopy && b.Rule != validate.RuleOneValue:
			continue
		case believed(i):
			continue
		}
		if _, refused := out[i]; !refused {
			out[i] = fault{b.Rule, b.Detail}
		}
	}
}

// repeats reports whether the next that the source says of an offer, within some
// days, is the same price.
func (g *ring) repeats(i int, later []schema.Day, days map[schema.Day][]int) bool {
	o := &g.seen[i]
	for _, day := range later {
		if day-o.Day > within {
			return false
		}
		for _, n := range days[day] {
			if next := &g.seen[n]; next.Offer.OfferKey == o.Offer.OfferKey {
				return near(next.USDPerGPUHour, o.USDPerGPUHour)
			}
		}
	}
	return false
}

// near is within 2 per cent.
func near(a, b schema.USD) bool { return max(a-b, b-a)*50 <= max(a, b) }
