package alert_test

import (
	"testing"

	"mtok/reports/alert"
	"mtok/schema"
)

func TestObserved(t *testing.T) {
	seen := func(change func(*schema.Observation)) []alert.Reading {
		var readings []alert.Reading
		for d := day("2026-07-01"); d <= day("2026-07-08"); d++ {
			o := schema.Observation{
				Day: d, Source: "graphql", Class: "h100-sxm-80gb", Origin: schema.OriginLive, USDPerGPUHour: usd("3.29"),
				Offer: schema.Offer{OfferKey: schema.OfferKey{Provider: "runpod", SKU: "NVIDIA H100 80GB HBM3", GPUCount: 1, Term: schema.TermOnDemand, Tier: schema.TierSecure}},
			}
			if d >= day("2026-07-07") {
				o.USDPerGPUHour = usd("2.99")
			}
			change(&o)
			readings = append(readings, alert.Observed(o))
		}
		return readings
	}
	r := moves(t, seen(func(*schema.Observation) {}))
	wantEvents(t, r, "2026-07-08 3.29->2.99")
	if e := r.Events[0]; e.Tier != schema.TierSecure || e.GPUs != 1 || e.Sources[0] != "graphql" || e.Percent() != "-9.12" {
		t.Errorf("%+v", e)
	}
	for name, change := range map[string]func(*schema.Observation){
		"imported":       func(o *schema.Observation) { o.Origin = schema.OriginImport },
		"a marketplace":  func(o *schema.Observation) { o.Offer.GroupKey = "m1" },
		"an unknown GPU": func(o *schema.Observation) { o.Class = "unmatched:h100" },
		"excluded":       func(o *schema.Observation) { o.Excluded = "does not work" },
		"held": func(o *schema.Observation) {
			if o.USDPerGPUHour == usd("2.99") {
				o.Quarantine = 1
			}
		},
		"a key renamed": func(o *schema.Observation) {
			if o.USDPerGPUHour == usd("2.99") {
				o.Offer.SKU = "H100 SXM"
			}
		},
	} {
		wantEvents(t, moves(t, seen(change)))
		if t.Failed() {
			t.Fatal(name)
		}
	}
}
