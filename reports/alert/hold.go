package alert

import (
	"fmt"
	"slices"

	"mtok/schema"
)

const (
	// ratioPermille is how near to a ratio of units a move is held.
	ratioPermille = 10
	// returnNights is how long a price is remembered that a move may return to.
	returnNights = 14
)

// basisChanges takes out of a night's new sightings those that are a change of
// unit: the same unit ratio one way on two chips of a provider. They are never
// told; what follows is measured against the new unit.
func basisChanges(fresh []*sighting) []*sighting {
	type change struct {
		provider schema.ProviderID
		ratio    int64
		rise     bool
	}
	chips := map[change][]string{}
	of := func(s *sighting) change { return change{s.provider, unitRatio(s), s.rise()} }
	for _, s := range fresh {
		if c := of(s); c.ratio != 0 && !slices.Contains(chips[c], s.chip()) {
			chips[c] = append(chips[c], s.chip())
		}
	}
	return slices.DeleteFunc(fresh, func(s *sighting) bool {
		if len(chips[of(s)]) < 2 {
			return false
		}
		s.state = settled
		s.settle()
		return true
	})
}

// unitRatio is the ratio of units of any step of a move, 0 for none.
func unitRatio(s *sighting) int64 {
	for _, m := range s.steps {
		if ratio := schema.UnitRatio(m.from, m.to, ratioPermille); ratio != 0 {
			return ratio
		}
	}
	return 0
}

// holds lists the reasons why a move waits for a second source, however long it
// stands in one.
func (f *family) holds(s *sighting, day schema.Day) []string {
	var why []string
	if ratio := unitRatio(s); ratio != 0 {
		why = append(why, fmt.Sprintf("a unit ratio of %d", ratio))
	}
	if s.shaky {
		why = append(why, "the price before it was held")
	}
	for _, m := range s.steps {
		if was, ok := f.past.returned(s, m.to); ok {
			why = append(why, fmt.Sprintf("a return to %s of %s", m.to, was))
		}
		if other, ok := f.past.sibling(s, m.to); ok {
			why = append(why, fmt.Sprintf("%s is the price of %s", m.to, other))
		}
	}
	if source, ok := f.contradicted(s, day); ok {
		why = append(why, fmt.Sprintf("%s still lists the old price", source))
	}
	return why
}

// contradicted finds another primary source that lists the old price of a drop
// tonight, or the price last told, which the source of the drop may have missed,
// and not the new one.
func (f *family) contradicted(s *sighting, day schema.Day) (string, bool) {
	if s.rise() {
		return "", false
	}
	m := s.cheapest()
	old := []schema.USD{m.from}
	for _, t := range f.told {
		if t.Since >= s.first-returnNights && t.To > m.to && t.offer().alike(s.offer) {
			old = append(old, t.To)
		}
	}
	source := ""
	for _, l := range f.ladders {
		if l.source == s.source || l.provenance != Primary || l.last != day || l.class == "" || !l.alike(s.offer) ||
			l.gpus != s.gpus && l.gpus != 0 && s.gpus != 0 {
			continue
		}
		if slices.ContainsFunc(old, func(o schema.USD) bool { return listed(l.price, o) }) && !listed(l.price, m.to) &&
			(source == "" || l.source < source) {
			source = l.source
		}
	}
	return source, source != ""
}

func listed(prices []schema.USD, price schema.USD) bool {
	return slices.ContainsFunc(prices, func(p schema.USD) bool { return same(p, price) })
}
