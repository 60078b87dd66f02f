package reports

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"mtok/reports/cost"
	"mtok/schema"
)

// Resolved is a configuration of a workload with the measurement that prices it.
type Resolved struct {
	Configuration
	// Row is the measurement, as it was measured: it is never stretched to the
	// workload's lengths. Zero where Measured is false.
	Row      schema.Throughput
	Measured bool
	// Notes say in what the measurement differs from the workload.
	Notes []string
	// Reason says why there is no measurement, with the nearest that was not used.
	Reason string
	// Estimate is what an unmeasured configuration may give; in no price.
	Estimate  cost.Estimate
	Estimated bool
}

// near is how much longer or shorter than asked for a measured length may be. At
// a quarter throughput moves less than between two versions of an engine; from
// 1000/1000 to 5000/500 it moves five times.
func near() *big.Rat { return big.NewRat(5, 4) }

// Resolve finds the measurement of each configuration: of the same class, GPUs,
// model and precision, within the bound on waiting, and with the nearest lengths,
// if any are near. What is unknown to the catalog is an error.
func (w Workload) Resolve(catalog *schema.Catalog) ([]Resolved, error) {
	if err := w.Validate(catalog); err != nil {
		return nil, err
	}
	out := make([]Resolved, 0, len(w.Configurations))
	for _, c := range w.Configurations {
		out = append(out, w.resolve(c, catalog))
	}
	return out, nil
}

func (w Workload) resolve(c Configuration, catalog *schema.Catalog) Resolved {
	r := Resolved{Configuration: c}
	var fitting, others []schema.Throughput
	for _, row := range catalog.Throughputs {
		switch {
		case !c.measuredBy(row) || shapeOf(row.Model, catalog) != shapeOf(w.Model, catalog):
		case w.accepts(row):
			fitting = append(fitting, row)
		default:
			others = append(others, row)
		}
	}
	if len(fitting) > 0 {
		r.Row, r.Measured = slices.MinFunc(fitting, w.compare), true
		r.Notes = w.notes(r.Row, catalog)
		return r
	}
	r.Reason = fmt.Sprintf("%s of %s%s was not measured", c, w.Model, w.wish())
	if len(others) > 0 {
		best := slices.MinFunc(others, w.compare)
		r.Reason += fmt.Sprintf("; nearest, not used: %s tok/s at %s, %s", best.TokensPerSecond, lengths(best.InputTokens, best.OutputTokens), best.Load())
	}
	r.Estimate, r.Estimated = w.estimate(c, catalog)
	return r
}

func (c Configuration) measuredBy(row schema.Throughput) bool {
	return row.Class == c.Class && row.GPUs == c.GPUs && (c.Precision == "" || samePrecision(c.Precision, row.Precision))
}

// samePrecision compares sizes: BF16 and FP16 are one.
func samePrecision(a, b string) bool {
	x, errX := cost.ParsePrecision(a)
	y, errY := cost.ParsePrecision(b)
	return errX == nil && errY == nil && x == y
}

// accepts reports whether a row's lengths are near and its waiting is within the
// bound. A mean is no promise.
func (w Workload) accepts(row schema.Throughput) bool {
	if bound := w.Latency(); bound.IsSet() && (row.LatencyBasis != schema.LatencyPromise || !row.Latency().Within(bound)) {
		return false
	}
	for _, l := range w.lengthPairs(row) {
		if l.asked.IsSet() && (!l.measured.IsSet() || stretch(l.asked, l.measured).Cmp(near()) > 0) {
			return false
		}
	}
	return true
}

type lengthPair struct{ asked, measured schema.Decimal }

func (w Workload) lengthPairs(row schema.Throughput) [2]lengthPair {
	return [2]lengthPair{{w.InputTokens, row.InputTokens}, {w.OutputTokens, row.OutputTokens}}
}

// stretch is how far two lengths lie apart, as a factor of 1 or more.
func stretch(a, b schema.Decimal) *big.Rat {
	x, y := a.Rat(), b.Rat()
	if x.Sign() == 0 || y.Sign() == 0 {
		return new(big.Rat).SetInt64(1 << 32) // as far as can be
	}
	if x.Cmp(y) < 0 {
		x, y = y, x
	}
	return new(big.Rat).Quo(x, y)
}

// distance is how far a row's lengths are from the workload's: the product of
// both factors. Unknown lengths are farthest.
func (w Workload) distance(row schema.Throughput) *big.Rat {
	far := big.NewRat(1, 1)
	for _, l := range w.lengthPairs(row) {
		if l.asked.IsSet() {
			far.Mul(far, stretch(l.asked, l.measured))
		}
	}
	return far
}

// compare orders rows of one configuration: the nearest lengths, then the user's
// own, then what the workload asks for (a ceiling where it names no bound), then
// the catalog's default and the newest.
func (w Workload) compare(a, b schema.Throughput) int {
	unbounded := !w.Latency().IsSet()
	return cmp.Or(
		w.distance(a).Cmp(w.distance(b)),
		first(a.GivenIn != "", b.GivenIn != ""),
		first(a.Ceiling() == unbounded, b.Ceiling() == unbounded),
		first(a.Default, b.Default),
		strings.Compare(b.Date, a.Date),
		strings.Compare(a.ID, b.ID),
	)
}

// first orders what is before what is not.
func first(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

func (w Workload) notes(row schema.Throughput, catalog *schema.Catalog) []string {
	notes := []string{row.Load()}
	if w.distance(row).Cmp(big.NewRat(1, 1)) != 0 {
		notes = append(notes, fmt.Sprintf("measured at %s, asked for %s", lengths(row.InputTokens, row.OutputTokens), lengths(w.InputTokens, w.OutputTokens)))
	}
	if m, ok := catalog.Model(w.Model); ok && !strings.EqualFold(row.Model, w.Model) && !strings.EqualFold(m.ID, w.Model) {
		notes = append(notes, row.Model+", same shape")
	}
	if row.AllowImplausible {
		notes = append(notes, implausible)
	}
	return notes
}

// implausible marks a throughput that the user keeps against physics.
const implausible = "breaks the physical bound, kept by allow_implausible"

// wish says what was asked for besides the configuration.
func (w Workload) wish() string {
	text := ""
	if w.InputTokens.IsSet() || w.OutputTokens.IsSet() {
		text = " near " + lengths(w.InputTokens, w.OutputTokens)
	}
	if bound := w.Latency(); bound.IsSet() {
		text += " within " + bound.String()
	}
	return text
}

// lengths prints "1000/1000", with a question mark for what is not known.
func lengths(input, output schema.Decimal) string {
	return cmp.Or(input.String(), "?") + "/" + cmp.Or(output.String(), "?")
}

// estimate is of a configuration that nobody measured. A bound on waiting has no
// estimate: the physical bound knows no waiting.
func (w Workload) estimate(c Configuration, catalog *schema.Catalog) (cost.Estimate, bool) {
	if w.Latency().IsSet() || c.Precision == "" || !w.InputTokens.IsSet() || !w.OutputTokens.IsSet() {
		return cost.Estimate{}, false
	}
	config, err := cost.RowConfig(catalog, schema.Throughput{Class: c.Class, GPUs: c.GPUs, Model: w.Model, Precision: c.Precision,
		InputTokens: w.InputTokens, OutputTokens: w.OutputTokens})
	if err != nil {
		return cost.Estimate{}, false
	}
	b, err := cost.Roofline(config)
	if err != nil {
		return cost.Estimate{}, false
	}
	return b.Estimate()
}
