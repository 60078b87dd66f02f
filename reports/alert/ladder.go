package alert

import (
	"cmp"
	"slices"

	"mtok/schema"
)

const (
	// maxGap is how many days may lie between two consecutive nights of an offer.
	maxGap = 4
	// oldNights is on how many nights the price before a move was read.
	oldNights = 2
)

// ladder is what one source said of one offer night after night. Several prices
// of a night are rungs: tiers or regions that the source does not tell apart.
type ladder struct {
	offer
	last  schema.Day
	price []schema.USD // of the last night, sorted
	base  []schema.USD // what a move is measured against: never a held price
	seen  map[schema.USD]int
	held  map[schema.USD]bool
	open  *sighting // the move that waits
	// chain are the steps one way since the last turn, for drift.
	chain []chained
	told  schema.USD // the last told price, 0 for none
	// shaky says that a doubtful price stood here since the base was read, so that
	// it is not sure any more what a move is to be measured against.
	shaky bool
}

type chained struct {
	day schema.Day
	step
}

// reset begins anew after a gap. On how many nights a price was read is
// remembered over a shorter one.
func (l *ladder) reset(day schema.Day, prices []schema.USD) {
	if l.open != nil {
		l.open.state = refuted
	}
	if l.seen == nil || day-l.last > returnNights {
		l.seen, l.held = map[schema.USD]int{}, map[schema.USD]bool{}
	}
	l.base, l.open, l.chain, l.told, l.shaky = prices, nil, nil, 0, false
	l.read(day, prices)
}

func (l *ladder) read(day schema.Day, prices []schema.USD) {
	l.last, l.price = day, prices
	for _, p := range prices {
		l.seen[p]++
	}
}

// night takes the prices of a night and returns the move that begins with it, nil
// where there is none, and what changed where that is no move.
func (l *ladder) night(day schema.Day, prices []schema.USD) (*sighting, *Composition) {
	if l.seen == nil || day-l.last > maxGap {
		l.reset(day, prices)
		return nil, nil
	}
	l.climb(day, prices)
	before := l.price
	l.read(day, prices)
	if l.open != nil {
		if l.open.stands(prices) {
			l.open.days = append(l.open.days, day)
			return nil, nil
		}
		l.shaky = l.shaky || len(l.open.days) >= oldNights && l.open.doubtful()
		l.open.state, l.open = refuted, nil
	}
	if slices.Equal(prices, l.base) {
		l.shaky = false
		return nil, nil
	}
	moved := steps(l.base, prices)
	if len(moved) == 0 {
		l.base, l.shaky = prices, false
		return nil, composition(l.offer, day, before, prices)
	}
	if slices.ContainsFunc(moved, func(s step) bool { return l.seen[s.from] < oldNights || l.held[s.from] }) {
		l.base = prices // the old price was hardly read: nothing to move from
		return nil, nil
	}
	l.open = &sighting{ladder: l, first: day, steps: moved, days: []schema.Day{day}, state: pending}
	return l.open, nil
}

// settle makes tonight's prices what the next move is measured against.
func (l *ladder) settle() {
	l.base, l.open, l.shaky = l.price, nil, false
}

// sighting is a move as one source shows it.
type sighting struct {
	*ladder
	first schema.Day
	steps []step
	days  []schema.Day // on which it was read
	state sightingState
	why   []string // why it waits
}

type sightingState uint8

const (
	pending sightingState = iota // waits for a second night or source
	refuted                      // did not stand
	settled                      // told, or known not to be told
)

// stands reports whether a move is still there: every new price is listed and no
// old one.
func (s *sighting) stands(prices []schema.USD) bool {
	for _, m := range s.steps {
		if !slices.Contains(prices, m.to) {
			return false
		}
		back := slices.Contains(prices, m.from)
		if back && !slices.ContainsFunc(s.steps, func(o step) bool { return o.to == m.from }) {
			return false
		}
	}
	return true
}

// doubtful reports whether the move is held because the price itself may be
// misread. A provider's own return to an old price is not: whatever follows, the
// last trusted price is what users know.
func (s *sighting) doubtful() bool {
	return unitRatio(s) != 0 || len(s.why) > 0 && s.provenance != Primary
}

// cheapest is the step that stands for the whole: the one to the lowest price.
func (s *sighting) cheapest() step { return cheapest(s.steps) }

func cheapest(moved []step) step {
	return slices.MinFunc(moved, func(a, b step) int { return cmp.Compare(a.to, b.to) })
}

func (s *sighting) rise() bool { return s.steps[0].rise() }
