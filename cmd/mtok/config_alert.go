package main

import (
	"cmp"
	"slices"

	"mtok/reports"
	"mtok/reports/alert"
	"mtok/schema"
)

// AlertConfig is one [[alert]]. What is left out is the default of its metric.
type AlertConfig struct {
	Name        string   `toml:"name"`
	Metric      string   `toml:"metric"`
	Class       []string `toml:"class,omitempty"`
	Provider    []string `toml:"provider,omitempty"`
	Tier        []string `toml:"tier,omitempty"`
	Term        []string `toml:"term,omitempty"`
	GPUCount    int      `toml:"gpu_count,omitempty"`
	Workload    string   `toml:"workload,omitempty"`
	Fleet       string   `toml:"fleet,omitempty"`
	Direction   string   `toml:"direction,omitempty"`
	Threshold   string   `toml:"threshold,omitempty"`
	Baseline    int      `toml:"baseline,omitempty"`
	For         int      `toml:"for,omitempty"`
	Cooldown    int      `toml:"cooldown,omitempty"`
	Rearm       number   `toml:"rearm,omitempty"`
	Step        number   `toml:"step,omitempty"`
	Statistic   string   `toml:"statistic,omitempty"`
	MinMachines int      `toml:"min_machines,omitempty"`
	RenewalDays []int    `toml:"renewal_days,omitempty"`
	Channels    []string `toml:"channels,omitempty"`
	Severity    string   `toml:"severity,omitempty"`
}

// defaultAlerts are the rules of a configuration that names none.
func defaultAlerts() []AlertConfig {
	var out []AlertConfig
	for _, r := range alert.Defaults() {
		c := AlertConfig{
			Name: r.Name, Metric: string(r.Metric), Class: r.Classes, Provider: plain(r.Providers), Tier: plain(r.Tiers),
			Term: plain(r.Terms), GPUCount: r.GPUs, Workload: r.Workload, Fleet: r.Fleet, Direction: string(r.Direction),
			Threshold: r.Threshold.String(), Baseline: r.Baseline, For: r.For, Cooldown: r.Cooldown,
			Statistic: string(r.Statistic), MinMachines: r.MinMachines, RenewalDays: r.RenewalDays,
			Channels: r.Channels, Severity: string(r.Severity),
		}
		if r.Rearm.IsSet() {
			c.Rearm = number(r.Rearm.String())
		}
		if r.Step.IsSet() {
			c.Step = number(r.Step.String())
		}
		out = append(out, c)
	}
	return out
}

func plain[T ~string](list []T) []string {
	var out []string
	for _, t := range list {
		out = append(out, string(t))
	}
	return out
}

func typed[T ~string](list []string) []T {
	var out []T
	for _, t := range list {
		out = append(out, T(t))
	}
	return out
}

// validateAlerts checks the channels and the rules that name them.
func (c Config) validateAlerts() error {
	if err := c.validateChannels(); err != nil {
		return err
	}
	catalog, err := c.catalog()
	if err != nil {
		return err
	}
	_, err = c.rules(catalog)
	return err
}

// rules are the alert rules of the configuration.
func (c Config) rules(catalog *schema.Catalog) ([]alert.Rule, error) {
	known := alert.Known{Classes: catalog.ClassNames(), Providers: providerIDs(), Markets: plain(marketplaces()), Channels: c.channelNames()}
	for _, p := range known.Providers {
		if schema.ProviderID(p).ListsTokens() {
			known.Lists = append(known.Lists, p)
		}
	}
	for _, w := range c.Workloads {
		known.Workloads = append(known.Workloads, w.Name)
	}
	for _, f := range c.Fleets {
		known.Fleets = append(known.Fleets, f.Name)
	}
	var out []alert.Rule
	for i, one := range c.Alerts {
		r, err := one.rule(i)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(out, func(earlier alert.Rule) bool { return earlier.Name == r.Name }) {
			return nil, rowInvalid("alert", i, "name", "%q stands twice", r.Name)
		}
		for _, tier := range one.Tier {
			if tiers := knownTiers(); !slices.Contains(tiers, tier) {
				return nil, rowInvalid("alert", i, "tier", "unknown tier %q; %s", tier, nearHint(tier, tiers))
			}
		}
		if faults := r.Validate(known); len(faults) > 0 {
			return nil, rowInvalid("alert", i, faults[0].Key, "%s", faults[0].Reason)
		}
		out = append(out, r)
	}
	return out, nil
}

// knownTiers are those that offers and daily prices have.
func knownTiers() []string {
	return plain([]schema.Tier{
		schema.TierSecure, schema.TierCommunity, schema.TierCluster, schema.TierVerified, schema.TierUnverified, schema.TierDeverified,
		reports.TierEligible,
	})
}

// rule reads the i-th [[alert]].
func (c AlertConfig) rule(i int) (alert.Rule, error) {
	r := alert.Rule{
		Name: c.Name, Metric: alert.Metric(c.Metric), Classes: c.Class, Providers: typed[schema.ProviderID](c.Provider),
		Tiers: typed[schema.Tier](c.Tier), Terms: typed[schema.Term](c.Term), GPUs: c.GPUCount, Workload: c.Workload,
		Fleet: c.Fleet, Direction: alert.Direction(c.Direction), Baseline: c.Baseline, For: c.For, Cooldown: c.Cooldown,
		Statistic: alert.Statistic(c.Statistic), MinMachines: c.MinMachines, RenewalDays: c.RenewalDays,
		Channels: c.Channels, Severity: alert.Severity(c.Severity),
	}
	if !slices.Contains(alert.Metrics(), r.Metric) {
		return r, rowInvalid("alert", i, "metric", "unknown metric %q; %s", c.Metric, nearHint(c.Metric, plain(alert.Metrics())))
	}
	if err := r.Threshold.UnmarshalText([]byte(cmp.Or(c.Threshold, defaultThreshold(r.Metric)))); err != nil {
		return r, rowInvalid("alert", i, "threshold", "%s", err)
	}
	fillRule(&r)
	for _, v := range []struct {
		key string
		is  number
		to  *schema.Decimal
	}{{"rearm", c.Rearm, &r.Rearm}, {"step", c.Step, &r.Step}} {
		if v.is == "" {
			continue
		}
		var err error
		if *v.to, err = v.is.decimal("0", "100"); err != nil {
			return r, rowInvalid("alert", i, v.key, "%s: per cent", err)
		}
	}
	return r, nil
}

// fillRule gives a rule the defaults of its metric for what was left out.
func fillRule(r *alert.Rule) {
	way, severity := alert.Both, alert.SeverityInfo
	switch r.Metric {
	case alert.MetricMine, alert.MetricNewLow:
		way = alert.Down
	case alert.MetricStale:
		way, severity = alert.Up, alert.SeverityOperator
	}
	r.Direction, r.Severity = cmp.Or(r.Direction, way), cmp.Or(r.Severity, severity)
	r.Cooldown = cmp.Or(r.Cooldown, 7)
	switch r.Metric {
	case alert.MetricMarket:
		r.Statistic, r.MinMachines = cmp.Or(r.Statistic, alert.StatMedian), cmp.Or(r.MinMachines, 5)
		r.Baseline, r.For = cmp.Or(r.Baseline, 7), cmp.Or(r.For, 3)
	case alert.MetricMTok:
		if r.Threshold.Kind != alert.ThresholdTarget {
			r.Baseline = cmp.Or(r.Baseline, 7)
		}
	}
}

// defaultThreshold is that of a rule of the metric which says none.
func defaultThreshold(m alert.Metric) string {
	switch m {
	case alert.MetricMarket:
		return "15 %"
	case alert.MetricMTok, alert.MetricMine:
		return "10 %"
	}
	return string(alert.ThresholdAny)
}
