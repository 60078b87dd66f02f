package reports

import (
	"fmt"
	"math/big"
	"strings"

	"mtok/reports/cost"
	"mtok/schema"
)

// MTok is `report mtok`: what a million output tokens of a workload cost on each of
// its configurations, per seller and term. A row that no offer can price stands with
// its reason, and what was not measured is named below the table; no figure is made
// up.
func MTok(n Night, catalog *schema.Catalog, s Settings, f Filter) Document {
	doc := Document{Name: "mtok", AsOf: n.AsOf, Empty: n.Empty, Columns: mtokColumns(s), Before: f.only()}
	w, err := s.Workload(catalog, f.Workload)
	if err != nil {
		return refused(doc, err)
	}
	measured, unmeasured, err := w.split(catalog)
	if err != nil {
		return refused(doc, err)
	}
	rows := placeWorkload(n, measured, catalog, s, f)
	ref := reference(measured)
	model, mixed := commonModel(rows, ref)
	doc.Title = mtokTitle(w, model, mixed, ref)
	if n.Empty { // measurements alone are no cost
		doc.After = n.marks(f, s.MaxAge, nil)
		return doc
	}
	notes, footnotes := layoutNotes(rows, ref, model, catalog)
	promises := promised(n, measured, catalog, s, f)
	var shown []listed
	for i, p := range rows {
		cells := append(mtokMachineCells(p, s, n.AsOf), workloadCells(w, p, promises)...)
		cells = append(cells, mtokScreenCells(p, s)...)
		doc.Rows = append(doc.Rows, append(cells, Text(notes[i])))
		if p.priced() {
			shown = append(shown, p.line)
		}
	}
	doc.After = append(doc.After, footnotes...)
	doc.After = append(doc.After, apart(rows)...)
	other := append(notMeasured(unmeasured, f), unmeasuredClasses(n, w, measured, unmeasured, catalog, s, f)...)
	if len(rows) == 0 && len(other) == 0 {
		doc.After = append(doc.After, f.noPrice())
	}
	doc.After = append(doc.After, other...)
	doc.After = append(doc.After, throughputLines(rows)...)
	doc.After = append(doc.After, promiseLines(measured, promises)...)
	doc.After = append(doc.After, switchLines(n, w, measured, catalog, s, f)...)
	if len(rows) > 0 {
		doc.After = append(doc.After, s.allInNote(), f.explainHint())
	}
	doc.After = append(doc.After, otherWorkloads(w, s, catalog)...)
	doc.After = append(doc.After, n.marks(f, s.MaxAge, shown)...)
	return doc
}

// placeWorkload puts each measured configuration on every seller of its class.
func placeWorkload(n Night, measured []Resolved, catalog *schema.Catalog, s Settings, f Filter) []placed {
	var rows []placed
	for _, r := range measured {
		if !f.keepsClass(r.Class) {
			continue
		}
		g := f
		g.Class = r.Class
		for _, p := range placeClass(r.Row, n.current(catalog, s, g, r.Row.GPUs), s) {
			p.notes = r.Notes
			rows = append(rows, p)
		}
	}
	return rows
}

// refused is a report that can't be made, with the reason.
func refused(doc Document, err error) Document {
	doc.After = append(doc.After, "No figure: "+err.Error()+".")
	return doc
}

// mtokTitle names the workload, and the model where that is one.
func mtokTitle(w Workload, model string, mixed bool, ref schema.Throughput) string {
	title := "$ per 1M output tokens, input included, " + w.Name
	if mixed {
		model = ref.Model + " unless noted,"
	}
	if model != "" {
		title += fmt.Sprintf("; %s %s", model, lengths(ref.InputTokens, ref.OutputTokens))
	}
	return title
}

// commonModel is the model of every row, that of the reference where there is no
// row, and empty where the rows are mixed.
func commonModel(rows []placed, ref schema.Throughput) (model string, mixed bool) {
	if len(rows) == 0 {
		return ref.Model, false
	}
	for _, p := range rows {
		if p.row.Model != rows[0].row.Model {
			return "", true
		}
	}
	return rows[0].row.Model, false
}

func mtokColumns(s Settings) []Column {
	columns := []Column{}
	for _, key := range []string{"day", "gpu_class", "shape_gpus", "replicas", "shape", "provider", "tier", "term",
		"model", "precision", "engine", "input_tokens", "output_tokens", "tokens_per_second", "usd_per_hour",
		"raw_usd_per_mtok", "utilized_usd_per_mtok", "all_in_usd_per_mtok", "utilization", "overhead",
		"available", "source", "reason", "region", "commitment_min_days", "commitment_max_days", "age_days",
		"eligible", "origin", "throughput", "page", "workload", "load", "ceiling", "promised_throughput",
		"promised_tokens_per_second", "promised_raw_usd_per_mtok"} {
		columns = append(columns, machine(key))
	}
	columns = append(columns, screen("class"), screen("shape"), figure("", "tok/s", 0), screen("provider"),
		figure("", "$/h", hourDecimals), figure("", "flat out", mtokDecimals))
	for _, u := range besides(s) {
		columns = append(columns, figure("", percent(u), mtokDecimals))
	}
	return append(columns, figure("", "all-in*", mtokDecimals), screen("stock"), screen("notes"))
}

func mtokMachineCells(p placed, s Settings, asOf schema.Day) Row {
	o, t := p.line.Offer, p.row
	from, to := commitmentCells(o.Commitment)
	perHour, raw, utilized, allIn := Null(), Null(), Null(), Null()
	available, page := Null(), Null()
	if p.priced() {
		perHour = ratMoney(p.on.USDPerHour)
		raw, utilized, allIn = Money(p.perM.Raw), Money(p.perM.Utilized), Money(p.perM.AllIn)
		available, page = availableCell(p.stock()), pageCell(p.line.PageSHA256)
	}
	return Row{
		DayCell(asOf - schema.Day(p.line.Age)), Text(string(t.Class)), Int(t.GPUs), countCell(p.on.Replicas),
		Text(string(p.on.Shape)), Text(string(o.Provider)), Text(string(tierOf(o))), Text(string(o.Term)),
		Text(t.Model), Text(t.Precision), Text(t.Engine), Number(t.InputTokens), Number(t.OutputTokens),
		Number(t.TokensPerSecond), perHour, raw, utilized, allIn, Number(s.Utilization), s.overheadCell(),
		available, Text(t.Source), Text(strings.Join(p.reasons, "; ")), Text(p.region), from, to, Int(p.line.Age),
		Bool(p.line.counts() && p.priced()), Text(string(p.line.Origin)), Text(t.ID), page,
	}
}

// mtokScreenCells are all but the notes.
func mtokScreenCells(p placed, s Settings) Row {
	shape := fmt.Sprintf("%dx", p.row.GPUs)
	if p.on.Shape == cost.ShapeLarger {
		shape = fmt.Sprintf("%dx/%d rep", p.on.NodeGPUs, p.on.Replicas)
	}
	out := Row{Text(string(p.row.Class)), Text(shape + " " + p.row.Precision), Number(p.row.TokensPerSecond),
		Text(seller(p.line.Offer))}
	if p.priced() {
		out = append(out, ratMoney(p.on.USDPerHour), Money(p.perM.Raw))
		for _, usd := range p.extra {
			out = append(out, Money(usd))
		}
		out = append(out, Money(p.perM.AllIn), stockCell(p.stock()))
	} else {
		out = append(out, make(Row, 4+len(besides(s)))...)
	}
	return out
}

// ratMoney rounds an amount for showing it; one out of range has failed in the
// cost already.
func ratMoney(r *big.Rat) Cell {
	usd, err := schema.RoundUSD(r)
	if err != nil {
		return Null()
	}
	return Money(usd)
}

// shapeOf is the catalog's name of a model, under which releases of one shape
// are the same.
func shapeOf(model string, catalog *schema.Catalog) string {
	if m, ok := catalog.Model(model); ok {
		return m.ID
	}
	return model
}

// reference is the measurement that the others are compared with: that of the
// first configuration.
func reference(measured []Resolved) schema.Throughput {
	if len(measured) > 0 {
		return measured[0].Row
	}
	return schema.Throughput{}
}

// percent prints a share: "65 %".
func percent(d schema.Decimal) string {
	hundred := new(big.Rat).Mul(d.Rat(), big.NewRat(100, 1))
	text := hundred.FloatString(2)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".") + " %"
}
