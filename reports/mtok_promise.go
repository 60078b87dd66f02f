package reports

import (
	"fmt"
	"slices"
	"strings"

	"mtok/reports/cost"
	"mtok/schema"
)

// promise is a measurement under a latency bound with its cheapest eligible price,
// beside the ceilings of its class.
type promise struct {
	Beside
	on placed // not priced where nobody rents the configuration
}

// promised finds, per class of a ceiling, the measurement of each kind of promise
// that is most like it: a ceiling alone would be taken for what one gets.
func promised(n Night, measured []Resolved, catalog *schema.Catalog, s Settings, f Filter) map[schema.ClassID][]promise {
	out := map[schema.ClassID][]promise{}
	for _, r := range measured {
		if !f.keepsClass(r.Class) || len(out[r.Class]) > 0 {
			continue
		}
		seen := map[schema.Scenario]bool{}
		for _, b := range Promised(catalog, r.Row) {
			if seen[b.Row.Scenario] || !b.Row.Promises() {
				continue
			}
			seen[b.Row.Scenario] = true
			g := f
			g.Class = r.Class
			p := promise{Beside: b, on: placed{on: cost.Placement{Shape: cost.ShapeNone}}}
			if all := placeClass(b.Row, n.current(catalog, s, g, b.Row.GPUs), s); len(all) > 0 && all[0].priced() && all[0].line.counts() {
				p.on = all[0]
			}
			out[r.Class] = append(out[r.Class], p)
		}
	}
	return out
}

// promiseLines say what the same class costs where requests are promised not to
// wait, a line a class in the order of the workload.
func promiseLines(measured []Resolved, promises map[schema.ClassID][]promise) []string {
	var out []string
	done := map[schema.ClassID]bool{}
	for _, r := range measured {
		if all := promises[r.Class]; len(all) > 0 && !done[r.Class] {
			done[r.Class] = true
			out = append(out, "With a promise: "+promiseLine(all))
		}
	}
	return out
}

func promiseLine(all []promise) string {
	first := all[0].Row
	line := fmt.Sprintf("%dx %s %s, %s", first.GPUs, first.Class, first.Precision, first.Engine)
	var differs []string
	for _, p := range all {
		line += ", " + string(p.Row.Scenario)
		if p.Row.Latency().IsSet() {
			line += fmt.Sprintf(" %s/%s ms", p.Row.TTFTms, p.Row.TPOTms)
		}
		if p.on.priced() {
			line += fmt.Sprintf(" %s (%s)", p.on.perM.Raw.Fixed(mtokDecimals), seller(p.on.line.Offer))
		} else {
			line += fmt.Sprintf(" %s tok/s, nobody rents it tonight", p.Row.TokensPerSecond)
		}
		for _, d := range p.Differs {
			if !strings.HasPrefix(d, "other load") && !slices.Contains(differs, d) {
				differs = append(differs, d)
			}
		}
	}
	if len(differs) > 0 {
		line += "; " + strings.Join(differs, ", ")
	}
	return line + "."
}

// workloadCells are the machine columns that say what a figure stands for.
func workloadCells(w Workload, p placed, promises map[schema.ClassID][]promise) Row {
	out := Row{Text(w.Name), Text(p.row.Load()), Bool(p.row.Ceiling()), Null(), Null(), Null()}
	if beside := promises[p.row.Class]; len(beside) > 0 && p.row.Ceiling() {
		first := beside[0]
		out[3], out[4] = Text(first.Row.ID), Number(first.Row.TokensPerSecond)
		if first.on.priced() {
			out[5] = Money(first.on.perM.Raw)
		}
	}
	return out
}
