package reports_test

import (
	"slices"
	"testing"

	"mtok/reports"
	"mtok/schema"
)

// A bound with more digits than reliabilities have is still exact.
func TestReliabilityBound(t *testing.T) {
	unknown := int64(-1)
	for _, tt := range []struct {
		least    string
		ppm      int64
		reliable bool
	}{
		{"0.95", 950_000, true}, {"0.95", 949_999, false}, {"0.95", unknown, false},
		{"0.9500001", 950_000, false}, {"0.9500001", 950_001, true}, {"0.95000000000", 950_000, true},
		{"1", 1_000_000, true}, {"1.0", 999_999, false}, {"001", 1_000_000, true},
		{"0", unknown, true}, {"0.00", 0, true}, {"", unknown, true}, {"0.0000001", 0, false}, {"0.0000001", 1, true},
		{"99999999999999999999", 1_000_000, false},
	} {
		rules := reports.Eligibility{}
		if tt.least != "" {
			rules.MinReliability = schema.MustDecimal(tt.least)
		}
		o := offer(1, "vast", h100, 1, "2.20", machine("a"))
		o.Offer.Attributes = schema.Attributes{}
		if tt.ppm != unknown {
			o.Offer.Attributes.ReliabilityPPM = &tt.ppm
		}
		why := rules.Judge(o, schema.GPUClass{}, 1)
		if got := !slices.Contains(why, "reliability below "+tt.least); got != tt.reliable {
			t.Errorf("at least %q, %d millionths: reliable %t, want %t (%v)", tt.least, tt.ppm, got, tt.reliable, why)
		}
	}
}
