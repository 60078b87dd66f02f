package history

import (
	"maps"
	"runtime"
	"slices"
	"sync"

	"mtok/pipeline/validate"
	"mtok/schema"
)

// within is for how many days a price is held against the one before.
const within = 14

// series judges what each source says of each provider from day to day, as a night
// of our own is judged by the nights before. No strand knows of another one.
func (g *ring) series(strands []strand) {
	faults := make([]map[int]fault, len(strands))
	var all sync.WaitGroup
	free := make(chan struct{}, runtime.GOMAXPROCS(0))
	for n := range strands {
		free <- struct{}{}
		all.Go(func() {
			faults[n] = map[int]fault{}
			g.strand(strands[n], faults[n])
			<-free
		})
	}
	all.Wait()
	out := map[int]fault{}
	for _, f := range faults {
		maps.Copy(out, f)
	}
	if len(out) == 0 {
		return
	}
	g.keep(func(i int) (rule, reason string) { return out[i].rule, out[i].reason })
}

// fault is why a row is not believed.
type fault struct{ rule, reason string }

// strand judges one provider at one source.
func (g *ring) strand(s strand, out map[int]fault) {
	market := slices.Contains(g.format.Markets, s.provider)
	for _, d := range s.days {
		g.totals(d.rows, market, out)
	}
	if market {
		return
	}
	g.reverted(s.days, out)
	base := validate.Baseline{Known: map[schema.OfferKey]schema.KnownOffer{}}
	classOf := func(o schema.Offer) schema.ClassID { return base.Known[o.OfferKey].Class }
	expect := g.Expect(s.provider)
	var last quietDay
	for at, d := range s.days {
		rows := unrefused(d.rows, out)
		if g.same(last, d.day, rows) {
			last.day = d.day
			continue
		}
		g.know(base, last.rows, last.day) // what was said again since
		night := validate.Night{Expect: expect, Baseline: base, ClassOf: classOf, Seen: make([]schema.Observation, 0, len(rows))}
		for _, i := range rows {
			key := g.seen[i].Said.Offer.OfferKey
			if k, ok := base.Known[key]; ok && d.day-k.Day > within {
				delete(base.Known, key)
			}
			night.Seen = append(night.Seen, g.seen[i].Observation())
		}
		breaches := validate.Judge(night)
		for _, b := range breaches {
			g.breach(b, rows, func(i int) bool {
				if b.Rule == validate.RulePlaceholder { // a small GPU that costs 0.46 may come to 0.50
					k, ok := base.Known[g.seen[i].Said.Offer.OfferKey]
					return ok && moved(k.USDPerGPUHour, g.seen[i].Said.USDPerGPUHour) <= believedMove
				}
				return validate.SelfConfirms(b.Rule) && g.repeats(i, s.days[at+1:])
			}, out)
		}
		g.know(base, unrefused(rows, out), d.day)
		last = quietDay{}
		if len(breaches) == 0 {
			last = quietDay{d.day, rows}
		}
	}
}

// unrefused are the rows that no fault was found with.
func unrefused(rows []int, faults map[int]fault) []int {
	if len(faults) == 0 {
		return rows
	}
	kept := make([]int, 0, len(rows))
	for _, i := range rows {
		if _, refused := faults[i]; !refused {
			kept = append(kept, i)
		}
	}
	return kept
}

// quietDay is a day of which no rule said anything, and the last one on which its
// rows stood.
type quietDay struct {
	day  schema.Day
	rows []int
}

// same reports whether a day repeats one that broke no rule, row by row: then it
// breaks none either, since what it says is known by now.
func (g *ring) same(last quietDay, day schema.Day, rows []int) bool {
	if len(rows) == 0 || len(rows) != len(last.rows) || day-last.day > within {
		return false
	}
	for n, i := range rows {
		a, b := g.seen[last.rows[n]].Said, g.seen[i].Said
		if a == b {
			continue
		}
		if a.USDPerGPUHour != b.USDPerGPUHour || a.Class != b.Class || a.Offer.PriceText != b.Offer.PriceText ||
			a.Offer.Unit != b.Offer.Unit || a.Offer.OfferKey != b.Offer.OfferKey || a.Offer.GPURaw != b.Offer.GPURaw {
			return false
		}
	}
	return true
}

// know makes rows the newest that is known of their offers.
func (g *ring) know(base validate.Baseline, rows []int, day schema.Day) {
	for _, i := range rows {
		o := g.seen[i].Said
		base.Known[o.Offer.OfferKey] = schema.KnownOffer{Offer: o.Offer, Class: o.Class, Day: day, USDPerGPUHour: o.USDPerGPUHour}
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
		o := g.seen[i].Said
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
func (g *ring) repeats(i int, later []strandDay) bool {
	o := g.seen[i].Said
	for _, d := range later {
		if d.day-g.seen[i].Day > within {
			return false
		}
		for _, n := range d.rows {
			if next := g.seen[n].Said; next.Offer.OfferKey == o.Offer.OfferKey {
				return near(next.USDPerGPUHour, o.USDPerGPUHour)
			}
		}
	}
	return false
}

// near is within 2 per cent.
func near(a, b schema.USD) bool { return max(a-b, b-a)*50 <= max(a, b) }
