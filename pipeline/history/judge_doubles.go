package history

import (
	"fmt"
	"slices"

	"mtok/pipeline/validate"
	"mtok/schema"
)

// doubles leaves of the rows of one offer, day and source one, where they have one
// price; where they have several, none: somebody put two things under one name. Of a
// market the cheapest stays: it could be had.
func (g *ring) doubles(strands []strand) []strand {
	first := map[int32]int{} // of a day, by offer
	again := map[int]int{}   // how often the row stands, by its first
	differs := map[int]bool{}
	at := map[int]int{}       // the first of one that stands again
	cheapest := map[int]int{} // by the first
	for _, s := range strands {
		for _, d := range s.days {
			clear(first)
			for _, i := range d.rows {
				o := g.seen[i].Said
				f, met := first[g.offers[i]]
				if !met {
					first[g.offers[i]] = i
					continue
				}
				at[i] = f
				again[f]++
				if o.USDPerGPUHour != g.seen[f].Said.USDPerGPUHour {
					differs[f] = true
				}
				if best, ok := cheapest[f]; !ok && o.USDPerGPUHour < g.seen[f].Said.USDPerGPUHour || ok && o.USDPerGPUHour < g.seen[best].Said.USDPerGPUHour {
					cheapest[f] = i
				}
			}
		}
	}
	if len(at) == 0 {
		return strands
	}
	g.keep(func(i int) (rule, reason string) {
		f, met := at[i]
		if !met {
			f = i
		}
		best, other := cheapest[f]
		if !other {
			best = f
		}
		switch {
		case differs[f] && slices.Contains(g.format.Markets, g.seen[i].Said.Offer.Provider):
			if i != best {
				return schema.RuleDuplicate, fmt.Sprintf("one of %d asks under one name, not the cheapest", again[f]+1)
			}
		case differs[f]:
			return validate.RuleContradiction, fmt.Sprintf("listed %d times at different prices", again[f]+1)
		case f != i:
			return schema.RuleDuplicate, "the same price again"
		}
		return "", ""
	})
	return g.strands()
}

// keep leaves the rows that nothing is said against.
func (g *ring) keep(judge func(i int) (rule, reason string)) {
	n := 0
	for i := range g.seen {
		rule, reason := judge(i)
		if rule != "" {
			o := g.seen[i].Said
			row := Row{Line: g.lines[i], Day: g.seen[i].Day, Listing: &Listing{Source: o.Source, Offer: o.Offer}}
			g.reject(&row, rule, reason)
			continue
		}
		g.seen[n], g.lines[n], g.offers[n] = g.seen[i], g.lines[i], g.offers[i]
		n++
	}
	g.seen, g.lines, g.offers = g.seen[:n], g.lines[:n], g.offers[:n]
}
