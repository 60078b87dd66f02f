package reports

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"mtok/schema"
)

// Beside is a measurement that stands beside another, with what differs.
type Beside struct {
	Row     schema.Throughput
	Differs []string
}

// Promised lists the measurements of a ceiling's class that say how long requests
// waited, the most alike first: a ceiling alone would be taken for what one gets.
// Where the model itself has none, a model of nearly the same size stands in,
// said. It is empty for a row that is no ceiling, and where nobody measured any.
func Promised(catalog *schema.Catalog, ceiling schema.Throughput) []Beside {
	if !ceiling.Ceiling() {
		return nil
	}
	var same, alike []Beside
	for _, row := range catalog.Throughputs {
		if row.Class != ceiling.Class || (!row.Promises() && !row.Latency().IsSet()) {
			continue
		}
		b := Beside{row, differences(row, ceiling, catalog)}
		switch {
		case shapeOf(row.Model, catalog) == shapeOf(ceiling.Model, catalog):
			same = append(same, b)
		case ofOneSize(row.Model, ceiling.Model, catalog):
			alike = append(alike, b)
		}
	}
	if len(same) == 0 {
		same = alike
	}
	slices.SortFunc(same, func(a, b Beside) int { return comparePromised(a.Row, b.Row, ceiling) })
	return same
}

// comparePromised puts a promise before a mean, then the precision, the lengths
// and the GPUs of the ceiling, then the loosest bound, which is the next step
// down.
func comparePromised(a, b, ceiling schema.Throughput) int {
	return cmp.Or(
		first(a.Promises(), b.Promises()),
		first(samePrecision(a.Precision, ceiling.Precision), samePrecision(b.Precision, ceiling.Precision)),
		first(sameLengths(a, ceiling), sameLengths(b, ceiling)),
		first(a.GPUs == ceiling.GPUs, b.GPUs == ceiling.GPUs),
		b.TPOTms.Rat().Cmp(a.TPOTms.Rat()),
		strings.Compare(b.Date, a.Date),
		strings.Compare(a.ID, b.ID),
	)
}

// ofOneSize reports whether two models have parameters within a twentieth, active
// and all: as heavy to read and to compute.
func ofOneSize(a, b string, catalog *schema.Catalog) bool {
	x, okX := catalog.Model(a)
	y, okY := catalog.Model(b)
	most := big.NewRat(21, 20)
	return okX && okY && stretch(x.ParamsB, y.ParamsB).Cmp(most) <= 0 && stretch(x.ActiveParamsB, y.ActiveParamsB).Cmp(most) <= 0
}

func sameLengths(a, b schema.Throughput) bool {
	return a.InputTokens.Rat().Cmp(b.InputTokens.Rat()) == 0 && a.OutputTokens.Rat().Cmp(b.OutputTokens.Rat()) == 0
}

// differences are in what a row was measured otherwise than another: everything
// by which two figures are not like for like.
func differences(row, than schema.Throughput, catalog *schema.Catalog) []string {
	var out []string
	add := func(differs bool, format string, args ...any) {
		if differs {
			out = append(out, strings.TrimSpace(fmt.Sprintf(format, args...)))
		}
	}
	add(shapeOf(row.Model, catalog) != shapeOf(than.Model, catalog), "other model: %s", row.Model)
	add(row.GPUs != than.GPUs, "%d GPUs, not %d", row.GPUs, than.GPUs)
	add(!samePrecision(row.Precision, than.Precision), "other precision: %s", cmp.Or(row.Precision, "not stated"))
	add(!sameLengths(row, than), "other mix: %s", lengths(row.InputTokens, row.OutputTokens))
	add(row.Scenario != than.Scenario, "other load: %s", cmp.Or(string(row.Scenario), "not stated"))
	add(row.Concurrency != than.Concurrency, "other concurrency: %s", requests(row.Concurrency))
	waits, others := row.Latency(), than.Latency()
	add(waits != others && row.Scenario == than.Scenario, "other latency: %s", waits)
	switch {
	case row.Engine != than.Engine:
		add(true, "other engine: %s %s", row.Engine, row.EngineVersion)
	case row.EngineVersion != than.EngineVersion:
		add(true, "other engine version: %s", cmp.Or(row.EngineVersion, "not stated"))
	case row.EngineVersion == "":
		add(true, "engine version not stated")
	}
	switch {
	case row.Checkpoint != than.Checkpoint:
		add(true, "other checkpoint: %s", cmp.Or(row.Checkpoint, "not stated"))
	case row.Checkpoint == "":
		add(true, "checkpoint not stated")
	}
	return out
}

func requests(n int) string {
	if n == 0 {
		return "not stated"
	}
	return fmt.Sprint(n)
}
