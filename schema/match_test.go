package schema_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"mtok/schema"
)

const gb = 1024 // MiB

// Names as the providers print them, with what the parsers hand over.
func TestMatch(t *testing.T) {
	tests := []struct {
		provider   schema.ProviderID
		name, form string
		vram       int64
		want       schema.ClassID
	}{
		{"lambda", "NVIDIA B200 SXM6", "", 180 * gb, "b200-sxm-180gb"},
		{"lambda", "NVIDIA H100 SXM", "", 80 * gb, "h100-sxm-80gb"},
		{"lambda", "NVIDIA H100 PCIe", "", 80 * gb, "h100-pcie-80gb"},
		{"lambda", "NVIDIA A100 SXM", "", 80 * gb, "a100-sxm-80gb"},
		{"lambda", "NVIDIA A100 SXM", "", 40 * gb, "a100-sxm-40gb"},
		{"lambda", "NVIDIA A100 PCIe", "", 40 * gb, "a100-pcie-40gb"},
		{"lambda", "NVIDIA GH200", "", 96 * gb, "gh200-96gb"},
		{"lambda", "NVIDIA A10", "", 24 * gb, "a10-24gb"},
		{"lambda", "NVIDIA A6000", "", 48 * gb, "rtx-a6000-48gb"},
		{"lambda", "NVIDIA Quadro RTX 6000", "", 24 * gb, "quadro-rtx-6000-24gb"},
		{"lambda", "NVIDIA Tesla V100", "", 16 * gb, "v100-sxm-16gb"},
		{"lambda", "NVIDIA HGX B200", "cluster", 0, "b200-sxm-180gb"},
		{"lambda", "NVIDIA H100", "cluster", 0, "h100-sxm-80gb"},
		{"lambda", "H100 (80 GB SXM5)", "", 80 * gb, "h100-sxm-80gb"},
		{"lambda", "RTX 6000 (24 GB)", "", 24 * gb, "quadro-rtx-6000-24gb"},
		{"lambda", "A100 (40 GB SXM4)", "", 0, "a100-sxm-40gb"},

		{"coreweave", "NVIDIA HGX H100", "", 80 * gb, "h100-sxm-80gb"},
		{"coreweave", "NVIDIA HGX H200", "", 141 * gb, "h200-sxm-141gb"},
		{"coreweave", "NVIDIA HGX B200", "", 180 * gb, "b200-sxm-180gb"},
		{"coreweave", "NVIDIA HGX B300", "", 270 * gb, "b300-sxm-288gb"},
		{"coreweave", "NVIDIA GB200 NVL72", "", 186 * gb, "gb200-186gb"},
		{"coreweave", "NVIDIA GB300 NVL72", "", 279 * gb, "gb300-288gb"},
		{"coreweave", "NVIDIA GH200", "", 96 * gb, "gh200-96gb"},
		{"coreweave", "NVIDIA A100", "", 80 * gb, "a100-sxm-80gb"},
		{"coreweave", "NVIDIA L40", "", 48 * gb, "l40-48gb"},
		{"coreweave", "NVIDIA L40S", "", 48 * gb, "l40s-48gb"},
		{"coreweave", "NVIDIA RTX PRO 6000 Blackwell Server Edition", "", 96 * gb, "rtx-pro-6000-96gb"},

		{"crusoe", "NVIDIA H200", "HGX", 141 * gb, "h200-sxm-141gb"},
		{"crusoe", "NVIDIA H100", "HGX", 80 * gb, "h100-sxm-80gb"},
		{"crusoe", "NVIDIA H100", "SXM", 80 * gb, "h100-sxm-80gb"},
		{"crusoe", "NVIDIA A100", "SXM", 80 * gb, "a100-sxm-80gb"},
		{"crusoe", "NVIDIA A100", "PCIe", 80 * gb, "a100-pcie-80gb"},
		{"crusoe", "NVIDIA A100", "PCIe", 40 * gb, "a100-pcie-40gb"},
		{"crusoe", "NVIDIA L40S", "", 48 * gb, "l40s-48gb"},
		{"crusoe", "NVIDIA L40S", "PCIe", 48 * gb, "l40s-48gb"},
		{"crusoe", "AMD MI300X", "", 192 * gb, "mi300x-192gb"},
		{"crusoe", "AMD MI300X", "OAM", 192 * gb, "mi300x-192gb"},
		{"crusoe", "AMD MI355X", "", 288 * gb, "mi355x-288gb"},
		{"crusoe", "NVIDIA GB200", "NVL72", 186 * gb, "gb200-186gb"},
		{"crusoe", "NVIDIA B200", "HGX", 180 * gb, "b200-sxm-180gb"},

		{"vast", "H100 SXM", "", 81559, "h100-sxm-80gb"},
		{"vast", "H100 NVL", "", 95830, "h100-nvl-94gb"},
		{"vast", "H100 PCIE", "", 81559, "h100-pcie-80gb"},
		{"vast", "H200", "", 143771, "h200-sxm-141gb"},
		{"vast", "H200 NVL", "", 143771, "h200-nvl-141gb"},
		{"vast", "B200", "", 183359, "b200-sxm-180gb"},
		{"vast", "B300", "", 275040, "b300-sxm-288gb"},
		{"vast", "A100 SXM4", "", 40960, "a100-sxm-40gb"},
		{"vast", "A100 SXM4", "", 39936, "a100-sxm-40gb"},
		{"vast", "A100 SXM4", "", 81920, "a100-sxm-80gb"},
		{"vast", "A100 PCIE", "", 81920, "a100-pcie-80gb"},
		{"vast", "L40S", "", 46068, "l40s-48gb"},
		{"vast", "RTX 4090", "", 24564, "rtx-4090-24gb"},
		{"vast", "RTX 6000Ada", "", 49140, "rtx-6000-ada-48gb"},
		{"vast", "RTX PRO 6000 S", "", 97887, "rtx-pro-6000-96gb"},
		{"vast", "RTX PRO 6000 WS", "", 97887, "rtx-pro-6000-ws-96gb"},

		{"runpod", "NVIDIA H100 80GB HBM3", "", 80 * gb, "h100-sxm-80gb"},
		{"runpod", "NVIDIA H100 PCIe", "", 80 * gb, "h100-pcie-80gb"},
		{"runpod", "NVIDIA H100 NVL", "", 94 * gb, "h100-nvl-94gb"},
		{"runpod", "NVIDIA H200", "", 141 * gb, "h200-sxm-141gb"},
		{"runpod", "NVIDIA H200", "", 143 * gb, "h200-sxm-141gb"},
		{"runpod", "NVIDIA H200 NVL", "", 143 * gb, "h200-nvl-141gb"},
		{"runpod", "NVIDIA A100-SXM4-80GB", "", 80 * gb, "a100-sxm-80gb"},
		{"runpod", "NVIDIA A100-SXM4-40GB", "", 40 * gb, "a100-sxm-40gb"},
		{"runpod", "NVIDIA A100 80GB PCIe", "", 80 * gb, "a100-pcie-80gb"},
		{"runpod", "NVIDIA B200", "", 180 * gb, "b200-sxm-180gb"},
		{"runpod", "NVIDIA B300 SXM6 AC", "", 288 * gb, "b300-sxm-288gb"},
		{"runpod", "AMD Instinct MI300X OAM", "", 192 * gb, "mi300x-192gb"},
		{"runpod", "NVIDIA A40", "", 48 * gb, "a40-48gb"},
		{"runpod", "NVIDIA L4", "", 24 * gb, "l4-24gb"},
		{"runpod", "NVIDIA L40", "", 48 * gb, "l40-48gb"},
		{"runpod", "NVIDIA L40S", "", 48 * gb, "l40s-48gb"},
		{"runpod", "NVIDIA RTX A6000", "", 48 * gb, "rtx-a6000-48gb"},
		{"runpod", "NVIDIA RTX 6000 Ada Generation", "", 48 * gb, "rtx-6000-ada-48gb"},
		{"runpod", "NVIDIA GeForce RTX 4090", "", 24 * gb, "rtx-4090-24gb"},
		{"runpod", "NVIDIA GeForce RTX 5090", "", 32 * gb, "rtx-5090-32gb"},
		{"runpod", "NVIDIA RTX PRO 6000 Blackwell Server Edition", "", 96 * gb, "rtx-pro-6000-96gb"},
		{"runpod", "NVIDIA RTX PRO 6000 Blackwell Workstation Edition", "", 96 * gb, "rtx-pro-6000-ws-96gb"},
		{"runpod", "NVIDIA RTX PRO 6000 Blackwell Max-Q Workstation Edition", "", 96 * gb, "rtx-pro-6000-maxq-96gb"},
		{"runpod", "Tesla V100-SXM2-16GB", "", 16 * gb, "v100-sxm-16gb"},

		{"fluidstack", "Nvidia H200", "", 141 * gb, "h200-sxm-141gb"},
		{"fluidstack", "Nvidia A100 80GB PCIe", "", 80 * gb, "a100-pcie-80gb"},
		{"fluidstack", "Nvidia A100 40GB PCIe", "", 40 * gb, "a100-pcie-40gb"},

		// Common names, as imports and users write them.
		{"nobody", "h100 sxm5", "", 0, "h100-sxm-80gb"},
		{"nobody", "H100_SXM", "", 80 * gb, "h100-sxm-80gb"},
		{"nobody", "a100-sxm-80", "", 0, "a100-sxm-80gb"},
		{"nobody", "mi325x-256gb", "", 0, "mi325x-256gb"},
		{"nobody", "GB200", "", 192 * gb, "gb200-186gb"},
		{"nobody", "GH200", "", 144 * gb, "gh200-144gb"},
		{"", "RTX 6000 Ada", "", 0, "rtx-6000-ada-48gb"},
	}
	c := load(t)
	for _, tt := range tests {
		if got := c.Match(tt.provider, tt.name, tt.form, tt.vram); got != tt.want {
			t.Errorf("%s %q %q %d MiB: got %s, want %s", tt.provider, tt.name, tt.form, tt.vram, got, tt.want)
		}
	}
}

// What other price trackers got wrong: a name that only looks like a known one
// must never take that one's class.
func TestMatchNeverGuesses(t *testing.T) {
	tests := []struct {
		provider   schema.ProviderID
		name, form string
		vram       int64
		want       schema.ClassID
	}{
		{"lambda", "H200", "", 96 * gb, "unmatched:h200"},
		{"lambda", "NVIDIA H100", "", 80 * gb, "unmatched:nvidia-h100"},
		{"nobody", "H100", "", 80 * gb, "unmatched:h100"},
		{"nobody", "A100", "", 80 * gb, "unmatched:a100"},
		{"nobody", "NVIDIA A100", "", 80 * gb, "unmatched:nvidia-a100"},
		{"crusoe", "NVIDIA H100", "", 80 * gb, "unmatched:nvidia-h100"},
		{"crusoe", "NVIDIA H100", "OAM", 80 * gb, "unmatched:nvidia-h100-oam"},
		{"nobody", "H100 80GB", "", 80 * gb, "unmatched:h100-80gb"},
		{"nobody", "RTX PRO 6000", "", 96 * gb, "unmatched:rtx-pro-6000"},
		{"nobody", "RTX 6000", "", 48 * gb, "unmatched:rtx-6000"},
		{"vast", "RTX 4090 D", "", 24564, "unmatched:rtx-4090-d"},
		{"vast", "RTX 4090D", "", 24564, "unmatched:rtx-4090d"},
		{"vast", "RTX 4060 Ti", "", 16380, "unmatched:rtx-4060-ti"},
		{"vast", "RTX 4070S Ti", "", 16376, "unmatched:rtx-4070s-ti"},
		{"vast", "Tesla V100", "", 16384, "unmatched:tesla-v100"},
		{"runpod", "Tesla V100-PCIE-16GB", "", 16 * gb, "unmatched:tesla-v100-pcie-16gb"},
		{"runpod", "NVIDIA RTX PRO 6000 Blackwell Server Edition MIG 1g.24gb", "", 24 * gb, "unmatched:nvidia-rtx-pro-6000-blackwell-server-edition-mig-1g-24gb"},
		{"runpod", "NVIDIA GeForce RTX 4080 SUPER", "", 16 * gb, "unmatched:nvidia-geforce-rtx-4080-super"},
		{"runpod", "NVIDIA RTX 5000 Ada Generation", "", 32 * gb, "unmatched:nvidia-rtx-5000-ada-generation"},
		{"runpod", "unknown", "", 0, "unmatched:unknown"},

		// The name is known but not with this memory: a modified card, or a mistake.
		{"vast", "RTX 4090", "", 49140, "unmatched:rtx-4090-48gb"},
		{"lambda", "NVIDIA GH200", "", 480 * gb, "unmatched:nvidia-gh200-480gb"},
		{"runpod", "NVIDIA A100-SXM4-80GB", "", 40 * gb, "unmatched:nvidia-a100-sxm4-80gb-40gb"},
		{"coreweave", "NVIDIA HGX H200", "", 8 * 141 * gb, "unmatched:nvidia-hgx-h200-1128gb"},

		// Two classes share the name and no memory is printed.
		{"vast", "A100 SXM4", "", 0, "unmatched:a100-sxm4"},
		{"nobody", "GH200", "", 0, "unmatched:gh200"},

		// The form factor printed apart contradicts, or does not decide.
		{"lambda", "NVIDIA H100 SXM", "PCIe", 80 * gb, "unmatched:nvidia-h100-sxm-pcie"},
		{"lambda", "NVIDIA A100 SXM", "HGX", 80 * gb, "unmatched:nvidia-a100-sxm-hgx"},
		{"lambda", "NVIDIA A10", "cluster", 24 * gb, "unmatched:nvidia-a10-cluster"},

		{"lambda", "", "", 0, "unmatched:unnamed"},
		{"lambda", "<img src=x>", "", 0, "unmatched:img-src-x"},
		{"lambda", "\x00\xff;--", "", 0, "unmatched:unnamed"},
	}
	c := load(t)
	for _, tt := range tests {
		if got := c.Match(tt.provider, tt.name, tt.form, tt.vram); got != tt.want {
			t.Errorf("%s %q %q %d MiB: got %s, want %s", tt.provider, tt.name, tt.form, tt.vram, got, tt.want)
		}
	}
}

func TestUnmatchedIsBounded(t *testing.T) {
	c := load(t)
	for _, name := range []string{strings.Repeat("x", 500), strings.Repeat("GPU ", 200), strings.Repeat("é", 300)} {
		got := strings.TrimPrefix(string(c.Match("vast", name, "PCIe", 0)), schema.UnmatchedPrefix)
		if utf8.RuneCountInString(got) > 60 || !utf8.ValidString(got) || strings.HasSuffix(got, "-") || got == "" {
			t.Errorf("class %q of a name of %d bytes", got, len(name))
		}
	}
}

func TestExplain(t *testing.T) {
	tests := []struct {
		provider   schema.ProviderID
		name, form string
		vram       int64
		want       string
	}{
		{"lambda", "NVIDIA A100 SXM", "", 80 * gb, `lambda alias "NVIDIA A100 SXM" with 80 GB`},
		{"vast", "h100-sxm", "", 81559, `vast alias "H100 SXM" with 81559 MiB`},
		{"crusoe", "NVIDIA H100", "HGX", 0, `crusoe alias "NVIDIA H100 HGX"`},
		{"nobody", "HGX B200", "", 0, `common name "HGX B200"`},
		{"vast", "RTX 4090", "", 49140, `vast alias "RTX 4090", but it is not sold with 49140 MiB`},
		{"vast", "A100 SXM4", "", 0, `"A100 SXM4" stands for several classes of that memory`},
		{"lambda", "NVIDIA A100 SXM", "HGX", 80 * gb, `"NVIDIA A100 SXM" stands for several classes and "HGX" tells them not apart`},
		{"lambda", "NVIDIA H100 SXM", "PCIe", 80 * gb, `lambda alias "NVIDIA H100 SXM", but its form factor is not "PCIe"`},
		{"lambda", "R300", "", 0, `no alias of lambda and no common name is "R300"`},
	}
	c := load(t)
	for _, tt := range tests {
		got := c.Explain(tt.provider, tt.name, tt.form, tt.vram)
		if got.Rule != tt.want || got.Class != c.Match(tt.provider, tt.name, tt.form, tt.vram) {
			t.Errorf("%s %q %q: got %+v, want rule %s", tt.provider, tt.name, tt.form, got, tt.want)
		}
	}
}

// Every alias of every class finds its class with each memory size printed for
// it: no two classes share both a name and a size.
func TestEveryAliasFindsItsClass(t *testing.T) {
	c := load(t)
	providers := []schema.ProviderID{"any", "lambda", "coreweave", "crusoe", "vast", "runpod", "fluidstack"}
	for _, g := range c.GPUs {
		for provider, aliases := range g.Aliases {
			if !slices.Contains(providers, provider) {
				t.Errorf("%s: aliases of unknown provider %q", g.ID, provider)
			}
			for _, alias := range aliases {
				for _, size := range g.PrintedGB {
					if got := c.Match(provider, alias, "", int64(size)*gb); got != g.ID {
						t.Errorf("%s %q with %d GB: got %s, want %s", provider, alias, size, got, g.ID)
					}
				}
			}
		}
		if got := c.Match("nobody", string(g.ID), "", 0); got != g.ID {
			t.Errorf("class name %s: got %s", g.ID, got)
		}
	}
}

func TestNoBareNames(t *testing.T) {
	for _, g := range load(t).GPUs {
		for provider, aliases := range g.Aliases {
			for _, alias := range aliases {
				bare := strings.TrimPrefix(strings.ToLower(alias), "nvidia ")
				// CoreWeave has one A100, in HGX nodes, and prints no form factor.
				if (bare == "h100" || bare == "a100") && (provider != "coreweave" || g.ID != "a100-sxm-80gb") {
					t.Errorf("%s: %q of %s leaves the form factor open", g.ID, alias, provider)
				}
			}
		}
	}
}

// Names that contain or resemble each other are known, and are different parts.
func TestLookAlikesStayApart(t *testing.T) {
	c := load(t)
	pairs := [][2]string{
		{"GH200 96GB", "H200 SXM"}, {"GB200", "B200"}, {"GB300", "B300"}, {"L40", "L40S"}, {"L4", "L40"}, {"A10", "A100 SXM4 80GB"},
		{"H100 NVL", "H100 SXM"}, {"H200 NVL", "H200 SXM"}, {"RTX A6000", "RTX 6000 Ada"}, {"RTX PRO 6000 Server Edition", "RTX 6000 Ada"},
		{"Quadro RTX 6000", "RTX 6000 Ada"}, {"NVIDIA A100-SXM4-40GB", "NVIDIA A100-SXM4-80GB"}, {"RTX 4090", "RTX 5090"},
	}
	for _, p := range pairs {
		a, b := c.Match("nobody", p[0], "", 0), c.Match("nobody", p[1], "", 0)
		unknown := func(id schema.ClassID) bool { return strings.HasPrefix(string(id), schema.UnmatchedPrefix) }
		if a == b || unknown(a) || unknown(b) {
			t.Errorf("%q is %s and %q is %s", p[0], a, p[1], b)
		}
	}
}
