package alert_test

import (
	"strings"
	"testing"

	"mtok/reports/alert"
	"mtok/schema"
)

func known() alert.Known {
	return alert.Known{
		Classes:   []string{"h100-sxm-80gb", "h100-pcie-80gb", "h200-sxm-141gb", "b200-sxm-180gb", "a100-sxm-80gb"},
		Providers: []string{"runpod", "vast", "openrouter"}, Markets: []string{"vast"}, Lists: []string{"openrouter"}, Channels: []string{"slack"}, Workloads: []string{"chat-70b"}, Fleets: []string{"prod"},
	}
}

func TestDefaultRulesAreValid(t *testing.T) {
	names := map[string]bool{}
	for _, r := range alert.Defaults() {
		if faults := r.Validate(known()); len(faults) > 0 {
			t.Errorf("%s: %+v", r.Name, faults)
		}
		if names[r.Name] {
			t.Errorf("two rules %s", r.Name)
		}
		names[r.Name] = true
	}
}

func TestRuleFaults(t *testing.T) {
	price := func(change func(*alert.Rule)) alert.Rule {
		r := rule(t, alert.MetricPrice)
		change(&r)
		return r
	}
	market := func(change func(*alert.Rule)) alert.Rule {
		r := rule(t, alert.MetricMarket)
		change(&r)
		return r
	}
	target := alert.Threshold{Kind: alert.ThresholdTarget, Target: usd("2.50")}
	for name, c := range map[string]struct {
		rule        alert.Rule
		key, reason string
	}{
		"no name":             {price(func(r *alert.Rule) { r.Name = "" }), "name", "required"},
		"metric":              {price(func(r *alert.Rule) { r.Metric = "prise" }), "metric", "did you mean price"},
		"class":               {price(func(r *alert.Rule) { r.Classes = []string{"h100-sxm"} }), "class", "did you mean h100-sxm-80gb"},
		"class twice":         {price(func(r *alert.Rule) { r.Classes = []string{"h100", "h100"} }), "class", "twice"},
		"provider":            {price(func(r *alert.Rule) { r.Providers = []schema.ProviderID{"runpot"} }), "provider", "did you mean runpod"},
		"channel":             {price(func(r *alert.Rule) { r.Channels = []string{"slak"} }), "channels", "did you mean slack"},
		"direction":           {price(func(r *alert.Rule) { r.Direction = "" }), "direction", "unknown"},
		"severity":            {price(func(r *alert.Rule) { r.Severity = "loud" }), "severity", "unknown"},
		"no threshold":        {price(func(r *alert.Rule) { r.Threshold = alert.Threshold{} }), "threshold", "required"},
		"both ways to target": {price(func(r *alert.Rule) { r.Threshold = target }), "direction", "one side"},
		"price with baseline": {price(func(r *alert.Rule) { r.Baseline = 7 }), "baseline", "no baseline"},
		"price with for":      {price(func(r *alert.Rule) { r.For = 3 }), "for", "second source"},
		"spot as a list":      {price(func(r *alert.Rule) { r.Terms = []schema.Term{schema.TermSpot} }), "term", "market"},
		"cooldown":            {price(func(r *alert.Rule) { r.Cooldown = -1 }), "cooldown", "-1"},
		"statistic":           {price(func(r *alert.Rule) { r.Statistic = alert.StatP25 }), "statistic", "market rules"},
		"any of a market":     {market(func(r *alert.Rule) { r.Threshold = alert.Threshold{Kind: alert.ThresholdAny} }), "threshold", "every night"},
		"market of two":       {market(func(r *alert.Rule) { r.MinMachines = 2 }), "min_machines", "no middle"},
		"market, no baseline": {market(func(r *alert.Rule) { r.Baseline = 0 }), "baseline", "needs"},
		"market's target":     {market(func(r *alert.Rule) { r.Threshold = target }), "threshold", "no target"},
		"market's mean":       {market(func(r *alert.Rule) { r.Statistic = "mean" }), "statistic", "median or p25"},
		"workload":            {market(func(r *alert.Rule) { r.Workload = "chat-70b" }), "workload", "mtok"},
		"renewal":             {market(func(r *alert.Rule) { r.RenewalDays = []int{30} }), "renewal_days", "mine"},
		"re-arm of a move":    {price(func(r *alert.Rule) { r.Rearm = schema.MustDecimal("5") }), "rearm", "no re-arm"},
		"re-arm of a low": {of(t, alert.MetricMine, func(r *alert.Rule) {
			r.Metric, r.RenewalDays, r.Rearm = alert.MetricNewLow, nil, schema.MustDecimal("5")
		}), "rearm", "no re-arm"},
		"step of a market":   {market(func(r *alert.Rule) { r.Step = schema.MustDecimal("5") }), "step", "no step"},
		"list of a market":   {price(func(r *alert.Rule) { r.Providers = []schema.ProviderID{"vast"} }), "provider", "use metric market"},
		"market of a list":   {market(func(r *alert.Rule) { r.Providers = []schema.ProviderID{"runpod"} }), "provider", "no marketplace; known: vast"},
		"tokens for GPUs":    {price(func(r *alert.Rule) { r.Providers = []schema.ProviderID{"openrouter"} }), "provider", "rents no GPUs"},
		"tier of a market":   {price(func(r *alert.Rule) { r.Tiers = []schema.Tier{"eligible"} }), "tier", "no tier of a list"},
		"tier of no market":  {market(func(r *alert.Rule) { r.Tiers = []schema.Tier{"secure"} }), "tier", "not secure"},
		"count of a market":  {market(func(r *alert.Rule) { r.GPUs = 8 }), "gpu_count", "no gpu_count"},
		"fall of all":        {of(t, alert.MetricMine, func(r *alert.Rule) { r.Threshold.Percent = schema.MustDecimal("100") }), "threshold", "no price falls by 100 %"},
		"class of a source":  {of(t, alert.MetricStale, func(r *alert.Rule) { r.Classes = []string{"h100"} }), "class", "no class"},
		"provider of tokens": {of(t, alert.MetricBreakEven, func(r *alert.Rule) { r.Providers = []schema.ProviderID{"runpod"} }), "provider", "no provider"},
	} {
		faults := c.rule.Validate(known())
		if len(faults) != 1 || faults[0].Key != c.key || !strings.Contains(faults[0].Reason, c.reason) {
			t.Errorf("%s: %+v, want %s: ...%s...", name, faults, c.key, c.reason)
		}
	}
}

// of is a default rule with a change.
func of(t *testing.T, m alert.Metric, change func(*alert.Rule)) alert.Rule {
	t.Helper()
	r := rule(t, m)
	change(&r)
	return r
}

func TestThresholdText(t *testing.T) {
	for text, want := range map[string]string{"any": "any", "15 %": "15 %", "7.5%": "7.5 %", "2.50": "2.50", " 2.5 ": "2.50"} {
		var got alert.Threshold
		if err := got.UnmarshalText([]byte(text)); err != nil || got.String() != want {
			t.Errorf("%q: %q, %v, want %q", text, got, err, want)
		}
	}
	for _, text := range []string{"", "0 %", "-5 %", "%", "0", "-2", "two", "1e3", "15 % off"} {
		var got alert.Threshold
		if err := got.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q is taken as %q", text, got)
		}
	}
}

func TestRuleSelects(t *testing.T) {
	_, in := reader(t)
	in.Readings = listed("page", nil, span{"2026-01-01", "2026-01-05", "4.29"}, span{"2026-01-06", "2026-01-08", "3.99"})
	for name, c := range map[string]struct {
		change func(*alert.Rule)
		want   int
	}{
		"as it is":         {func(*alert.Rule) {}, 1},
		"the class":        {func(r *alert.Rule) { r.Classes = []string{"h200-sxm-141gb"} }, 1},
		"another class":    {func(r *alert.Rule) { r.Classes = []string{"h100"} }, 0},
		"another provider": {func(r *alert.Rule) { r.Providers = []schema.ProviderID{"lambda"} }, 0},
		"another count":    {func(r *alert.Rule) { r.GPUs = 8 }, 0},
		"up":               {func(r *alert.Rule) { r.Direction = alert.Up }, 0},
		"5 %": {func(r *alert.Rule) {
			r.Threshold = alert.Threshold{Kind: alert.ThresholdPercent, Percent: schema.MustDecimal("5")}
		}, 1},
		"10 %": {func(r *alert.Rule) {
			r.Threshold = alert.Threshold{Kind: alert.ThresholdPercent, Percent: schema.MustDecimal("10")}
		}, 0},
		"reserved": {func(r *alert.Rule) { r.Terms = []schema.Term{schema.TermReserved} }, 0},
	} {
		r := rule(t, alert.MetricPrice)
		c.change(&r)
		if got := r.Events(in); len(got) != c.want {
			t.Errorf("%s: told %q, want %d", name, brief(got), c.want)
		}
	}
}
