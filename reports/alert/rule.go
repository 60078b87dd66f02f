package alert

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"mtok/schema"
)

// Metric is what a rule watches.
type Metric string

// The metrics.
const (
	MetricPrice     Metric = "price"      // a list price moved
	MetricMarket    Metric = "market"     // the middle of a marketplace moved
	MetricMTok      Metric = "mtok"       // what a million output tokens cost
	MetricBreakEven Metric = "break_even" // self-hosting crosses the API's price
	MetricNewLow    Metric = "new_low"    // below every price of the baseline
	MetricAvailable Metric = "available"  // a shape comes into stock or leaves it
	MetricMine      Metric = "mine"       // the market under my contract, or its end near
	MetricStale     Metric = "stale"      // a source is dead
)

// Metrics lists all metrics.
func Metrics() []Metric {
	return []Metric{MetricPrice, MetricMarket, MetricMTok, MetricBreakEven, MetricNewLow, MetricAvailable, MetricMine, MetricStale}
}

// Direction is the way that a value must go.
type Direction string

// The directions.
const (
	Down Direction = "down"
	Up   Direction = "up"
	Both Direction = "both"
)

func (d Direction) holds(from, to schema.USD) bool {
	return d == Both && from != to || d == Up && to > from || d == Down && to < from
}

// Statistic is what a market is reduced to.
type Statistic string

// The robust statistics of a market.
const (
	StatMedian Statistic = "median"
	StatP25    Statistic = "p25"
)

// Severity says how loud an alert is.
type Severity string

// The severities.
const (
	SeverityInfo     Severity = "info"
	SeverityWarning  Severity = "warning"
	SeverityOperator Severity = "operator" // about the program, not the market
)

// Rule is one [[alert]] of the configuration.
type Rule struct {
	Name   string `toml:"name"`
	Metric Metric `toml:"metric"`
	// What is watched; an empty list means all. A class is a slug, or a chip such
	// as "h100" for all its forms.
	Classes   []string            `toml:"class"`
	Providers []schema.ProviderID `toml:"provider"`
	Tiers     []schema.Tier       `toml:"tier"`
	Terms     []schema.Term       `toml:"term"`
	GPUs      int                 `toml:"gpu_count"` // 0 for any
	Workload  string              `toml:"workload"`
	Fleet     string              `toml:"fleet"`

	Direction Direction `toml:"direction"`
	Threshold Threshold `toml:"threshold"`
	Baseline  int       `toml:"baseline"` // nights
	For       int       `toml:"for"`      // nights
	Cooldown  int       `toml:"cooldown"` // days
	// Rearm is how far back over its threshold, in per cent of it, a value must go
	// before the alert is over.
	Rearm schema.Decimal `toml:"rearm"`
	// Step is how far below the last told value, in per cent of it, a lower one
	// tells again; any lower one where it is not set.
	Step        schema.Decimal `toml:"step"`
	Statistic   Statistic      `toml:"statistic"`
	MinMachines int            `toml:"min_machines"`
	RenewalDays []int          `toml:"renewal_days"`

	Channels []string `toml:"channels"`
	Severity Severity `toml:"severity"`
}

// Defaults are the rules of a configuration that names none.
func Defaults() []Rule {
	chips := []string{"h100", "h200", "b200", "a100"}
	five := schema.MustDecimal("5")
	return []Rule{
		{
			Name: "list-price-any", Metric: MetricPrice, Classes: chips, Terms: []schema.Term{schema.TermOnDemand, schema.TermReserved},
			Direction: Both, Threshold: Threshold{Kind: ThresholdAny}, Cooldown: 7, Severity: SeverityInfo,
		},
		{
			Name: "market-median", Metric: MetricMarket, Classes: chips, Terms: []schema.Term{schema.TermOnDemand},
			Direction: Both, Threshold: percentThreshold("15"), Baseline: 7, For: 3, Cooldown: 7,
			Statistic: StatMedian, MinMachines: 5, Severity: SeverityInfo,
		},
		{
			Name: "break-even", Metric: MetricBreakEven, Direction: Both, Threshold: Threshold{Kind: ThresholdAny},
			For: 3, Cooldown: 7, Severity: SeverityInfo,
		},
		{
			Name: "mine", Metric: MetricMine, Direction: Down, Threshold: percentThreshold("10"), For: 1, Cooldown: 7,
			Step: five, RenewalDays: []int{60, 30}, Severity: SeverityWarning,
		},
		{
			Name: "stale", Metric: MetricStale, Direction: Up, Threshold: Threshold{Kind: ThresholdAny}, For: 1, Cooldown: 7,
			Severity: SeverityOperator,
		},
	}
}

// Checksum names what a rule judges by. A changed rule begins anew; other channels
// or another severity change nothing.
func (r Rule) Checksum() string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q", []any{
		r.Name, r.Metric, r.Classes, r.Providers, r.Tiers, r.Terms, r.GPUs, r.Workload, r.Fleet, r.Direction,
		r.Threshold.String(), r.Baseline, r.For, r.Cooldown, r.Rearm.String(), r.Step.String(), r.Statistic,
		r.MinMachines, r.RenewalDays,
	}))
	return hex.EncodeToString(sum[:8])
}

// Watches reports whether a class, or its chip, is among those of the rule.
func (r Rule) Watches(class schema.ClassID) bool {
	return len(r.Classes) == 0 || slices.Contains(r.Classes, string(class)) || slices.Contains(r.Classes, chipOf(string(class)))
}

// selects reports whether an event is one of those that the rule tells.
func (r Rule) selects(e Event) bool {
	return r.Watches(e.Class) && among(r.Providers, e.Provider) && among(r.Terms, e.Term) &&
		(len(r.Tiers) == 0 || e.Tier == "" || slices.Contains(r.Tiers, e.Tier)) &&
		(r.GPUs == 0 || e.GPUs == 0 || r.GPUs == e.GPUs || slices.ContainsFunc(e.Also, func(a Also) bool { return a.GPUs == r.GPUs })) &&
		r.Direction.holds(e.From, e.To) && r.Threshold.reached(e.From, e.To)
}

func among[T comparable](list []T, one T) bool { return len(list) == 0 || slices.Contains(list, one) }

// Moves reports whether the rule tells moves of prices, by Events, and no
// condition that a state is kept of.
func (r Rule) Moves() bool {
	return r.Metric == MetricMarket || r.Metric == MetricPrice && r.Threshold.Kind != ThresholdTarget
}

// Events finds what a rule about moves tells, in the order of days; of another rule
// nothing.
func (r Rule) Events(in Input) []Event {
	in.Cooldown = r.Cooldown
	if !r.Moves() {
		return nil
	}
	if r.Metric == MetricMarket {
		return MarketMoves(in, r)
	}
	return slices.DeleteFunc(Moves(in).Events, func(e Event) bool { return !r.selects(e) })
}
