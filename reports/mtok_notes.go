package reports

import (
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

// unmeasured names the classes listed tonight that have no throughput row.
func unmeasured(n Night, catalog *schema.Catalog, s Settings, f Filter) []string {
	var names []schema.ClassID
	for _, l := range n.current(catalog, s, f, 0) {
		if _, ok := catalog.Default(l.Class); !ok && !slices.Contains(names, l.Class) {
			names = append(names, l.Class)
		}
	}
	if len(names) == 0 {
		return nil
	}
	slices.SortFunc(names, classOrder(catalog))
	text := make([]string, len(names))
	for i, name := range names {
		text[i] = string(name)
	}
	return []string{"Listed, but no throughput measured, so no cost: " + strings.Join(text, ", ") + "."}
}

// throughputLines says how the throughputs were measured, so that a ceiling is
// not taken for what one gets.
func throughputLines(rows []placed) []string {
	var out []string
	for _, p := range rows {
		line := "Throughput: " + p.row.Engine + ", " + p.row.Profile
		if p.row.Confidence != "" {
			line += "; " + p.row.Confidence
		}
		if line += "."; !slices.Contains(out, line) {
			out = append(out, line)
		}
	}
	return out
}
