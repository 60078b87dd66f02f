package reports_test

import (
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"mtok/reports"
	"mtok/schema"
)

var update = flag.Bool("update", false, "rewrite the golden files")

var tonight = mustDay("2026-08-22")

func mustDay(text string) schema.Day {
	d, err := schema.ParseDay(text)
	if err != nil {
		panic(err)
	}
	return d
}

func usd(text string) schema.USD {
	u, err := schema.ParseUSD(text)
	if err != nil {
		panic(err)
	}
	return u
}

// testCatalog is a small catalog of its own, so that the goldens do not move
// with the embedded one.
func testCatalog(t *testing.T) *schema.Catalog {
	t.Helper()
	var text [3][]byte
	for i, name := range []string{"gpus", "models", "throughput"} {
		body, err := os.ReadFile(filepath.Join("testdata", "catalog", name+".toml"))
		if err != nil {
			t.Fatal(err)
		}
		text[i] = body
	}
	catalog, err := schema.ParseCatalog(text[0], text[1], text[2])
	if err != nil {
		t.Fatal(err)
	}
	return catalog
}

// offer makes an on-demand observation of tonight, per instance.
func offer(id int64, provider schema.ProviderID, class schema.ClassID, gpus int, instance string, change ...func(*schema.Observation)) schema.Observation {
	o := schema.Observation{Day: tonight, Slot: tonight.Slot(), Source: "pricing-page", OfferID: id, Class: class,
		Origin: schema.OriginLive, FetchID: id, PageSHA256: "ab12cd34ef56ab12cd34ef56ab12cd34ef56ab12cd34ef56ab12cd34ef56ab12",
		FetchedAt: tonight.Time().Add(6 * time.Hour)}
	o.Offer = schema.Offer{
		OfferKey: schema.OfferKey{Provider: provider, SKU: string(class), GPUCount: gpus, Term: schema.TermOnDemand},
		GPURaw:   "H100 SXM", Basis: schema.BasisInstance, Unit: schema.UnitInstanceHour,
		PriceText: "$" + instance, Currency: "USD", Amount: schema.MustDecimal(instance),
	}
	o.USDPerInstanceHour = usd(instance)
	o.USDPerGPUHour = o.USDPerInstanceHour / schema.USD(gpus)
	for _, f := range change {
		f(&o)
	}
	return o
}

func perGPU(most int) func(*schema.Observation) {
	return func(o *schema.Observation) {
		o.Offer.PerGPU, o.Offer.MaxGPUs, o.Offer.Unit = true, most, schema.UnitGPUHour
	}
}

func region(name string) func(*schema.Observation) {
	return func(o *schema.Observation) { o.Offer.Region = name }
}

func spot(o *schema.Observation) { o.Offer.Term = schema.TermSpot }

func cluster(o *schema.Observation) {
	o.Offer.Term, o.Offer.Tier = schema.TermReserved, schema.TierCluster
	o.Offer.Commitment = schema.Commitment{MinDays: 14, MaxDays: 365}
}

func tier(t schema.Tier) func(*schema.Observation) {
	return func(o *schema.Observation) { o.Offer.Tier = t }
}

// unverified is a machine's tier of the night, no part of its identity.
func unverified(o *schema.Observation) { o.Offer.Attributes.Tier = "unverified" }

func stock(s schema.Stock) func(*schema.Observation) {
	return func(o *schema.Observation) { o.Offer.Stock = s }
}

func points(text string) func(*schema.Observation) {
	return func(o *schema.Observation) {
		if err := o.Offer.StockPoints.UnmarshalText([]byte(text)); err != nil {
			panic(err)
		}
	}
}

func daysAgo(n int) func(*schema.Observation) {
	return func(o *schema.Observation) {
		o.Day -= schema.Day(n)
		o.Slot = o.Day.Slot()
	}
}

// machine makes a slice of a machine at a marketplace that is eligible.
func machine(name string) func(*schema.Observation) {
	return func(o *schema.Observation) {
		yes, days, ppm := true, int64(90), int64(990_000)
		o.Offer.GroupKey = name
		o.Offer.Attributes = schema.Attributes{MaxDays: &days, NVLink: &yes, Datacenter: &yes, ReliabilityPPM: &ppm,
			Tier: schema.TierVerified}
	}
}

const (
	h100 schema.ClassID = "h100-sxm-80gb"
	h200 schema.ClassID = "h200-sxm-141gb"
	b200 schema.ClassID = "b200-sxm-180gb"
	a10  schema.ClassID = "a10-24gb"

	gh200 schema.ClassID = "gh200-96gb"
)

// night is a small night with the list prices of 2026-08-22.
func night() reports.Night {
	return reports.Night{AsOf: tonight, Observations: []schema.Observation{
		offer(1, "lambda", h100, 1, "4.29"),
		offer(2, "lambda", h100, 2, "8.38"),
		offer(3, "lambda", h100, 8, "31.92"),
		offer(4, "lambda", h100, 16, "98.56", cluster),
		offer(5, "lambda", h100, 64, "374.40", cluster),
		offer(6, "lambda", a10, 1, "1.29"),
		offer(7, "lambda", b200, 1, "6.99"),
		offer(8, "lambda", gh200, 1, "2.29"),
		offer(10, "coreweave", h100, 8, "49.24", region("EUROPE")),
		offer(11, "coreweave", h100, 8, "49.24", region("NORTH AMERICA")),
		offer(12, "coreweave", h100, 8, "19.51", region("EUROPE"), spot),
		offer(13, "coreweave", h100, 8, "19.71", region("NORTH AMERICA"), spot),
		offer(14, "coreweave", h200, 8, "50.44", region("EUROPE")),
		offer(20, "crusoe", h100, 1, "3.90", perGPU(0)),
		offer(21, "crusoe", h200, 1, "4.29", perGPU(0)),
		offer(30, "runpod", h100, 1, "2.99", perGPU(8), tier("secure")),
		offer(31, "runpod", h100, 1, "2.69", perGPU(8), tier(schema.TierCommunity)),
		offer(32, "runpod", b200, 1, "5.89", perGPU(8), tier("secure"), stock(schema.StockSoldOut)),
		offer(40, "nebius", b200, 1, "6.50", daysAgo(1)),
		offer(50, "runpod", "unmatched:rtx-3070", 1, "0.13", perGPU(8), tier(schema.TierCommunity)),
	}, Notices: []schema.Notice{{Provider: "fluidstack", Kind: schema.NoticeNoPublicPrice, Detail: "404",
		Since: mustDay("2026-08-20"), Last: tonight}}}
}

func shuffled(in []schema.Observation, random *rand.Rand) []schema.Observation {
	out := append([]schema.Observation(nil), in...)
	random.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}
