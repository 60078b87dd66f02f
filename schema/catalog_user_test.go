package schema_test

import (
	"strings"
	"testing"

	"mtok/schema"
)

const userFile = `[[model]]
model = "mine-13b"
params_b = 13
layers = 40
kv_bytes_per_token_fp16 = 819200
source = "config.json of our checkpoint"
date = "2026-11-30"

[[throughput]]
id = "mine"
class = "h200-sxm-141gb"
gpus = 1
model = "mine-13b"
precision = "FP8"
tokens_per_second = 9000.5
ttft_ms = 800
tpot_ms = 35.5
latency_basis = "mean"
scenario = "concurrency"
concurrency = 64
source = "our own load test"
date = "2026-11-30"
`

func TestWithUserRows(t *testing.T) {
	c := load(t)
	before := len(c.Throughputs)
	rows, err := schema.ParseUserRows([]byte(userFile))
	if err != nil {
		t.Fatal(err)
	}
	got, err := c.With(rows, "config.toml")
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Throughputs) != before || len(got.Throughputs) != before+1 {
		t.Fatalf("%d rows before, %d after, %d in the new catalog", before, len(c.Throughputs), len(got.Throughputs))
	}
	last := got.Throughputs[before]
	if last.GivenIn != "config.toml" || last.Rows != 1 || last.TokensPerSecond.String() != "9000.5" || last.Concurrency != 64 ||
		last.Latency() != (schema.Latency{TTFTms: schema.MustDecimal("800"), TPOTms: schema.MustDecimal("35.5"), Basis: schema.LatencyMean}) {
		t.Errorf("the row is %+v", last)
	}
	if m, ok := got.Model("MINE-13B"); !ok || m.Layers != 40 {
		t.Errorf("the model is %+v, %v", m, ok)
	}
	if _, ok := got.GPU("h200-sxm-141gb"); !ok {
		t.Error("the classes are gone")
	}
}

func TestUserRowTakesThePlace(t *testing.T) {
	c := load(t)
	old, _ := c.Default("h200-sxm-141gb")
	faster := old
	faster.TokensPerSecond, faster.Default = schema.MustDecimal("3000"), false
	got, err := c.With(schema.UserRows{Throughputs: []schema.Throughput{faster}}, "mine.toml")
	if err != nil {
		t.Fatal(err)
	}
	if now, _ := got.Default("h200-sxm-141gb"); now.ID != old.ID || now.TokensPerSecond.String() != "3000" || now.GivenIn != "mine.toml" {
		t.Errorf("same id: the default is %+v", now)
	}
	other := faster
	other.ID, other.Default = "my-default", true
	if got, err = c.With(schema.UserRows{Throughputs: []schema.Throughput{other}}, "mine.toml"); err != nil {
		t.Fatal(err)
	}
	if now, _ := got.Default("h200-sxm-141gb"); now.ID != "my-default" {
		t.Errorf("a default of one's own: the default is %q", now.ID)
	}
	if again, _ := c.Default("h200-sxm-141gb"); again != old {
		t.Error("the catalog itself changed")
	}
}

func TestUserRowsRefused(t *testing.T) {
	c := load(t)
	tests := []struct{ name, old, new, want string }{
		{"no source", `source = "our own load test"`, "", `"mine": source is missing`},
		{"unknown class", "h200-sxm-141gb", "h200", `class "h200" is not in gpus.toml`},
		{"unknown model", `model = "mine-13b"` + "\nprecision", `model = "other"` + "\nprecision", `model "other" is not in models.toml`},
		{"throughput 0", "9000.5", "0", "above zero"},
		{"scenario", `"concurrency"`, `"fast"`, `scenario "fast" is none of`},
		{"half a latency", "tpot_ms = 35.5\n", "", "come together"},
		{"latency 0", "35.5", "0.0", "must be above zero"},
		{"basis missing", `latency_basis = "mean"`, "", "latency_basis belongs"},
		{"basis unknown", `"mean"`, `"p50"`, `is "p50"`},
		{"negative load", "concurrency = 64", "concurrency = -1", "concurrency must be"},
		{"a ceiling that promises", `"mean"` + "\nscenario = \"concurrency\"", `"promise"` + "\nscenario = \"max-load\"", "promises no latency"},
		{"accepted tokens", "concurrency = 64", "accepted_tokens_per_step = 0.5", "1 or more"},
		{"cache share", "concurrency = 64", "prefix_cache_share = 1.0", "below 1"},
		{"length 0", "concurrency = 64", "input_tokens = 0", "left out"},
	}
	for _, tt := range tests {
		if !strings.Contains(userFile, tt.old) {
			t.Fatalf("%s: nothing to change", tt.name)
		}
		rows, err := schema.ParseUserRows([]byte(strings.Replace(userFile, tt.old, tt.new, 1)))
		if err == nil {
			_, err = c.With(rows, "config.toml")
		}
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want an error with %q", tt.name, err, tt.want)
		}
	}
	if _, err := schema.ParseUserRows([]byte(userFile + "speed = 1\n")); err == nil {
		t.Error("an unknown key was taken")
	}
	rows, err := schema.ParseUserRows([]byte(userFile))
	if err != nil {
		t.Fatal(err)
	}
	twice := schema.UserRows{Models: rows.Models, Throughputs: append(rows.Throughputs, rows.Throughputs...)}
	if _, err := c.With(twice, "config.toml"); err == nil || !strings.Contains(err.Error(), `throughput "mine" occurs twice`) {
		t.Errorf("a row given twice: %v", err)
	}
	twice = schema.UserRows{Models: append(rows.Models, rows.Models...)}
	if _, err := c.With(twice, "config.toml"); err == nil || !strings.Contains(err.Error(), `model "mine-13b" occurs twice`) {
		t.Errorf("a model given twice: %v", err)
	}
}

// Every row says under which load it was measured: a ceiling is never shown as
// what one gets.
func TestEveryRowSaysItsLoad(t *testing.T) {
	c := load(t)
	kinds := map[schema.Scenario]int{}
	for _, row := range c.Throughputs {
		kinds[row.Scenario]++
		if row.Scenario == "" || row.Ceiling() == (row.Promises() || row.Latency().IsSet()) {
			t.Errorf("%s: scenario %q, load %q", row.ID, row.Scenario, row.Load())
		}
		if row.Ceiling() != strings.HasPrefix(row.Load(), "ceiling") {
			t.Errorf("%s: %q", row.ID, row.Load())
		}
	}
	if len(kinds) != 6 {
		t.Errorf("scenarios %v, want all six in use", kinds)
	}
	loads := map[string]string{}
	for _, row := range c.Throughputs {
		loads[row.ID] = row.Load()
	}
	for id, want := range map[string]string{
		"llama-3.1-70b-fp8-h100-sxm-80gb-x8-krai-interactive-v5.1": "promise: first token 450 ms, then 40 ms a token (99th percentile)",
		"llama-3.3-70b-fp8-h100-sxm-80gb-x2-nim-c50-5k500":         "50 requests in flight, mean first token 834.51 ms, then 59.73 ms a token",
		"llama-3.1-8b-h100-sxm-80gb-mlperf-server-v5.1":            "under the latency bound of mlperf-server",
		"llama-3.3-70b-fp8-h100-sxm-80gb-x2-max5k500":              "ceiling: all requests queued, no latency promise",
	} {
		if loads[id] != want {
			t.Errorf("%s: %q, want %q", id, loads[id], want)
		}
	}
}

func TestShapesReadAsOneModel(t *testing.T) {
	c := load(t)
	for name, want := range map[string]string{
		"Llama-3-70B": "llama-3-70b", "Llama-3.3-70B": "llama-3-70b", "R1-Distill-Llama-70B": "llama-3-70b",
		"R1-Distill-Llama-8B": "llama-3.1-8b", "DeepSeek-V3/R1": "deepseek-v3",
	} {
		if m, _ := c.Model(name); m.ID != want {
			t.Errorf("%s is %q, want %q", name, m.ID, want)
		}
	}
	said := 0
	for _, row := range c.Throughputs {
		if m, _ := c.Model(row.Model); m.ID == "llama-3-70b" {
			said++
			if !strings.Contains(row.Notes, "count as one model") {
				t.Errorf("%s does not say that 3, 3.1 and 3.3 count as one model", row.ID)
			}
		}
	}
	if said < 30 {
		t.Errorf("%d rows of the 70B shape, want 30 or more", said)
	}
}
