package reports

import (
	"cmp"
	"slices"
	"strings"

	"mtok/schema"
)

// apart says which kinds of row stand in no minimum of on-demand prices.
func apart(rows []placed) []string {
	var kinds []string
	add := func(kind string) {
		if !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	for _, p := range rows {
		if !p.priced() {
			continue
		}
		for _, why := range p.line.why {
			add(strings.TrimSuffix(why, ": in no minimum"))
		}
		if p.line.eligible() && p.line.Offer.Term != schema.TermOnDemand {
			add(string(p.line.Offer.Term))
		}
	}
	if len(kinds) == 0 {
		return nil
	}
	slices.Sort(kinds)
	return []string{"Shown, in no minimum: " + strings.Join(kinds, "; ") + "."}
}

// notMeasured names each configuration of the workload that nobody measured, with
// the reason and what it may give.
func notMeasured(unmeasured []Resolved, f Filter) []string {
	var out []string
	for _, r := range unmeasured {
		if !f.keepsClass(r.Class) {
			continue
		}
		line := "No cost: " + r.Reason
		if r.Estimated {
			line += "; " + r.Estimate.String()
		}
		out = append(out, line+".")
	}
	return out
}

// unmeasuredClasses names the classes listed tonight on which the workload has no
// configuration.
func unmeasuredClasses(n Night, w Workload, measured, unmeasured []Resolved, catalog *schema.Catalog, s Settings, f Filter) []string {
	known := map[schema.ClassID]bool{}
	for _, r := range slices.Concat(measured, unmeasured) {
		known[r.Class] = true
	}
	model := shapeOf(w.Model, catalog)
	var without, elsewhere []schema.ClassID
	for _, l := range n.current(catalog, s, f, 0) {
		to := &without
		if slices.ContainsFunc(catalog.Throughputs, func(t schema.Throughput) bool {
			return t.Class == l.Class && shapeOf(t.Model, catalog) == model
		}) {
			to = &elsewhere
		}
		if !known[l.Class] && !slices.Contains(*to, l.Class) {
			*to = append(*to, l.Class)
		}
	}
	var out []string
	if len(elsewhere) > 0 {
		out = append(out, "Listed, but in no configuration of the workload: "+classList(elsewhere, catalog)+".")
	}
	if len(without) > 0 {
		out = append(out, "Listed, but no throughput measured, so no cost: "+classList(without, catalog)+".")
	}
	return out
}

func classList(names []schema.ClassID, catalog *schema.Catalog) string {
	slices.SortFunc(names, classOrder(catalog))
	text := make([]string, len(names))
	for i, name := range names {
		text[i] = string(name)
	}
	return strings.Join(text, ", ")
}

// otherWorkloads names the workloads that the report leaves out.
func otherWorkloads(shown Workload, s Settings, catalog *schema.Catalog) []string {
	var names []string
	for _, w := range s.workloads(catalog) {
		if w.Name != shown.Name {
			names = append(names, w.Name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	return []string{"Other workloads (--workload NAME): " + strings.Join(names, ", ") + "."}
}

// throughputLines says how the throughputs were measured, so that a ceiling is
// not taken for what one gets.
func throughputLines(rows []placed) []string {
	var out []string
	for _, p := range rows {
		line := "Throughput: " + p.row.Engine + ", " + cmp.Or(p.row.Profile, "profile not stated")
		if p.row.Confidence != "" {
			line += "; " + p.row.Confidence
		}
		if p.row.GivenIn != "" {
			line += "; yours, " + p.row.GivenIn
		}
		line += "; " + p.row.Load()
		if line += "."; !slices.Contains(out, line) {
			out = append(out, line)
		}
	}
	return out
}
