package schema_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"mtok/schema"
)

func TestNear(t *testing.T) {
	known := []string{
		"h100-sxm-80gb", "h100-pcie-80gb", "h100-nvl-94gb", "h200-sxm-141gb", "gh200-96gb", "gh200-144gb",
		"a100-sxm-80gb", "a100-sxm-40gb", "l40s-48gb", "l40-48gb", "mi300x-192gb",
	}
	tests := []struct {
		name  string
		count int
		first string
	}{
		{"h100", 3, "h100-nvl-94gb"},
		{"H100 SXM", 3, "h100-sxm-80gb"},
		{"h100-sxm-80g", 3, "h100-sxm-80gb"},
		{"h100sxm", 1, "h100-sxm-80gb"},
		{"gh200", 3, "gh200-96gb"},
		{"mi300", 1, "mi300x-192gb"},
		{"tpu-v5e", 0, ""},
		{"", 0, ""},
	}
	for _, tt := range tests {
		got := schema.Near(tt.name, known)
		if len(got) != tt.count || (tt.count > 0 && got[0] != tt.first) {
			t.Errorf("Near(%q) = %v, want %d names, first %q", tt.name, got, tt.count, tt.first)
		}
	}
	want := []string{"h100-nvl-94gb", "h100-sxm-80gb", "h100-pcie-80gb"}
	if diff := cmp.Diff(want, schema.Near("h100", known)); diff != "" {
		t.Errorf("Near(h100), want -, got +:\n%s", diff)
	}
}

func TestNearOfShortNames(t *testing.T) {
	providers := []string{"lambda", "vast", "runpod", "coreweave", "crusoe", "fluidstack"}
	for name, want := range map[string]string{
		"lamda": "lambda", "Lambda": "lambda", "core-weave": "coreweave", "crusoe ": "crusoe", "runpdo": "runpod", "fluidstak": "fluidstack",
	} {
		if got := schema.Near(name, providers); len(got) == 0 || got[0] != want {
			t.Errorf("Near(%q) = %v, want %s first", name, got, want)
		}
	}
	if got := schema.Near("table", []string{"csv", "json"}); len(got) != 0 {
		t.Errorf("Near of nothing alike = %v, want none", got)
	}
	if got := schema.Near("aa", []string{"aa", "aa", "aa"}); len(got) != 1 {
		t.Errorf("a name listed thrice came back as %v", got)
	}
}
