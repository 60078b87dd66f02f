package watch

import (
	"context"
	"fmt"

	"mtok/reports"
	"mtok/reports/alert"
	"mtok/schema"
)

// mtok judges what a million output tokens cost, rent alone and flat out, by figures
// of tonight's inputs alone: another measurement is no move.
func (n *night) mtok(ctx context.Context, src Source, r alert.Rule) error {
	from := n.day - schema.Day(max(r.Baseline, 1))
	gone := missing(n.runs, from, n.day)
	w, measured := n.Settings.Measured(n.Catalog, r.Workload, "")
	for _, on := range measured {
		if !r.Watches(on.Class) {
			continue
		}
		costs, err := src.DailyTokenCosts(ctx, from, n.day, on.Class)
		if err != nil {
			return fmt.Errorf("token costs of %s: %w", on.Class, err)
		}
		points, seller := costPoints(costs, w.Name, on.Row.GPUs, n.day, gone, func(c schema.DailyTokenCost) schema.USD { return c.Raw })
		series := w.Name + "/" + string(on.Class)
		check := r.RelativeTo(n.state(r.Name, series), points, n.day)
		if r.Threshold.Kind == alert.ThresholdTarget {
			check = r.Target(points, n.day)
		}
		n.next(r, series, check, func(t alert.Transition) []string {
			return []string{
				n.headline("MTOK", t, w.Name+" on "+on.Configuration.String(), "$/MTok flat out", t.State.From, t.State.Value),
				"Cheapest at " + n.name(seller) + ", rent only.",
			}
		})
	}
	return nil
}

// costPoints are the cheapest on-demand figures of a workload's configuration that
// were made with tonight's inputs.
func costPoints(costs []schema.DailyTokenCost, workload string, gpus int, day schema.Day, gone map[schema.Day]bool,
	value func(schema.DailyTokenCost) schema.USD,
) (points []alert.Point, seller schema.ProviderID) {
	ours := func(c schema.DailyTokenCost) bool {
		return c.Workload == workload && c.GPUs == gpus && c.Statistic == schema.StatCheapest && c.Term == schema.TermOnDemand &&
			c.Origin != schema.OriginImport
	}
	inputs := ""
	for _, c := range costs {
		if ours(c) && c.Day == day {
			inputs, seller = c.Inputs, c.Provider
		}
	}
	for _, c := range costs {
		if ours(c) && c.Inputs == inputs {
			points = append(points, alert.Point{Day: c.Day, Value: value(c), Known: true, N: 1, Inhibited: gone[c.Day]})
		}
	}
	return points, seller
}

// breakEven judges whether a million tokens cost less on rented GPUs, as busy as the
// configuration says, than by the API of tonight's list.
func (n *night) breakEven(ctx context.Context, src Source, r alert.Rule) error {
	gone := missing(n.runs, n.day, n.day)
	w, measured := n.Settings.Measured(n.Catalog, r.Workload, "")
	for _, on := range measured {
		if !r.Watches(on.Class) {
			continue
		}
		var api []alert.Point
		if price, ok := reports.CompareAPI(w, on.Row.Precision, n.lists, n.Settings); ok {
			if usd, err := schema.RoundUSD(price.PerMTok); err == nil {
				api = append(api, alert.Point{Day: n.day, Value: usd, Known: true})
			}
		}
		costs, err := src.DailyTokenCosts(ctx, n.day, n.day, on.Class)
		if err != nil {
			return fmt.Errorf("token costs of %s: %w", on.Class, err)
		}
		self, seller := costPoints(costs, w.Name, on.Row.GPUs, n.day, gone, func(c schema.DailyTokenCost) schema.USD { return c.Utilized })
		for _, side := range r.Sides() {
			series := w.Name + "/" + string(on.Class) + "/" + string(side.Direction)
			n.next(side, series, side.BreakEven(self, api, n.day), func(t alert.Transition) []string {
				if otherSideTells(r, t) {
					return nil
				}
				word := "now costs less than the API"
				if side.Direction == alert.Up {
					word = "now costs more than the API"
				}
				if t.Change == alert.ChangeResolved {
					word = "is back on the other side of the API"
				}
				return []string{
					fmt.Sprintf("[mtok] BREAK-EVEN %s on %s %s: %s against %s $/MTok", w.Name, on.Configuration, word,
						t.State.Value.Fixed(3), t.State.From.Fixed(3)),
					fmt.Sprintf("At %s busy, rent only, at %s. See: mtok report api%s.", share(n.Settings.Utilization.Rat()), n.name(seller), n.Database),
				}
			})
		}
	}
	return nil
}
