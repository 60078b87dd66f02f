package reports

import (
	"fmt"
	"math/big"

	"mtok/reports/cost"
	"mtok/schema"
)

// Estimated is `cost` for a configuration that nobody measured: no cost, the reason,
// and what it may be, called an estimate, beside what was measured nearest.
func Estimated(usdPerHour *big.Rat, r Resolved, w Workload, catalog *schema.Catalog) (Document, error) {
	perHour, err := schema.RoundUSD(usdPerHour)
	if err != nil {
		return Document{}, fmt.Errorf("price per hour: %w", err)
	}
	doc := Document{Name: "cost", Title: "$ per 1M output tokens: not measured", Empty: true, Columns: []Column{
		both("gpu_class", "class"), figure("shape_gpus", "gpus", 0), both("model", "model"), both("precision", "precision"),
		figure("usd_per_hour", "$/h", hourDecimals), figure("tokens_per_second", "tok/s", 0), figure("raw_usd_per_mtok", "flat out", mtokDecimals),
		machine("estimate_low_tokens_per_second"), machine("estimate_high_tokens_per_second"),
		machine("estimate_low_raw_usd_per_mtok"), machine("estimate_high_raw_usd_per_mtok"), machine("reason"),
	}}
	row := Row{Text(string(r.Class)), Int(r.GPUs), Text(w.Model), Text(r.Precision), Money(perHour), Null(), Null()}
	doc.After = append(doc.After, "No cost: "+r.Reason+".")
	if r.Estimated {
		least, most, err := estimatedCosts(usdPerHour, r.Estimate)
		if err != nil {
			return Document{}, err
		}
		row = append(row, ratNumber(r.Estimate.Low), ratNumber(r.Estimate.High), Money(least), Money(most))
		doc.After = append(doc.After, r.Estimate.String()+".",
			fmt.Sprintf("At this price that would be %s to %s $/MTok flat out: an estimate, not measured.", least.Fixed(mtokDecimals), most.Fixed(mtokDecimals)))
	} else {
		row = append(row, Null(), Null(), Null(), Null())
	}
	doc.Rows = []Row{append(row, Text(r.Reason))}
	nearest := NearestMeasured(catalog, schema.Throughput{Class: r.Class, GPUs: r.GPUs, Model: w.Model, Precision: r.Precision,
		InputTokens: w.InputTokens, OutputTokens: w.OutputTokens}, nearestShown)
	for i, n := range nearest {
		if i == 0 {
			doc.After = append(doc.After, "Measured nearest:")
		}
		doc.After = append(doc.After, nearestLine(n))
	}
	return doc, nil
}

// estimatedCosts are the costs flat out at the high and at the low end.
func estimatedCosts(usdPerHour *big.Rat, e cost.Estimate) (least, most schema.USD, err error) {
	at := func(rate *big.Rat) (schema.USD, error) {
		tokens := new(big.Rat).Mul(rate, big.NewRat(secondsPerHour, 1_000_000))
		return schema.RoundUSD(new(big.Rat).Quo(usdPerHour, tokens))
	}
	if least, err = at(e.High); err != nil {
		return 0, 0, err
	}
	most, err = at(e.Low)
	return least, most, err
}

// CostCurve is `cost --curve`: the cost over utilization, since one point alone
// misleads.
func (s Settings) CostCurve(in cost.Input, gpus int) (Document, error) {
	doc := Document{Name: "cost", Title: "$ per 1M output tokens over utilization", Empty: true, Columns: []Column{
		{Key: "utilization", Header: "busy", View: Everywhere, Align: AlignRight, Decimals: 2},
		figure("utilized_usd_per_mtok", "$/MTok", mtokDecimals), figure("all_in_usd_per_mtok", "all-in*", mtokDecimals),
	}}
	points, err := cost.Curve(cost.DefaultCurve(), func(busy schema.Decimal) (cost.PerMTok, error) {
		in.Utilization = busy
		return s.Compute(in, gpus)
	})
	if err != nil {
		return Document{}, err
	}
	for _, p := range points {
		doc.Rows = append(doc.Rows, Row{Number(p.Utilization), Money(p.PerMTok.Utilized), Money(p.PerMTok.AllIn)})
	}
	doc.After = []string{fmt.Sprintf("* x %s overhead.", in.Overhead)}
	if !in.Overhead.IsSet() {
		doc.After[0] = "* with the items of [overhead] in the place of a multiplier."
	} else if s.Itemised() {
		doc.After[0] += " As typed: the items of [overhead] are left out."
	}
	return doc, nil
}

// AddMeasurement says of which measurement a calculation took its throughput.
func AddMeasurement(doc *Document, r Resolved) {
	doc.Columns = append(doc.Columns, machine("throughput"), machine("load"))
	for i := range doc.Rows {
		doc.Rows[i] = append(doc.Rows[i], Text(r.Row.ID), Text(r.Row.Load()))
	}
	for _, note := range r.Notes {
		doc.After = append(doc.After, "Throughput: "+note+".")
	}
	doc.After = append(doc.After, measurementLines(r.Row)...)
}
