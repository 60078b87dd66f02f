package cost_test

import (
	"encoding/csv"
	"errors"
	"math/big"
	"os"
	"strings"
	"testing"

	"mtok/reports/cost"
	"mtok/schema"
)

func catalog(t *testing.T) *schema.Catalog {
	t.Helper()
	c, err := schema.LoadCatalog()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// records reads a CSV file with a heading into maps by column.
func records(t *testing.T, path string) []map[string]string {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	r := csv.NewReader(file)
	r.Comment = '#'
	all, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var out []map[string]string
	for _, line := range all[1:] {
		row := map[string]string{}
		for i, name := range all[0] {
			row[name] = line[i]
		}
		out = append(out, row)
	}
	return out
}

func optional(t *testing.T, text string) schema.Decimal {
	t.Helper()
	if text == "" {
		return schema.Decimal{}
	}
	d, err := schema.ParseDecimal(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// config reads the configuration of a row of the vectors or of a table of
// published measurements, by the columns' names.
func config(t *testing.T, c *schema.Catalog, row map[string]string, input, output, batch string) cost.Config {
	t.Helper()
	measured := schema.Throughput{Class: schema.ClassID(row["gpu_class"]), Model: row["model"],
		Precision:   strings.TrimSuffix(row["precision"], " (per path name)"),
		InputTokens: optional(t, row[input]), OutputTokens: optional(t, row[output])}
	measured.GPUs = whole(optional(t, row["gpu_count"]))
	measured.Concurrency = whole(optional(t, row[batch]))
	got, err := cost.RowConfig(c, measured)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func whole(d schema.Decimal) int {
	return int(d.Rat().Num().Int64() / d.Rat().Denom().Int64())
}

func TestRooflineVectors(t *testing.T) {
	c := catalog(t)
	rows := records(t, "testdata/roofline_vectors.csv")
	if len(rows) != 27 {
		t.Fatalf("%d vectors, want 27", len(rows))
	}
	for _, row := range rows {
		t.Run(row["gpu_count"]+"x "+row["gpu_class"]+" "+row["model"]+" "+row["precision"]+" "+row["note"], func(t *testing.T) {
			b, err := cost.Roofline(config(t, c, row, "isl", "osl", "batch"))
			if err != nil {
				t.Fatal(err)
			}
			for _, figure := range []struct {
				column   string
				got      *big.Rat
				decimals int
			}{
				{"weights_gb", new(big.Rat).Quo(b.WeightBytes, big.NewRat(1e9, 1)), 2},
				{"kv_bytes_per_token", b.CacheBytes, 0},
				{"batch_capacity", b.Capacity, 2}, {"batch_used", b.Batch, 2},
				{"decode_bw_bound", b.Decode, 1}, {"flop_bound", b.Compute, 1},
			} {
				switch want := row[figure.column]; {
				case want == "" && figure.got == nil:
				case figure.got == nil || figure.got.FloatString(figure.decimals) != want:
					t.Errorf("%s = %v, want %s", figure.column, figure.got, want)
				}
			}
			want := optional(t, row["bound_out_tok_s"])
			if got := b.TokensPerSecond.FloatString(1); got != want.Rat().FloatString(1) {
				t.Errorf("bound = %s, want %s", got, want)
			}
			if b.Fits != (row["weights_fit"] == "yes") {
				t.Errorf("fits = %v, want %s", b.Fits, row["weights_fit"])
			}
			told := row["verdict"] + row["note"]
			if b.Fits && b.CappedByMemory() != strings.Contains(told, "capped by memory") && row["claimed_tok_s"] != "" {
				t.Errorf("capped by memory = %v, want as in %q", b.CappedByMemory(), told)
			}
			checkVerdict(t, b, row)
		})
	}
}

func checkVerdict(t *testing.T, b cost.Bound, row map[string]string) {
	t.Helper()
	if row["claimed_tok_s"] == "" {
		return
	}
	j, err := b.Judge(cost.Claim{TokensPerSecond: schema.MustDecimal(row["claimed_tok_s"])})
	if err != nil {
		t.Fatal(err)
	}
	got := string(j.Verdict)
	if j.Reason != "" {
		got += ": " + strings.ReplaceAll(j.Reason, "_", " ")
	}
	want, _, _ := strings.Cut(row["verdict"], " (")
	if got != want {
		t.Errorf("verdict %q, want %q", got, want)
	}
	if len(j.Arithmetic) < 2 {
		t.Errorf("arithmetic %q", j.Arithmetic)
	}
}

func h100(t *testing.T, gpus int, model string, p cost.Precision) cost.Config {
	t.Helper()
	c := catalog(t)
	out := cost.Config{GPUs: gpus, Precision: p, InputTokens: schema.MustDecimal("1000"), OutputTokens: schema.MustDecimal("1000")}
	var ok, found bool
	out.GPU, ok = c.GPU("h100-sxm-80gb")
	out.Model, found = c.Model(model)
	if !ok || !found {
		t.Fatal("no such class or model")
	}
	return out
}

func roofline(t *testing.T, c cost.Config) cost.Bound {
	t.Helper()
	b, err := cost.Roofline(c)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func judge(t *testing.T, b cost.Bound, claim string) cost.Judgement {
	t.Helper()
	j, err := b.Judge(cost.Claim{TokensPerSecond: schema.MustDecimal(claim)})
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// The article's claim: 42,000 tok/s of a 70B model in 16 bits on one H100.
func TestTheArticlesClaim(t *testing.T) {
	c := h100(t, 1, "llama-3.1-70b", cost.FP16)
	c.InputTokens, c.OutputTokens, c.Concurrency = schema.MustDecimal("3072"), schema.MustDecimal("1024"), 32
	b := roofline(t, c)
	j := judge(t, b, "42000")
	if j.Verdict != cost.VerdictReject || j.Reason != cost.ReasonNoFit || b.Fits || b.MinGPUs != 2 || b.TokensPerSecond.Sign() != 0 {
		t.Errorf("verdict %s %s, fits %v on 1, fits on %d, bound %s", j.Verdict, j.Reason, b.Fits, b.MinGPUs, b.TokensPerSecond)
	}
	text := strings.Join(j.Arithmetic, "\n")
	for _, want := range []string{"141.2 GB", "85.9 GB", "2 GPUs would hold them", "at most 600 tok/s at batch 32", "42,000 is 70.0 times"} {
		if !strings.Contains(text, want) {
			t.Errorf("the arithmetic lacks %q:\n%s", want, text)
		}
	}
	// at a full context of 4,096 tokens
	c.InputTokens, c.OutputTokens = schema.MustDecimal("4096"), schema.Decimal{}
	free, err := cost.Unlimited(c)
	if err != nil || free.TokensPerSecond.FloatString(0) != "582" {
		t.Errorf("full context: %v, %v, want 582", free.TokensPerSecond, err)
	}
	if j := judge(t, roofline(t, h100(t, 1, "llama-3.1-70b", cost.FP8)), "840"); j.Verdict != cost.VerdictPlausible || j.Reason != "" {
		t.Errorf("840 at FP8: %s %s, want plausible", j.Verdict, j.Reason)
	}
}

func TestVerdictAtItsEdges(t *testing.T) {
	b := roofline(t, h100(t, 2, "llama-3-70b", cost.FP8)) // bound 14,015.58
	for claim, want := range map[string]cost.Verdict{
		"11212": cost.VerdictPlausible, "11213": cost.VerdictWarn, "14015": cost.VerdictWarn, "14016": cost.VerdictReject,
	} {
		if j := judge(t, b, claim); j.Verdict != want || (want == cost.VerdictReject && j.Reason != cost.ReasonAbove) {
			t.Errorf("%s: %s %s, want %s", claim, j.Verdict, j.Reason, want)
		}
	}
	for _, claim := range []schema.Decimal{{}, schema.MustDecimal("0")} {
		if _, err := b.Judge(cost.Claim{TokensPerSecond: claim}); !errors.Is(err, cost.ErrInput) {
			t.Errorf("claim %q: %v, want ErrInput", claim, err)
		}
	}
}

func TestExceptions(t *testing.T) {
	double := schema.MustDecimal("2")
	plain := roofline(t, h100(t, 1, "llama-3-70b", cost.FP8))
	c := plain.Config
	c.AcceptedPerStep = double
	if b := roofline(t, c); b.Decode.Cmp(new(big.Rat).Mul(plain.Decode, double.Rat())) != 0 || b.Compute.Cmp(plain.Compute) != 0 {
		t.Errorf("two tokens a step: decode %s, compute %s", b.Decode.FloatString(1), b.Compute.FloatString(1))
	}
	c = plain.Config
	c.PrefixCacheShare = schema.MustDecimal("0.5")
	if b := roofline(t, c); b.Compute.FloatString(3) != new(big.Rat).Mul(plain.Compute, big.NewRat(4, 3)).FloatString(3) {
		t.Errorf("half of the input cached: compute %s", b.Compute.FloatString(1))
	}
	both, err := plain.Judge(cost.Claim{TokensPerSecond: schema.MustDecimal("3000"), CountsInput: true})
	if err != nil || both.Verdict != cost.VerdictPlausible || both.Output.FloatString(0) != "1500" {
		t.Errorf("3,000 with the input counted: %+v, %v", both, err)
	}
	if j := judge(t, plain, "3000"); j.Verdict != cost.VerdictReject {
		t.Errorf("3,000 of output alone: %s", j.Verdict)
	}
	small := h100(t, 1, "deepseek-v3", cost.FP4)
	part, err := roofline(t, small).Judge(cost.Claim{TokensPerSecond: schema.MustDecimal("10100"), DecodeGPUsOnly: true})
	if err != nil || part.Verdict != cost.VerdictUnknown || part.Reason != cost.ReasonDecodeOnly {
		t.Errorf("decode GPUs only: %+v, %v", part, err)
	}
	noLength := plain.Config
	noLength.InputTokens = schema.Decimal{}
	if _, err := roofline(t, noLength).Judge(cost.Claim{TokensPerSecond: double, CountsInput: true}); !errors.Is(err, cost.ErrInput) {
		t.Errorf("input counted, its length unknown: %v, want ErrInput", err)
	}
}

// A single request of a mixture of experts reads the active weights only, a full
// batch all of them.
func TestMixtureOfExperts(t *testing.T) {
	c := h100(t, 1, "qwen3-30b-a3b", cost.FP8)
	for batch, want := range map[int]string{1: "3300000000", 2: "6600000000", 9: "29700000000", 10: "30500000000", 500: "30500000000"} {
		c.Concurrency = batch
		if got := roofline(t, c).StepBytes; got.FloatString(0) != want {
			t.Errorf("batch %d reads %s bytes, want %s", batch, got.FloatString(0), want)
		}
	}
	dense := h100(t, 1, "llama-3.1-8b", cost.FP8)
	dense.Concurrency = 1
	if b := roofline(t, dense); b.StepBytes.Cmp(b.WeightBytes) != 0 {
		t.Errorf("a dense model reads %s of %s", b.StepBytes, b.WeightBytes)
	}
}

func TestBoundOfWhatIsNotKnown(t *testing.T) {
	c := h100(t, 2, "llama-3-70b", cost.FP8)
	c.InputTokens, c.OutputTokens = schema.Decimal{}, schema.Decimal{}
	if b := roofline(t, c); b.Capacity != nil || b.Decode != nil || b.TokensPerSecond.Cmp(b.Compute) != 0 {
		t.Errorf("no lengths: %+v, want arithmetic alone", b)
	}
	c.Concurrency = 1
	if b := roofline(t, c); b.Decode.FloatString(1) != "94.9" { // 2 x 3,350 / 70.6
		t.Errorf("one request, no lengths: decode %s, want 94.9", b.Decode.FloatString(1))
	}
	a10, _ := catalog(t).GPU("a10-24gb")
	c.GPU, c.GPUs = a10, 8
	j := judge(t, roofline(t, c), "100")
	if j.Verdict != cost.VerdictUnknown || j.Reason != cost.ReasonNoFigures {
		t.Errorf("a class without bandwidth: %s %s", j.Verdict, j.Reason)
	}
	c.GPUs = 2
	if j := judge(t, roofline(t, c), "100"); j.Verdict != cost.VerdictReject || j.Reason != cost.ReasonNoFit {
		t.Errorf("its memory is known: %s %s", j.Verdict, j.Reason)
	}
}

func TestRooflineRefuses(t *testing.T) {
	good := h100(t, 2, "llama-3-70b", cost.FP8)
	for name, spoil := range map[string]func(c *cost.Config){
		"no GPU":         func(c *cost.Config) { c.GPUs = 0 },
		"concurrency":    func(c *cost.Config) { c.Concurrency = -1 },
		"no class":       func(c *cost.Config) { c.GPU = schema.GPUClass{} },
		"no model":       func(c *cost.Config) { c.Model = schema.Model{} },
		"no precision":   func(c *cost.Config) { c.Precision = "" },
		"accepted":       func(c *cost.Config) { c.AcceptedPerStep = schema.MustDecimal("0.9") },
		"all is cached":  func(c *cost.Config) { c.PrefixCacheShare = schema.MustDecimal("1") },
		"FP6 is unknown": func(c *cost.Config) { c.Precision = "FP6" },
	} {
		c := good
		spoil(&c)
		if _, err := cost.Roofline(c); !errors.Is(err, cost.ErrInput) {
			t.Errorf("%s: %v, want ErrInput", name, err)
		}
	}
}

func TestEstimateSaysWhatItIs(t *testing.T) {
	e, ok := roofline(t, h100(t, 1, "llama-3-70b", cost.FP8)).Estimate()
	if want := "estimate, not measured: 728 to 1,093 output tok/s (0.30 to 0.45 of the bound)"; !ok || e.String() != want {
		t.Errorf("%v %q, want %q", ok, e, want)
	}
	if _, ok := roofline(t, h100(t, 1, "llama-3-70b", cost.FP16)).Estimate(); ok {
		t.Error("an estimate of what does not fit")
	}
}

func TestParsePrecision(t *testing.T) {
	for text, want := range map[string]cost.Precision{"fp16": cost.FP16, "BF16": cost.FP16, " FP8 ": cost.FP8, "MXFP4": cost.FP4, "int4": cost.FP4} {
		if got, err := cost.ParsePrecision(text); err != nil || got != want {
			t.Errorf("%q = %q, %v, want %q", text, got, err, want)
		}
	}
	for text, hint := range map[string]string{"fp9": "did you mean", "": "known:", "quadruple": "known:"} {
		if _, err := cost.ParsePrecision(text); !errors.Is(err, cost.ErrPrecision) || !strings.Contains(err.Error(), hint) {
			t.Errorf("%q: %v, want an error with %q", text, err, hint)
		}
	}
}
