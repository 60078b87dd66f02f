package alert

import (
	"math/big"
	"slices"
	"strings"

	"mtok/schema"
)

// idle are keys that a rule of the metric would never look at, or that keep it from
// ever telling: a rule that says more than it does is not what its user meant.
func (r Rule) idle(k Known) []Fault {
	f := faults{}
	for _, v := range []struct {
		key    string
		set    bool
		unused []Metric
	}{
		{"class", len(r.Classes) > 0, []Metric{MetricStale}},
		{"provider", len(r.Providers) > 0, []Metric{MetricMTok, MetricBreakEven, MetricMine}},
		{"tier", len(r.Tiers) > 0, []Metric{MetricMTok, MetricBreakEven, MetricMine, MetricStale, MetricAvailable}},
		{"term", len(r.Terms) > 0, []Metric{MetricMTok, MetricBreakEven, MetricMine, MetricStale, MetricAvailable}},
		{"gpu_count", r.GPUs > 0, []Metric{MetricMTok, MetricBreakEven, MetricMine, MetricStale, MetricMarket}},
	} {
		f.check(v.key, !v.set || !slices.Contains(v.unused, r.Metric), "a %s rule has no %s", r.Metric, v.key)
	}
	f.check("threshold", r.Threshold.Kind != ThresholdPercent || r.Direction != Down || r.Threshold.Percent.Rat().Cmp(big.NewRat(100, 1)) < 0,
		"no price falls by %s", r.Threshold)
	states := !r.Moves() && !slices.Contains(yesOrNo(), r.Metric)
	f.check("rearm", !r.Rearm.IsSet() || states && r.Metric != MetricNewLow || r.Metric == MetricBreakEven, "a %s rule of this threshold has no re-arm: it is told once", r.Metric)
	f.check("step", !r.Step.IsSet() || states, "a %s rule of this threshold has no step: every lower price tells again", r.Metric)
	for _, p := range r.Providers {
		market := slices.Contains(k.Markets, string(p))
		lists := slices.Contains(k.Lists, string(p))
		f.check("provider", !lists || r.Metric == MetricStale, "%s lists tokens and rents no GPUs", p)
		f.check("provider", r.Metric != MetricMarket || market || lists || len(k.Markets) == 0, "%s is no marketplace; known: %s", p, strings.Join(k.Markets, ", "))
		f.check("provider", !r.ofLists() || !market, "%s is a marketplace and has no list: use metric market", p)
	}
	for _, tier := range r.Tiers {
		f.check("tier", r.Metric != MetricMarket || tier == schema.TierVerified, "a market is its verified and reliable machines, not %s", tier)
		f.check("tier", !r.ofLists() || !slices.Contains(marketTiers(), tier), "%s is no tier of a list: use metric market", tier)
	}
	return f.list
}

// ofLists reports whether the rule tells moves of list prices.
func (r Rule) ofLists() bool { return r.Metric == MetricPrice && r.Moves() }

// marketTiers are those that offers of a list never have.
func marketTiers() []schema.Tier {
	return []schema.Tier{schema.TierVerified, schema.TierUnverified, schema.TierDeverified, "eligible"}
}
