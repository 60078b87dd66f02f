package scrapers_test

import (
	"strings"
	"testing"

	"mtok/scrapers"
)

// A name may be written with escapes; a price that stands twice is refused all
// the same.
func TestVastEscapedNames(t *testing.T) {
	const ask = `{"offers": [{"machine_id": 7, "gpu_name": "H100 SXM", "num_gpus": 1, "dph\u005ftotal": 2.5%s}]}`
	for _, tt := range []struct{ more, want string }{
		{"", "2.5"},
		{`, "dph_total": 1.5`, "dph_total stands 2 times"},
		{`, "dph\u005Ftotal": 1.5`, "dph_total stands 2 times"},
		{`, "DPH_TOTAL": 1.5, "dph_total ": 1.5, "\u0000": {"dph_total": 1.5}, "dph_totals": [{"dph_total": 1}]`, "2.5"},
	} {
		got, err := sourceOf(t, scrapers.Vast(), "bundles-api").Parse(scrapers.Page{
			Source: "bundles-api", Key: "h100-sxm.asc", Status: 200, Body: []byte(strings.Replace(ask, "%s", tt.more, 1)),
		})
		said := ""
		switch {
		case err != nil:
			said = err.Error()
		case len(got.Offers) == 1:
			said = got.Offers[0].PriceText
		case len(got.Skipped) > 0:
			said = got.Skipped[0].Reason
		}
		if !strings.Contains(said, tt.want) {
			t.Errorf("with %q: %q, want %q", tt.more, said, tt.want)
		}
	}
}
