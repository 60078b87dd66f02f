package alert

import (
	"cmp"
	"maps"
	"slices"

	"mtok/schema"
)

// Passed is how many readings no rule judges, for one reason.
type Passed struct {
	Readings int
	Why      string
}

// PassedOver counts the readings that no rule about moves judges, by the reason, the
// most frequent first.
func PassedOver(in Input) []Passed {
	count := map[string]int{}
	for _, r := range in.Readings {
		why := in.unlisted(r)
		if r.Market {
			why = in.unasked(r)
		}
		if why != "" {
			count[why]++
		}
	}
	var out []Passed
	for why, n := range maps.All(count) {
		out = append(out, Passed{n, why})
	}
	slices.SortFunc(out, func(a, b Passed) int { return cmp.Or(cmp.Compare(b.Readings, a.Readings), cmp.Compare(a.Why, b.Why)) })
	return out
}

// unlisted is why a reading is no price of a list, empty where it is one.
func (in *Input) unlisted(r Reading) string {
	switch {
	case r.Market:
		return "an ask of a market"
	case r.Term == schema.TermSpot, r.Term == schema.TermBidFloor:
		return "spot prices and bid floors are no list"
	}
	return cmp.Or(unvalued(r), in.unpriced(r))
}

// unasked is why a reading is no ask of a market that counts.
func (in *Input) unasked(r Reading) string {
	switch {
	case r.Term == schema.TermBidFloor:
		return "a bid floor is no ask"
	case r.Provenance == Aggregator:
		return "of a market only what the provider itself says counts"
	case r.Class == "":
		return "gpu_class and form name no class of a market"
	}
	return cmp.Or(unvalued(r), in.unpriced(r))
}

// unvalued is why a reading is no price of its day.
func unvalued(r Reading) string {
	switch {
	case r.Carried:
		return "carried from an earlier day"
	case r.Held:
		return "of a quarantined night"
	case r.Excluded != "":
		return r.Excluded
	case r.Provenance == Static:
		return "a table kept by hand"
	case r.Provenance == Minimum:
		return "stat is a minimum, no price"
	case !r.Provenance.speaks():
		return "stat is none of list, offer, last_of_day and median(n=N)"
	case r.Class == "" && r.Name == "":
		return "no gpu_class"
	}
	return ""
}

// unpriced is why a price can't be believed.
func (in *Input) unpriced(r Reading) string {
	const outside = "the price is outside what the class can cost"
	if r.Price <= 0 {
		return "no price above 0"
	}
	if r.Class != "" {
		if band, known := in.Bands[r.Class]; known && !band.Holds(r.Price) {
			return outside
		}
		return ""
	}
	known := false
	for class, band := range in.Bands {
		if named(r.Name, class) {
			known = true
			if band.Holds(r.Price) {
				return ""
			}
		}
	}
	if known {
		return outside
	}
	return ""
}

// OwnTiers counts the readings by a tier that no provider is known to have: each such
// word is judged as a tier of its own.
func OwnTiers(readings []Reading) map[schema.Tier]int {
	known := []schema.Tier{
		"", schema.TierCluster, schema.TierSecure, schema.TierCommunity, schema.TierVerified, schema.TierUnverified, schema.TierDeverified,
	}
	out := map[schema.Tier]int{}
	for _, r := range readings {
		if !slices.Contains(known, r.Tier) {
			out[r.Tier]++
		}
	}
	return out
}
