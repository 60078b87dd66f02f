package alert

import (
	"fmt"

	"mtok/schema"
)

// past remembers which prices a family listed, by class.
type past map[schema.ClassID]map[schema.USD][]seenAt

type seenAt struct {
	day  schema.Day
	tier schema.Tier
}

func (p past) note(o offer, day schema.Day, prices []schema.USD) {
	if o.class == "" {
		return
	}
	if p[o.class] == nil {
		p[o.class] = map[schema.USD][]seenAt{}
	}
	for _, price := range prices {
		p[o.class][price] = append(p[o.class][price], seenAt{day, o.tier})
	}
}

// returned finds the last day before a move on which its new price was already
// listed for that provider, class and tier, whatever the count.
func (p past) returned(s *sighting, to schema.USD) (schema.Day, bool) {
	var last schema.Day
	for _, at := range p[s.class][to] {
		if sameTier(at.tier, s.tier) && at.day < s.first && s.first-at.day <= returnNights {
			last = max(last, at.day)
		}
	}
	return last, last != 0
}

// sibling finds another form of the chip, or another tier of the class, that
// stands at the new price, or stood there when the move began: then it may be that
// price under the wrong name. In a source that names offers by keys of its own, one
// that came there with the move is no such sign: a list that moves as a whole keeps
// its equal prices.
func (p past) sibling(s *sighting, to schema.USD) (string, bool) {
	found := ""
	for class, prices := range p {
		for _, at := range prices[to] {
			if s.first-at.day > maxGap || class == s.class && sameTier(at.tier, s.tier) ||
				s.keyed && at.day >= s.first && p.cameTo(class, at.tier, to, s.first) {
				continue
			}
			name := fmt.Sprintf("%s %s", class, at.tier)
			if found == "" || name < found {
				found = name
			}
		}
	}
	return found, found != ""
}

// cameTo reports whether a tier of a class was listed just before a day, but not at a
// price.
func (p past) cameTo(class schema.ClassID, tier schema.Tier, price schema.USD, day schema.Day) bool {
	elsewhere := false
	for other, seen := range p[class] {
		for _, at := range seen {
			if at.tier != tier || at.day >= day || day-at.day > maxGap {
				continue
			}
			if other == price {
				return false
			}
			elsewhere = true
		}
	}
	return elsewhere
}
