package alert

import (
	"cmp"
	"slices"

	"mtok/schema"
)

// familyKey is one chip of one provider for one term. Moves are only ever held
// against others of their family: forms, tiers, counts and sources of it.
type familyKey struct {
	provider schema.ProviderID
	term     schema.Term
	chip     string
}

func (k familyKey) compare(l familyKey) int {
	return cmp.Or(cmp.Compare(k.provider, l.provider), cmp.Compare(k.term, l.term), cmp.Compare(k.chip, l.chip))
}

// family is what is known of it so far.
type family struct {
	in        *Input
	ladders   map[offer]*ladder
	sightings []*sighting
	past      past
	told      []*told
}

func (f *family) night(o offer, day schema.Day, prices []schema.USD) (*sighting, *Composition) {
	l := f.ladders[o]
	if l == nil {
		l = &ladder{offer: o}
		f.ladders[o] = l
	}
	f.past.note(o, day, prices)
	return l.night(day, prices)
}

// tell decides on all that waits.
func (f *family) tell(day schema.Day) {
	f.sightings = slices.DeleteFunc(f.sightings, func(s *sighting) bool {
		return s.state != pending && day-s.first > 2*confirmDays
	})
	var sure []*sighting
	others := map[*sighting][]string{}
	for _, s := range f.sightings {
		if s.state != pending {
			continue
		}
		if day-s.last > confirmDays {
			s.state = refuted // nobody lists it any more
			continue
		}
		others[s] = f.confirmers(s)
		switch ready := f.ready(s, day, others[s]); {
		case f.again(s, day, others[s]):
		case !s.mayRaise(s.rise()):
			if day-s.first >= returnNights && unitRatio(s) == 0 {
				s.end(0) // nobody may tell it, but it is what stands
			}
		case ready:
			sure = append(sure, s)
		}
	}
	fresh := len(f.told)
	for _, s := range sure {
		how := f.cooling(s, day)
		if f.byPerson(s) {
			how = coolTell // a person wants it told
		}
		switch how {
		case coolWait:
			s.why = append(s.why, "it follows an alert of the last days")
			continue
		case coolAbsorb:
			s.end(0)
			continue
		}
		f.join(s, day, fresh, others[s])
	}
	for _, t := range f.told[fresh:] {
		t.choose()
		f.count(t, day)
		for _, s := range t.members {
			s.end(s.cheapest().to)
		}
	}
	for _, s := range f.sightings { // what could confirm alone is now told too
		if s.state == pending && len(others[s]) > 0 {
			f.again(s, day, others[s])
		}
	}
	f.drifts(day)
}

// count gives an event whose sources say no count the smallest one at which another
// lists the new price tonight.
func (f *family) count(t *told, day schema.Day) {
	if t.GPUs != 0 {
		return
	}
	for _, l := range f.ladders {
		if l.last == day && l.gpus != 0 && l.alike(t.offer()) && listed(l.price, t.To) && (t.GPUs == 0 || l.gpus < t.GPUs) {
			t.GPUs = l.gpus
		}
	}
}

// again reports whether a sighting says again what was told. Once it stands, it is
// a confirmation.
func (f *family) again(s *sighting, day schema.Day, others []string) bool {
	for _, t := range f.told {
		if !t.covers(s, day) {
			continue
		}
		if len(s.days) >= standNights || len(others) > 0 {
			if t.Rise() == s.rise() {
				t.confirm(s.source)
			}
			s.end(s.cheapest().to)
		}
		return true
	}
	return false
}

// join puts a sure move into tonight's event of the same list, or makes one.
func (f *family) join(s *sighting, day schema.Day, fresh int, others []string) {
	for _, t := range f.told[fresh:] {
		if slices.ContainsFunc(t.members, func(m *sighting) bool { return together(m, s) }) {
			t.add(s, others)
			return
		}
	}
	t := &told{Event: Event{Kind: KindMove, Day: day, Since: s.first}}
	t.add(s, others)
	t.choose()
	f.told = append(f.told, t)
}

// together reports whether two sure moves of one night are one: the same new price,
// whatever each source had before it, or two counts of one list by one ratio.
func together(a, b *sighting) bool {
	if !a.alike(b.offer) || a.rise() != b.rise() {
		return false
	}
	counts := a.gpus != b.gpus && a.gpus != 0 && b.gpus != 0 && a.tier == b.tier
	return leads(a.steps, b.steps) || counts && sameRatio(a.cheapest(), b.cheapest())
}

// end closes a sighting; price is the last told one, 0 where nothing was told.
func (s *sighting) end(price schema.USD) {
	s.state = settled
	for _, m := range s.steps {
		delete(s.ladder.held, m.to)
	}
	if price != 0 {
		s.ladder.told, s.ladder.chain = price, nil
	}
	if s.ladder.open == s {
		s.ladder.settle()
	}
}

// waiting lists what is held at the end.
func (f *family) waiting(today schema.Day) []Held {
	var held []Held
	for _, s := range f.sightings {
		if s.state != pending || !s.mayRaise(s.rise()) || today-s.last > maxGap {
			continue
		}
		m := s.cheapest()
		held = append(held, Held{
			ID: s.id(), Since: s.first, Provider: s.provider, Class: s.class, GPUs: s.gpus, Tier: s.tier, Term: s.term,
			From: m.from, To: m.to, Nights: len(s.days), Source: s.source, Why: s.why, Confirmers: f.confirmers(s),
		})
	}
	return held
}
