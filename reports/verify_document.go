package reports

import (
	"fmt"

	"mtok/schema"
)

// Verification is the whole of `verify`.
type Verification struct {
	Days                []schema.Day // in order
	Pages, Observations Tally
	// NotHeld counts pages of which only the hash is kept.
	NotHeld int
	// Untraced counts the prices that our own export put back without their pages.
	Untraced                               int
	Prices, Markets, TokenCosts, APIPrices Tally
	Settings                               int // token costs whose inputs are not all known
	Then                                   int // those that were held to the inputs of then
	Faults                                 []string
	Versions                               []string
}

// Add takes a day in.
func (v *Verification) Add(day schema.Day, d VerifiedDay) {
	v.Days = append(v.Days, day)
	for _, t := range []struct {
		to   *Tally
		from Tally
	}{{&v.Prices, d.Prices}, {&v.Markets, d.Markets}, {&v.TokenCosts, d.TokenCosts}, {&v.APIPrices, d.APIPrices}} {
		t.to.Checked += t.from.Checked
		t.to.Match += t.from.Match
	}
	v.Settings += d.Settings
	v.Then += d.Then
	v.Faults = append(v.Faults, d.Faults...)
}

// onTheirPages names the prices that are held to pages.
const onTheirPages = "published prices on their pages"

// tallies in the order in which they are told.
func (v *Verification) tallies() []Tally {
	named := func(what string, t Tally) Tally { t.What = what; return t }
	return []Tally{
		named("archived pages by their hash", v.Pages), named(onTheirPages, v.Observations),
		named("daily prices", v.Prices), named("markets across providers", v.Markets),
		named("token costs", v.TokenCosts), named("daily API prices", v.APIPrices),
	}
}

// Whole reports whether everything matches.
func (v *Verification) Whole() bool {
	for _, t := range v.tallies() {
		if t.Match != t.Checked {
			return false
		}
	}
	return len(v.Faults) == 0
}

// Document is `verify`; of the faults it shows so many, or all where most is 0.
func (v *Verification) Document(most int) Document {
	doc := Document{Name: "verify", Title: "Published figures made again from the archived pages", Empty: len(v.Days) == 0,
		Columns: []Column{both("what", "what"), figure("checked", "checked", 0), figure("match", "match", 0), figure("differ", "differ", 0),
			machine("not_provable")}}
	if len(v.Days) > 0 {
		doc.AsOf = v.Days[len(v.Days)-1]
		doc.Before = []string{fmt.Sprintf("%s, %s to %s", count(len(v.Days), "day"), v.Days[0], doc.AsOf)}
	}
	checked, match := 0, 0
	for _, t := range v.tallies() {
		checked, match = checked+t.Checked, match+t.Match
		untraced := 0
		if t.What == onTheirPages {
			untraced = v.Untraced
		}
		doc.Rows = append(doc.Rows, Row{Text(t.What), Int(t.Checked), Int(t.Match), Int(t.Checked - t.Match), Int(untraced)})
	}
	doc.After = append(doc.After, v.Versions...)
	if v.NotHeld > 0 {
		doc.After = append(doc.After, fmt.Sprintf("%s kept by hash alone: what was read from them can't be proved here.", count(v.NotHeld, "page")))
	}
	if v.Untraced > 0 {
		doc.After = append(doc.After, fmt.Sprintf("%s not provable here: their pages were not exported. The daily figures are made again from the prices as they are stored.", count(v.Untraced, "published price")))
	}
	if v.Then > 0 {
		doc.After = append(doc.After, fmt.Sprintf("%s made with other inputs than today's, and held to those of then: mtok recompute --all makes them with today's.", count(v.Then, "token cost")))
	}
	if v.Settings > 0 {
		doc.After = append(doc.After, fmt.Sprintf("%s made with other inputs than today's: mtok recompute --all makes them again.", count(v.Settings, "token cost")))
	}
	for i, fault := range v.Faults {
		if most > 0 && i == most {
			doc.After = append(doc.After, fmt.Sprintf("and %d more: mtok verify --all", len(v.Faults)-most))
			break
		}
		doc.After = append(doc.After, "differs: "+fault)
	}
	switch {
	case len(v.Days) == 0:
		doc.After = append(doc.After, nothingPublished)
	default:
		doc.After = append(doc.After, v.verdict(checked, match))
	}
	return doc
}

// verdict is the last line.
func (v *Verification) verdict(checked, match int) string {
	untraced := ""
	if v.Untraced > 0 {
		untraced = fmt.Sprintf(", %d can't be traced to a page here (import of our own export holds none)", v.Untraced)
	}
	switch {
	case !v.Whole():
		return fmt.Sprintf("%d of %d match%s.", match, checked, untraced)
	case v.Untraced > 0:
		return fmt.Sprintf("%d match%s.", match, untraced)
	}
	return fmt.Sprintf("All %d match.", checked)
}
