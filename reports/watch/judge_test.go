package watch

import (
	"slices"
	"strings"
	"testing"

	"mtok/reports/alert"
	"mtok/schema"
)

func anyMove() alert.Rule {
	return alert.Rule{Name: "any", Metric: alert.MetricPrice, Direction: alert.Both, Threshold: alert.Threshold{Kind: alert.ThresholdAny}, Cooldown: 7, Severity: alert.SeverityInfo}
}

// TestNightsThatNobodyJudged are caught up; a database's first night tells nothing of
// the nights before it; nothing is told twice.
func TestNightsThatNobodyJudged(t *testing.T) {
	var m memory
	j := judgeBy(t, anyMove())
	for i, price := range []schema.USD{3_290_000, 3_290_000, 3_290_000, 2_990_000, 2_990_000, 2_990_000} {
		m.list(start+schema.Day(i), "lambda", price)
	}
	old := m
	if fresh := old.judge(t, j, start+5); len(fresh) != 0 {
		t.Errorf("a first night told of %s", fresh[0].Day)
	}
	if fresh := m.judge(t, j, start+2); len(fresh) != 0 {
		t.Errorf("told %+v", fresh)
	}
	fresh := m.judge(t, j, start+5) // nights 3 and 4 were killed before they were judged
	if len(fresh) != 1 || fresh[0].Day != start+4 || fresh[0].Series != "lambda/h100-sxm-80gb/on_demand" || fresh[0].Channels[0] != "hook" {
		t.Fatalf("told %+v", fresh)
	}
	if !strings.HasPrefix(fresh[0].Detail, "[mtok] CUT Lambda, H100 SXM 80GB, on-demand: 3.29 -> 2.99 $/GPU-h") {
		t.Errorf("text:\n%s", fresh[0].Detail)
	}
	if again := m.judge(t, j, start+5); len(again) != 0 {
		t.Errorf("told again: %+v", again)
	}
}

// TestConfirmedLater: what a person confirms is told, also after nights were judged.
func TestConfirmedLater(t *testing.T) {
	var m memory
	j := judgeBy(t, anyMove())
	for i, price := range []schema.USD{3_290_000, 3_290_000, 3_290_000, 1_645_000, 1_645_000, 1_645_000} { // half
		m.list(start+schema.Day(i), "lambda", price)
		if fresh := m.judge(t, j, start+schema.Day(i)); len(fresh) != 0 {
			t.Errorf("a unit ratio was told: %+v", fresh)
		}
	}
	m.quarantines = []schema.Quarantine{{Provider: "lambda", Day: start + 3, State: schema.QuarantineConfirmed, DecidedBy: "run 9"}}
	if fresh := m.judge(t, j, start+5); len(fresh) != 0 {
		t.Errorf("a night confirmed it, no person: %+v", fresh)
	}
	m.quarantines[0].DecidedBy = "me, by hand"
	if fresh := m.judge(t, j, start+5); len(fresh) != 1 {
		t.Errorf("told %+v", fresh)
	}
}

// TestConfirmedAfterItWasTold: a confirmation that only makes a move known a night
// earlier tells it no second time.
func TestConfirmedAfterItWasTold(t *testing.T) {
	var m memory
	j := judgeBy(t, anyMove())
	var told []schema.AlertEvent
	for i, price := range []schema.USD{3_290_000, 3_290_000, 3_290_000, 2_990_000, 2_990_000, 2_990_000} {
		m.list(start+schema.Day(i), "lambda", price)
		if i == 3 {
			m.seen[len(m.seen)-1].Quarantine = 1
			m.runs[len(m.runs)-1].Status, m.runs[len(m.runs)-1].ErrorKind = schema.StatusQuarantined, "class_gone"
			m.quarantines = []schema.Quarantine{{Provider: "lambda", Day: start + 3, State: schema.QuarantineHeld, Rule: "class_gone"}}
		}
		told = append(told, m.judge(t, j, start+schema.Day(i))...)
	}
	told = slices.DeleteFunc(told, func(e schema.AlertEvent) bool { return e.Rule == RuleInhibited })
	if len(told) != 1 || told[0].Day != start+5 {
		t.Fatalf("told %+v", told)
	}
	m.seen[3].Quarantine, m.quarantines[0].State, m.quarantines[0].DecidedBy = 0, schema.QuarantineConfirmed, "me, by hand"
	if fresh := m.judge(t, j, start+5); len(fresh) != 0 {
		t.Errorf("told again: %+v", fresh)
	}
}

// TestAReturnThatWasNotTold: the next move starts from the price last told, and its
// text says what stood between.
func TestAReturnThatWasNotTold(t *testing.T) {
	var m memory
	j := judgeBy(t, anyMove())
	prices := []schema.USD{3_290_000, 3_290_000, 2_790_000, 2_790_000, 3_290_000, 3_290_000, 3_290_000, 3_290_000, 3_290_000, 3_290_000, 3_290_000, 3_090_000, 3_090_000}
	var told []schema.AlertEvent
	for i, price := range prices {
		m.list(start+schema.Day(i), "lambda", price)
		told = append(told, m.judge(t, j, start+schema.Day(i))...)
	}
	if len(told) != 2 || !strings.Contains(told[1].Detail, "2.79 -> 3.09") {
		t.Fatalf("told %+v", told)
	}
	if want := "2.79 is what was told last; since then it stood at 3.29, which nothing confirmed."; !strings.Contains(told[1].Detail, want) {
		t.Errorf("%q is not in\n%s", want, told[1].Detail)
	}
	if strings.Contains(told[0].Detail, "told last") {
		t.Errorf("text:\n%s", told[0].Detail)
	}
}

// TestConditions judges each kind of condition through its life.
func TestConditions(t *testing.T) {
	mine := schema.Contracts{Fleets: []schema.Fleet{{Name: "prod", Class: "h100-sxm-80gb", GPUs: 2, USDPerGPUHour: 3_500_000, FixedTo: start + 100, NoticeDays: 30}}}
	base := alert.Rule{Name: "r", Direction: alert.Down, Classes: []string{"h100-sxm-80gb"}, Cooldown: 7, Severity: alert.SeverityInfo}
	rule := func(metric alert.Metric, limit string, change func(*alert.Rule)) alert.Rule {
		r := base
		r.Metric, r.Threshold = metric, threshold(t, limit)
		if change != nil {
			change(&r)
		}
		return r
	}
	for name, c := range map[string]struct {
		rule   alert.Rule
		prices []schema.USD // of the nights, 0 for a failed one
		want   []string     // night: first line begins so
	}{
		"target": {rule(alert.MetricPrice, "3.00", nil), []schema.USD{2_990_000, 2_990_000, 3_290_000},
			[]string{"0 [mtok] TARGET H100 SXM 80GB, on-demand: 2.990 against 3.000", "2 [mtok] TARGET OVER"}},
		"new low": {rule(alert.MetricNewLow, "any", nil), []schema.USD{3_290_000, 3_190_000, 3_390_000, 3_090_000, 3_080_000},
			[]string{"3 [mtok] NEW LOW H100 SXM 80GB, on-demand: 3.090 against 3.190", "4 [mtok] NEW LOW"}},
		"mine": {rule(alert.MetricMine, "10 %", nil), []schema.USD{3_290_000, 2_990_000, 0, 2_990_000},
			[]string{"1 [mtok] MINE fleet prod, 2 x H100 SXM 80GB: the market is under your contract: 2.990 against 3.500"}},
		"renewal": {rule(alert.MetricMine, "90 %", func(r *alert.Rule) { r.RenewalDays = []int{69, 30} }), []schema.USD{3_290_000, 3_290_000, 3_290_000},
			[]string{"1 [mtok] RENEWAL fleet prod, 2 x H100 SXM 80GB: renew or end it by 2026-08-05, in 69 days"}},
		"stale": {rule(alert.MetricStale, "any", func(r *alert.Rule) { r.Direction, r.For = alert.Up, 1 }), []schema.USD{3_290_000, 0, 0, 3_290_000},
			[]string{"1 [mtok] STALE Lambda", "3 [mtok] BACK Lambda"}},
	} {
		t.Run(name, func(t *testing.T) {
			var m memory
			j := judgeBy(t, c.rule)
			j.Contracts = mine
			var got []string
			for i, price := range c.prices {
				day := start + schema.Day(i)
				if price == 0 {
					m.run(day, "lambda", schema.StatusFailed)
				} else {
					m.list(day, "lambda", price)
				}
				for _, e := range m.judge(t, j, day) {
					got = append(got, string(rune('0'+i))+" "+e.Detail)
				}
				if again := m.judge(t, j, day); len(again) != 0 {
					t.Errorf("night %d again told %+v", i, again)
				}
			}
			if len(got) != len(c.want) {
				t.Fatalf("told %d times, want %d:\n%s", len(got), len(c.want), strings.Join(got, "\n"))
			}
			for i := range got {
				if !strings.HasPrefix(got[i], c.want[i]) {
					t.Errorf("%q\nwant %q", got[i], c.want[i])
				}
			}
		})
	}
}

// TestTokens: the cost of a million tokens moves, and crosses the API's.
func TestTokens(t *testing.T) {
	var m memory
	j := judgeBy(t,
		alert.Rule{Name: "mtok", Metric: alert.MetricMTok, Direction: alert.Down, Threshold: threshold(t, "5 %"), Baseline: 3, For: 1, Cooldown: 7},
		alert.Rule{Name: "even", Metric: alert.MetricBreakEven, Direction: alert.Both, Threshold: threshold(t, "any"), For: 1, Cooldown: 7})
	night := func(day schema.Day, raw, utilized schema.USD, inputs string) []schema.AlertEvent {
		m.list(day, "lambda", 3_290_000)
		m.costs = append(m.costs, schema.DailyTokenCost{Day: day, Class: "h100-sxm-80gb", Term: schema.TermOnDemand, Workload: "chat-70b",
			Statistic: schema.StatCheapest, Inputs: inputs, Origin: schema.OriginLive, Provider: "lambda", GPUs: 2, Raw: raw, Utilized: utilized})
		m.tokens = append(m.tokens, schema.TokenObservation{Day: day, Origin: schema.OriginLive, TokenPrice: schema.TokenPrice{
			TokenKey: schema.TokenKey{Provider: schema.ProviderOpenRouter, Source: "openrouter/models-api", Model: "meta-llama/llama-3.3-70b-instruct"},
			In:       130_000, Out: 400_000,
		}})
		return m.judge(t, j, day)
	}
	for i := range schema.Day(3) {
		if fresh := night(start+i, 414_000, 636_000, "a"); len(fresh) != 0 {
			t.Errorf("night %d told %+v", i, fresh)
		}
	}
	fresh := night(start+3, 340_000, 523_000, "a")
	if len(fresh) != 2 || !strings.HasPrefix(fresh[0].Detail, "[mtok] MTOK chat-70b on 2x h100-sxm-80gb FP8: 0.340 against 0.414 $/MTok flat out") ||
		!strings.HasPrefix(fresh[1].Detail, "[mtok] BREAK-EVEN chat-70b on 2x h100-sxm-80gb FP8 now costs less than the API: 0.523 against 0.530 $/MTok") {
		t.Errorf("told %+v", fresh)
	}
	// Another measurement is no move.
	var other memory
	m = other
	for i := range schema.Day(3) {
		night(start+i, 414_000, 636_000, "a")
	}
	if fresh := night(start+3, 340_000, 636_000, "b"); len(fresh) != 0 {
		t.Errorf("new inputs were told as a move: %+v", fresh)
	}
}

// TestPartialProvider: its night raises nothing, which is said once a spell; what is
// cheapest across providers is not judged either.
func TestPartialProvider(t *testing.T) {
	var m memory
	target := alert.Rule{Name: "t", Metric: alert.MetricPrice, Direction: alert.Up, Threshold: threshold(t, "3.50"), Classes: []string{"h100-sxm-80gb"}}
	j := judgeBy(t, anyMove(), target)
	for i := range schema.Day(3) {
		m.list(start+i, "lambda", 3_290_000)
		m.list(start+i, "crusoe", 3_900_000)
		m.judge(t, j, start+i)
	}
	var got []string
	for i := schema.Day(3); i < 6; i++ {
		m.run(start+i, "lambda", schema.StatusPartial) // the cheaper one gave nothing
		m.list(start+i, "crusoe", 3_900_000)
		for _, e := range m.judge(t, j, start+i) {
			got = append(got, e.Detail)
		}
	}
	if len(got) != 1 || !strings.HasPrefix(got[0], "[mtok] NOT JUDGED Lambda") {
		t.Errorf("told %q", got)
	}
}

// TestRetired: of a rule that is no longer there nothing fires.
func TestRetired(t *testing.T) {
	var m memory
	target := alert.Rule{Name: "t", Metric: alert.MetricPrice, Direction: alert.Down, Threshold: threshold(t, "3.50"), Classes: []string{"h100-sxm-80gb"}}
	m.list(start, "lambda", 3_290_000)
	m.judge(t, judgeBy(t, target), start)
	key := [2]string{"t", "h100-sxm-80gb"}
	if m.states[key].Status != string(alert.Firing) {
		t.Fatalf("%+v", m.states)
	}
	m.list(start+1, "lambda", 3_290_000)
	m.judge(t, judgeBy(t), start+1)
	if m.states[key].Status != string(alert.Inactive) {
		t.Errorf("%+v", m.states[key])
	}
}

// TestAvailable: a shape comes into stock and leaves it, each told once; stock that
// nobody publishes says nothing.
func TestAvailable(t *testing.T) {
	var m memory
	j := judgeBy(t, alert.Rule{Name: "stock", Metric: alert.MetricAvailable, Direction: alert.Both, Threshold: threshold(t, "any"),
		Classes: []string{"h100-sxm-80gb"}, Providers: []schema.ProviderID{"lambda"}, GPUs: 2})
	var got []string
	for i, stock := range []schema.Stock{schema.StockUnknown, schema.StockSoldOut, schema.StockAvailable, schema.StockAvailable,
		schema.StockUnknown, schema.StockSoldOut, schema.StockSoldOut} {
		day := start + schema.Day(i)
		m.stock = stock
		m.list(day, "lambda", 3_290_000)
		for _, e := range m.judge(t, j, day) {
			line, _, _ := strings.Cut(e.Detail, "\n")
			got = append(got, string(rune('0'+i))+" "+line)
		}
	}
	want := []string{"2 [mtok] IN STOCK 2x H100 SXM 80GB Lambda, on-demand", "5 [mtok] OUT OF STOCK 2x H100 SXM 80GB Lambda, on-demand"}
	if !slices.Equal(got, want) {
		t.Errorf("told %q, want %q", got, want)
	}
}
