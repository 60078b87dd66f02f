package alert_test

import (
	"slices"
	"testing"

	"mtok/reports/alert"
	"mtok/schema"
)

func TestRelativeNeedsABaseline(t *testing.T) {
	r := alert.Rule{
		Name: "mtok", Metric: alert.MetricMTok, Direction: alert.Down, Baseline: 5, For: 2, Cooldown: 7,
		Threshold: alert.Threshold{Kind: alert.ThresholdPercent, Percent: schema.MustDecimal("10")},
	}
	series := points("0.40", "0.30", "0.40", "0.40", "0.35", "0.35", "0.35", "0.35", "0.35", "0.39", "0.395")
	s, got := nights(r, series, func(s alert.State, d schema.Day) alert.Check { return r.RelativeTo(s, series, d) })
	// The baseline of the night on which it began stays: its own values don't end it.
	if want := []string{"05 pending", "06 fired", "10 resolved"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if s.Told != usd("0.35") {
		t.Errorf("told %s, want 0.35", s.Told)
	}
	if c := r.Relative(series, day("2026-01-03")); c.Known {
		t.Errorf("two nights of five are a baseline: %+v", c)
	}
}

func TestCarriedValueRaisesNothing(t *testing.T) {
	r := target(1)
	series := points("2.40")
	series[0].AsOf = day("2025-12-30")
	if c := r.Target(series, day("2026-01-01")); c.Known {
		t.Errorf("a price of 2025-12-30 is tonight's: %+v", c)
	}
}

func TestNewLow(t *testing.T) {
	r := alert.Rule{Name: "low", Metric: alert.MetricNewLow, Direction: alert.Down, For: 1, Cooldown: 3, Threshold: alert.Threshold{Kind: alert.ThresholdAny}}
	series := points("2.90", "2.80", "2.85", "2.79", "2.79", "2.79", "2.70", "2.95")
	_, got := nights(r, series, func(_ alert.State, d schema.Day) alert.Check { return r.NewLow(series, d) })
	if want := []string{"04 fired", "05 resolved", "07 fired", "08 resolved"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestBreakEvenTellsTheCrossingOnly(t *testing.T) {
	r := rule(t, alert.MetricBreakEven)
	self := points("0.40", "0.40", "0.40", "0.60", "0.60", "0.60", "0.60", "0.41", "0.41", "0.41")
	api := points("0.53", "0.53", "0.53", "0.53", "0.53", "", "0.53", "0.53", "0.53", "0.53")
	var got []string
	for _, side := range r.Sides() {
		_, changes := nights(side, self, func(_ alert.State, d schema.Day) alert.Check { return side.BreakEven(self, api, d) })
		for _, c := range changes {
			got = append(got, string(side.Direction)+" "+c)
		}
	}
	// The first night only says which side is the cheaper one.
	want := []string{"down 08 pending", "down 10 fired", "up 04 pending", "up 07 fired", "up 08 resolved"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestAvailable(t *testing.T) {
	stock := []schema.Stock{schema.StockSoldOut, schema.StockUnknown, schema.StockAvailable, schema.StockAvailable, schema.StockUnknown, schema.StockSoldOut}
	r := alert.Rule{Name: "stock", Metric: alert.MetricAvailable, Direction: alert.Both, For: 1, Cooldown: 1, Threshold: alert.Threshold{Kind: alert.ThresholdAny}}
	series := points(make([]string, len(stock))...)
	var got []string
	for _, side := range r.Sides() {
		_, changes := nights(side, series, func(_ alert.State, d schema.Day) alert.Check {
			return side.Available(alert.Stock{Day: d, State: stock[d-series[0].Day], Listed: true})
		})
		for _, c := range changes {
			got = append(got, string(side.Direction)+" "+c)
		}
	}
	if want := []string{"down 06 fired", "up 03 fired", "up 06 resolved"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if c := r.Available(alert.Stock{Day: 1}); c.Known {
		t.Error("an incomplete night says that an offer is gone")
	}
	if c := r.Available(alert.Stock{Day: 1, Complete: true}); !c.Known || c.Active {
		t.Error("a complete night without the offer does not say that it is gone")
	}
}

func TestMineAndRenewal(t *testing.T) {
	r := rule(t, alert.MetricMine)
	series := points("2.30", "2.25", "2.241", "2.20", "2.10")
	_, got := nights(r, series, func(_ alert.State, d schema.Day) alert.Check { return r.Mine(series, usd("2.49"), d) })
	// 10 % under 2.49 is 2.241; 2.10 lies 5 % under what was told.
	if want := []string{"03 fired", "05 again"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	// With a margin of 5 % it is over above 2.353 alone.
	r.Rearm, r.Cooldown = schema.MustDecimal("5"), 0
	series = points("2.20", "2.30", "2.20", "2.36", "2.20")
	_, got = nights(r, series, func(_ alert.State, d schema.Day) alert.Check { return r.Mine(series, usd("2.49"), d) })
	if want := []string{"01 fired", "04 resolved", "05 fired"}; !slices.Equal(got, want) {
		t.Errorf("with a margin: %q, want %q", got, want)
	}
	r = rule(t, alert.MetricMine)
	end := day("2026-03-31")
	_, got = nights(r, points("", "", "", ""), func(_ alert.State, d schema.Day) alert.Check { return r.Renewal(end, 87, d) })
	if want := []string{"03 fired"}; !slices.Equal(got, want) {
		t.Errorf("renewal: %q, want %q", got, want)
	}
}

func TestStale(t *testing.T) {
	r := rule(t, alert.MetricStale)
	r.For = 2
	last := map[schema.Day]schema.Day{}
	series := points("", "", "", "", "", "")
	for _, p := range series {
		last[p.Day] = min(p.Day, day("2026-01-02"))
	}
	last[day("2026-01-06")] = day("2026-01-06")
	_, got := nights(r, series, func(_ alert.State, d schema.Day) alert.Check { return r.Stale(last[d], d) })
	if want := []string{"03 pending", "04 fired", "06 resolved"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestMarketMoves(t *testing.T) {
	book := []string{"1.67", "1.71", "1.73", "1.74", "1.76", "1.81", "1.90", "2.22"}
	risen := []string{"2.07", "2.12", "2.14", "2.15", "2.18", "2.24", "2.35", "2.75"} // + 24 %
	market := func(from, to string, prices []string) []alert.Reading {
		var out []alert.Reading
		for _, p := range prices {
			out = append(out, listed("api", func(r *alert.Reading) { r.Provider, r.Market = "vast", true }, span{from, to, p})...)
		}
		return out
	}
	for name, c := range map[string]struct {
		readings [][]alert.Reading
		want     []string
	}{
		"three nights":  {[][]alert.Reading{market("2026-01-01", "2026-01-08", book), market("2026-01-09", "2026-01-20", risen)}, []string{"2026-01-11 1.75->2.165"}},
		"two nights":    {[][]alert.Reading{market("2026-01-01", "2026-01-08", book), market("2026-01-09", "2026-01-10", risen), market("2026-01-11", "2026-01-20", book)}, nil},
		"no baseline":   {[][]alert.Reading{market("2026-01-07", "2026-01-08", book), market("2026-01-09", "2026-01-20", risen)}, nil},
		"four machines": {[][]alert.Reading{market("2026-01-01", "2026-01-08", book[:4]), market("2026-01-09", "2026-01-20", risen[:4])}, nil},
		"nothing":       {[][]alert.Reading{market("2026-01-01", "2026-01-20", book)}, nil},
	} {
		_, in := reader(t)
		in.Readings = slices.Concat(c.readings...)
		if got := brief(rule(t, alert.MetricMarket).Events(in)); !slices.Equal(got, c.want) {
			t.Errorf("%s: told %q, want %q", name, got, c.want)
		}
	}
	// Asks of one machine are one.
	_, in := reader(t)
	in.Readings = slices.Concat(market("2026-01-01", "2026-01-08", book), market("2026-01-09", "2026-01-20", risen))
	for i := range in.Readings {
		in.Readings[i].Machine = "m1"
	}
	if got := rule(t, alert.MetricMarket).Events(in); len(got) > 0 {
		t.Errorf("one machine is a market: %q", brief(got))
	}
}

func TestMarketFlappingTellsOncePerCooldown(t *testing.T) {
	var readings []alert.Reading
	for i := range 60 {
		d := (day("2026-01-01") + schema.Day(i)).String()
		for _, p := range [][]string{{"1.80", "1.81", "1.82", "1.83", "1.84"}, {"2.80", "2.81", "2.82", "2.83", "2.84"}}[i/4%2] {
			readings = append(readings, listed("api", func(r *alert.Reading) { r.Provider, r.Market = "vast", true }, span{d, d, p})...)
		}
	}
	_, in := reader(t)
	in.Readings = readings
	events := rule(t, alert.MetricMarket).Events(in)
	if len(events) == 0 {
		t.Error("nothing told")
	}
	for i := 1; i < len(events); i++ {
		if events[i].Day-events[i-1].Day < 7 {
			t.Errorf("twice within a cooldown: %q", brief(events))
		}
	}
}
