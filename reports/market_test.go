package reports_test

import (
	"strconv"
	"strings"
	"testing"

	"mtok/reports"
	"mtok/reports/render"
	"mtok/schema"
)

const nvl schema.ClassID = "h100-nvl-94gb"

// host is a machine with the prices per GPU of its slices, by their GPU counts.
type host struct {
	id          string
	class       schema.ClassID
	tier        schema.Tier
	reliability int64 // millionths
	datacenter  bool
	days        int64
	nvlink      bool
	slices      map[int]string
}

// hosts are machines of 2026-07-18 with their prices of that day.
func hosts() []host {
	const yes, no = true, false
	return []host{
		{"20897", h100, schema.TierVerified, 998_999, yes, 31, yes, map[int]string{2: "2.201111", 4: "2.200556", 8: "2.200278"}},
		{"23948", h100, schema.TierVerified, 998_835, yes, 30, yes, map[int]string{2: "2.200741"}},
		{"33102", h100, schema.TierVerified, 996_183, no, 73, yes, map[int]string{1: "1.922222"}},
		{"58929", h100, schema.TierVerified, 998_254, no, 148, yes, map[int]string{1: "2.011723"}},
		{"58992", h100, schema.TierVerified, 998_617, no, 13, yes, map[int]string{1: "4.135556", 2: "4.134444"}},
		{"59184", h100, schema.TierVerified, 998_133, no, 142, no, map[int]string{1: "2.256889"}},
		{"59377", h100, schema.TierVerified, 997_870, no, 16, yes, map[int]string{2: "1.734444"}},
		{"68251", h100, schema.TierVerified, 998_362, no, 26, yes, map[int]string{4: "4.653889"}},
		{"139170", h100, schema.TierVerified, 984_726, no, 16, yes, map[int]string{1: "1.735556", 2: "1.734444"}},
		{"141116", h100, schema.TierVerified, 970_039, no, 74, no, map[int]string{1: "2.26963", 2: "2.268148", 4: "2.267407"}},
		{"142073", h100, schema.TierVerified, 990_534, no, 12, yes, map[int]string{2: "3.002667", 4: "3.001333"}},
		{"25317", h100, schema.TierDeverified, 998_273, yes, 31, yes, map[int]string{1: "2.201481"}},
		{"142194", h100, schema.TierUnverified, 988_343, no, 19, no, map[int]string{1: "1.316889", 2: "1.311778"}},
		{"144339", h100, schema.TierUnverified, 896_136, no, 182, no, map[int]string{1: "1.655556"}},
		{"52300", nvl, schema.TierVerified, 990_959, no, 90, yes, map[int]string{1: "2.135556", 2: "2.134444"}},
		{"55971", nvl, schema.TierVerified, 998_428, no, 152, yes, map[int]string{1: "2.668148"}},
		{"59352", nvl, schema.TierVerified, 998_298, no, 9, no, map[int]string{1: "2.26963"}},
		{"140139", nvl, schema.TierVerified, 993_801, no, 26, yes, map[int]string{2: "2.747778", 4: "2.747222"}},
	}
}

func asks(hosts []host) []schema.Observation {
	var out []schema.Observation
	for _, h := range hosts {
		for gpus, price := range h.slices {
			id, _ := strconv.ParseInt(h.id, 10, 64)
			out = append(out, offer(id*10+int64(gpus), "vast", h.class, gpus, price, machine(h.id), func(o *schema.Observation) {
				o.USDPerGPUHour = usd(price)
				o.USDPerInstanceHour = o.USDPerGPUHour * schema.USD(gpus)
				o.Offer.SKU = h.id
				a := &o.Offer.Attributes
				a.Tier, a.ReliabilityPPM, a.Datacenter, a.MaxDays, a.NVLink = h.tier, &h.reliability, &h.datacenter, &h.days, &h.nvlink
			}))
		}
	}
	return out
}

func marketNight() reports.Night {
	disk := int64(8)
	n := reports.Night{AsOf: tonight, Observations: append(asks(hosts()), night().Observations...)}
	n.Observations = append(n.Observations,
		offer(900, "vast", h100, 8, "8.00", machine("900"), func(o *schema.Observation) { o.Excluded = "broken machine: reports no CPU cores" }),
		offer(900, "vast", h100, 8, "8.00", machine("900"), func(o *schema.Observation) { o.Excluded, o.Source = "broken machine: reports no CPU cores", "other" }),
		offer(901, "vast", h100, 1, "1.10", machine("901"), func(o *schema.Observation) {
			o.Excluded = "broken machine: dlperf 15 per GPU, the model's median is 2000"
		}),
		offer(902, "vast", b200, 1, "2.00", machine("902"), func(o *schema.Observation) { o.Excluded = "broken machine: reports no CPU cores" }),
		offer(903, "vast", h100, 1, "0.90", machine("903"), func(o *schema.Observation) { o.Offer.Term = schema.TermBidFloor }),
		offer(904, "vast", h100, 1, "0.80", machine("904"), daysAgo(1)),
		offer(905, "vast", h100, 1, "0.70", machine("905"), func(o *schema.Observation) { o.Quarantine = 1 }))
	for i := range n.Observations {
		if o := &n.Observations[i]; o.Offer.GroupKey != "" {
			o.Offer.Attributes.StorageGB = &disk
		}
	}
	return n
}

// The statistics of a real book, as they stand in the notes on its capture.
func TestMarketplaceStatistics(t *testing.T) {
	daily := recompute(t, asks(hosts()))
	find := func(class schema.ClassID, tier schema.Tier) schema.DailyPrice {
		for _, p := range daily.Prices {
			if p.Class == class && p.Tier == tier && p.GPUCount == schema.AnyGPUCount {
				return p
			}
		}
		return schema.DailyPrice{}
	}
	for _, tt := range []struct {
		class            schema.ClassID
		tier             schema.Tier
		n                int
		min, p10, median string
		max              string
	}{
		{h100, schema.TierVerified, 11, "1.734444", "1.734444", "2.200741", "4.653889"},
		{h100, reports.TierEligible, 2, "2.200278", "2.200278", "2.20051", "2.200741"},
		{nvl, schema.TierVerified, 4, "2.134444", "2.134444", "2.468889", "2.747222"},
		{nvl, reports.TierEligible, 0, "0", "0", "0", "0"},
	} {
		p := find(tt.class, tt.tier)
		if p.N != tt.n || p.Min != usd(tt.min) || p.P10 != usd(tt.p10) || p.Median != usd(tt.median) || p.Max != usd(tt.max) {
			t.Errorf("%s %s: n %d, %s, %s, %s, %s; want %+v", tt.class, tt.tier, p.N, p.Min, p.P10, p.Median, p.Max, tt)
		}
	}
	if len(daily.Markets) != 1 || daily.Markets[0].Cheapest != usd("2.200278") || daily.Markets[0].CheapestTier != reports.TierEligible {
		t.Errorf("markets %+v, want the eligible machines alone", daily.Markets)
	}
}

// The series of verified machines does not move with a setting.
func TestVerifiedIsNoSetting(t *testing.T) {
	s := reports.DefaultSettings()
	s.Eligibility.MinReliability = schema.MustDecimal("0.99")
	loose, err := reports.Recompute(tonight, asks(hosts()), testCatalog(t), s)
	if err != nil {
		t.Fatal(err)
	}
	if p, _ := priceOf(t, loose, "vast", schema.TierVerified, schema.TermOnDemand); p.N != 11 {
		t.Errorf("%d verified machines under another rule, want 11", p.N)
	}
}

func TestMarketGolden(t *testing.T) {
	doc := reports.Market(marketNight(), testCatalog(t), reports.DefaultSettings(), reports.Filter{})
	golden(t, "market.txt", doc, render.Table)
	golden(t, "market.json", doc, render.JSON)
	expect(t, doc, "gpu_class", string(h100), string(b200), string(nvl))
	expect(t, doc, "eligible_min", "2.200278", "null", "null")
	expect(t, doc, "lowest_usd_per_gpu_hour", "1.311778", "null", "2.134444")
	expect(t, doc, "excluded", "2", "1", "0")
}

func TestMarketWithoutABook(t *testing.T) {
	doc := reports.Market(night(), testCatalog(t), reports.DefaultSettings(), reports.Filter{})
	if len(doc.Rows) != 0 || doc.After[0] != "No marketplace gave a price on this day." {
		t.Errorf("%d rows, %q", len(doc.Rows), doc.After)
	}
}

// What is excluded stands in the market report alone.
func TestExcludedMachinesElsewhere(t *testing.T) {
	for _, doc := range []reports.Document{
		reports.Prices(marketNight(), testCatalog(t), reports.DefaultSettings(), reports.Filter{}),
		reports.MTok(marketNight(), testCatalog(t), reports.DefaultSettings(), reports.Filter{}),
	} {
		text := screenText(doc)
		if !strings.Contains(text, "vast") || strings.Contains(text, "broken") {
			t.Errorf("%s is to show the machines that work, and those alone:\n%s", doc.Name, text)
		}
	}
}
