package reports

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"mtok/schema"
)

// explainedImports is how many imported prices explain lists.
const explainedImports = 40

// importedLines are what other people's records say of the class on the day: each
// record's price stands for itself, and none is in a figure.
func (l Loader) importedLines(ctx context.Context, n Night, f Filter) ([]string, error) {
	day := n.AsOf
	if f.DayNamed {
		day = f.Day
	}
	if day == 0 {
		return nil, nil
	}
	seen, err := l.Source.Observations(ctx, schema.ObservationFilter{
		FromDay: day, ToDay: day, Provider: f.Provider, Class: f.Class, Term: f.Term, Origin: schema.OriginImport,
	})
	if err != nil {
		return nil, fmt.Errorf("imported prices of %s: %w", f.Class, err)
	}
	slices.SortStableFunc(seen, func(a, b schema.Observation) int {
		return cmp.Or(cmp.Compare(a.Offer.Provider, b.Offer.Provider), cmp.Compare(a.Source, b.Source), cmp.Compare(a.USDPerGPUHour, b.USDPerGPUHour))
	})
	var lines []string
	for _, o := range seen {
		if len(lines) == explainedImports {
			lines = append(lines, fmt.Sprintf("Imported: %d more of this day", len(seen)-explainedImports))
			break
		}
		lines = append(lines, importedLine(o))
	}
	return lines, nil
}

func importedLine(o schema.Observation) string {
	where := ""
	if o.Offer.Region != "" {
		where = ", " + o.Offer.Region
	}
	return fmt.Sprintf("Imported, in no figure: %s, %s, %s%s, %s, %s $/GPU-h (%s); record of %s, page %s",
		o.Day, seller(o.Offer), termWords(o.Offer.Term), where, count(o.Offer.GPUCount, "GPU"),
		o.USDPerGPUHour, derivation(o), o.Source, shortPage(o.PageSHA256))
}
