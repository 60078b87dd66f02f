package reports

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"mtok/schema"
)

// Trend loads and builds `report trend`: of every class that had a price in the
// window, or day by day of the class of the filter.
func (l Loader) Trend(ctx context.Context, f Filter) (Document, error) {
	from, to, newest, published, err := l.span(ctx, f)
	if err != nil {
		return Document{}, err
	}
	doc := Document{Name: "trend", AsOf: newest, Empty: !published}
	if f.Class != "" {
		h, err := l.loadHistory(ctx, f, f.Class, from, to)
		if err != nil {
			return doc, err
		}
		doc = trendOfClass(doc, h, l.Settings, f)
		if f.undated(to, published) {
			doc = doc.unpublished(from, to)
		}
		return doc, nil
	}
	classes, err := l.classesOf(ctx, f, from, to)
	if err != nil {
		return doc, err
	}
	var all []record
	for _, class := range classes {
		h, err := l.loadHistory(ctx, f, class, from, to)
		if err != nil {
			return doc, err
		}
		all = append(all, h)
	}
	doc = trendOfAll(doc, all, l.Settings, f, from, to)
	if f.undated(to, published) {
		doc = doc.unpublished(from, to)
	}
	return doc, nil
}

// classesOf are the classes that had a price in a window, in the order of the
// catalog.
func (l Loader) classesOf(ctx context.Context, f Filter, from, to schema.Day) ([]schema.ClassID, error) {
	markets, err := l.History.DailyMarkets(ctx, from-schema.Day(l.Settings.MaxAge), to, "")
	if err != nil {
		return nil, fmt.Errorf("markets %s to %s: %w", from, to, err)
	}
	seen := map[schema.ClassID]bool{}
	var classes []schema.ClassID
	for _, m := range markets {
		if m.Term == f.trendTerm() && !seen[m.Class] {
			seen[m.Class] = true
			classes = append(classes, m.Class)
		}
	}
	slices.SortFunc(classes, classOrder(l.Catalog))
	return classes, nil
}

func trendColumns() []Column {
	text := func(key, header string) Column { return Column{Key: key, Header: header, View: Everywhere} }
	return []Column{
		text("gpu_class", "class"), machine("term"), machine("from"), machine("to"),
		machine("first_day"), figure("first_usd_per_gpu_hour", "first", hourDecimals),
		machine("last_day"), figure("last_usd_per_gpu_hour", "last", hourDecimals),
		figure("min_usd_per_gpu_hour", "min", hourDecimals), figure("max_usd_per_gpu_hour", "max", hourDecimals),
		figure("change_usd", "change", hourDecimals), figure("change_percent", "%", 1),
		text("sparkline", "cheapest eligible"),
		machine("workload"), figure("last_raw_usd_per_mtok", "$/MTok", mtokDecimals), figure("change_raw_percent", "%", 1),
		figure("days", "days", 0), machine("carried_days"), machine("gap_days"), machine("imported_days"), text("note", "notes"),
	}
}

// trendOfAll has a row a class.
func trendOfAll(doc Document, all []record, s Settings, f Filter, from, to schema.Day) Document {
	doc.Title = fmt.Sprintf("Cheapest eligible price per GPU-hour, %s, %s to %s", termWords(f.trendTerm()), from, to)
	doc.Columns = trendColumns()
	imports := false
	for _, h := range all {
		days := h.days(s)
		price := summarise(pricePoints(days, cheapestPrice))
		others := importedPoints(days)
		if len(price.points)+len(others) == 0 {
			continue
		}
		imports = imports || len(others) > 0
		perM := summarise(costPoints(days, cheapestCost, rawCost))
		doc.Rows = append(doc.Rows, h.trendRow(price, perM, trendNotes(days, price, perM, others), len(others)))
		if chart := priceChart(h, days, string(h.class)); chart.Drawn() && !strings.HasPrefix(string(h.class), schema.UnmatchedPrefix) {
			doc.Charts = append(doc.Charts, chart)
		}
	}
	switch {
	case len(doc.Rows) == 0:
		doc.After = append(doc.After, emptyWindow(f, from, to))
	default:
		if imports {
			doc.After = append(doc.After, "Imported prices are in no figure and no line above; trend CLASS shows them below our own.")
		}
		doc.After = append(doc.After, sparkLegend(), "Day by day: mtok report trend CLASS")
	}
	return doc
}

func (h record) trendRow(price, perM summary, notes []string, imported int) Row {
	row := Row{Text(string(h.class)), Text(string(h.term)), DayCell(h.from), DayCell(h.to)}
	row = append(row, price.cells()...)
	row = append(row, Text(sparkline(h.from, h.to, price.points)), Text(h.workload.Name))
	last, share := Null(), Null()
	if perM.fresh > 0 {
		last = Money(schema.USD(perM.last.Micros))
	}
	if perM.comparable() {
		share = Cell{Kind: KindNumber, Text: perM.share()}
	}
	gaps := int(h.to-h.from) + 1 - len(price.points)
	return append(row, last, share, Int(price.fresh), Int(price.carried), Int(gaps), Int(imported), Text(strings.Join(notes, "; ")))
}

func trendNotes(days []trendDay, price, perM summary, imported []ChartPoint) []string {
	var notes []string
	if n := len(perM.breaks); n > 0 {
		notes = append(notes, "other inputs from "+perM.breaks[n-1].String()+" on")
	}
	for _, d := range days {
		if d.fresh() && d.day == price.last.Day && d.missing != "" {
			notes = append(notes, fmt.Sprintf("last: %s, the cheapest before, was not read in full", d.missing))
		}
	}
	if price.carried > 0 {
		notes = append(notes, count(price.carried, "day")+" carried")
	}
	if n := len(imported); n > 0 {
		last := imported[n-1]
		notes = append(notes, fmt.Sprintf("imported: %s, last %s on %s", count(n, "day"),
			schema.USD(last.Micros).Fixed(hourDecimals), last.Day))
	}
	return notes
}

// nothingPublished is said where there is nothing to report on.
const nothingPublished = "Nothing has been published yet: mtok nightly, or mtok demo."

// emptyWindow says that there is no price in a window.
func emptyWindow(f Filter, from, to schema.Day) string {
	line := "No price"
	if f.Class != "" {
		line += " of " + string(f.Class)
	}
	if f.Provider != "" {
		line += " at " + string(f.Provider)
	}
	return fmt.Sprintf("%s, %s, from %s to %s.", line, termWords(f.trendTerm()), from, to)
}

func sparkLegend() string {
	return fmt.Sprintf("Lines: each from its own lowest to its highest price; %c no price, %c carried from an earlier day, %c made with other inputs from here on.",
		sparkGap, sparkCarried, sparkBreak)
}

// TrendClasses are the classes that `report trend` has in the window of a filter.
func (l Loader) TrendClasses(ctx context.Context, f Filter) ([]schema.ClassID, error) {
	from, to, _, _, err := l.span(ctx, f)
	if err != nil {
		return nil, err
	}
	return l.classesOf(ctx, f, from, to)
}
