package alert

import (
	"cmp"
	"slices"

	"mtok/schema"
)

// Composition is a change of what a source lists that is no move: a price came, or
// went, or several changed apart.
type Composition struct {
	Day      schema.Day
	Provider schema.ProviderID
	Class    schema.ClassID
	GPUs     int
	Tier     schema.Tier
	Term     schema.Term
	Source   string
	Gone     []schema.USD
	New      []schema.USD
	Lowest   schema.USD // before
}

// Cheaper reports whether a new offer lies below all that was there: "new cheaper
// offer", never a cut.
func (c Composition) Cheaper() bool { return len(c.New) > 0 && c.New[0] < c.Lowest }

func composition(o offer, day schema.Day, before, after []schema.USD) *Composition {
	c := Composition{
		Day: day, Provider: o.provider, Class: o.class, GPUs: o.gpus, Tier: o.tier, Term: o.term, Source: o.source,
		Gone: without(before, after), New: without(after, before), Lowest: before[0],
	}
	if o.class == "" || len(c.Gone)+len(c.New) == 0 {
		return nil
	}
	return &c
}

// inhibitions sorts the nights that raise nothing; each spell says so once, on its
// first night. It ends with a complete night: one that nobody ran, or that failed,
// ends nothing.
func inhibitions(nights []Night) inhibited {
	in := inhibited{nights: map[Night]bool{}}
	sorted := slices.SortedFunc(slices.Values(nights), func(a, b Night) int {
		return cmp.Or(cmp.Compare(a.Provider, b.Provider), cmp.Compare(a.Day, b.Day), cmp.Compare(a.State, b.State))
	})
	spell := schema.ProviderID("")
	for _, n := range slices.Compact(sorted) {
		if n.State == NightComplete {
			spell = ""
			continue
		}
		if spell != n.Provider {
			in.first = append(in.first, n)
		}
		spell, in.nights[n] = n.Provider, true
	}
	slices.SortStableFunc(in.first, func(a, b Night) int { return cmp.Compare(a.Day, b.Day) })
	return in
}
