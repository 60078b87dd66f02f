package watch

import (
	"context"
	"fmt"

	"mtok/reports/alert"
	"mtok/schema"
)

// conditions judges a rule that a state is kept of.
func (n *night) conditions(ctx context.Context, src Source, r alert.Rule) error {
	switch r.Metric {
	case alert.MetricPrice, alert.MetricNewLow:
		return n.cheapest(ctx, src, r)
	case alert.MetricMTok:
		return n.mtok(ctx, src, r)
	case alert.MetricBreakEven:
		return n.breakEven(ctx, src, r)
	case alert.MetricAvailable:
		return n.available(ctx, src, r)
	case alert.MetricMine:
		return n.mine(ctx, src, r)
	case alert.MetricStale:
		return n.stale(ctx, src, r)
	}
	return nil
}

// classes are those of the catalog that a rule watches.
func (n *night) classes(r alert.Rule) []schema.ClassID {
	var out []schema.ClassID
	for _, g := range n.Catalog.GPUs {
		if r.Watches(g.ID) {
			out = append(out, g.ID)
		}
	}
	return out
}

// headline is the first line of a condition's text.
func (n *night) headline(word string, t alert.Transition, what, unit string, from, to schema.USD) string {
	if t.Change == alert.ChangeResolved {
		word += " OVER"
	}
	return fmt.Sprintf("[mtok] %s %s: %s against %s %s", word, oneLine(what), to.Fixed(3), from.Fixed(3), unit)
}
