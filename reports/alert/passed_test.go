package alert_test

import (
	"slices"
	"strings"
	"testing"

	"mtok/reports/alert"
	"mtok/schema"
)

func TestPassedOverCountsWhatNoRuleJudges(t *testing.T) {
	h, in := reader(t)
	var err error
	in.Readings, err = h.Read(strings.NewReader(historyHead + strings.Join([]string{
		"2026-07-07,runpod,H100,SXM,on_demand,1,2.99,list,a,primary",
		"2026-07-07,runpod,H200,,,1,2.99,list,a,aggregator",
		"2026-07-07,vast,H100,SXM,spot,1,1.99,list,a,primary",
		"2026-07-07,vast,H100,SXM,bid_floor,1,1.99,list,a,primary",
		"2026-07-07,vast,H100,SXM,on_demand,1,1.99,median(n=2),a,aggregator",
		"2026-07-07,vast,A100,SXM,on_demand,1,1.09,list,a,primary",
		"2026-07-07,runpod,H100,SXM,spot,1,1.99,list,a,primary",
		"2026-07-07,runpod,H100,SXM,interruptible,1,1.99,list,a,primary",
		"2026-07-07,runpod,H100,SXM,secure,1,2.99,banana,a,primary",
		"2026-07-07,runpod,H100,SXM,on_demand,1,0,list,a,primary",
	}, "\n")))
	if err != nil {
		t.Fatal(err)
	}
	want := []alert.Passed{
		{2, "spot prices and bid floors are no list"},
		{1, "a bid floor is no ask"},
		{1, "gpu_class and form name no class of a market"},
		{1, "no price above 0"},
		{1, "of a market only what the provider itself says counts"},
		{1, "stat is none of list, offer, last_of_day and median(n=N)"},
	}
	if got := alert.PassedOver(in); !slices.Equal(got, want) {
		t.Errorf("%+v, want\n%+v", got, want)
	}
}

func TestOwnTiersAreThoseOfNoProvider(t *testing.T) {
	got := alert.OwnTiers([]alert.Reading{{Tier: "banana"}, {Tier: "banana"}, {}, {Tier: schema.TierSecure}})
	if len(got) != 1 || got["banana"] != 2 {
		t.Errorf("%v, want banana twice", got)
	}
}
