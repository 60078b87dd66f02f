package history

import (
	"cmp"
	"slices"

	"mtok/schema"
)

// strand is one provider as one source saw it, day by day.
type strand struct {
	source   string
	provider schema.ProviderID
	days     []strandDay
}

// strandDay are the rows of a day, in the order of the file.
type strandDay struct {
	day  schema.Day
	rows []int
}

// like is how many rows the next day may have: as many as the last.
func (s *strand) like() int {
	if len(s.days) == 0 {
		return 0
	}
	return len(s.days[len(s.days)-1].rows)
}

// strands sorts the rows by source, provider and day.
func (g *ring) strands() []strand {
	type key struct {
		source   string
		provider schema.ProviderID
	}
	at := map[key]int{}
	var out []strand
	days := []map[schema.Day]int{} // the place of a day, by strand
	var last key
	n := -1
	for i := range g.seen {
		o, day := g.seen[i].Said, g.seen[i].Day
		if k := (key{o.Source, o.Offer.Provider}); n < 0 || k != last {
			known := false
			if n, known = at[k]; !known {
				n = len(out)
				at[k] = n
				out, days = append(out, strand{source: k.source, provider: k.provider}), append(days, map[schema.Day]int{})
			}
			last = k
		}
		s := &out[n]
		place := len(s.days) - 1
		if place < 0 || s.days[place].day != day {
			known := false
			if place, known = days[n][day]; !known {
				place = len(s.days)
				days[n][day] = place
				s.days = append(s.days, strandDay{day, make([]int, 0, s.like())})
			}
		}
		d := &s.days[place]
		d.rows = append(d.rows, i)
	}
	for _, s := range out {
		slices.SortFunc(s.days, func(a, b strandDay) int { return cmp.Compare(a.day, b.day) })
	}
	slices.SortFunc(out, func(a, b strand) int {
		return cmp.Or(cmp.Compare(a.source, b.source), cmp.Compare(a.provider, b.provider))
	})
	return out
}
