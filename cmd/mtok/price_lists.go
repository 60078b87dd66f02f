package main

import (
	"fmt"
	"slices"

	"mtok/pipeline"
	"mtok/schema"
	"mtok/scrapers"
	"mtok/scrapers/recorded"
)

// rentals are the providers that rent out GPUs: no count of those has the price
// lists of APIs in it.
func rentals(providers []scrapers.Provider) []scrapers.Provider {
	return slices.DeleteFunc(slices.Clone(providers), func(p scrapers.Provider) bool { return p.ID.ListsTokens() })
}

// rentalIDs name the providers that a report of GPU prices can be narrowed to.
func rentalIDs() []string {
	var out []string
	for _, p := range scrapers.All() {
		out = append(out, string(p.ID))
	}
	return out
}

// watched counts the providers of GPUs that a night asked.
func watched(s pipeline.Summary) int {
	n := 0
	for _, o := range s.Outcomes {
		if !o.Provider.ListsTokens() {
			n++
		}
	}
	return n
}

// withRecordedLists leaves out the price lists of APIs that a recorded night does
// not hold, but for those that were named.
func withRecordedLists(providers []scrapers.Provider, named []string, night *recorded.Dir) []scrapers.Provider {
	return slices.DeleteFunc(slices.Clone(providers), func(p scrapers.Provider) bool {
		holds := slices.ContainsFunc(p.Sources, func(s scrapers.Source) bool {
			return night.Has(scrapers.Target{Provider: p.ID, Source: s.Name})
		})
		return p.ID.ListsTokens() && !holds && !slices.Contains(named, string(p.ID))
	})
}

// listText is what the screen of a night says of a price list of an API: the
// newest is used whatever its age, and shown with it.
func listText(o pipeline.Outcome, night schema.Day, maxAge int) (models, text, status, tail string) {
	models, text, status = fmt.Sprintf("%3d models", o.Offers), found(o), string(o.Status)
	if o.Status == schema.StatusFailed {
		return models, text, status, ""
	}
	text = "list of " + o.Day.String() + after(text)
	age := int(night - o.Day)
	switch {
	case o.Status != schema.StatusComplete:
	case age > maxAge:
		status, tail = fmt.Sprintf("STALE %d d", age), "shown with its date"
	default:
		status = "ok"
	}
	return models, text, status, tail
}

// after sets a text behind another, with a comma.
func after(text string) string {
	if text == "" {
		return ""
	}
	return ", " + text
}
