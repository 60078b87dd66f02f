package watch

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"mtok/reports/alert"
	"mtok/schema"
)

// cheapest judges a target or a new low of what is cheapest across providers.
func (n *night) cheapest(ctx context.Context, src Source, r alert.Rule) error {
	from := n.day - schema.Day(max(r.Baseline, 1))
	if r.Metric == alert.MetricNewLow && r.Baseline == 0 {
		from = 0
	}
	gone := missing(n.runs, max(from, n.day-listNights), n.day)
	for _, class := range n.classes(r) {
		points, sellers, err := n.prices(ctx, src, r, class, from, gone)
		if err != nil {
			return err
		}
		check := r.Target
		if r.Metric == alert.MetricNewLow {
			check = r.NewLow
		}
		n.next(r, string(class), check(points, n.day), func(t alert.Transition) []string {
			word := map[alert.Metric]string{alert.MetricPrice: "TARGET", alert.MetricNewLow: "NEW LOW"}[r.Metric]
			return []string{
				n.headline(word, t, className(class)+", on-demand", "$/GPU-h", t.State.From, t.State.Value),
				"Cheapest at " + sellers[n.day] + ". Proof: mtok explain " + quoted(string(class)) + " --day " + n.day.String() + n.Database + ".",
			}
		})
	}
	return nil
}

// prices are the cheapest eligible on-demand prices of a class, day by day, with
// their sellers.
func (n *night) prices(ctx context.Context, src Source, r alert.Rule, class schema.ClassID, from schema.Day,
	gone map[schema.Day]bool,
) (points []alert.Point, sellers map[schema.Day]string, err error) {
	daily, err := src.DailyPrices(ctx, from, n.day, class)
	if err != nil {
		return nil, nil, fmt.Errorf("daily prices of %s: %w", class, err)
	}
	best := map[schema.Day]schema.DailyPrice{}
	for _, p := range daily {
		if p.Origin == schema.OriginImport || !slices.Contains(termsOf(r), p.Term) || p.GPUCount != r.GPUs || p.Tier == schema.TierVerified ||
			p.Tier == schema.TierCommunity && !n.Settings.Eligibility.Community ||
			len(r.Providers) > 0 && !slices.Contains(r.Providers, p.Provider) || len(r.Tiers) > 0 && !slices.Contains(r.Tiers, p.Tier) {
			continue
		}
		if old, seen := best[p.Day]; !seen || p.Min < old.Min {
			best[p.Day] = p
		}
	}
	sellers = map[schema.Day]string{}
	for _, day := range slices.Sorted(maps.Keys(best)) {
		p := best[day]
		points = append(points, alert.Point{Day: day, Value: p.Min, Known: true, N: p.N, Inhibited: gone[day] && len(r.Providers) == 0})
		sellers[day] = oneLine(n.name(p.Provider) + " " + string(p.Tier))
	}
	return points, sellers, nil
}

func termsOf(r alert.Rule) []schema.Term {
	if len(r.Terms) == 0 {
		return []schema.Term{schema.TermOnDemand}
	}
	return r.Terms
}
