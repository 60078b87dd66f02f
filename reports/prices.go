package reports

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"mtok/schema"
)

// Decimals on screens: cents per hour, tenths of a cent per million tokens.
const (
	hourDecimals = 2
	mtokDecimals = 3
)

// Prices is `report prices`: every current price of a night, eligible ones
// first, each with the page that it was read from.
func Prices(n Night, catalog *schema.Catalog, s Settings, f Filter) Document {
	doc := Document{Name: "prices", Title: "GPU prices, USD, rent only, net of tax", AsOf: n.AsOf, Empty: n.Empty,
		Columns: priceColumns(), Before: f.only()}
	lines := n.current(catalog, s, f, 0)
	sortListed(lines, catalog)
	for _, l := range lines {
		doc.Rows = append(doc.Rows, priceRow(l))
	}
	if len(lines) == 0 && !n.Empty {
		doc.After = append(doc.After, f.noPrice())
	}
	doc.After = append(doc.After, n.marks(f, s.MaxAge, lines)...)
	return doc
}

func priceColumns() []Column {
	return []Column{
		machine("day"), machine("provider"),
		both("gpu_class", "class"), {Key: "gpu_count", Header: "gpus", View: Everywhere, Align: AlignRight},
		screen("provider"),
		machine("term"), both("tier", "tier"), screen("term"),
		both("region", "region"), machine("commitment_min_days"), machine("commitment_max_days"),
		figure("usd_per_gpu_hour", "$/GPU-h", hourDecimals),
		figure("usd_per_instance_hour", "$/inst-h", hourDecimals),
		machine("available"), screen("stock"),
		machine("page"), machine("age_days"), machine("eligible"), machine("origin"),
		both("note", "notes"),
	}
}

func priceRow(l listed) Row {
	o := l.Offer
	from, to := commitmentCells(o.Commitment)
	return Row{
		DayCell(l.Day), Text(string(o.Provider)),
		Text(string(l.Class)), Int(o.GPUCount),
		Text(string(o.Provider)),
		Text(string(o.Term)), Text(string(tierOf(o))), Text(termWords(o.Term)),
		Text(o.Region), from, to,
		Money(l.USDPerGPUHour), Money(l.USDPerInstanceHour),
		availableCell(l.stock(0)), stockCell(l.stock(0)),
		pageCell(l.PageSHA256), Int(l.Age), Bool(l.counts()), Text(string(l.Origin)),
		Text(strings.Join(priceNotes(l), "; ")),
	}
}

func priceNotes(l listed) []string {
	notes := slices.Clone(l.why)
	if c := commitmentNote(l.Offer); c != "" {
		notes = append(notes, c)
	}
	if l.Offer.PerGPU && l.Offer.MaxGPUs == 0 {
		notes = append(notes, "per GPU, node size not published")
	}
	if l.Offer.Note != "" {
		notes = append(notes, l.Offer.Note)
	}
	return notes
}

// marks are the lines below a table that keep a reader from taking it for more
// than it is. The lines are the prices that the table shows, or is made of.
func (n Night) marks(f Filter, maxAge int, lines []listed) []string {
	if n.Empty {
		return append([]string{n.nothing(f)}, n.outages(f, maxAge)...)
	}
	var out []string
	carried, recorded := 0, 0
	for _, l := range lines {
		if l.Age > 0 {
			carried++
		}
		if l.Origin == schema.OriginRecorded {
			recorded++
		}
	}
	switch carried {
	case 0:
	case 1:
		out = append(out, "1 price carried from an earlier day, shown with its age; in no minimum.")
	default:
		out = append(out, fmt.Sprintf("%d prices carried from an earlier day, each shown with its age; in no minimum.", carried))
	}
	switch recorded {
	case 0:
	case 1:
		out = append(out, "1 price read from a recorded page, not fetched live.")
	default:
		out = append(out, fmt.Sprintf("%d prices read from recorded pages, not fetched live.", recorded))
	}
	out = append(out, n.excluded(f)...)
	out = append(out, n.outages(f, maxAge)...)
	return append(out, n.standing(f, maxAge)...)
}

// nothing says that there is no night to show.
func (n Night) nothing(f Filter) string {
	switch {
	case !f.DayNamed:
		return "Nothing has been published yet: run mtok nightly, or mtok demo."
	case n.First == 0:
		return fmt.Sprintf("No night up to %s.", f.Day)
	}
	return fmt.Sprintf("No night up to %s; the first is %s.", f.Day, n.First)
}

// excluded counts the prices of the day that are kept but never count. Those of
// a marketplace are broken machines: `report market` shows them.
func (n Night) excluded(f Filter) []string {
	reasons := map[string]int{}
	for i := range n.Observations {
		o := &n.Observations[i]
		if o.Day == n.AsOf && exclusion(o) != "" && o.Quarantine == 0 && !isMarketplace(o.Offer) && f.keeps(o) {
			reasons[exclusion(o)]++
		}
	}
	var out []string
	for _, reason := range slices.Sorted(maps.Keys(reasons)) {
		out = append(out, fmt.Sprintf("%s kept but not counted: %s.", count(reasons[reason], "price"), reason))
	}
	return out
}

// standing are the notices that hold on the day: a night without an answer does
// not end one.
func (n Night) standing(f Filter, maxAge int) []string {
	var out []string
	for _, notice := range n.Notices {
		if f.Class != "" || f.Term != "" || (f.Provider != "" && f.Provider != notice.Provider) {
			continue
		}
		if notice.Since <= n.AsOf && notice.Last >= n.AsOf-schema.Day(maxAge) {
			out = append(out, noticeLine(notice))
		}
	}
	return out
}

func noticeLine(notice schema.Notice) string {
	kind := strings.ReplaceAll(notice.Kind, "_", " ")
	line := fmt.Sprintf("%s: %s", notice.Provider, kind)
	if notice.Detail != "" {
		line += " (" + notice.Detail + ")"
	}
	return line + fmt.Sprintf(", seen %s", span(notice.Since, notice.Last))
}

func span(from, to schema.Day) string {
	if from == to {
		return from.String()
	}
	return from.String() + " to " + to.String()
}

func count(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}
