package reports_test

import (
	"strings"
	"testing"

	"mtok/reports"
	"mtok/schema"
)

func TestSwitchRatio(t *testing.T) {
	c := fullCatalog(t)
	tests := []struct {
		to      schema.ClassID
		ratio   string
		alike   bool
		prices  reports.SwitchPrices
		tonight string
	}{
		{h200, "1.26", true, reports.SwitchPrices{From: usd("3.29"), To: usd("4.59"), Where: "runpod secure"}, "tonight 1.40x at runpod secure: it does not."},
		{b200, "2.92", false, reports.SwitchPrices{From: usd("3.29"), To: usd("6.79"), Where: "runpod secure"}, "tonight 2.06x at runpod secure: it does; not like for like: other engine: TensorRT-LLM"},
	}
	for _, tt := range tests {
		s, ok := reports.SwitchRatio(c, h100, tt.to, "llama-3.3-70b")
		if !ok || s.Ratio.FloatString(2) != tt.ratio || s.LikeForLike != tt.alike || s.From.Scenario != schema.ScenarioServer || s.From.TokensPerSecond.String() != "21433.3" {
			t.Errorf("%s: %v %+v", tt.to, ok, s)
			continue
		}
		text := s.Sentence(tt.prices)
		for _, want := range []string{"At FP8, " + string(tt.to) + " pays below " + tt.ratio + "x the price of h100-sxm-80gb", tt.tonight} {
			if !strings.Contains(text, want) {
				t.Errorf("%q lacks %q", text, want)
			}
		}
		if text := s.Sentence(reports.SwitchPrices{}); strings.Contains(text, "tonight") {
			t.Errorf("no price: %q", text)
		}
		if s.From.Source == "" || s.To.Source == "" {
			t.Errorf("%s: a ratio without a source", tt.to)
		}
	}
}

// One division at equal prices would be no saving.
func TestSwitchPaysBelowItsRatio(t *testing.T) {
	s, ok := reports.SwitchRatio(fullCatalog(t), h100, h100, "llama-3.3-70b")
	if !ok || s.Ratio.FloatString(2) != "1.00" {
		t.Fatalf("a class against itself: %v %+v", ok, s)
	}
	for to, want := range map[string]bool{"2.99": true, "3.00": false, "3.01": false} {
		if got := s.Pays(reports.SwitchPrices{From: usd("3.00"), To: usd(to)}); got != want {
			t.Errorf("3.00 to %s pays = %v, want %v", to, got, want)
		}
	}
	if s.Pays(reports.SwitchPrices{From: usd("3.00")}) || s.Pays(reports.SwitchPrices{To: usd("3.00")}) {
		t.Error("a missing price pays")
	}
}

// Figures of another precision, load, bound, mix or GPU count are not divided.
func TestSwitchRatioNeedsOneKind(t *testing.T) {
	c := fullCatalog(t)
	for _, to := range []schema.ClassID{"gb200-186gb", "rtx-pro-6000-96gb", "a10-24gb"} { // FP4 alone; FP4 alone; no row
		if s, ok := reports.SwitchRatio(c, h100, to, "llama-3.3-70b"); ok {
			t.Errorf("%s: %s against %s", to, s.To.ID, s.From.ID)
		}
	}
	if s, ok := reports.SwitchRatio(c, h100, h200, "qwen3-30b-a3b"); ok {
		t.Errorf("a model without rows: %+v", s)
	}
	var pair []schema.Throughput
	for _, row := range c.Throughputs {
		if strings.HasSuffix(row.ID, "krai-server-v5.1") && (row.Class == h100 || row.Class == h200) {
			pair = append(pair, row)
		}
	}
	if len(pair) != 2 {
		t.Fatalf("%d rows", len(pair))
	}
	for name, change := range map[string]func(row *schema.Throughput){
		"precision":   func(row *schema.Throughput) { row.Precision = "FP4" },
		"scenario":    func(row *schema.Throughput) { row.Scenario = schema.ScenarioOffline },
		"no scenario": func(row *schema.Throughput) { row.Scenario = "" },
		"bound":       func(row *schema.Throughput) { row.TPOTms = schema.MustDecimal("100") },
		"mix":         func(row *schema.Throughput) { row.OutputTokens = schema.MustDecimal("1000") },
		"GPUs":        func(row *schema.Throughput) { row.GPUs = 4 },
		"model":       func(row *schema.Throughput) { row.Model = "Llama-2-70B" },
		"concurrency": func(row *schema.Throughput) { row.Concurrency = 64 },
	} {
		other := pair[1]
		change(&other)
		only := &schema.Catalog{GPUs: c.GPUs, Models: c.Models, Throughputs: []schema.Throughput{pair[0], other}}
		if s, ok := reports.SwitchRatio(only, pair[0].Class, other.Class, "llama-3.3-70b"); ok {
			t.Errorf("other %s: ratio %s", name, s.Ratio.FloatString(2))
		}
	}
	for name, change := range map[string]func(row *schema.Throughput){
		"version":    func(row *schema.Throughput) { row.EngineVersion = "0.9.1" },
		"engine":     func(row *schema.Throughput) { row.Engine = "SGLang" },
		"checkpoint": func(row *schema.Throughput) { row.Checkpoint = "" },
	} {
		other := pair[1]
		change(&other)
		only := &schema.Catalog{GPUs: c.GPUs, Models: c.Models, Throughputs: []schema.Throughput{pair[0], other}}
		if s, ok := reports.SwitchRatio(only, pair[0].Class, other.Class, "llama-3.3-70b"); !ok || s.LikeForLike || !strings.Contains(strings.Join(s.Differs, ", "), name) {
			t.Errorf("other %s: %v, like for like %v, differs in %q", name, ok, s.LikeForLike, s.Differs)
		}
	}
}
