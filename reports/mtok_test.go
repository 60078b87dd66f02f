package reports_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"mtok/reports"
	"mtok/schema"
)

// column returns the values of one machine column.
func column(t *testing.T, doc reports.Document, key string) []string {
	t.Helper()
	for i, c := range doc.Columns {
		if c.Key != key || !c.On(reports.OnMachine) {
			continue
		}
		out := []string{}
		for _, row := range doc.Rows {
			switch cell := row[i]; cell.Kind {
			case reports.KindNull:
				out = append(out, "null")
			case reports.KindMoney:
				out = append(out, cell.Amount.String())
			default:
				out = append(out, cell.Text)
			}
		}
		return out
	}
	t.Fatalf("no column %q", key)
	return nil
}

func mtok(t *testing.T, observations ...schema.Observation) reports.Document {
	t.Helper()
	n := reports.Night{AsOf: tonight, Observations: observations}
	return reports.MTok(n, testCatalog(t), reports.DefaultSettings(), reports.Filter{})
}

func expect(t *testing.T, doc reports.Document, key string, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, column(t, doc, key)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", key, diff)
	}
}

func TestMTokSoldOutHidesNothing(t *testing.T) {
	doc := mtok(t, offer(1, "lambda", h100, 2, "8.38", stock(schema.StockSoldOut)), offer(2, "lambda", h100, 8, "31.92"))
	expect(t, doc, "shape", "larger", "exact")
	expect(t, doc, "usd_per_hour", "7.98", "8.38")
	expect(t, doc, "available", "null", "false")
	expect(t, doc, "reason", "must rent 8: 4 replicas", "sold out")
	expect(t, doc, "eligible", "true", "false")
}

func TestMTokRowWithoutAPrice(t *testing.T) {
	doc := mtok(t, offer(1, "lambda", h100, 1, "4.29"))
	expect(t, doc, "shape", "none")
	expect(t, doc, "shape_gpus", "2")
	expect(t, doc, "replicas", "null")
	expect(t, doc, "usd_per_hour", "null")
	expect(t, doc, "raw_usd_per_mtok", "null")
	expect(t, doc, "all_in_usd_per_mtok", "null")
	expect(t, doc, "reason", "needs 2 GPUs, largest offer has 1")
	expect(t, doc, "eligible", "false")
}

func TestMTokRegions(t *testing.T) {
	equal := mtok(t, offer(1, "coreweave", h100, 8, "49.24", region("EUROPE")), offer(2, "coreweave", h100, 8, "49.24", region("NORTH AMERICA")))
	expect(t, equal, "region", "")
	dearer := mtok(t, offer(1, "coreweave", h100, 8, "49.24", region("EUROPE")), offer(2, "coreweave", h100, 8, "48.00", region("NORTH AMERICA")))
	expect(t, dearer, "region", "NORTH AMERICA")
	expect(t, dearer, "usd_per_hour", "12.00")
	partly := mtok(t, offer(1, "lambda", h100, 1, "4.29", region("us-east")), offer(2, "lambda", h100, 2, "8.38", region("us-west")))
	expect(t, partly, "region", "us-west")
	expect(t, partly, "shape", "exact")
}

func TestMTokTerms(t *testing.T) {
	doc := mtok(t,
		offer(1, "lambda", h100, 16, "98.56", cluster),
		offer(2, "coreweave", h100, 8, "19.51", spot),
		offer(3, "lambda", h100, 2, "8.38"),
		offer(4, "vast", h100, 2, "2.00", machine("a"), func(o *schema.Observation) { o.Offer.Term = schema.TermBidFloor }))
	expect(t, doc, "term", "on_demand", "reserved", "spot")
	expect(t, doc, "reason", "", "must rent 16: 8 replicas; reserved: commitment 14-365 d",
		"must rent 8: 4 replicas; interruptible: in no minimum")
	expect(t, doc, "commitment_max_days", "null", "365", "null")
	expect(t, doc, "eligible", "true", "false", "false") // only what is in the on-demand minimum
}

func TestMTokCarriedStandsBelow(t *testing.T) {
	doc := mtok(t, offer(1, "nebius", h100, 2, "2.00", daysAgo(2)), offer(2, "lambda", h100, 2, "8.38"))
	expect(t, doc, "provider", "lambda", "nebius")
	expect(t, doc, "day", "2026-08-22", "2026-08-20")
	expect(t, doc, "age_days", "0", "2")
	expect(t, doc, "reason", "", "carried 2 d")
}

func TestMTokMarketplaceShowsTheLowestAskApart(t *testing.T) {
	doc := mtok(t, market()...)
	expect(t, doc, "tier", "verified", "unverified", "verified")
	expect(t, doc, "usd_per_hour", "4.40", "2.00", "3.60")
	expect(t, doc, "reason", "", "unverified", "no NVLink")
}

func TestMTokFilters(t *testing.T) {
	build := func(f reports.Filter) reports.Document {
		return reports.MTok(night(), testCatalog(t), reports.DefaultSettings(), f)
	}
	expect(t, build(reports.Filter{Class: h200}), "provider", "crusoe", "coreweave")
	expect(t, build(reports.Filter{Provider: "crusoe"}), "gpu_class", string(h100), string(h200))
	expect(t, build(reports.Filter{Term: schema.TermSpot}), "provider", "coreweave")
	if doc := build(reports.Filter{Class: a10}); len(doc.Rows) != 0 || len(doc.After) == 0 ||
		doc.After[0] != "Listed, but no throughput measured, so no cost: a10-24gb." {
		t.Errorf("a class without throughput: %d rows, %q", len(doc.Rows), doc.After)
	}
}

func TestMTokAtFullUtilizationRepeatsNoColumn(t *testing.T) {
	s := reports.DefaultSettings()
	s.Utilization = schema.MustDecimal("1")
	doc := reports.MTok(night(), testCatalog(t), s, reports.Filter{})
	var headers []string
	for _, c := range doc.Columns {
		if c.On(reports.OnScreen) {
			headers = append(headers, c.Header)
		}
	}
	want := []string{"class", "shape", "tok/s", "provider", "$/h", "flat out", "30 %", "all-in*", "stock", "notes"}
	if diff := cmp.Diff(want, headers); diff != "" {
		t.Errorf("headers (-want +got):\n%s", diff)
	}
	for i, row := range doc.Rows {
		if len(row) != len(doc.Columns) {
			t.Errorf("row %d has %d cells for %d columns", i, len(row), len(doc.Columns))
		}
	}
}

// The keys are a contract with whoever reads the machine formats.
func TestMachineKeys(t *testing.T) {
	want := map[string][]string{
		"prices": {"day", "provider", "gpu_class", "gpu_count", "term", "tier", "region", "commitment_min_days",
			"commitment_max_days", "usd_per_gpu_hour", "usd_per_instance_hour", "available", "page"},
		"mtok": {"day", "gpu_class", "shape_gpus", "replicas", "shape", "provider", "tier", "term", "model", "precision",
			"engine", "input_tokens", "output_tokens", "tokens_per_second", "usd_per_hour", "raw_usd_per_mtok",
			"utilized_usd_per_mtok", "all_in_usd_per_mtok", "utilization", "overhead", "available", "source", "reason"},
	}
	docs := build(t, night())
	for name, keys := range want {
		var got []string
		for _, c := range docs[name].Columns {
			if c.On(reports.OnMachine) {
				got = append(got, c.Key)
			}
		}
		if diff := cmp.Diff(keys, got[:min(len(keys), len(got))]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
