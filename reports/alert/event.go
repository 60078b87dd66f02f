package alert

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/big"
	"slices"

	"mtok/schema"
)

// Kind says what an Event tells.
type Kind string

// The kinds.
const (
	KindMove   Kind = "move"   // a list price moved
	KindDrift  Kind = "drift"  // small steps summed up
	KindMarket Kind = "market" // the middle of a marketplace moved
)

// Event is one move that is told, once.
type Event struct {
	Kind       Kind
	Day        schema.Day // told
	Since      schema.Day // first seen
	Provider   schema.ProviderID
	Class      schema.ClassID
	GPUs       int // 0 where no source says
	Tier       schema.Tier
	Term       schema.Term
	Commitment schema.Commitment
	From, To   schema.USD // per GPU-hour
	Sources    []string   // that show it, those of later nights included
	// Also are the other prices of the same list that moved with it.
	Also []Also
}

// Also is a further price that moved with an Event.
type Also struct {
	GPUs     int
	Tier     schema.Tier
	From, To schema.USD
}

func (a Also) size() schema.USD { return max(a.From-a.To, a.To-a.From) }

// Rise reports the direction.
func (e Event) Rise() bool { return e.To > e.From }

// Percent is the move in per cent of the old price, signed, with two decimals.
func (e Event) Percent() string { return percent(e.From, e.To) }

func percent(from, to schema.USD) string {
	return new(big.Rat).Mul(big.NewRat(int64(to-from), int64(from)), big.NewRat(100, 1)).FloatString(2)
}

// ID is the same whenever the same move is derived again.
func (e Event) ID() string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s|%s|%s|%s|%d-%d|%s|%d|%d|%s",
		e.Kind, e.Provider, e.Class, e.Term, e.Commitment.MinDays, e.Commitment.MaxDays, e.Tier, e.From, e.To, e.Since))
	return hex.EncodeToString(sum[:6])
}

// eventDays is within how many days the same new price is the same event.
const eventDays = 30

// told is an Event with what later sightings are held against.
type told struct {
	Event
	members []*sighting
}

func (t *told) offer() offer {
	return offer{provider: t.Provider, class: t.Class, tier: t.Tier, term: t.Term, commitment: t.Commitment}
}

// covers reports whether a sighting only says again what was told: the same new
// price within eventDays, or another count of the same list that moved by the
// same ratio within confirmDays.
func (t *told) covers(s *sighting, day schema.Day) bool {
	if !t.offer().alike(s.offer) || day-t.Day > eventDays {
		return false
	}
	for _, m := range s.steps {
		if same(m.to, t.To) || slices.ContainsFunc(t.Also, func(a Also) bool { return same(m.to, a.To) }) {
			return true
		}
	}
	return t.sameList(s)
}

// sameList reports whether a sighting is the same list at another count.
func (t *told) sameList(s *sighting) bool {
	m := s.cheapest()
	return t.Kind == KindMove && m.rise() == t.Rise() && s.gpus != t.GPUs && s.gpus != 0 && t.GPUs != 0 &&
		s.tier == t.Tier && s.first-t.Since <= confirmDays && t.Since-s.first <= confirmDays &&
		sameRatio(m, step{t.From, t.To})
}

// add takes a sighting into the event; choose says what stands for it: the lowest
// new price, of those the one that moved least, since a source that lags behind
// comes from an older price, then a count and a tier that are named, the smallest
// first.
func (t *told) add(s *sighting, others []string) {
	t.members = append(t.members, s)
	t.confirm(s.source)
	t.confirm(others...)
	t.Since = min(t.Since, s.first)
}

func (t *told) confirm(sources ...string) {
	t.Sources = append(t.Sources, sources...)
	slices.Sort(t.Sources)
	t.Sources = slices.Compact(t.Sources)
}

// choose fills the event from its members.
func (t *told) choose() {
	var all []Also
	var lead offer
	for i, s := range t.members {
		for _, m := range s.steps {
			a := Also{s.gpus, s.tier, m.from, m.to}
			if !slices.Contains(all, a) {
				all = append(all, a)
			}
		}
		if i == 0 {
			lead = s.offer
		}
	}
	slices.SortFunc(all, func(a, b Also) int {
		return cmp.Or(cmp.Compare(a.To, b.To), cmp.Compare(a.size(), b.size()), unnamedLast(a.GPUs == 0, b.GPUs == 0),
			cmp.Compare(a.GPUs, b.GPUs), unnamedLast(a.Tier == "", b.Tier == ""), cmp.Compare(a.Tier, b.Tier))
	})
	t.Provider, t.Class, t.Term, t.Commitment = lead.provider, lead.class, lead.term, lead.commitment
	t.GPUs, t.Tier, t.From, t.To, t.Also = all[0].GPUs, all[0].Tier, all[0].From, all[0].To, nil
	for _, a := range all[1:] {
		if t.Tier == "" && a.From == t.From && a.To == t.To {
			t.Tier = a.Tier
		}
		if a.From != t.From || a.To != t.To {
			t.Also = append(t.Also, a)
		}
	}
}

func unnamedLast(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}
