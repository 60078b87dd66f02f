package alert

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"mtok/schema"
)

const (
	// confirmDays is within how many days a second source must show the move.
	confirmDays = 7
	// standNights is on how many nights a move of one source must stand.
	standNights = 2
)

// confirmers are the other sources that show the same move, sorted. A source that
// names neither form nor tier may confirm what it could not raise.
func (f *family) confirmers(s *sighting) []string {
	var sources []string
	for _, other := range f.sightings {
		if other.source == s.source || other.state == refuted || max(other.first-s.first, s.first-other.first) > confirmDays ||
			!other.alike(s.offer) || !shares(s.steps, other.steps) {
			continue
		}
		sources = append(sources, other.source)
	}
	slices.Sort(sources)
	return slices.Compact(sources)
}

// confirmed reports whether a person has said that what the provider listed is
// right, of a night on which the move was read: a night that lists the offer no more
// says nothing of its price.
func (f *family) confirmed(s *sighting) bool {
	return f.byPerson(s) || slices.ContainsFunc(f.in.Confirmed, func(c Confirmed) bool {
		return c.Move == "" && c.Provider == s.provider && slices.Contains(s.days, c.Day)
	})
}

// byPerson reports whether a person has confirmed this very move.
func (f *family) byPerson(s *sighting) bool {
	return slices.ContainsFunc(f.in.Confirmed, func(c Confirmed) bool {
		return c.Move != "" && c.Provider == s.provider && c.Day == s.first && c.Move == s.id()
	})
}

// id is the same whenever the same move of the same source is found again.
func (s *sighting) id() string {
	m := s.cheapest()
	sum := sha256.Sum256(fmt.Appendf(nil, "%s|%s|%s|%d|%s|%s|%s|%s|%d-%d|%s|%s|%d|%d|%s",
		s.provider, s.class, s.name, s.gpus, s.sku, s.region, s.tier, s.term, s.commitment.MinDays, s.commitment.MaxDays,
		s.source, s.provenance, m.from, m.to, s.first))
	return hex.EncodeToString(sum[:6])
}

// stood is on how many nights a move stood in the source that shows it longest.
func (f *family) stood(s *sighting) int {
	nights := len(s.days)
	for _, other := range f.sightings {
		if other.state != refuted && other.alike(s.offer) && shares(s.steps, other.steps) {
			nights = max(nights, len(other.days))
		}
	}
	return nights
}

// ready reports whether a move is sure enough to be told: by a second source, by
// a person, or, where nothing speaks against it, by a second night. A unit ratio
// needs both: two readers of one page may slip on it alike, for a night.
func (f *family) ready(s *sighting, day schema.Day, others []string) bool {
	s.why = f.holds(s, day)
	for _, m := range s.steps {
		if len(s.why) > 0 {
			s.ladder.held[m.to] = true
		} else {
			delete(s.ladder.held, m.to)
		}
	}
	if f.confirmed(s) {
		return true
	}
	if len(others) > 0 {
		return unitRatio(s) == 0 || f.stood(s) >= standNights
	}
	return len(s.days) >= standNights && len(s.why) == 0
}
