package pipeline_test

import (
	"io/fs"
	"strings"
	"testing"

	"mtok/schema"
	"mtok/scrapers"
	"mtok/scrapers/recorded"
)

// TestSecureCutBelowTheCommunity: a secure price that is cut far below the
// community's, by the spot price beside it as well, is judged by the nights before
// it: a jump waits for the next night, and then stands.
func TestSecureCutBelowTheCommunity(t *testing.T) {
	const sku = "NVIDIA H100 80GB HBM3"
	h := newHouse(t)
	p := alone(scrapers.RunPod(), "graphql")
	page, err := fs.ReadFile(recorded.Night(), "runpod/graphql.json")
	if err != nil {
		t.Fatal(err)
	}
	cut := func(price string) fs.FS {
		text := strings.NewReplacer(`"securePrice": 3.29`, `"securePrice": `+price, `"secureSpotPrice": 3.29`, `"secureSpotPrice": `+price).Replace(string(page))
		return nightOf(t, "runpod", map[string]string{"runpod/graphql.json": text})
	}
	secure := func(day schema.Day) string {
		for _, o := range h.rows(day) {
			if o.Offer.SKU == sku && o.Offer.Tier == schema.TierSecure {
				return o.USDPerGPUHour.String()
			}
		}
		return ""
	}
	for i, n := range []struct {
		listed, published string
		status            schema.RunStatus
	}{
		{"3.29", "3.29", schema.StatusComplete},
		{"1.50", "", schema.StatusPartial}, // by 54 %; the community asks 2.69
		{"1.50", "1.50", schema.StatusComplete},
		{"2.00", "2.00", schema.StatusComplete},
	} {
		day := night + schema.Day(i)
		if got := h.onNight(day, p, cut(n.listed)); got.Status != n.status || secure(day) != n.published {
			t.Errorf("night %d, %s listed: %s (%v), published %q, want %q", i, n.listed, got.Status, got.Err, secure(day), n.published)
		}
	}
	if secure(night+1) != "1.50" || len(h.held()) != 0 {
		t.Errorf("the held night gives %q, %d held", secure(night+1), len(h.held()))
	}
}
