package reports_test

import (
	"strings"
	"testing"

	"mtok/reports"
	"mtok/reports/cost"
	"mtok/schema"
)

func lists() []schema.Observation {
	return []schema.Observation{
		offer(1, "runpod", h100, 1, "3.29", perGPU(8), tier("secure")), offer(2, "runpod", h200, 1, "4.59", perGPU(8), tier("secure")),
		offer(3, "runpod", b200, 1, "6.79", perGPU(8), tier("secure")), offer(4, "crusoe", h200, 1, "4.29", perGPU(0)),
		offer(5, "coreweave", h100, 8, "49.24"), offer(6, "lambda", gh200, 1, "2.29"),
	}
}

func workloadReport(t *testing.T, name string) reports.Document {
	t.Helper()
	s := reports.DefaultSettings()
	s.Workloads = reports.DefaultWorkloads()
	return reports.MTok(reports.Night{AsOf: tonight, Observations: lists()}, fullCatalog(t), s, reports.Filter{Workload: name})
}

func afterSays(t *testing.T, doc reports.Document, parts ...string) {
	t.Helper()
	text := strings.Join(doc.After, "\n")
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("the report does not say %q:\n%s", part, text)
		}
	}
}

// The list prices of 2026-08-22 and the figures that follow from them.
func TestMTokOfAWorkload(t *testing.T) {
	doc := workloadReport(t, "")
	expect(t, doc, "provider", "runpod", "coreweave", "crusoe", "runpod", "runpod", "lambda")
	expect(t, doc, "raw_usd_per_mtok", "0.413712", "0.77398", "0.409648", "0.438295", "0.272559", "0.3643")
	expect(t, doc, "workload", "chat-70b", "chat-70b", "chat-70b", "chat-70b", "chat-70b", "chat-70b")
	expect(t, doc, "ceiling", "true", "true", "true", "true", "true", "true")
	expect(t, doc, "promised_raw_usd_per_mtok", "0.34111", "0.34111", "0.354354", "0.354354", "0.240941", "0.242875")
	afterSays(t, doc, "pays below 1.26x", "tonight 1.40x at runpod secure: it does not", "pays below 2.92x", "tonight 2.06x at runpod secure: it does; not like for like: other engine",
		"cheapest eligible of each: 1.30x (4.29 at crusoe, 3.29 at runpod secure)", "mlperf-server 2000/200 ms 0.341 (runpod secure), mlperf-interactive 450/40 ms 0.718",
		"Other workloads (--workload NAME): rag-70b, chat-70b-interactive, gpt-oss-120b.")
	rag := workloadReport(t, "rag-70b")
	if got := column(t, rag, "raw_usd_per_mtok")[0]; got != "2.035387" {
		t.Errorf("rag-70b at %s, want 2.035387", got)
	}
	interactive := workloadReport(t, "chat-70b-interactive")
	expect(t, interactive, "gpu_class", string(h100), string(h100))
	afterSays(t, interactive, "No cost: 8x h200-sxm-141gb FP8", "No cost: 8x b200-sxm-180gb FP8", "nearest, not used: 26903.4 tok/s")
	if doc := workloadReport(t, "nosuch"); len(doc.Rows) != 0 {
		t.Errorf("an unknown workload has %d rows", len(doc.Rows))
	}
}

func TestDailyCostsByWorkload(t *testing.T) {
	s := reports.DefaultSettings()
	s.Workloads = reports.DefaultWorkloads()
	// the same configuration twice, in other words, is one series
	s.Workloads[1].Configurations = append(s.Workloads[1].Configurations, reports.Configuration{Class: h100, GPUs: 2})
	daily, err := reports.Recompute(tonight, lists(), fullCatalog(t), s)
	if err != nil {
		t.Fatal(err)
	}
	got, hashes := map[string]string{}, map[string]bool{}
	for _, c := range daily.TokenCosts {
		if c.Class == h100 && c.Statistic == schema.StatCheapest {
			got[c.Workload] += c.Raw.String()
		}
	}
	for name, want := range map[string]string{"chat-70b": "0.413712", "rag-70b": "2.035387", "chat-70b-interactive": "0.718177", "gpt-oss-120b": "0.195067"} {
		if got[name] != want {
			t.Errorf("%s at %s, want %s", name, got[name], want)
		}
	}
	for _, in := range daily.Inputs {
		hashes[in.Hash] = true
	}
	if len(hashes) != len(daily.Inputs) {
		t.Errorf("%d inputs have %d hashes", len(daily.Inputs), len(hashes))
	}
	for _, c := range daily.TokenCosts {
		if !hashes[c.Inputs] {
			t.Errorf("%s on %s has inputs that are not kept", c.Workload, c.Class)
		}
	}
}

func TestItemsReplaceTheMultiplier(t *testing.T) {
	s := reports.DefaultSettings()
	s.Items = cost.Items{StorageGB: schema.MustDecimal("200"), BytesPerToken: schema.MustDecimal("250")}
	if s.Itemised() {
		t.Error("storage at no price is an item")
	}
	s.Items.StorageUSDPerGBMonth = schema.MustDecimal("0.73")
	doc := reports.MTok(reports.Night{AsOf: tonight, Observations: lists()[:1]}, testCatalog(t), s, reports.Filter{})
	// 0.636479 and 200 x 0.73 / 730 = 0.20 $/h over 4,418 x 0.65 tok/s
	expect(t, doc, "all_in_usd_per_mtok", "0.655825")
	expect(t, doc, "overhead", "null")
	afterSays(t, doc, "in the place of a multiplier")
}
