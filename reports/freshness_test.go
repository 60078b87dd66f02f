package reports_test

import (
	"testing"

	"mtok/reports"
	"mtok/schema"
)

func TestFreshness(t *testing.T) {
	tests := []struct {
		age           int
		laterComplete bool
		want          reports.State
	}{
		{0, false, reports.StateFresh},
		{1, false, reports.StateCarried},
		{3, false, reports.StateCarried},
		{4, false, reports.StateGap},
		{1, true, reports.StateGone},
		{4, true, reports.StateGone},
		{-1, false, reports.StateGap},
	}
	for _, tt := range tests {
		if got := reports.Freshness(tonight, tonight-schema.Day(tt.age), 3, tt.laterComplete); got != tt.want {
			t.Errorf("age %d, later complete run %t: %s, want %s", tt.age, tt.laterComplete, got, tt.want)
		}
	}
}

func run(day schema.Day, status schema.RunStatus) schema.ProviderRun {
	return schema.ProviderRun{Provider: "lambda", Day: day, Status: status}
}

func TestCurrent(t *testing.T) {
	old := offer(1, "lambda", h100, 1, "4.29", daysAgo(2))
	other := offer(2, "lambda", h100, 2, "8.38")
	tests := []struct {
		name string
		seen []schema.Observation
		runs []schema.ProviderRun
		ages map[int64]int
	}{
		{"fresh wins over its past", []schema.Observation{old, offer(1, "lambda", h100, 1, "3.99")}, nil, map[int64]int{1: 0}},
		{"carried", []schema.Observation{old}, nil, map[int64]int{1: 2}},
		{"carried over failed and partial runs", []schema.Observation{old, other},
			[]schema.ProviderRun{run(tonight-1, schema.StatusFailed), run(tonight, schema.StatusPartial)}, map[int64]int{1: 2, 2: 0}},
		{"a quarantined run says nothing", []schema.Observation{old}, []schema.ProviderRun{run(tonight, schema.StatusQuarantined)}, map[int64]int{1: 2}},
		{"gone by a later complete run", []schema.Observation{old, other}, []schema.ProviderRun{run(tonight, schema.StatusComplete)}, map[int64]int{2: 0}},
		{"its own complete run is no later one", []schema.Observation{old}, []schema.ProviderRun{run(tonight-2, schema.StatusComplete)}, map[int64]int{1: 2}},
		{"a run after the day asked for says nothing", []schema.Observation{old}, []schema.ProviderRun{run(tonight+1, schema.StatusComplete)}, map[int64]int{1: 2}},
		{"gap", []schema.Observation{offer(1, "lambda", h100, 1, "4.29", daysAgo(4))}, nil, map[int64]int{}},
		{"quarantined, excluded, imported, future", []schema.Observation{
			offer(1, "lambda", h100, 1, "4.29", func(o *schema.Observation) { o.Quarantine = 1 }),
			offer(2, "lambda", h100, 1, "4.29", func(o *schema.Observation) { o.Excluded = "component price" }),
			offer(3, "lambda", h100, 1, "4.29", func(o *schema.Observation) { o.Origin = schema.OriginImport }),
			offer(4, "lambda", h100, 1, "4.29", daysAgo(-1)),
		}, nil, map[int64]int{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := reports.Current(tonight, 3, tt.seen, tt.runs)
			if len(got) != len(tt.ages) {
				t.Fatalf("%d offers, want %d: %+v", len(got), len(tt.ages), got)
			}
			for _, s := range got {
				if age, ok := tt.ages[s.OfferID]; !ok || age != s.Age {
					t.Errorf("offer %d is %d days old, want %d", s.OfferID, s.Age, age)
				}
			}
		})
	}
}

func TestOfferWithoutStoreIDIsKnownByItsKey(t *testing.T) {
	seen := []schema.Observation{offer(0, "lambda", h100, 1, "4.29", daysAgo(1)), offer(0, "lambda", h100, 1, "3.99")}
	got := reports.Current(tonight, 3, seen, nil)
	if len(got) != 1 || got[0].USDPerGPUHour != usd("3.99") {
		t.Errorf("got %+v, want the newer price alone", got)
	}
}
