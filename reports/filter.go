package reports

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"mtok/schema"
)

// ErrUnknownName is wrapped by the errors of a filter that names nothing known.
var ErrUnknownName = errors.New("unknown name")

// Filter narrows a report; empty fields keep everything.
type Filter struct {
	Class    schema.ClassID
	Provider schema.ProviderID
	Term     schema.Term
	// Day is as of when, where DayNamed; else it is the newest published day.
	Day      schema.Day
	DayNamed bool
}

func (f Filter) keeps(o schema.Observation) bool {
	return f.keepsClass(o.Class) &&
		(f.Provider == "" || f.Provider == o.Offer.Provider) &&
		(f.Term == "" || f.Term == o.Offer.Term)
}

func (f Filter) keepsClass(id schema.ClassID) bool { return f.Class == "" || f.Class == id }

// Check returns ErrUnknownName with near names for a class that neither the
// catalog knows nor the observations hold, for a provider that is not among
// those given, and for a term that does not exist.
func (f Filter) Check(catalog *schema.Catalog, observations []schema.Observation, providers []schema.ProviderID) error {
	classes := make([]string, 0, len(catalog.GPUs))
	for _, g := range catalog.GPUs {
		classes = append(classes, string(g.ID))
	}
	for _, o := range observations {
		if !slices.Contains(classes, string(o.Class)) {
			classes = append(classes, string(o.Class))
		}
	}
	known := make([]string, 0, len(providers))
	for _, p := range providers {
		known = append(known, string(p))
	}
	terms := []string{string(schema.TermOnDemand), string(schema.TermSpot),
		string(schema.TermReserved), string(schema.TermBidFloor)}
	return errors.Join(
		checkName("GPU class", string(f.Class), classes),
		checkName("provider", string(f.Provider), known),
		checkName("term", string(f.Term), terms),
	)
}

func checkName(what, name string, known []string) error {
	if name == "" || slices.Contains(known, name) {
		return nil
	}
	return UnknownName(what, name, known)
}

// UnknownName is the ErrUnknownName for a name that is not among the known ones.
func UnknownName(what, name string, known []string) error {
	hint := "known are " + strings.Join(known, ", ")
	if near := schema.Near(name, known); len(near) > 0 {
		hint = "did you mean " + strings.Join(near, ", ") + "?"
	}
	return fmt.Errorf("%w: %s %q; %s", ErrUnknownName, what, name, hint)
}
