package reports_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mtok/reports"
	"mtok/schema"
)

func recompute(t *testing.T, observations []schema.Observation) schema.Daily {
	t.Helper()
	daily, err := reports.Recompute(tonight, observations, testCatalog(t), reports.DefaultSettings())
	if err != nil {
		t.Fatal(err)
	}
	return daily
}

// priceOf finds the row of all node sizes.
func priceOf(t *testing.T, d schema.Daily, provider schema.ProviderID, tier schema.Tier, term schema.Term) (schema.DailyPrice, bool) {
	t.Helper()
	for _, p := range d.Prices {
		if p.Provider == provider && p.Tier == tier && p.Term == term && p.GPUCount == schema.AnyGPUCount && p.Class == h100 {
			return p, true
		}
	}
	return schema.DailyPrice{}, false
}

func TestRecomputeIgnoresOrder(t *testing.T) {
	observations := append(night().Observations, market()...)
	want := recompute(t, observations)
	if len(want.Prices) < 10 || len(want.Markets) < 3 || len(want.TokenCosts) < 6 {
		t.Fatalf("%d prices, %d markets, %d costs: too little to compare", len(want.Prices), len(want.Markets), len(want.TokenCosts))
	}
	random := rand.New(rand.NewPCG(7, 8))
	for range 30 {
		if diff := cmp.Diff(want, recompute(t, shuffled(observations, random))); diff != "" {
			t.Fatalf("another order, other figures:\n%s", diff)
		}
	}
}

func TestDailyPrice(t *testing.T) {
	got, ok := priceOf(t, recompute(t, night().Observations), "lambda", "", schema.TermOnDemand)
	want := schema.DailyPrice{Day: tonight, Class: h100, Provider: "lambda", Term: schema.TermOnDemand, Origin: schema.OriginLive,
		N: 3, GPUs: 11, Min: usd("3.99"), P10: usd("3.99"), Median: usd("4.19"), Max: usd("4.29"), MinOfferID: 3,
		AsOf: tonight.Slot() + 6*3600}
	if diff := cmp.Diff(want, got); !ok || diff != "" {
		t.Errorf("lambda (-want +got):\n%s", diff)
	}
	got, _ = priceOf(t, recompute(t, night().Observations), "coreweave", "", schema.TermSpot)
	if got.Median != usd("2.45125") || got.MinOfferID != 12 {
		t.Errorf("even median %s, minimum of offer %d, want 2.45125 and 12", got.Median, got.MinOfferID)
	}
}

// Ids depend on which offer was saved first; a minimum must not.
func TestEqualMinimaDoNotDependOnIDs(t *testing.T) {
	for _, ids := range [][2]int64{{9, 4}, {4, 9}} {
		got, _ := priceOf(t, recompute(t, []schema.Observation{
			offer(ids[0], "lambda", h100, 8, "31.92", stock(schema.StockAvailable)), offer(ids[1], "lambda", h100, 1, "3.99"),
		}), "lambda", "", schema.TermOnDemand)
		if got.MinOfferID != ids[0] {
			t.Errorf("minimum of offer %d, want %d, which is in stock", got.MinOfferID, ids[0])
		}
	}
}

// market is one marketplace: machine "a" in three slices, "b" unverified and
// cheapest, "c" verified without NVLink, "d" verified and leaving in 20 days.
func market() []schema.Observation {
	no, few := false, int64(20)
	return []schema.Observation{
		offer(101, "vast", h100, 1, "2.30", machine("a")),
		offer(102, "vast", h100, 2, "4.40", machine("a")),
		offer(103, "vast", h100, 4, "9.20", machine("a")),
		offer(104, "vast", h100, 2, "2.00", machine("b"), unverified),
		offer(105, "vast", h100, 2, "3.60", machine("c"), func(o *schema.Observation) { o.Offer.Attributes.NVLink = &no }),
		offer(106, "vast", h100, 2, "3.80", machine("d"), func(o *schema.Observation) { o.Offer.Attributes.MaxDays = &few }),
		offer(107, "vast", h100, 2, "1.00", machine("a"), func(o *schema.Observation) { o.Offer.Term = schema.TermBidFloor }),
	}
}

func TestMarketplaceCountsMachines(t *testing.T) {
	daily := recompute(t, market())
	verified, _ := priceOf(t, daily, "vast", schema.TierVerified, schema.TermOnDemand)
	if verified.N != 3 || verified.GPUs != 8 || verified.Min != usd("1.80") || verified.Median != usd("1.90") || verified.Max != usd("2.20") {
		t.Errorf("verified: %+v, want 3 machines, 8 GPUs, 1.80, 1.90, 2.20", verified)
	}
	eligible, _ := priceOf(t, daily, "vast", reports.TierEligible, schema.TermOnDemand)
	if eligible.N != 1 || eligible.GPUs != 4 || eligible.Min != usd("2.20") || eligible.MinOfferID != 102 {
		t.Errorf("eligible: %+v, want machine a alone at 2.20", eligible)
	}
	if got, ok := priceOf(t, daily, "vast", "unverified", schema.TermOnDemand); ok {
		t.Errorf("unverified machines have a daily price: %+v", got)
	}
	for _, p := range daily.Prices {
		if p.Term == schema.TermBidFloor {
			t.Errorf("a bid floor has a daily price: %+v", p)
		}
	}
	if m := daily.Markets[0]; m.Cheapest != usd("2.20") || m.CheapestTier != reports.TierEligible {
		t.Errorf("market %+v, want the eligible 2.20", m)
	}
}

func TestWhatNeverCounts(t *testing.T) {
	one := offer(1, "lambda", h100, 1, "4.29")
	for name, spoil := range map[string]func(*schema.Observation){
		"another day": daysAgo(1),
		"excluded":    func(o *schema.Observation) { o.Excluded = "broken machine" },
		"not saved":   func(o *schema.Observation) { o.Offer.Excluded = "broken machine" },
		"quarantined": func(o *schema.Observation) { o.Quarantine = 7 },
		"bid floor":   func(o *schema.Observation) { o.Offer.Term = schema.TermBidFloor },
		"no price":    func(o *schema.Observation) { o.USDPerGPUHour = 0 },
	} {
		t.Run(name, func(t *testing.T) {
			daily := recompute(t, []schema.Observation{one, offer(2, "crusoe", h100, 1, "0.70", spoil)})
			if len(daily.Markets) != 1 || daily.Markets[0].Cheapest != usd("4.29") || daily.Markets[0].Providers != 1 {
				t.Errorf("market %+v, want 4.29 of one provider", daily.Markets)
			}
		})
	}
}

func TestMarketGoesByProviderFirst(t *testing.T) {
	daily := recompute(t, night().Observations)
	want := schema.DailyMarket{Day: tonight, Class: h100, Term: schema.TermOnDemand, Origin: schema.OriginLive,
		// medians: runpod 2.99 (community is no production), crusoe 3.90, lambda 4.19, coreweave 6.155
		Cheapest: usd("2.99"), CheapestProvider: "runpod", CheapestTier: "secure", Median: usd("4.045"), Providers: 4}
	for _, m := range daily.Markets {
		if m.Class == h100 && m.Term == schema.TermOnDemand {
			if diff := cmp.Diff(want, m); diff != "" {
				t.Errorf("market (-want +got):\n%s", diff)
			}
			return
		}
	}
	t.Error("no on-demand market of the H100")
}

func TestTokenCosts(t *testing.T) {
	daily := recompute(t, night().Observations)
	find := func(class schema.ClassID, term schema.Term, statistic string) (schema.DailyTokenCost, bool) {
		for _, c := range daily.TokenCosts {
			if c.Class == class && c.Term == term && c.Statistic == statistic {
				return c, true
			}
		}
		return schema.DailyTokenCost{}, false
	}
	cheapest, _ := find(h100, schema.TermOnDemand, schema.StatCheapest)
	want := schema.DailyTokenCost{Day: tonight, Class: h100, Term: schema.TermOnDemand, Workload: "default",
		Statistic: schema.StatCheapest, Inputs: daily.Inputs[0].Hash, Origin: schema.OriginLive, Provider: "runpod", Tier: "secure",
		GPUs: 2, Replicas: 1, USDPerHour: usd("5.98"), Raw: usd("0.375987"), Utilized: usd("0.578442"), AllIn: usd("1.156883")}
	if diff := cmp.Diff(want, cheapest); diff != "" {
		t.Errorf("cheapest (-want +got):\n%s", diff)
	}
	// 5.98, 7.80, 8.38 and 12.31, the share of CoreWeave's node.
	if median, _ := find(h100, schema.TermOnDemand, schema.StatMedian); median.USDPerHour != usd("8.09") || median.Provider != "" {
		t.Errorf("median %s of %q, want 8.09 of no provider", median.USDPerHour, median.Provider)
	}
	if c, ok := find(b200, schema.TermOnDemand, schema.StatCheapest); !ok || c.Provider != "lambda" {
		t.Errorf("B200 at %q, want lambda: the other is sold out", c.Provider)
	}
	if c, ok := find(a10, schema.TermOnDemand, schema.StatCheapest); ok {
		t.Errorf("a class without throughput has a cost: %+v", c)
	}
}

func TestOriginsStayApart(t *testing.T) {
	imported := offer(1, "lambda", h100, 1, "1.00", func(o *schema.Observation) { o.Origin = schema.OriginImport })
	daily := recompute(t, []schema.Observation{imported, offer(1, "lambda", h100, 1, "4.29")})
	if len(daily.Markets) != 2 || daily.Markets[0].Cheapest == daily.Markets[1].Cheapest {
		t.Errorf("markets %+v, want one per origin", daily.Markets)
	}
}

func TestTwoSourcesOfOneOffer(t *testing.T) {
	api := offer(1, "lambda", h100, 1, "4.29", stock(schema.StockSoldOut), func(o *schema.Observation) { o.Source, o.FetchID = "api", 99 })
	daily := recompute(t, []schema.Observation{offer(1, "lambda", h100, 1, "4.29"), api})
	if got, _ := priceOf(t, daily, "lambda", "", schema.TermOnDemand); got.N != 1 {
		t.Errorf("n = %d, want 1", got.N)
	}
	if len(daily.Markets) != 0 {
		t.Errorf("market %+v, want none: one source knows that it is sold out", daily.Markets)
	}
}

func TestInputsFollowWhatMakesACost(t *testing.T) {
	catalog, settings := testCatalog(t), reports.DefaultSettings()
	hash := func(c *schema.Catalog, s reports.Settings) string {
		daily, err := reports.Recompute(tonight, nil, c, s)
		if err != nil {
			t.Fatal(err)
		}
		if len(daily.Inputs[0].Hash) != 64 || !strings.Contains(daily.Inputs[0].Body, "llama-3.3-70b-fp8-h100-x2") {
			t.Fatalf("inputs %+v", daily.Inputs)
		}
		return daily.Inputs[0].Hash
	}
	base := hash(catalog, settings)
	if base != hash(testCatalog(t), settings) {
		t.Error("same inputs, another hash")
	}
	changed := settings
	changed.Overhead = schema.MustDecimal("1.5")
	faster := testCatalog(t)
	faster.Throughputs[0].TokensPerSecond = schema.MustDecimal("5000")
	if base == hash(catalog, changed) || base == hash(faster, settings) {
		t.Error("other inputs, the same hash")
	}
}

func TestRecomputeRefusesImpossibleSettings(t *testing.T) {
	s := reports.DefaultSettings()
	s.Utilization = schema.MustDecimal("0")
	if _, err := reports.Recompute(tonight, night().Observations, testCatalog(t), s); err == nil {
		t.Error("utilization 0 gave costs")
	}
}
