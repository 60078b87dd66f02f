package reports

import (
	"fmt"
	"strings"

	"mtok/schema"
)

func dayColumns(s Settings) []Column {
	return []Column{
		both("day", "day"), machine("gpu_class"), machine("term"), both("state", "state"), machine("age_days"), machine("gap_days"),
		figure("cheapest_usd_per_gpu_hour", "$/GPU-h", hourDecimals), machine("provider"), machine("tier"), screen("seller"),
		figure("median_usd_per_gpu_hour", "median", hourDecimals), figure("providers", "of", 0),
		machine("workload"), machine("gpus"), figure("raw_usd_per_mtok", "flat out", mtokDecimals),
		figure("utilized_usd_per_mtok", percent(s.Utilization), mtokDecimals), figure("all_in_usd_per_mtok", "all-in", mtokDecimals),
		machine("median_raw_usd_per_mtok"), figure("api_usd_per_mtok", "API", mtokDecimals), machine("api"),
		machine("inputs"), machine("origin"), both("note", "notes"),
	}
}

// trendOfClass has a row a day. A run of days without a price is one row, and the
// prices of others stand below our own of the same day.
func trendOfClass(doc Document, h record, s Settings, f Filter) Document {
	doc.Title = fmt.Sprintf("%s, %s, %s to %s", h.class, termWords(h.term), h.from, h.to)
	if f.Provider != "" {
		doc.Title += " at " + string(f.Provider)
	}
	doc.Columns = dayColumns(s)
	days := h.days(s)
	price := summarise(pricePoints(days, cheapestPrice))
	perM := summarise(costPoints(days, cheapestCost, rawCost))
	others := importedPoints(days)
	if len(price.points)+len(others) == 0 {
		doc.After = append(doc.After, emptyWindow(f, h.from, h.to))
		return doc
	}
	doc.Before = h.classLines(price, perM, others)
	for i := 0; i < len(days); i++ {
		n := 0
		for i+n < len(days) && days[i+n].price == nil && days[i+n].imported == nil {
			n++
		}
		if n > 0 {
			doc.Rows = append(doc.Rows, h.gapRow(days[i].day, n))
			i += n - 1
			continue
		}
		if days[i].price != nil {
			doc.Rows = append(doc.Rows, h.dayRow(days[i]))
		}
		if days[i].imported != nil {
			doc.Rows = append(doc.Rows, h.importedRow(days[i]))
		}
	}
	doc.Charts = h.charts(days, s)
	if f.Provider == "" {
		doc.After = append(doc.After, h.costLines(days)...)
	} else {
		doc.After = append(doc.After, "Token costs are of the cheapest and the median of all providers: without --provider.")
	}
	doc.After = append(doc.After, f.explainHint())
	return doc
}

func (h record) classLines(price, perM summary, others []ChartPoint) []string {
	lines := []string{"Cheapest eligible, $/GPU-h: " + price.line(hourDecimals)}
	if line := sparkline(h.from, h.to, price.points); line != "" {
		lines = append(lines, "  "+line)
	}
	if perM.fresh > 0 {
		lines = append(lines, h.workload.Name+" flat out, $ per 1M output tokens: "+perM.line(mtokDecimals))
		lines = append(lines, "  "+sparkline(h.from, h.to, perM.points))
	}
	if len(others) > 0 {
		lines = append(lines, "Imported, in no figure above: "+summarise(others).line(hourDecimals))
	}
	return append(lines, fmt.Sprintf("%c no price, %c carried from an earlier day, %c made with other inputs from here on",
		sparkGap, sparkCarried, sparkBreak))
}

func (h record) gapRow(day schema.Day, n int) Row {
	note := "no price"
	if n > 1 {
		note = fmt.Sprintf("no price on %d days, to %s", n, day+schema.Day(n-1))
	}
	return h.row(day, StateGap, 0, n, nil, nil, nil, Null(), "", note)
}

func (h record) dayRow(d trendDay) Row {
	state := StateFresh
	var notes []string
	if d.age > 0 {
		state = StateCarried
		notes = append(notes, "of "+d.price.Day.String())
	}
	if d.missing != "" {
		notes = append(notes, string(d.missing)+", the cheapest before, was not read in full")
	}
	if d.broken {
		notes = append(notes, "other inputs from here on: no move of prices")
	}
	api, name := Null(), ""
	if d.api != nil {
		api, name = ratMoney(d.api.perMTok), d.api.name()
	}
	return h.row(d.day, state, d.age, 0, d.price, d.cheapest, d.median, api, name, strings.Join(notes, "; "))
}

func (h record) importedRow(d trendDay) Row {
	note := "somebody else's record"
	if by := h.importedBy[d.day]; by != "" {
		note = "record of " + by
	}
	return h.row(d.day, stateImport, 0, 0, d.imported, d.importedCost, nil, Null(), "", note)
}

// stateImport is the state of a price that somebody else recorded.
const stateImport State = "import"

// row sets what is known of a day into columns; what is not known is null.
func (h record) row(day schema.Day, state State, age, gap int, m *schema.DailyMarket, c, median *schema.DailyTokenCost,
	api Cell, apiName, note string) Row {
	row := Row{DayCell(day), Text(string(h.class)), Text(string(h.term)), Text(string(state)), countCell(age), countCell(gap)}
	if m == nil {
		row = append(row, make(Row, 6)...)
	} else {
		row = append(row, Money(m.Cheapest), Text(string(m.CheapestProvider)), Text(string(m.CheapestTier)),
			Text(seller(schema.Offer{OfferKey: schema.OfferKey{Provider: m.CheapestProvider, Tier: m.CheapestTier}})),
			Money(m.Median), Int(m.Providers))
	}
	row = append(row, Text(h.workload.Name))
	if c == nil {
		row = append(row, make(Row, 4)...)
	} else {
		row = append(row, Int(c.GPUs), Money(c.Raw), Money(c.Utilized), Money(c.AllIn))
	}
	medianCell, inputs, origin, named := Null(), Null(), Null(), Null()
	if median != nil {
		medianCell = Money(median.Raw)
	}
	if c != nil {
		inputs = Text("sha256:" + c.Inputs)
	}
	if m != nil {
		origin = Text(string(m.Origin))
	}
	if apiName != "" {
		named = Text(apiName)
	}
	return append(row, medianCell, api, named, inputs, origin, Text(note))
}

// costLines say what the token costs of the window were made with.
func (h record) costLines(days []trendDay) []string {
	var lines []string
	last := ""
	for _, d := range days {
		if d.cheapest == nil || d.cheapest.Inputs == last {
			continue
		}
		last = d.cheapest.Inputs
		body := h.inputs[last]
		lines = append(lines, fmt.Sprintf("From %s: %s on %s, %s tok/s, throughput row %s, inputs %s",
			d.day, h.workload.Name, count(d.cheapest.GPUs, "GPU"), inputField(body, "tokens_per_second"), benchmark(body), shortPage(last)))
	}
	if len(lines) > 1 {
		lines = append(lines, "mtok recompute --all makes the days before with the inputs of today.")
	}
	if len(lines) == 0 {
		return []string{h.workload.Name + ": no measured configuration of this class, so no cost per million tokens."}
	}
	return lines
}
