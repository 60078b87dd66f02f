package reports_test

import (
	"strings"
	"testing"

	"mtok/reports"
	"mtok/schema"
)

func TestJudge(t *testing.T) {
	catalog := testCatalog(t)
	sxm, _ := catalog.GPU(h100)
	pcie, _ := catalog.GPU(a10)
	attr := func(f func(*schema.Attributes)) func(*schema.Observation) {
		return func(o *schema.Observation) { f(&o.Offer.Attributes) }
	}
	no, few, poor := false, int64(29), int64(949_999)
	tests := []struct {
		name  string
		o     schema.Observation
		class schema.GPUClass
		gpus  int
		want  string
	}{
		{"list price", offer(1, "lambda", h100, 2, "8.38"), sxm, 2, ""},
		{"unknown stock is rentable", offer(1, "lambda", h100, 2, "8.38", stock(schema.StockUnknown)), sxm, 2, ""},
		{"sold out", offer(1, "lambda", h100, 2, "8.38", stock(schema.StockSoldOut)), sxm, 2, "sold out"},
		{"this count is sold out", offer(1, "runpod", h100, 1, "2.99", perGPU(8), points("1x high, 2x none")), sxm, 2, "sold out"},
		{"another count is sold out", offer(1, "runpod", h100, 1, "2.99", perGPU(8), points("1x none, 2x low")), sxm, 2, ""},
		{"nothing said of this count", offer(1, "runpod", h100, 1, "2.99", perGPU(8), stock(schema.StockSoldOut), points("1x none")), sxm, 4, ""},
		{"the node of a share is sold out", offer(1, "lambda", h100, 8, "31.92", points("8x us-west-1 none")), sxm, 2, "sold out"},
		{"community", offer(1, "runpod", h100, 1, "2.69", tier(schema.TierCommunity)), sxm, 1, "community tier"},
		{"machine", offer(1, "vast", h100, 2, "4.40", machine("a")), sxm, 2, ""},
		{"unverified", offer(1, "vast", h100, 2, "4.40", machine("a"), unverified), sxm, 2, "unverified"},
		{"deverified", offer(1, "vast", h100, 2, "4.40", machine("a"), attr(func(a *schema.Attributes) { a.Tier = schema.TierDeverified })), sxm, 2, "deverified"},
		{"no datacenter", offer(1, "vast", h100, 2, "4.40", machine("a"), attr(func(a *schema.Attributes) { a.Datacenter = &no })), sxm, 2, "not in a datacenter"},
		{"datacenter unknown", offer(1, "vast", h100, 2, "4.40", machine("a"), attr(func(a *schema.Attributes) { a.Datacenter = nil })), sxm, 2, "not in a datacenter"},
		{"unreliable", offer(1, "vast", h100, 2, "4.40", machine("a"), attr(func(a *schema.Attributes) { a.ReliabilityPPM = &poor })), sxm, 2, "reliability below 0.95"},
		{"leaving", offer(1, "vast", h100, 2, "4.40", machine("a"), attr(func(a *schema.Attributes) { a.MaxDays = &few })), sxm, 2, "29 d left"},
		{"days unknown", offer(1, "vast", h100, 2, "4.40", machine("a"), attr(func(a *schema.Attributes) { a.MaxDays = nil })), sxm, 2, "days left unknown"},
		{"no NVLink", offer(1, "vast", h100, 2, "4.40", machine("a"), attr(func(a *schema.Attributes) { a.NVLink = &no })), sxm, 2, "no NVLink"},
		{"one GPU needs no NVLink", offer(1, "vast", h100, 2, "4.40", machine("a"), attr(func(a *schema.Attributes) { a.NVLink = &no })), sxm, 1, ""},
		{"PCIe has no NVLink to ask for", offer(1, "vast", a10, 2, "1.00", machine("a"), attr(func(a *schema.Attributes) { a.NVLink = &no })), pcie, 2, ""},
		{"several reasons", offer(1, "vast", h100, 2, "4.40", machine("a"), unverified, stock(schema.StockSoldOut)), sxm, 2, "sold out; unverified"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := strings.Join(reports.DefaultEligibility().Judge(tt.o, tt.class, tt.gpus), "; "); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestRulesCanBeLoosened(t *testing.T) {
	no := false
	o := offer(1, "vast", h100, 2, "4.40", machine("a"), unverified, func(o *schema.Observation) {
		o.Offer.Attributes = schema.Attributes{NVLink: &no}
	})
	class, _ := testCatalog(t).GPU(h100)
	if why := (reports.Eligibility{}).Judge(o, class, 2); len(why) != 0 {
		t.Errorf("no rule, but not eligible: %q", why)
	}
	community := offer(1, "runpod", h100, 1, "2.69", tier(schema.TierCommunity))
	if why := (reports.Eligibility{Community: true}).Judge(community, class, 1); len(why) != 0 {
		t.Errorf("community counts, but not eligible: %q", why)
	}
}

func TestSettingsValidate(t *testing.T) {
	if err := reports.DefaultSettings().Validate(); err != nil {
		t.Errorf("defaults: %v", err)
	}
	for want, spoil := range map[string]func(*reports.Settings){
		"utilization": func(s *reports.Settings) { s.Utilization = schema.MustDecimal("1.5") },
		"overhead":    func(s *reports.Settings) { s.Overhead = schema.MustDecimal("0.5") },
		"max_age":     func(s *reports.Settings) { s.MaxAge = -1 },
		"reliability": func(s *reports.Settings) { s.Eligibility.MinReliability = schema.MustDecimal("95") },
		"days":        func(s *reports.Settings) { s.Eligibility.MinDays = -30 },
	} {
		s := reports.DefaultSettings()
		spoil(&s)
		if err := s.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}
