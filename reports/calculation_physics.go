package reports

import (
	"fmt"
	"math/big"
	"strings"

	"mtok/reports/cost"
	"mtok/schema"
)

// nearestShown is how many measured rows stand beside a typed configuration.
const nearestShown = 3

// Physical is what physics says of a typed throughput, and what was measured near
// it.
type Physical struct {
	Bound     cost.Bound
	Judgement cost.Judgement
	Nearest   []Beside
}

// Physics judges a claimed throughput of a configuration. An impossible count or
// an unknown precision is cost.ErrInput.
func Physics(catalog *schema.Catalog, c cost.Config, tokensPerSecond schema.Decimal) (Physical, error) {
	bound, err := cost.Roofline(c)
	if err != nil {
		return Physical{}, err
	}
	judgement, err := bound.Judge(cost.Claim{TokensPerSecond: tokensPerSecond})
	if err != nil {
		return Physical{}, err
	}
	nearest := NearestMeasured(catalog, schema.Throughput{
		Class: c.GPU.ID, GPUs: c.GPUs, Model: c.Model.ID, Precision: string(c.Precision),
		InputTokens: c.InputTokens, OutputTokens: c.OutputTokens, Concurrency: c.Concurrency,
	}, nearestShown)
	return Physical{Bound: bound, Judgement: judgement, Nearest: nearest}, nil
}

// addPhysics appends the verdict to a calculation: its columns to the machine
// formats, its arithmetic to the screen. The cost stays, since it is what was
// asked for; the verdict says what it is worth.
func (p Physical) addPhysics(doc *Document) {
	for _, key := range []string{"gpu_class", "model", "precision", "verdict", "reason", "bound_tokens_per_second", "fits", "min_gpus_fit"} {
		doc.Columns = append(doc.Columns, machine(key))
	}
	bound := Null()
	if p.Bound.TokensPerSecond != nil {
		bound = ratNumber(p.Bound.TokensPerSecond)
	}
	doc.Rows[0] = append(doc.Rows[0], Text(string(p.Bound.GPU.ID)), Text(p.Bound.Model.ID), Text(string(p.Bound.Precision)),
		Text(string(p.Judgement.Verdict)), Text(p.Judgement.Reason), bound, Bool(p.Bound.Fits), countCell(p.Bound.MinGPUs))
	verdict := "Verdict: " + string(p.Judgement.Verdict)
	if p.Judgement.Reason != "" {
		verdict += ", " + p.Judgement.Reason
	}
	doc.After = append(doc.After, verdict)
	for _, line := range p.Judgement.Arithmetic {
		doc.After = append(doc.After, "  "+line)
	}
	if p.Judgement.Verdict == cost.VerdictReject {
		doc.After = append(doc.After, "The cost above is arithmetic on a throughput that cannot be.")
	}
	for i, n := range p.Nearest {
		if i == 0 {
			doc.After = append(doc.After, "Measured nearest:")
		}
		doc.After = append(doc.After, "  "+nearestLine(n))
	}
}

func nearestLine(n Beside) string {
	line := fmt.Sprintf("%s tok/s: %s %s on %dx %s, %s in / %s out, %s %s (%s)", n.Row.TokensPerSecond, n.Row.Model, n.Row.Precision,
		n.Row.GPUs, n.Row.Class, given(n.Row.InputTokens), given(n.Row.OutputTokens), n.Row.Engine, n.Row.EngineVersion, n.Row.Load())
	if len(n.Differs) > 0 {
		line += "; differs: " + strings.Join(n.Differs, ", ")
	}
	return line
}

func given(d schema.Decimal) string {
	if !d.IsSet() {
		return "?"
	}
	return d.String()
}

// ratNumber is an exact number rounded for a reader: a bound is no better than
// the data sheet behind it.
func ratNumber(r *big.Rat) Cell {
	text := r.FloatString(1)
	return Cell{Kind: KindNumber, Text: strings.TrimSuffix(text, ".0")}
}
