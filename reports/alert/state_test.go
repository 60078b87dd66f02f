package alert_test

import (
	"slices"
	"testing"

	"mtok/reports/alert"
	"mtok/schema"
)

// target is a rule for one price, told after so many nights.
func target(nights int) alert.Rule {
	return alert.Rule{
		Name: "below", Metric: alert.MetricMTok, Direction: alert.Down, For: nights, Cooldown: 7,
		Threshold: alert.Threshold{Kind: alert.ThresholdTarget, Target: usd("2.50")},
	}
}

// points are values of consecutive days from 2026-01-01; "" is a failed read.
func points(values ...string) []alert.Point {
	var out []alert.Point
	for i, v := range values {
		p := alert.Point{Day: day("2026-01-01") + schema.Day(i)}
		if v != "" {
			p.Value, p.Known = usd(v), true
		}
		out = append(out, p)
	}
	return out
}

// nights judges every point and writes what changed: "day of the month: change".
func nights(r alert.Rule, series []alert.Point, judge func(alert.State, schema.Day) alert.Check) (alert.State, []string) {
	var s alert.State
	var changes []string
	for _, p := range series {
		var told []alert.Transition
		s, told = r.Next(s, judge(s, p.Day))
		for _, c := range told {
			changes = append(changes, c.Day.String()[8:]+" "+string(c.Change))
		}
		if _, again := r.Next(s, judge(s, p.Day)); len(again) > 0 {
			changes = append(changes, "told again on the same night")
		}
	}
	return s, changes
}

func TestStates(t *testing.T) {
	for name, c := range map[string]struct {
		rule   alert.Rule
		values []string
		want   []string
	}{
		"first night":            {target(1), []string{"2.40"}, []string{"01 fired"}},
		"at the target":          {target(1), []string{"2.50"}, []string{"01 fired"}},
		"three nights":           {target(3), []string{"2.60", "2.40", "2.45", "2.40"}, []string{"02 pending", "04 fired"}},
		"not long enough":        {target(3), []string{"2.40", "2.40", "2.60", "2.40"}, []string{"01 pending", "04 pending"}},
		"a failed read":          {target(3), []string{"2.40", "", "2.40", "2.40"}, []string{"01 pending", "04 fired"}},
		"ok, fail, ok":           {target(1), []string{"2.40", "", "2.40"}, []string{"01 fired"}},
		"never a value":          {target(1), []string{"", ""}, nil},
		"resolved":               {target(1), []string{"2.40", "2.60", "2.60"}, []string{"01 fired", "02 resolved"}},
		"lower tells again":      {target(1), []string{"2.40", "2.30", "2.30", "2.35"}, []string{"01 fired", "02 again"}},
		"back within a cooldown": {target(1), []string{"2.40", "2.60", "2.40", "2.40", "2.40", "2.40", "2.40", "2.40"}, []string{"01 fired", "02 resolved", "03 pending", "08 fired"}},
		"lower in a cooldown":    {target(1), []string{"2.40", "2.60", "2.20"}, []string{"01 fired", "02 resolved", "03 fired"}},
	} {
		series := points(c.values...)
		_, got := nights(c.rule, series, func(_ alert.State, d schema.Day) alert.Check { return c.rule.Target(series, d) })
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestStateFlappingTellsOncePerCooldown(t *testing.T) {
	r := target(1)
	var values []string
	for i := range 30 {
		values = append(values, []string{"2.40", "2.60"}[i%2])
	}
	series := points(values...)
	_, changes := nights(r, series, func(_ alert.State, d schema.Day) alert.Check { return r.Target(series, d) })
	fired := slices.DeleteFunc(changes, func(c string) bool { return c[3:] != "fired" })
	if want := []string{"01 fired", "09 fired", "17 fired", "25 fired"}; !slices.Equal(fired, want) {
		t.Errorf("%q, want %q", fired, want)
	}
}

func TestStateRearm(t *testing.T) {
	r := target(1)
	r.Rearm = schema.MustDecimal("4") // over 2.60
	series := points("2.40", "2.55", "2.45", "2.60", "2.40")
	_, got := nights(r, series, func(_ alert.State, d schema.Day) alert.Check { return r.Target(series, d) })
	if want := []string{"01 fired", "04 resolved", "05 pending"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestStateInhibitedSaysSoOnce(t *testing.T) {
	r := target(1)
	series := points("2.60", "2.40", "2.40", "2.40", "2.60", "2.60")
	series[1].Inhibited, series[2].Inhibited, series[5].Inhibited = true, true, true
	_, got := nights(r, series, func(_ alert.State, d schema.Day) alert.Check { return r.Target(series, d) })
	if want := []string{"02 inhibited", "04 fired", "05 resolved", "06 inhibited"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestStateOfAChangedRuleBeginsAnew(t *testing.T) {
	r := target(1)
	series := points("2.40", "2.40")
	s, told := r.Next(alert.State{}, r.Target(series, day("2026-01-01")))
	if len(told) != 1 || s.Status != alert.Firing || s.Fired != day("2026-01-01") || s.Checksum != r.Checksum() {
		t.Fatalf("%+v, %+v", s, told)
	}
	same := r
	same.Channels, same.Severity = []string{"mail"}, alert.SeverityWarning
	if same.Checksum() != r.Checksum() {
		t.Error("other channels change the checksum")
	}
	other := r
	other.Threshold.Target = usd("2.45")
	if other.Checksum() == r.Checksum() {
		t.Error("another target keeps the checksum")
	}
	s, told = other.Next(s, other.Target(series, day("2026-01-02")))
	if s.Status != alert.Pending || s.Active != day("2026-01-02") || len(told) != 1 || told[0].Change != alert.ChangePending {
		t.Errorf("%+v, %+v: want pending, since the cooldown of the last alert goes on", s, told)
	}
}

func TestStateGoesNotBack(t *testing.T) {
	r := target(1)
	series := points("2.40", "2.60")
	s, _ := r.Next(alert.State{}, r.Target(series, day("2026-01-02")))
	if got, told := r.Next(s, r.Target(series, day("2026-01-01"))); got != s || len(told) > 0 {
		t.Errorf("an earlier night changed %+v into %+v", s, got)
	}
}

// A night that gave no value is judged when a later run of the day gives one.
func TestANightWithoutAValueIsJudgedByALaterRun(t *testing.T) {
	r, d := target(1), day("2026-01-01")
	s, told := r.Next(alert.State{}, alert.Check{Day: d})
	if len(told) > 0 {
		t.Errorf("told %+v of no value", told)
	}
	s, told = r.Next(s, alert.Check{Day: d, Inhibited: true})
	if _, again := r.Next(s, alert.Check{Day: d, Inhibited: true}); len(told) != 1 || len(again) > 0 {
		t.Errorf("inhibited %+v, again %+v; want once", told, again)
	}
	s, told = r.Next(s, alert.Check{Day: d, Known: true, Active: true, Value: usd("2.40"), From: usd("2.50")})
	if len(told) != 1 || told[0].Change != alert.ChangeFired {
		t.Errorf("told %+v, want fired", told)
	}
	if _, told = r.Next(s, alert.Check{Day: d, Known: true, Active: true, Value: usd("2.30"), From: usd("2.50")}); len(told) > 0 {
		t.Errorf("told again on the same night: %+v", told)
	}
}
