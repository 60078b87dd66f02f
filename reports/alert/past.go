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
// price under the wrong name.
func (p past) sibling(s *sighting, to schema.USD) (string, bool) {
	found := ""
	for class, prices := range p {
		for _, at := range prices[to] {
			if s.first-at.day > maxGap || class == s.class && sameTier(at.tier, s.tier) {
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
