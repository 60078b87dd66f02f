package pipeline_test

import (
	"strings"
	"testing"

	"mtok/pipeline"
	"mtok/schema"
	"mtok/scrapers"
	"mtok/scrapers/recorded"
)

// lambdaTypes is an answer of Lambda's API: one type as the page lists it, one
// at another price and sold out, and one that the page does not list.
const lambdaTypes = `{"data":{
"gpu_8x_h100_sxm5":{"instance_type":{"name":"gpu_8x_h100_sxm5","description":"8x H100 (80 GB SXM5)","gpu_description":"H100 (80 GB SXM5)","price_cents_per_hour":3192,"specs":{"vcpus":208,"memory_gib":1800,"storage_gib":22528,"gpus":8}},"regions_with_capacity_available":[{"name":"us-west-1","description":"California, USA"}]},
"gpu_1x_gh200":{"instance_type":{"name":"gpu_1x_gh200","description":"1x GH200 (96 GB)","gpu_description":"GH200 (96 GB)","price_cents_per_hour":249,"specs":{"vcpus":64,"memory_gib":432,"storage_gib":4096,"gpus":1}},"regions_with_capacity_available":[]},
"gpu_1x_l40s":{"instance_type":{"name":"gpu_1x_l40s","description":"1x L40S (48 GB PCIe)","gpu_description":"L40S (48 GB PCIe)","price_cents_per_hour":149,"specs":{"vcpus":16,"memory_gib":96,"storage_gib":512,"gpus":1}},"regions_with_capacity_available":[]},
"cpu_4x_general":{"instance_type":{"name":"cpu_4x_general","description":"4x CPU General","gpu_description":"N/A","price_cents_per_hour":20,"specs":{"vcpus":4,"memory_gib":16,"storage_gib":100,"gpus":0}},"regions_with_capacity_available":[]}
}}`

func TestKeyedAPIChecksThePage(t *testing.T) {
	h := newHouse(t)
	pages := without(t, recorded.Night(), map[string]string{"lambda/instance-types-api.json": lambdaTypes})
	dir, err := recorded.Open(pages)
	if err != nil {
		t.Fatal(err)
	}
	summary, err := h.run(t.Context(), setting{
		providers: []scrapers.Provider{scrapers.Lambda()}, fetcher: h.fetcher(pages), recorded: dir.Has,
	})
	if err != nil {
		t.Fatal(err)
	}
	got := outcome(t, summary, "lambda")
	if got.Status != schema.StatusComplete || got.Offers != 28 || got.Rules[pipeline.RuleCrossCheck] != 2 {
		t.Errorf("%s, %d offers, rules %v (%v); want complete, the page's 28, two disagreements", got.Status, got.Offers, got.Rules, got.Err)
	}
	stocks := map[string]schema.Stock{}
	for _, o := range h.rows(night) {
		if o.Source != "pricing-page" {
			t.Errorf("a second listing: %s by %s", o.Offer.SKU, o.Source)
		}
		switch {
		case o.Class == "h100-sxm-80gb" && o.Offer.GPUCount == 8 && o.Offer.Term == schema.TermOnDemand:
			stocks["h100"] = o.Offer.Stock
		case o.Class == "gh200-96gb":
			stocks["gh200"] = o.Offer.Stock
			if o.USDPerGPUHour.String() != "2.29" {
				t.Errorf("the API's price took the place of the page's: %s", o.USDPerGPUHour)
			}
		case o.Class == "a10-24gb":
			stocks["a10"] = o.Offer.Stock
		}
	}
	if stocks["h100"] != schema.StockAvailable || stocks["gh200"] != schema.StockSoldOut || stocks["a10"] != schema.StockUnknown {
		t.Errorf("stock %v; want the H100 available, the GH200 sold out, the A10 unknown", stocks)
	}
	rejects, err := h.store.Rejects(t.Context(), schema.FetchFilter{FromDay: night, ToDay: night})
	if err != nil {
		t.Fatal(err)
	}
	told := ""
	for _, r := range rejects {
		if r.Rule == pipeline.RuleCrossCheck {
			told += r.Reason + "\n"
		}
	}
	if !strings.Contains(told, "instance-types-api says 2.49 $/GPU-h, pricing-page says 2.29") || !strings.Contains(told, "not in the listing") {
		t.Errorf("told:\n%s", told)
	}
}

// Where the page can't be read, the API stands in for it.
func TestKeyedAPIStandsIn(t *testing.T) {
	h := newHouse(t)
	pages := without(t, recorded.Night(), map[string]string{
		"lambda/instance-types-api.json": lambdaTypes, "lambda/pricing-page.html": "<html>moved</html>",
	})
	dir, err := recorded.Open(pages)
	if err != nil {
		t.Fatal(err)
	}
	summary, err := h.run(t.Context(), setting{
		providers: []scrapers.Provider{scrapers.Lambda()}, fetcher: h.fetcher(pages), recorded: dir.Has,
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := outcome(t, summary, "lambda"); got.Status != schema.StatusPartial || got.Offers != 3 {
		t.Errorf("%s, %d offers (%v); want partial, the API's 3", got.Status, got.Offers, got.Err)
	}
}

// Without a key, and without a recorded answer, the API is not asked.
func TestKeyedAPIIsNotAskedWithoutAKey(t *testing.T) {
	h := newHouse(t)
	if _, err := h.run(t.Context(), setting{providers: []scrapers.Provider{scrapers.Lambda()}, fetcher: h.fetcher(recorded.Night())}); err != nil {
		t.Fatal(err)
	}
	for _, f := range h.fetches() {
		if f.Source == "instance-types-api" {
			t.Errorf("asked: %+v", f)
		}
	}
}
