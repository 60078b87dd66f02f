package reports

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"mtok/reports/cost"
	"mtok/schema"
)

// Explain is `explain CLASS`: for one class the chain of evidence of each of its
// figures, from the page and the words printed there to the cost per million
// tokens. The class is that of the filter, which is obeyed whole; the daily prices
// are those of the night's day and class.
func Explain(n Night, daily []schema.DailyPrice, catalog *schema.Catalog, s Settings, f Filter) Document {
	id := f.Class
	doc := Document{Name: "explain", Title: string(id) + ": where its figures come from", AsOf: n.AsOf, Empty: n.Empty,
		Columns: explainColumns(), Before: classLines(catalog, id)}
	lines := n.current(catalog, s, f, 0)
	sortListed(lines, catalog)
	row, measured := explained(catalog, s, id)
	var rows []placed
	if measured {
		rows = placeClass(row, n.current(catalog, s, f, row.GPUs), s)
	}
	formulas := map[offerID]string{}
	for _, p := range rows {
		if p.priced() {
			formulas[identify(&p.line.Observation)] = formula(p, s)
		}
	}
	for _, l := range lines {
		doc.Rows = append(doc.Rows, explainRow(l, catalog, formulas[identify(&l.Observation)]))
	}
	if len(lines) == 0 && !n.Empty {
		doc.After = append(doc.After, f.noPrice())
	}
	for _, d := range daily {
		if (f.Provider == "" || f.Provider == d.Provider) && (f.Term == "" || f.Term == d.Term) {
			doc.After = append(doc.After, dailyLine(d, lines))
		}
	}
	if !measured {
		doc.After = append(doc.After, "Throughput: none measured for this class in the catalog, so no cost per million tokens.")
	} else {
		doc.After = append(doc.After, measurementLines(row)...)
	}
	at := ""
	if f.Provider != "" {
		at = " at " + string(f.Provider)
	}
	if len(rows) > 0 && rows[0].priced() && rows[0].line.counts() {
		doc.After = append(doc.After, "Cheapest eligible on demand"+at+": "+formula(rows[0], s))
	} else if measured && !n.Empty {
		doc.After = append(doc.After, "Cheapest eligible on demand"+at+": none on this day.")
	}
	doc.After = append(doc.After, n.marks(f, s.MaxAge, lines)...)
	return doc
}

func classLines(catalog *schema.Catalog, id schema.ClassID) []string {
	g, ok := catalog.GPU(id)
	if !ok {
		return []string{"Class: not in the catalog; kept under the name that its provider prints, in no comparison."}
	}
	lines := []string{
		fmt.Sprintf("Class: %s %s, %s, %s GB", g.Vendor, g.Architecture, g.FormFactor, g.MemoryGB),
		fmt.Sprintf("Believable price: %s to %s $/GPU-h; outside it a price is rejected",
			g.Band.Low.Fixed(hourDecimals), g.Band.High.Fixed(hourDecimals)),
		fmt.Sprintf("Catalog row: %s (%s)", g.Source, g.Date),
	}
	if g.Notes != "" {
		lines = append(lines, "Note: "+g.Notes)
	}
	return lines
}

func explainColumns() []Column {
	columns := []Column{}
	for _, key := range []string{"day", "provider", "source", "gpu_class", "gpu_count", "term", "tier", "region",
		"commitment_min_days", "commitment_max_days", "sku", "listing", "form", "vram_mib", "price_text",
		"unit", "derivation", "usd_per_gpu_hour", "usd_per_instance_hour", "class_rule", "available", "eligible",
		"age_days", "note", "formula", "page", "fetch", "fetched_at", "origin"} {
		columns = append(columns, machine(key))
	}
	return append(columns, screen("provider"), screen("term"), screen("region"), screen("listed as"),
		screen("price as printed"), screen("per GPU-hour"), screen("class rule"), screen("page"), screen("fetched"),
		screen("notes"))
}

func explainRow(l listed, catalog *schema.Catalog, formula string) Row {
	o := l.Offer
	from, to := commitmentCells(o.Commitment)
	rule := catalog.Explain(o.Provider, o.GPURaw, o.FormRaw, o.VRAMMiB).Rule
	note := strings.Join(priceNotes(l), "; ")
	fetched := Null()
	if !l.FetchedAt.IsZero() {
		fetched = Text(l.FetchedAt.UTC().Format(time.RFC3339))
	}
	formulaCell := Null()
	if formula != "" {
		formulaCell = Text(formula)
	}
	return Row{
		DayCell(l.Day), Text(string(o.Provider)), Text(l.Source), Text(string(l.Class)), Int(o.GPUCount),
		Text(string(o.Term)), Text(string(tierOf(o))), Text(o.Region), from, to, Text(o.SKU), Text(o.GPURaw),
		Text(o.FormRaw), countCell(int(o.VRAMMiB)), Text(o.PriceText), Text(string(o.Unit)),
		Text(derivation(l.Observation)), Money(l.USDPerGPUHour), Money(l.USDPerInstanceHour), Text(rule),
		availableCell(l.stock(0)), Bool(l.counts()), Int(l.Age), Text(note), formulaCell, pageCell(l.PageSHA256),
		countCell(int(l.FetchID)), fetched, Text(string(l.Origin)),
		Text(seller(o)), Text(termWords(o.Term)), Text(o.Region),
		Text(strings.TrimSpace(o.GPURaw + " " + o.FormRaw)), Text(o.PriceText), Text(derivation(l.Observation)),
		Text(rule), Text(shortPage(l.PageSHA256)), fetched, Text(note),
	}
}

// derivation shows how the price per GPU-hour follows from the listed amount.
func derivation(o schema.Observation) string {
	if o.Offer.Unit == schema.UnitInstanceHour {
		return fmt.Sprintf("%s / %s = %s", o.USDPerInstanceHour, count(o.Offer.GPUCount, "GPU"), o.USDPerGPUHour)
	}
	if o.Offer.GPUCount == 1 {
		return fmt.Sprintf("%s as listed", o.USDPerGPUHour)
	}
	return fmt.Sprintf("%s as listed, x %d = %s", o.USDPerGPUHour, o.Offer.GPUCount, o.USDPerInstanceHour)
}

// shortPage is enough of a hash to find the page by.
func shortPage(sha string) string {
	if len(sha) > 12 {
		return sha[:12]
	}
	return sha
}

// dailyLine is a daily price with the offer of its minimum.
func dailyLine(d schema.DailyPrice, lines []listed) string {
	size := "all node sizes"
	if d.GPUCount != schema.AnyGPUCount {
		size = count(d.GPUCount, "GPU")
	}
	who := seller(schema.Offer{OfferKey: schema.OfferKey{Provider: d.Provider, Tier: d.Tier}})
	text := fmt.Sprintf("Daily price %s, %s, %s, %s: n %d, %s, min %s, p10 %s, median %s, max %s $/GPU-h",
		d.Day, who, d.Term, size, d.N, count(d.GPUs, "GPU"), d.Min, d.P10, d.Median, d.Max)
	for _, l := range lines {
		if l.OfferID == d.MinOfferID {
			return text + "; min: " + l.Offer.SKU
		}
	}
	return text
}

func measurementLines(t schema.Throughput) []string {
	parts := []string{
		fmt.Sprintf("Throughput: %s output tok/s", t.TokensPerSecond),
		strings.TrimSpace(t.Model+" "+t.Precision) + " on " + count(t.GPUs, "GPU"),
		fmt.Sprintf("%s in / %s out", cmp.Or(t.InputTokens.String(), "?"), cmp.Or(t.OutputTokens.String(), "?")),
	}
	for _, part := range []string{strings.TrimSpace(t.Engine + " " + t.EngineVersion), cmp.Or(t.Profile, "profile not stated")} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	measured := strings.Join(parts, ", ")
	if t.Confidence != "" {
		measured += "; " + t.Confidence
	}
	origin := strings.Join(slices.DeleteFunc([]string{t.Title, t.Source}, func(s string) bool { return s == "" }), ", ")
	if t.Date != "" {
		origin = strings.TrimSpace(origin + " (" + t.Date + ")")
	}
	lines := []string{measured, strings.TrimSuffix(fmt.Sprintf("Throughput row %s: %s", t.ID, origin), ": ")}
	if t.AllowImplausible {
		lines = append(lines, "Doubt: the throughput "+implausible)
	}
	if t.Notes != "" {
		lines = append(lines, "Note: "+t.Notes)
	}
	return lines
}

// formula writes a cost out with its numbers.
func formula(p placed, s Settings) string {
	o := p.line.Observation
	var rent string
	switch hour := ratMoney(p.on.USDPerHour).Amount; p.on.Shape {
	case cost.ShapePerGPU:
		rent = fmt.Sprintf("%s x %d = %s $/h", o.USDPerGPUHour, p.row.GPUs, hour)
	case cost.ShapeLarger:
		rent = fmt.Sprintf("%s / %d replicas = %s $/h", o.USDPerInstanceHour, p.on.Replicas, hour)
	default:
		rent = fmt.Sprintf("%s $/h", hour)
	}
	return fmt.Sprintf("%s: %s; / (%s tok/s x 3600 s) x 1,000,000 = %s; / %s = %s; %s = %s $ per million output tokens",
		seller(o.Offer), rent, p.row.TokensPerSecond, p.perM.Raw, s.Utilization, p.perM.Utilized, s.overheadWords(), p.perM.AllIn)
}
