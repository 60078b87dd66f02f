package alert

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"mtok/schema"
)

// Fault is what is wrong with a rule: the key that it stands under in the
// configuration, and the reason in words.
type Fault struct{ Key, Reason string }

// Known is what a rule may name.
type Known struct {
	Classes   []string // slugs; their chips are known with them
	Providers []string
	Markets   []string // the providers that are marketplaces,
	Lists     []string // and those that list tokens
	Channels  []string
	Workloads []string
	Fleets    []string
}

const (
	maxNights = 90  // of a baseline
	maxFor    = 30  // nights
	maxCool   = 366 // days
)

// Validate returns all that is wrong with a rule, in the order of its keys.
func (r Rule) Validate(k Known) []Fault {
	f := faults{}
	f.check("name", r.Name != "" && strings.TrimSpace(r.Name) == r.Name, "is required: silence and the rule of an alert go by it")
	f.one("metric", string(r.Metric), texts(Metrics()))
	f.one("direction", string(r.Direction), texts([]Direction{Down, Up, Both}))
	f.one("severity", string(r.Severity), texts([]Severity{SeverityInfo, SeverityWarning, SeverityOperator}))
	f.all("class", r.Classes, append(chipsOf(k.Classes), k.Classes...))
	f.all("provider", texts(r.Providers), k.Providers)
	f.all("term", texts(r.Terms), texts([]schema.Term{schema.TermOnDemand, schema.TermReserved, schema.TermSpot}))
	f.all("channels", r.Channels, k.Channels)
	if r.Workload != "" {
		f.one("workload", r.Workload, k.Workloads)
	}
	if r.Fleet != "" {
		f.one("fleet", r.Fleet, k.Fleets)
	}
	f.span("gpu_count", r.GPUs, 0, 16_384)
	f.span("baseline", r.Baseline, 0, maxNights)
	f.span("for", r.For, 0, maxFor)
	f.span("cooldown", r.Cooldown, 0, maxCool)
	f.span("min_machines", r.MinMachines, 0, 10_000)
	for _, days := range r.RenewalDays {
		f.span("renewal_days", days, 1, 3_660)
	}
	return slices.Concat(f.list, r.contradictions(), r.idle(k))
}

// contradictions are keys that are fine alone and senseless together.
func (r Rule) contradictions() []Fault {
	f := faults{}
	kind := r.Threshold.Kind
	f.check("threshold", kind != "", `is required: "any", a percentage such as "15 %%", or a price in USD such as "2.50"`)
	relative := r.Metric == MetricMarket || r.Metric == MetricMTok && kind != ThresholdTarget
	f.check("baseline", !relative || r.Baseline >= 3, "a %s rule is relative to the nights before: it needs 3 or more", r.Metric)
	f.check("baseline", r.Baseline == 0 || relative || r.Metric == MetricNewLow, "a %s rule has no baseline of nights", r.Metric)
	f.check("threshold", kind != ThresholdTarget || !slices.Contains(noTarget(), r.Metric), "a %s rule has no target price", r.Metric)
	f.check("direction", kind != ThresholdTarget || r.Direction != Both || slices.Contains(noTarget(), r.Metric),
		"a target is reached from one side: direction must be down or up")
	f.check("threshold", kind == ThresholdAny || !slices.Contains(yesOrNo(), r.Metric), "a %s rule knows only \"any\"", r.Metric)
	f.check("threshold", r.Metric != MetricMarket || kind != ThresholdAny, "the middle of a market moves every night: it needs a percentage")
	f.check("direction", r.Metric != MetricNewLow || r.Direction == Down, "a new low goes down")
	f.check("direction", r.Metric != MetricStale || r.Direction != Down, "a source cannot be less than dead")
	f.check("direction", r.Metric != MetricMine || r.Direction == Down, "only a market under the contract's price is told")
	f.check("statistic", r.Metric == MetricMarket || r.Statistic == "", "is of market rules, not of %s", r.Metric)
	f.check("statistic", r.Metric != MetricMarket || r.Statistic == StatMedian || r.Statistic == StatP25, "%q: want median or p25", r.Statistic)
	f.check("min_machines", r.Metric == MetricMarket || r.MinMachines == 0, "is of market rules, not of %s", r.Metric)
	f.check("min_machines", r.Metric != MetricMarket || r.MinMachines >= 3, "a market of fewer than 3 machines has no middle")
	f.check("renewal_days", r.Metric == MetricMine || len(r.RenewalDays) == 0, "is of mine rules, not of %s", r.Metric)
	f.check("workload", r.Workload == "" || r.Metric == MetricMTok || r.Metric == MetricBreakEven, "is of mtok and break_even rules, not of %s", r.Metric)
	f.check("fleet", r.Fleet == "" || r.Metric == MetricMine, "is of mine rules, not of %s", r.Metric)
	f.check("for", r.Metric != MetricPrice || kind == ThresholdTarget || r.For == 0, "a list price is told by a second source or a second night: for is not set")
	f.check("term", r.Metric != MetricPrice || !slices.Contains(r.Terms, schema.TermSpot), "a spot price is a market, not a list: use metric market")
	return f.list
}

func noTarget() []Metric { return []Metric{MetricMarket, MetricBreakEven, MetricNewLow, MetricMine} }

func yesOrNo() []Metric { return []Metric{MetricBreakEven, MetricAvailable, MetricStale} }

// faults collects faults.
type faults struct{ list []Fault }

func (f *faults) check(key string, fine bool, format string, args ...any) {
	if !fine {
		f.list = append(f.list, Fault{key, fmt.Sprintf(format, args...)})
	}
}

func (f *faults) one(key, name string, known []string) {
	if slices.Contains(known, name) {
		return
	}
	reason := fmt.Sprintf("unknown %s %q", key, name)
	if near := schema.Near(name, known); len(near) > 0 {
		reason += "; did you mean " + strings.Join(near, " or ") + "?"
	} else if len(known) > 0 && len(known) <= 12 {
		reason += "; known: " + strings.Join(known, ", ")
	}
	f.list = append(f.list, Fault{key, reason})
}

func (f *faults) all(key string, names, known []string) {
	for i, name := range names {
		f.one(key, name, known)
		f.check(key, !slices.Contains(names[:i], name), "%q stands there twice", name)
	}
}

func (f *faults) span(key string, n, low, high int) {
	f.check(key, n >= low && n <= high, "%d is not from %d to %d", n, low, high)
}

func texts[T ~string](list []T) []string {
	var out []string
	for _, t := range list {
		out = append(out, string(t))
	}
	return out
}

// chipsOf are the chips of classes, each once.
func chipsOf(classes []string) []string {
	var chips []string
	for _, c := range classes {
		chips = append(chips, chipOf(c))
	}
	slices.SortFunc(chips, cmp.Compare[string])
	return slices.Compact(chips)
}
