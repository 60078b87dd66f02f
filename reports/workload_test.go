package reports_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mtok/reports"
	"mtok/schema"
)

func fullCatalog(t *testing.T) *schema.Catalog {
	t.Helper()
	c, err := schema.LoadCatalog()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func resolve(t *testing.T, w reports.Workload, c *schema.Catalog) []reports.Resolved {
	t.Helper()
	got, err := w.Resolve(c)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func named(t *testing.T, name string) reports.Workload {
	t.Helper()
	w, err := reports.FindWorkload(reports.DefaultWorkloads(), name)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func TestDefaultWorkloads(t *testing.T) {
	c := fullCatalog(t)
	for name, want := range map[string][]string{
		"chat-70b":             {"4418", "2909", "6920", "7769", "1746.12", "1921.77", "989.41", "1209.25", "1724"},
		"rag-70b":              {"898", "566", "422.36", "1459"},
		"chat-70b-interactive": {"10180.1", "", ""},
		"gpt-oss-120b":         {"18740", "6868", "51886", "27198"},
	} {
		var got []string
		for _, r := range resolve(t, named(t, name), c) {
			got = append(got, r.Row.TokensPerSecond.String())
			if r.Measured != (r.Reason == "") || r.Measured != (r.Row.Source != "" && r.Row.Date != "") {
				t.Errorf("%s, %s: measured %v, reason %q, source %q", name, r.Configuration, r.Measured, r.Reason, r.Row.Source)
			}
			if r.Measured && r.Row.Ceiling() && !strings.HasPrefix(r.Notes[0], "ceiling") {
				t.Errorf("%s, %s: a ceiling without its label: %q", name, r.Configuration, r.Notes)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	if n := len(reports.DefaultWorkloads()); n != 4 {
		t.Errorf("%d workloads, want 4", n)
	}
}

// A row is never stretched: what was measured far from the lengths asked for is
// named, and prices nothing.
func TestResolveNeverStretches(t *testing.T) {
	c := fullCatalog(t)
	w := named(t, "rag-70b")
	w.Configurations = []reports.Configuration{{Class: "h100-sxm-80gb", GPUs: 4, Precision: "FP8"}, {Class: "h100-sxm-80gb", GPUs: 1, Precision: "FP16"}}
	got := resolve(t, w, c)
	if got[0].Measured || !strings.Contains(got[0].Reason, "nearest, not used: 7430.99 tok/s at 1000/1000, ceiling") {
		t.Errorf("4x H100 at 5000/500: %+v", got[0])
	}
	if !got[0].Estimated || !strings.HasPrefix(got[0].Estimate.String(), "estimate, not measured: ") {
		t.Errorf("its estimate: %v %s", got[0].Estimated, got[0].Estimate)
	}
	if got[1].Measured || got[1].Estimated || strings.Contains(got[1].Reason, "nearest") {
		t.Errorf("what does not fit: %+v", got[1])
	}
	if got := resolve(t, named(t, "chat-70b-interactive"), c)[1]; got.Estimated || !strings.Contains(got.Reason, "within first token 450 ms, then 40 ms a token") ||
		!strings.Contains(got.Reason, "26903.4 tok/s at ?/294.45, promise: first token 2000 ms") {
		t.Errorf("H200 under 450/40: %+v", got)
	}
}

func TestResolveTakesNearLengths(t *testing.T) {
	c := fullCatalog(t)
	for lengths, tokens := range map[[2]string]string{
		{"1000", "1000"}: "4418", {"900", "1100"}: "4418", {"1250", "800"}: "4418", {"1251", "1000"}: "", {"1000", "799"}: "",
		{"4500", "550"}: "898", {"128", "128"}: "",
	} {
		w := named(t, "chat-70b")
		w.InputTokens, w.OutputTokens = schema.MustDecimal(lengths[0]), schema.MustDecimal(lengths[1])
		got := resolve(t, w, c)[0]
		if got.Row.TokensPerSecond.String() != tokens {
			t.Errorf("%s: %s tok/s, want %q", lengths, got.Row.TokensPerSecond, tokens)
		}
		said := slices.ContainsFunc(got.Notes, func(n string) bool { return strings.Contains(n, "asked for "+lengths[0]+"/"+lengths[1]) })
		if got.Measured && said != (lengths != [2]string{"1000", "1000"}) {
			t.Errorf("%s: notes %q", lengths, got.Notes)
		}
	}
}

// The user's own measurement goes before the catalog's of the same lengths.
func TestResolveTakesTheUsersRow(t *testing.T) {
	row := fullCatalog(t).Throughputs[1]
	row.ID, row.TokensPerSecond, row.Default = "mine", schema.MustDecimal("3000"), false
	c, err := fullCatalog(t).With(schema.UserRows{Throughputs: []schema.Throughput{row}}, "config.toml")
	if err != nil {
		t.Fatal(err)
	}
	if got := resolve(t, named(t, "chat-70b"), c)[0]; got.Row.ID != "mine" {
		t.Errorf("took %s", got.Row.ID)
	}
	far := row
	far.InputTokens = schema.MustDecimal("1100")
	if c, err = fullCatalog(t).With(schema.UserRows{Throughputs: []schema.Throughput{far}}, "config.toml"); err != nil {
		t.Fatal(err)
	}
	if got := resolve(t, named(t, "chat-70b"), c)[0]; got.Row.TokensPerSecond.String() != "4418" {
		t.Errorf("took %s, measured at other lengths", got.Row.ID)
	}
}

func TestOrderOfTheCatalogChangesNothing(t *testing.T) {
	c := fullCatalog(t)
	ceiling := c.Throughputs[1]
	asked := schema.Throughput{Class: "h100-sxm-80gb", Model: "llama-3.1-70b", GPUs: 2, InputTokens: schema.MustDecimal("3072"), OutputTokens: schema.MustDecimal("1024")}
	type all struct {
		Resolved             [][]string
		Beside, Near         []reports.Beside
		SwitchFrom, SwitchTo string
		Switched             bool
	}
	look := func() all {
		var a all
		for _, w := range reports.DefaultWorkloads() {
			var ids []string
			for _, r := range resolve(t, w, c) {
				ids = append(ids, r.Row.ID+r.Reason)
			}
			a.Resolved = append(a.Resolved, ids)
		}
		a.Beside, a.Near = reports.Promised(c, ceiling), reports.NearestMeasured(c, asked, 5)
		s, ok := reports.SwitchRatio(c, "h100-sxm-80gb", "h200-sxm-141gb", "llama-3.1-70b")
		a.SwitchFrom, a.SwitchTo, a.Switched = s.From.ID, s.To.ID, ok
		return a
	}
	want := look()
	random := rand.New(rand.NewPCG(7, 8))
	for range 10 {
		random.Shuffle(len(c.Throughputs), func(i, j int) { c.Throughputs[i], c.Throughputs[j] = c.Throughputs[j], c.Throughputs[i] })
		if diff := cmp.Diff(want, look(), cmp.Comparer(func(a, b schema.Decimal) bool { return a == b })); diff != "" {
			t.Fatalf("another order, another answer (-want +got):\n%s", diff)
		}
	}
}

func TestWorkloadRefused(t *testing.T) {
	c := fullCatalog(t)
	for name, tt := range map[string]struct {
		spoil func(w *reports.Workload)
		want  string
	}{
		"no name":       {func(w *reports.Workload) { w.Name = "" }, "name is missing"},
		"model":         {func(w *reports.Workload) { w.Model = "llama-3.1-7b" }, `unknown name: model "llama-3.1-7b"; did you mean`},
		"class":         {func(w *reports.Workload) { w.Configurations[0].Class = "h100" }, `class "h100"; did you mean h100-`},
		"no GPUs":       {func(w *reports.Workload) { w.Configurations[0].GPUs = 0 }, "1 or more"},
		"precision":     {func(w *reports.Workload) { w.Configurations[0].Precision = "fp9" }, "unknown precision"},
		"twice":         {func(w *reports.Workload) { w.Configurations[1] = w.Configurations[0] }, "occurs twice"},
		"nowhere":       {func(w *reports.Workload) { w.Configurations = nil }, "no configuration"},
		"length 0":      {func(w *reports.Workload) { w.InputTokens = schema.MustDecimal("0") }, "input_tokens must be above 0"},
		"half a bound":  {func(w *reports.Workload) { w.TTFTms = schema.MustDecimal("450") }, "come together"},
		"bound of zero": {func(w *reports.Workload) { w.TTFTms, w.TPOTms = schema.MustDecimal("0"), schema.MustDecimal("40") }, "ttft_ms must be above 0"},
	} {
		w := named(t, "chat-70b")
		tt.spoil(&w)
		if _, err := w.Resolve(c); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want an error with %q", name, err, tt.want)
		}
	}
	if _, err := reports.FindWorkload(reports.DefaultWorkloads(), "chat-7b"); !errors.Is(err, reports.ErrUnknownName) || !strings.Contains(err.Error(), "chat-70b") {
		t.Errorf("an unknown workload: %v", err)
	}
}

func TestPromisedStandsBesideACeiling(t *testing.T) {
	c := fullCatalog(t)
	byID := map[string]schema.Throughput{}
	for _, row := range c.Throughputs {
		byID[row.ID] = row
	}
	for id, want := range map[string]string{
		"llama-3.3-70b-fp8-h100-sxm-80gb-x2-max1k1k":    "llama-3.1-70b-fp8-h100-sxm-80gb-x8-krai-server-v5.1",
		"llama-3.3-70b-fp8-h200-sxm-141gb-x1-max1k1k":   "llama-3.1-70b-fp8-h200-sxm-141gb-x8-krai-server-v5.1",
		"llama-3.3-70b-fp4-b200-sxm-180gb-x1-max1k1k":   "llama-3.1-70b-fp8-b200-sxm-180gb-x8-krai-server-v5.1",
		"llama-3.1-70b-fp8-gh200-96gb-x1-max1k1k":       "llama-2-70b-gh200-96gb-mlperf-server-v4.1",
		"llama-3.1-8b-fp8-l40s-48gb-x1-max1k1k":         "llama-3.1-8b-l40s-48gb-mlperf-server-v5.1",
		"llama-3.1-70b-fp16-a100-sxm-80gb-x4-max1k1k":   "", // nobody measured one
		"llama-2-70b-b200-sxm-180gb-mlperf-server-v5.1": "", // promises itself
	} {
		row, ok := byID[id]
		if !ok {
			t.Fatalf("%s is not in the catalog", id)
		}
		got := ""
		if beside := reports.Promised(c, row); len(beside) > 0 {
			got = beside[0].Row.ID
			if len(beside[0].Differs) == 0 {
				t.Errorf("%s: %s differs in nothing", id, got)
			}
		}
		if got != want {
			t.Errorf("beside %s stands %q, want %q", id, got, want)
		}
	}
	beside := reports.Promised(c, byID["llama-3.1-70b-fp8-gh200-96gb-x1-max1k1k"])[0]
	if beside.Differs[0] != "other model: Llama-2-70B" {
		t.Errorf("the other model is not said: %q", beside.Differs)
	}
}

func TestNearestMeasured(t *testing.T) {
	c := fullCatalog(t)
	asked := schema.Throughput{Class: "h100-sxm-80gb", Model: "llama-3.1-70b", GPUs: 1, Precision: "fp16",
		InputTokens: schema.MustDecimal("3072"), OutputTokens: schema.MustDecimal("1024"), Concurrency: 32}
	got := reports.NearestMeasured(c, asked, 3)
	want := []string{"other mix: 1000/1000", "2 GPUs, not 1"}
	if len(got) != 3 || got[0].Row.ID != "llama-3.1-70b-fp16-h100-sxm-80gb-x2-max1k1k" || !slices.Contains(got[0].Differs, want[0]) || !slices.Contains(got[0].Differs, want[1]) {
		t.Errorf("%+v", got)
	}
	exact := c.Throughputs[1]
	exact.Concurrency = 0
	if got := reports.NearestMeasured(c, exact, 1); len(got) != 1 || got[0].Row.ID != exact.ID || len(got[0].Differs) != 0 {
		t.Errorf("of itself: %+v", got)
	}
	asked.Model = "qwen3-30b-a3b"
	if got := reports.NearestMeasured(c, asked, 1); len(got) != 1 || !strings.HasPrefix(got[0].Differs[0], "other model: ") {
		t.Errorf("a model without rows: %+v", got)
	}
	asked.Class = "a10-24gb"
	if got := reports.NearestMeasured(c, asked, 1); len(got) != 0 {
		t.Errorf("a class without rows: %+v", got)
	}
}
