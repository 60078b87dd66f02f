package reports

import (
	"strings"
	"testing"

	"mtok/schema"
)

// listing is a price of a listing on 2026-08-22.
func listing(provider schema.ProviderID, gpus int, perGPU bool, tier schema.Tier, usd schema.USD, origin schema.Origin) schema.Observation {
	return schema.Observation{
		Day: 20687, Slot: schema.Day(20687).Slot(), Source: "page", Class: "h100-sxm-80gb", Origin: origin, USDPerGPUHour: usd,
		USDPerInstanceHour: usd * schema.USD(gpus), PageSHA256: "0123456789abcdef",
		Offer: schema.Offer{
			OfferKey: schema.OfferKey{Provider: provider, SKU: "h100", GPUCount: gpus, Term: schema.TermOnDemand, Tier: tier},
			GPURaw:   "H100", Basis: schema.BasisInstance, Unit: schema.UnitGPUHour, PerGPU: perGPU, PriceText: usd.String(),
		},
	}
}

// TestReconcile compares what is the same thing, and counts what has nothing beside it.
func TestReconcile(t *testing.T) {
	catalog, err := schema.LoadCatalog()
	if err != nil {
		t.Fatal(err)
	}
	night := Night{AsOf: 20687, Observations: []schema.Observation{
		listing("lambda", 8, false, "", 3_990_000, schema.OriginLive), listing("lambda", 1, false, "", 4_290_000, schema.OriginLive),
		listing("runpod", 1, true, schema.TierSecure, 3_290_000, schema.OriginLive),
		listing("crusoe", 1, true, "", 1_000_000, schema.OriginImport), // no price of ours
	}}
	their := func(o schema.Observation) Foreign { return Foreign{Observation: o, Place: "file row 1"} }
	for _, c := range []struct {
		name    string
		theirs  schema.Observation
		percent int
		off     string // in the row, empty for none
		says    string
	}{
		{"the same node", listing("lambda", 8, false, "", 3_990_000, "import"), 2, "", "1 of their prices agree"},
		{"another node", listing("lambda", 8, false, "", 4_290_000, "import"), 2, "+7.5 %", "0 of their prices agree"},
		{"any node", listing("lambda", 1, true, "", 4_290_000, "import"), 2, "", "1 of their prices agree"},
		{"a node that is not ours", listing("lambda", 4, false, "", 4_290_000, "import"), 2, "", "1 not compared: " + absentTerm},
		{"another tier", listing("runpod", 1, true, schema.TierCommunity, 3_290_000, "import"), 2, "", "1 not compared: " + absentTerm},
		{"lower", listing("runpod", 1, true, schema.TierSecure, 2_990_000, "import"), 2, "-9.1 %", "1 do not"},
		{"lower, within", listing("runpod", 1, true, schema.TierSecure, 2_990_000, "import"), 10, "", "1 of their prices agree"},
		{"on the edge", listing("runpod", 1, true, schema.TierSecure, 3_355_800, "import"), 2, "", "1 of their prices agree"},
		{"just over it", listing("runpod", 1, true, schema.TierSecure, 3_355_801, "import"), 2, "+2.0 %", "1 do not"},
		{"only imported here", listing("crusoe", 1, true, "", 1_000_000, "import"), 2, "", "1 not compared: " + absentProvider},
	} {
		doc := Reconcile(night, []Foreign{their(c.theirs)}, catalog, c.percent, Filter{})
		text := strings.Join(doc.After, "\n")
		if (len(doc.Rows) == 0) != (c.off == "") || !strings.Contains(text, c.says) {
			t.Errorf("%s: %d rows, %q, want %q", c.name, len(doc.Rows), text, c.says)
		}
		if len(doc.Rows) == 1 && doc.Rows[0][9].Text != c.off {
			t.Errorf("%s: off by %q, want %q", c.name, doc.Rows[0][9].Text, c.off)
		}
	}
}

// TestReferenceLine names the newest day of one source alone.
func TestReferenceLine(t *testing.T) {
	catalog, err := schema.LoadCatalog()
	if err != nil {
		t.Fatal(err)
	}
	seen := []schema.Observation{
		listing("runpod", 1, true, schema.TierSecure, 2_990_000, "import"), listing("crusoe", 1, true, "", 3_900_000, "import"),
		listing("vast", 1, true, "", 1_000_000, "import"), listing("lambda", 1, true, "", 500_000, "import"),
	}
	seen[2].Source = "another"
	seen[3].Day--
	r := Reference{Name: "X", Source: "page"}
	want := "Reference, in no figure: cheapest of 2 watched by X, $/GPU-h: h100-sxm-80gb 2.99 runpod secure"
	if got := r.line(seen, 20687, catalog, Filter{}); got != want {
		t.Errorf("got %q", got)
	}
	if got := r.line(seen, 20688, catalog, Filter{}); !strings.Contains(got, "watched by X on 2026-08-22,") {
		t.Errorf("an older day is not named: %q", got)
	}
	if got := r.line(seen, 20687, catalog, Filter{Class: "l4-24gb"}); got != "" {
		t.Errorf("of another class: %q", got)
	}
}
