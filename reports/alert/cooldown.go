package alert

import "mtok/schema"

// cool is what a cooldown does with a move that is sure.
type cool uint8

const (
	coolTell   cool = iota
	coolWait        // told when the cooldown is over, should it still stand
	coolAbsorb      // part of what was told
)

// cooling holds a move against the last event of its provider, class, term and
// tier. A new lower price tells again at once, and so does a rise that goes
// driftPercent beyond the one told; a smaller rise is part of it. A return to a
// price of the last nights is flapping until the cooldown is over.
func (f *family) cooling(s *sighting, day schema.Day) cool {
	var last *told
	for _, t := range f.told {
		if t.Day < day && t.offer().alike(s.offer) && int(day-t.Day) < f.in.Cooldown {
			last = t
		}
	}
	if last == nil {
		return coolTell
	}
	m := s.cheapest()
	_, back := f.past.returned(s, m.to)
	switch {
	case back:
		return coolWait
	case m.rise() && last.Rise() && !(m.to > last.To && beyond(last.To, m.to, driftPercent)):
		return coolAbsorb
	}
	return coolTell
}

// inhibited says which nights of a provider raise nothing.
type inhibited struct {
	nights map[Night]bool
	first  []Night
}

func (i inhibited) silent(p schema.ProviderID, day schema.Day) bool {
	return i.nights[Night{day, p, NightPartial}] || i.nights[Night{day, p, NightQuarantined}]
}
