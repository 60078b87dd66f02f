package alert

import (
	"cmp"
	"maps"
	"slices"

	"mtok/schema"
)

// Input is all that moves are found in. The order of its parts means nothing, and
// a reading that stands there twice counts once.
type Input struct {
	Readings  []Reading
	Nights    []Night // a complete one ends the spell of those that are not
	Confirmed []Confirmed
	// Bands gives the believable prices of a class; a price outside is no value.
	Bands map[schema.ClassID]schema.Band
	// Cooldown is for how many days after an event of a provider, class, term and
	// tier small further steps and returns are not told.
	Cooldown int
}

// Result is what the nights told, each in the order of days.
type Result struct {
	Events       []Event
	Held         []Held        // what waits at the end
	Compositions []Composition // changes of what is offered, never told as moves
	Inhibited    []Night       // the first night of each spell without moves
}

// Held is a move that is not told yet, with the reasons.
type Held struct {
	ID         string // the same as long as the same move waits
	Since      schema.Day
	Provider   schema.ProviderID
	Class      schema.ClassID
	GPUs       int
	Tier       schema.Tier
	Term       schema.Term
	From, To   schema.USD
	Nights     int
	Source     string
	Why        []string
	Confirmers []string
}

// Moves finds the moves of list prices, night by night.
func Moves(in Input) Result {
	e := engine{in: in, families: map[familyKey]*family{}}
	byDay := map[schema.Day]map[offer][]schema.USD{}
	for _, r := range in.Readings {
		if !e.value(r) {
			continue
		}
		if byDay[r.Day] == nil {
			byDay[r.Day] = map[offer][]schema.USD{}
		}
		byDay[r.Day][r.offer()] = append(byDay[r.Day][r.offer()], r.Price)
	}
	spoken := inhibitions(in.Nights)
	e.result.Inhibited = spoken.first
	for _, day := range slices.Sorted(maps.Keys(byDay)) {
		e.night(day, byDay[day], spoken)
	}
	return e.finish()
}

type engine struct {
	in       Input
	families map[familyKey]*family
	order    []familyKey // of families, sorted
	today    schema.Day
	result   Result
}

// value reports whether a reading is a price of a list at all.
func (e *engine) value(r Reading) bool { return e.in.unlisted(r) == "" }

// night takes the prices of one day, offer by offer, and then decides.
func (e *engine) night(day schema.Day, seen map[offer][]schema.USD, nights inhibited) {
	e.today = day
	var fresh []*sighting
	for _, o := range slices.SortedFunc(maps.Keys(seen), offer.compare) {
		if nights.silent(o.provider, day) {
			continue
		}
		s, c := e.family(o).night(o, day, slices.Compact(slices.Sorted(slices.Values(seen[o]))))
		if s != nil {
			fresh = append(fresh, s)
		}
		if c != nil {
			e.result.Compositions = append(e.result.Compositions, *c)
		}
	}
	for _, s := range basisChanges(fresh) {
		f := e.family(s.offer)
		f.sightings = append(f.sightings, s)
	}
	for _, key := range e.order {
		e.families[key].tell(day)
	}
}

func (e *engine) family(o offer) *family {
	key := familyKey{o.provider, o.term, o.chip()}
	f := e.families[key]
	if f == nil {
		f = &family{in: &e.in, ladders: map[offer]*ladder{}, past: past{}}
		e.families[key] = f
		i, _ := slices.BinarySearchFunc(e.order, key, familyKey.compare)
		e.order = slices.Insert(e.order, i, key)
	}
	return f
}

// finish gathers what the families told, in the order of days.
func (e *engine) finish() Result {
	for _, key := range e.order {
		f := e.families[key]
		for _, t := range f.told {
			e.result.Events = append(e.result.Events, t.Event)
		}
		e.result.Held = append(e.result.Held, f.waiting(e.today)...)
	}
	slices.SortStableFunc(e.result.Events, func(a, b Event) int { return cmp.Compare(a.Day, b.Day) })
	return e.result
}
