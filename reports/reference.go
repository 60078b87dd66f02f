package reports

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"mtok/schema"
)

// Reference is somebody else's watch over prices that reports name beside ours. It
// is in no figure.
type Reference struct {
	Name   string // as shown
	Source string // of imported prices
}

// References are the lines that reports show of the references of the settings,
// newest prices of at most MaxAge days: one a reference, or none where it has
// nothing of the classes asked for. They are read from imports alone.
func (l Loader) References(ctx context.Context, asOf schema.Day, f Filter) ([]string, error) {
	if len(l.Settings.References) == 0 {
		return nil, nil
	}
	seen, err := l.Source.Observations(ctx, schema.ObservationFilter{
		FromDay: asOf - schema.Day(l.Settings.MaxAge), ToDay: asOf, Origin: schema.OriginImport,
	})
	if err != nil {
		return nil, fmt.Errorf("references up to %s: %w", asOf, err)
	}
	var lines []string
	for _, r := range l.Settings.References {
		if line := r.line(seen, asOf, l.Catalog, f); line != "" {
			lines = append(lines, line)
		}
	}
	return lines, nil
}

// withReferences adds the lines to a report of one night.
func (l Loader) withReferences(ctx context.Context, doc Document, f Filter) (Document, error) {
	if doc.Empty {
		return doc, nil
	}
	lines, err := l.References(ctx, doc.AsOf, f)
	doc.After = append(doc.After, lines...)
	return doc, err
}

// line says the cheapest of each class on the newest day of a reference.
func (r Reference) line(seen []schema.Observation, asOf schema.Day, catalog *schema.Catalog, f Filter) string {
	newest := schema.Day(0)
	for i := range seen {
		if seen[i].Source == r.Source {
			newest = max(newest, seen[i].Day)
		}
	}
	watched := map[schema.ProviderID]bool{}
	best := map[schema.ClassID]*schema.Observation{}
	for i := range seen {
		o := &seen[i]
		if o.Source != r.Source || o.Day != newest || !published(o) {
			continue
		}
		watched[o.Offer.Provider] = true
		_, known := catalog.GPU(o.Class)
		if !known || o.Offer.Term != schema.TermOnDemand || f.Class != "" && f.Class != o.Class {
			continue
		}
		if b := best[o.Class]; b == nil || o.USDPerGPUHour < b.USDPerGPUHour {
			best[o.Class] = o
		}
	}
	var classes []schema.ClassID
	for class := range best {
		if _, priced := catalog.Default(class); priced || f.Class != "" {
			classes = append(classes, class)
		}
	}
	if len(classes) == 0 {
		return ""
	}
	order := classOrder(catalog)
	slices.SortFunc(classes, func(a, b schema.ClassID) int { return cmp.Or(order(a, b), cmp.Compare(a, b)) })
	var parts []string
	for _, class := range classes {
		parts = append(parts, fmt.Sprintf("%s %s %s", class, best[class].USDPerGPUHour.Fixed(hourDecimals), seller(best[class].Offer)))
	}
	on := ""
	if newest != asOf {
		on = " on " + newest.String()
	}
	return fmt.Sprintf("Reference, in no figure: cheapest of %d watched by %s%s, $/GPU-h: %s", len(watched), r.Name, on, strings.Join(parts, "; "))
}
