package reports

import (
	"cmp"
	"slices"
	"strings"

	"mtok/schema"
)

// NearestMeasured lists up to n measurements that are most like a configuration
// that somebody asks about, with what differs: of its class and model, else of its
// class. The asked row names class, GPUs, model, precision, lengths and
// concurrency as far as they are known; the rest of it is not looked at.
func NearestMeasured(catalog *schema.Catalog, asked schema.Throughput, n int) []Beside {
	var same, others []schema.Throughput
	for _, row := range catalog.Throughputs {
		switch {
		case row.Class != asked.Class:
		case shapeOf(row.Model, catalog) == shapeOf(asked.Model, catalog):
			same = append(same, row)
		default:
			others = append(others, row)
		}
	}
	if len(same) == 0 {
		same = others
	}
	w := Workload{InputTokens: asked.InputTokens, OutputTokens: asked.OutputTokens}
	slices.SortFunc(same, func(a, b schema.Throughput) int {
		return cmp.Or(
			first(asked.Precision == "" || samePrecision(a.Precision, asked.Precision), asked.Precision == "" || samePrecision(b.Precision, asked.Precision)),
			cmp.Compare(apartBy(a.GPUs, asked.GPUs), apartBy(b.GPUs, asked.GPUs)),
			w.distance(a).Cmp(w.distance(b)),
			cmp.Compare(apartBy(a.Concurrency, asked.Concurrency), apartBy(b.Concurrency, asked.Concurrency)),
			first(a.GivenIn != "", b.GivenIn != ""),
			strings.Compare(b.Date, a.Date),
			strings.Compare(a.ID, b.ID),
		)
	})
	var out []Beside
	for _, row := range same[:min(n, len(same))] {
		out = append(out, Beside{row, asideFrom(asked, row, catalog)})
	}
	return out
}

// apartBy is the difference of two counts, none where nothing was asked for.
func apartBy(n, asked int) int {
	if asked == 0 {
		return 0
	}
	return max(n-asked, asked-n)
}

// asideFrom are the differences in what was asked about.
func asideFrom(asked, row schema.Throughput, catalog *schema.Catalog) []string {
	like := row
	like.Model = cmp.Or(asked.Model, row.Model)
	like.GPUs = cmp.Or(asked.GPUs, row.GPUs)
	like.Precision = cmp.Or(asked.Precision, row.Precision)
	like.Concurrency = cmp.Or(asked.Concurrency, row.Concurrency)
	like.InputTokens = cmp.Or(asked.InputTokens, row.InputTokens)
	like.OutputTokens = cmp.Or(asked.OutputTokens, row.OutputTokens)
	out := differences(row, like, catalog)
	// of the row alone, and no difference from what was asked
	return slices.DeleteFunc(out, func(s string) bool { return strings.HasSuffix(s, "version not stated") || s == "checkpoint not stated" })
}
