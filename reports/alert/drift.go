package alert

import (
	"maps"
	"slices"

	"mtok/schema"
)

const (
	driftSteps   = 3  // one way
	driftDays    = 14 // within
	driftPercent = 5  // from the last told price
)

// climb notes what one night added to a slow drift.
func (l *ladder) climb(day schema.Day, prices []schema.USD) {
	if slices.Equal(l.price, prices) {
		return
	}
	moved := steps(l.price, prices)
	if len(moved) == 0 {
		l.chain, l.told = nil, 0
		return
	}
	s := cheapest(moved)
	if n := len(l.chain); n == 0 || l.chain[n-1].to != s.from || l.chain[n-1].rise() != s.rise() {
		l.chain = nil
	}
	l.chain = append(l.chain, chained{day, s})
}

// drift returns the move that small steps sum up to, which no two nights share
// and so no rule of single moves ever sees.
func (l *ladder) drift(day schema.Day) (step, schema.Day, bool) {
	n := len(l.chain)
	if n < driftSteps || l.chain[n-1].day != day {
		return step{}, 0, false
	}
	recent := 0
	for _, c := range l.chain {
		if day-c.day < driftDays {
			recent++
		}
	}
	sum := step{l.chain[0].from, l.chain[n-1].to}
	if l.told != 0 {
		sum.from = l.told
	} else if l.seen[sum.from] < oldNights || l.held[sum.from] {
		return step{}, 0, false
	}
	if recent < driftSteps || sum.rise() != l.chain[0].rise() || !beyond(sum.from, sum.to, driftPercent) {
		return step{}, 0, false
	}
	return sum, l.chain[0].day, true
}

// drifts tells the drifts that tonight's steps made large enough. What another
// source told while the drift went on is where the rest is measured from.
func (f *family) drifts(day schema.Day) {
	for _, o := range slices.SortedFunc(maps.Keys(f.ladders), offer.compare) {
		l := f.ladders[o]
		if l.last != day {
			continue
		}
		sum, since, ok := l.drift(day)
		if !ok || !l.mayRaise(sum.rise()) {
			continue
		}
		for _, t := range f.told {
			if t.Day >= since && t.offer().alike(l.offer) && (t.GPUs == l.gpus || t.GPUs == 0 || l.gpus == 0) {
				sum.from = t.To
			}
		}
		s := &sighting{ladder: l, first: since, steps: []step{sum}, days: []schema.Day{day}}
		if _, no := f.contradicted(s, day); no || sum.rise() != l.chain[0].rise() || !beyond(sum.from, sum.to, driftPercent) {
			continue
		}
		t := &told{Event: Event{Kind: KindDrift, Day: day, Since: since}}
		t.add(s, nil)
		t.choose()
		f.told = append(f.told, t)
		if l.open != nil {
			l.open.state = settled
			l.settle()
		}
		s.end(sum.to)
	}
}
