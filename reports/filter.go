package reports

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"mtok/reports/cost"
	"mtok/schema"
)

// ErrUnknownName is wrapped by the errors of UnknownName.
var ErrUnknownName = errors.New("unknown name")

// Filter narrows a report; empty fields keep everything.
type Filter struct {
	Class    schema.ClassID
	Provider schema.ProviderID
	Term     schema.Term
	// Day is as of when, where DayNamed; else it is the newest published day.
	Day      schema.Day
	DayNamed bool
	// Workload is the name of one of the settings' workloads, empty for the first.
	Workload string
	// Month is of `report month`, one without a name where it is not set.
	Month cost.Month
	// Window is of the reports over many days, Other the class that `report compare`
	// sets beside Class.
	Window Window
	Other  schema.ClassID
}

func (f Filter) keeps(o *schema.Observation) bool {
	return f.keepsClass(o.Class) &&
		(f.Provider == "" || f.Provider == o.Offer.Provider) &&
		(f.Term == "" || f.Term == o.Offer.Term)
}

func (f Filter) keepsClass(id schema.ClassID) bool { return f.Class == "" || f.Class == id }

// only says what the filter leaves of a report; nil where that is all.
func (f Filter) only() []string {
	var parts []string
	for _, part := range []string{string(f.Class), string(f.Provider), termWords(f.Term)} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	if len(parts) == 0 {
		return nil
	}
	return []string{"Only " + strings.Join(parts, ", ") + "."}
}

// termWords is a term as screens and flags have it: "on-demand".
func termWords(t schema.Term) string { return strings.ReplaceAll(string(t), "_", "-") }

// noPrice says that the filter leaves nothing.
func (f Filter) noPrice() string {
	line := "No current price"
	if f.Class != "" {
		line += " of " + string(f.Class)
	}
	if f.Provider != "" {
		line += " at " + string(f.Provider)
	}
	if f.Term != "" {
		line += ", " + termWords(f.Term)
	}
	return line + "."
}

// explainHint is the command that shows where a figure of the report is from.
func (f Filter) explainHint() string {
	line := "Each figure: mtok explain " + cmp.Or(string(f.Class), "CLASS")
	if f.Provider != "" {
		line += " --provider " + string(f.Provider)
	}
	if f.DayNamed {
		line += " --day " + f.Day.String()
	}
	return line
}

// UnknownName is the ErrUnknownName for a name that is not among the known ones.
func UnknownName(what, name string, known []string) error {
	hint := "known are " + strings.Join(known, ", ")
	if near := schema.Near(name, known); len(near) > 0 {
		hint = "did you mean " + strings.Join(near, ", ") + "?"
	}
	return fmt.Errorf("%w: %s %q; %s", ErrUnknownName, what, name, hint)
}
