package schema_test

import (
	"os"
	"strings"
	"testing"

	"mtok/schema"
)

func load(t *testing.T) *schema.Catalog {
	t.Helper()
	c, err := schema.LoadCatalog()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestLoadCatalog(t *testing.T) {
	c := load(t)
	if len(c.GPUs) < 33 || len(c.Models) < 10 || len(c.Throughputs) < 87 {
		t.Errorf("%d classes, %d models, %d throughput rows, want at least 33, 10, 87", len(c.GPUs), len(c.Models), len(c.Throughputs))
	}
	h100, ok := c.GPU("h100-sxm-80gb")
	if !ok || h100.MemoryGB.String() != "80" || h100.BandwidthGBs.String() != "3350" || h100.BF16TFLOPS.String() != "989" || h100.AllInWatts != 1730 {
		t.Errorf("h100-sxm-80gb is %+v", h100)
	}
	if a10, ok := c.GPU("a10-24gb"); !ok || a10.BandwidthGBs.IsSet() || a10.BF16TFLOPS.IsSet() {
		t.Errorf("a10-24gb is %+v, want no bandwidth and no FLOPS, since no source gives them", a10)
	}
	if _, ok := c.GPU("h100"); ok {
		t.Error("h100 is no class")
	}
}

func TestModel(t *testing.T) {
	c := load(t)
	for name, want := range map[string]string{
		"llama-3-70b": "llama-3-70b", "Llama-3.3-70B": "llama-3-70b", "LLAMA-3.1-70b": "llama-3-70b", "Llama-2-70B": "llama-2-70b",
		"Llama-3-8B": "llama-3.1-8b", "DeepSeek-R1-0528": "deepseek-v3", "gpt-oss-120b": "gpt-oss-120b", "Llama-2-7B": "llama-2-7b",
	} {
		if got, ok := c.Model(name); !ok || got.ID != want {
			t.Errorf("Model(%q) = %q, %v, want %q", name, got.ID, ok, want)
		}
	}
	for _, name := range []string{"", "llama", "Llama-3-70", "gpt-4"} {
		if got, ok := c.Model(name); ok {
			t.Errorf("Model(%q) = %q, want none", name, got.ID)
		}
	}
	if m, _ := c.Model("llama-3-70b"); m.ParamsB.String() != "70.6" || m.Layers != 80 || m.KVBytesPerToken != 327_680 || m.WeightsGBFP8.String() != "70.6" {
		t.Errorf("llama-3-70b is %+v", m)
	}
}

func TestDefault(t *testing.T) {
	c := load(t)
	want := map[schema.ClassID]struct {
		gpus      int
		precision string
		tokens    string
	}{
		"h100-sxm-80gb": {2, "FP8", "4418"}, "h200-sxm-141gb": {1, "FP8", "2909"}, "gh200-96gb": {1, "FP8", "1746.12"},
		"b200-sxm-180gb": {1, "FP4", "6920"}, "gb200-186gb": {1, "FP4", "7769"}, "a100-sxm-80gb": {4, "FP16", "1921.77"},
		"a100-pcie-80gb": {4, "FP16", "989.41"}, "l40s-48gb": {4, "FP8", "1209.25"}, "rtx-pro-6000-96gb": {1, "FP4", "1724"},
	}
	for _, g := range c.GPUs {
		got, ok := c.Default(g.ID)
		w, known := want[g.ID]
		if ok != known {
			t.Errorf("%s: default found = %v, want %v", g.ID, ok, known)
			continue
		}
		if ok && (got.GPUs != w.gpus || got.Precision != w.precision || got.TokensPerSecond.String() != w.tokens) {
			t.Errorf("%s: default %d x %s %s, want %+v", g.ID, got.GPUs, got.Precision, got.TokensPerSecond, w)
		}
		if m, _ := c.Model(got.Model); ok && (m.ID != "llama-3-70b" || got.InputTokens.String() != "1000" || got.OutputTokens.String() != "1000") {
			t.Errorf("%s: default is %s, %s in, %s out", g.ID, got.Model, got.InputTokens, got.OutputTokens)
		}
	}
}

// RunPod prints 0.50 for datacenter GPUs that it does not sell; a whole node
// must not pass for one GPU either.
func TestBands(t *testing.T) {
	c := load(t)
	placeholder := schema.USD(500_000)
	for _, g := range c.GPUs {
		for _, part := range []string{"a100", "h100", "h200", "gh200", "b200", "b300", "gb200", "gb300", "mi3"} {
			if strings.HasPrefix(string(g.ID), part) && g.Band.Holds(placeholder) {
				t.Errorf("%s: band from %s holds the placeholder 0.50", g.ID, g.Band.Low)
			}
		}
	}
	tests := []struct {
		class schema.ClassID
		price string
		want  bool
	}{
		{"h100-sxm-80gb", "6.155", true}, {"h100-sxm-80gb", "49.24", false}, {"h100-nvl-94gb", "2.134444", true},
		{"a100-sxm-80gb", "1.18875", true}, {"a100-sxm-80gb", "21.60", false}, {"a100-sxm-40gb", "1.00", true},
		{"h200-sxm-141gb", "2.58", true}, {"h200-sxm-141gb", "50.44", false},
		{"b200-sxm-180gb", "9.86", true}, {"b200-sxm-180gb", "0.01", false}, {"b200-sxm-180gb", "68.80", false},
		{"gb200-186gb", "10.50", true}, {"gb200-186gb", "42.00", false}, {"mi300x-192gb", "0.95", true},
		{"l40-48gb", "0.78375", true}, {"l40s-48gb", "18.00", false}, {"rtx-pro-6000-96gb", "20.00", false},
		{"v100-sxm-16gb", "0.23", true}, {"rtx-4090-24gb", "0.34", true}, {"l4-24gb", "0.105", true},
	}
	for _, tt := range tests {
		price, err := schema.ParseUSD(tt.price)
		if err != nil {
			t.Fatal(err)
		}
		if g, ok := c.GPU(tt.class); !ok || g.Band.Holds(price) != tt.want {
			t.Errorf("%s: %s believed = %v, want %v", tt.class, tt.price, !tt.want, tt.want)
		}
	}
}

const (
	goodGPU = `[[gpu]]
class = "x1-8gb"
memory_gb = 8
printed_gb = [8]
band = { low = "0.10", high = "1.00" }
source = "a sheet"
date = "2026-11"
[gpu.aliases]
any = ["X1"]
`
	goodModel = `[[model]]
model = "m-1b"
names = ["M-1B"]
params_b = 1
layers = 2
kv_bytes_per_token_fp16 = 64
source = "a config"
date = "2026-11-30"
`
	goodThroughput = `[[throughput]]
id = "row"
class = "x1-8gb"
gpus = 1
model = "M-1B"
tokens_per_second = 10.5
rows = 1
default = true
source = "a benchmark"
date = "2026"
`
)

func TestParseCatalogRefuses(t *testing.T) {
	throughput := strings.Replace(goodThroughput, `"2026"`, `"2026-11"`, 1)
	if _, err := schema.ParseCatalog([]byte(goodGPU), []byte(goodModel), []byte(throughput)); err != nil {
		t.Fatalf("the good catalog: %v", err)
	}
	tests := []struct {
		name, old, new, want string
	}{
		{"unknown key", "memory_gb", "memory", "gpus.toml"},
		{"no source", `source = "a sheet"`, `source = " "`, `"x1-8gb": source is missing`},
		{"no date", `date = "2026-11-30"`, "", `"m-1b": date "" is neither`},
		{"impossible date", `date = "2026-11-30"`, `date = "2026-11-31"`, `date "2026-11-31" is neither`},
		{"class is no slug", `class = "x1-8gb"`, `class = "X1 8GB"`, "is no slug"},
		{"band upside down", `low = "0.10"`, `low = "2"`, "has 2.00 to 1.00"},
		{"band without quotes", `low = "0.10", high = "1.00"`, "low = 1, high = 25", "in quotes"},
		{"band not money", `low = "0.10"`, `low = "1/3"`, "gpus.toml"},
		{"no printed size", "printed_gb = [8]", "printed_gb = []", "printed_gb"},
		{"alias twice", `["X1"]`, `["X1", "x-1", "x 1"]`, `alias "x 1" of any`},
		{"empty alias", `["X1"]`, `["--"]`, `alias "--"`},
		{"layers missing", "layers = 2", "", "layers"},
		{"unknown class", `class = "x1-8gb"` + "\ngpus", `class = "x2-8gb"` + "\ngpus", `class "x2-8gb" is not in gpus.toml`},
		{"unknown model", `model = "M-1B"`, `model = "M-2B"`, `model "M-2B" is not in models.toml`},
		{"no throughput", "tokens_per_second = 10.5", "tokens_per_second = 0", "above zero"},
		{"throughput with exponent", "tokens_per_second = 10.5", "tokens_per_second = 1e3", "throughput.toml"},
	}
	for _, tt := range tests {
		parts := []string{goodGPU, goodModel, throughput}
		changed := false
		for i, part := range parts {
			if !changed && strings.Contains(part, tt.old) {
				parts[i], changed = strings.Replace(part, tt.old, tt.new, 1), true
			}
		}
		if !changed {
			t.Fatalf("%s: nothing to change", tt.name)
		}
		_, err := schema.ParseCatalog([]byte(parts[0]), []byte(parts[1]), []byte(parts[2]))
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want an error with %q", tt.name, err, tt.want)
		}
	}
	twice := []byte(throughput + strings.Replace(throughput, `"row"`, `"row2"`, 1))
	if _, err := schema.ParseCatalog([]byte(goodGPU), []byte(goodModel), twice); err == nil || !strings.Contains(err.Error(), `already has the default "row"`) {
		t.Errorf("two defaults of a class: got %v", err)
	}
	for name, parts := range map[string][3]string{
		"class": {goodGPU + goodGPU, goodModel, throughput}, "model": {goodGPU, goodModel + goodModel, throughput}, "row": {goodGPU, goodModel, throughput + throughput},
	} {
		if _, err := schema.ParseCatalog([]byte(parts[0]), []byte(parts[1]), []byte(parts[2])); err == nil {
			t.Errorf("a %s listed twice was taken", name)
		}
	}
}

// The files are for people: no tabs, no spaces at line ends.
func TestCatalogFilesAreTidy(t *testing.T) {
	for _, name := range []string{"gpus.toml", "models.toml", "throughput.toml"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(text), "\n") {
			if strings.TrimRight(line, " ") != line || strings.Contains(line, "\t") {
				t.Errorf("%s:%d: %q", name, i+1, line)
			}
		}
	}
}
