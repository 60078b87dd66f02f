package reports_test

import (
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mtok/reports"
	"mtok/reports/cost"
	"mtok/reports/render"
	"mtok/schema"
)

func prodFleet(change ...func(*schema.Fleet)) schema.Fleet {
	f := schema.Fleet{Name: "prod", Class: h100, GPUs: 8, USDPerGPUHour: usd("2.49"), FixedFrom: mustDay("2026-04-01"), FixedTo: mustDay("2027-03-31"),
		NoticeDays: 30, Model: "llama-3.3-70b", OutputTokensPerMonth: 4_200_000_000, HoursOn: schema.MustDecimal("24")}
	for _, c := range change {
		c(&f)
	}
	return f
}

func fleets(t *testing.T, n reports.Night, s reports.Settings, f ...schema.Fleet) reports.Document {
	t.Helper()
	return reports.Fleets(n, schema.Contracts{Fleets: f}, testCatalog(t), s, reports.Filter{})
}

func TestFleetGolden(t *testing.T) {
	contracts := schema.Contracts{
		Fleets: []schema.Fleet{prodFleet(), {Name: "idle", Class: h200, GPUs: 1, USDPerGPUHour: usd("4"), HoursOn: schema.MustDecimal("24")}},
		Quotes: []schema.Quote{{Name: "reseller", Provider: "a reseller", Class: h200, GPUCount: 8, Term: schema.TermReserved,
			Commitment: schema.Commitment{MinDays: 365, MaxDays: 365}, USDPerGPUHour: usd("2.10"), USDPerInstanceHour: usd("16.80"),
			QuotedOn: mustDay("2026-08-19"), Source: "mail of the 19th"}},
	}
	doc := reports.Fleets(night(), contracts, testCatalog(t), reports.DefaultSettings(), reports.Filter{})
	golden(t, "fleet.txt", doc, render.Table)
	golden(t, "fleet.json", doc, render.JSON)
	random := rand.New(rand.NewPCG(3, 4))
	n := night()
	n.Observations = shuffled(n.Observations, random)
	if diff := cmp.Diff(doc, reports.Fleets(n, contracts, testCatalog(t), reports.DefaultSettings(), reports.Filter{})); diff != "" {
		t.Errorf("another order, another report:\n%s", diff)
	}
}

// 8 x 2.49 x 730 h over 4.2 G tokens; 4 x 4,418 tok/s were measured.
func TestFleetIsPaidAroundTheClock(t *testing.T) {
	doc := fleets(t, night(), reports.DefaultSettings(), prodFleet())
	expect(t, doc, "invoice_usd", "14541.60")
	expect(t, doc, "usd_per_mtok", "3.462286")
	expect(t, doc, "configurations", "4")
	expect(t, doc, "achieved_utilization", "0.0904")
	expect(t, doc, "market_seller", "runpod secure")
	expect(t, doc, "switch_usd_per_month", "2920.00") // (2.99 - 2.49) * 8 * 730
	expect(t, doc, "notice_day", "2027-03-01")
	expect(t, doc, "days_to_notice", "191")
	half := fleets(t, night(), reports.DefaultSettings(), prodFleet(func(f *schema.Fleet) { f.HoursOn = schema.MustDecimal("12") }))
	expect(t, half, "invoice_usd", "7270.80")
}

func TestFleetGuessesNothing(t *testing.T) {
	bare := func(f *schema.Fleet) { f.OutputTokensPerMonth = 0 }
	doc := fleets(t, night(), reports.DefaultSettings(), prodFleet(bare), prodFleet(func(f *schema.Fleet) { f.Name, f.Model = "silent", "" }),
		prodFleet(func(f *schema.Fleet) { f.Name, f.Class, f.GPUs = "odd", a10, 3 }),
		prodFleet(func(f *schema.Fleet) { f.Name, f.OutputTokensPerMonth = "too fast", 400_000_000_000 }))
	expect(t, doc, "invoice_usd", "14541.60", "14541.60", "5453.10", "14541.60")
	expect(t, doc, "usd_per_mtok", "null", "3.462286", "1.298357", "0.036354")
	expect(t, doc, "achieved_utilization", "null", "null", "null", "8.6129")
	expect(t, doc, "market_seller", "runpod secure", "runpod secure", "-", "runpod secure")
	text := strings.Join(column(t, doc, "reason"), "|")
	for _, want := range []string{"tokens_per_month unknown: no cost per token|", "no model is said", "no workload has a measurement", "does not fit this traffic"} {
		if !strings.Contains(text, want) {
			t.Errorf("reasons %q lack %q", text, want)
		}
	}
}

// Who needs two of a node of eight pays all eight: a dearer exact shape is cheaper.
func TestFleetMarketIsPaidWhole(t *testing.T) {
	two := prodFleet(func(f *schema.Fleet) { f.GPUs = 2 })
	node := offer(50, "coreweave", h100, 8, "16.00") // 2.00 a GPU-hour
	n := reports.Night{AsOf: tonight, Observations: []schema.Observation{node, offer(51, "lambda", h100, 2, "8.00")}}
	doc := fleets(t, n, reports.DefaultSettings(), two)
	expect(t, doc, "market_seller", "lambda")
	expect(t, doc, "market_usd_per_gpu_hour", "4.00")
	doc = fleets(t, reports.Night{AsOf: tonight, Observations: []schema.Observation{node}}, reports.DefaultSettings(), two)
	expect(t, doc, "market_usd_per_gpu_hour", "8.00")
	expect(t, doc, "market_invoice_usd", "11680.00") // 16.00 x 730 h
	expect(t, doc, "switch_usd_per_month", "8044.60")
	says(t, doc, "8.00 $/GPU-h at coreweave (must rent 8, all of which is counted)")
}

func TestFleetOfTheFuture(t *testing.T) {
	says(t, fleets(t, night(), reports.DefaultSettings(), prodFleet(func(f *schema.Fleet) { f.FixedFrom = mustDay("2026-11-15") })),
		"prod: the contract begins on 2026-11-15.")
}

// Nodes of 8 make up a larger fleet; what nobody rents has no market.
func TestFleetOfNodes(t *testing.T) {
	doc := fleets(t, night(), reports.DefaultSettings(), prodFleet(func(f *schema.Fleet) { f.GPUs = 16 }), prodFleet(func(f *schema.Fleet) { f.Name, f.GPUs = "12", 12 }))
	expect(t, doc, "market_shape_gpus", "8", "null")
	expect(t, doc, "switch_usd_per_month", "5840.00", "null")
}

// Items are added to what was paid; a multiplier is no part of an invoice.
func TestFleetWithItems(t *testing.T) {
	s := reports.DefaultSettings()
	expect(t, fleets(t, night(), s, prodFleet()), "all_in_usd_per_mtok", "null")
	s.Items = cost.Items{OpsUSDMonth: schema.MustDecimal("4200"), Replicas: 4}
	doc := fleets(t, night(), s, prodFleet())
	expect(t, doc, "usd_per_mtok", "3.462286")
	expect(t, doc, "all_in_usd_per_mtok", "4.462286") // 4,200 $ over 4.2 G tokens
}

// A monthly amount counts once, however many configurations the fleet is and hours
// it is on; a spare is among its GPUs, and power is drawn in the hours it is on.
func TestFleetItemsCountOnce(t *testing.T) {
	half := func(f *schema.Fleet) { f.HoursOn = schema.MustDecimal("12") }
	unmeasured := func(f *schema.Fleet) { f.Model = "" }
	ops := cost.Items{OpsUSDMonth: schema.MustDecimal("4200")}
	power := cost.Items{Owned: true, KWPerGPU: schema.MustDecimal("1.5"), USDPerKWh: schema.MustDecimal("0.10")}
	for _, c := range []struct {
		name   string
		items  cost.Items
		change func(*schema.Fleet)
		want   string
	}{
		{"one replica is said", ops, func(*schema.Fleet) {}, "4.462286"},
		{"12 hours a day", ops, half, "2.731143"}, // (7,270.80 + 4,200) / 4,200
		{"no measurement", ops, unmeasured, "4.462286"},
		{"a spare", cost.Items{SpareReplicas: 1, Replicas: 3}, func(*schema.Fleet) {}, "3.462286"},
		{"power", power, func(*schema.Fleet) {}, "3.670857"}, // + 8 x 1.5 kW x 730 h x 0.10 = 876 $
		{"power of 12 hours", power, half, "1.835429"},
	} {
		s := reports.DefaultSettings()
		s.Items = c.items
		doc := fleets(t, night(), s, prodFleet(c.change))
		if got := column(t, doc, "all_in_usd_per_mtok")[0]; got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// The market is that of the provider that is asked for, and nobody's where no
// night was published.
func TestFleetMarketOfOneProvider(t *testing.T) {
	contracts := schema.Contracts{Fleets: []schema.Fleet{prodFleet()}}
	doc := reports.Fleets(night(), contracts, testCatalog(t), reports.DefaultSettings(), reports.Filter{Provider: "crusoe"})
	if got := column(t, doc, "market_seller")[0]; got == "runpod secure" {
		t.Errorf("only crusoe: market at %s", got)
	}
	doc = reports.Fleets(reports.Night{Empty: true}, contracts, testCatalog(t), reports.DefaultSettings(), reports.Filter{})
	says(t, doc, "market tonight: no prices were published")
}

func fleetMonth(t *testing.T, name string, kept, configured []schema.Fleet) reports.Document {
	t.Helper()
	var m cost.Month
	if name != "" {
		var err error
		if m, err = cost.ParseMonth(name); err != nil {
			t.Fatal(err)
		}
	}
	return reports.MonthOfFleets(m, kept, configured, testCatalog(t), reports.DefaultSettings())
}

// The invoice of the user, to the cent.
func TestMonthInvoice(t *testing.T) {
	configured := []schema.Fleet{prodFleet()}
	doc := fleetMonth(t, "2026-11", nil, configured)
	expect(t, doc, "hours", "720")
	expect(t, doc, "invoice_usd", "14342.40")
	expect(t, doc, "usd_per_mtok", "3.414857")
	expect(t, doc, "achieved_utilization", "0.0917")
	expect(t, fleetMonth(t, "2026-10", nil, configured), "invoice_usd", "14820.48") // 744 hours
	expect(t, fleetMonth(t, "", nil, configured), "invoice_usd", "14541.60")
	expect(t, fleetMonth(t, "2026-11", nil, []schema.Fleet{prodFleet(func(f *schema.Fleet) { f.OutputTokensPerMonth = 0 })}), "usd_per_mtok", "null")
}

// Hours need not be whole: 8 GPUs, 7.33 hours on each of 30 days.
func TestMonthOfPartOfADay(t *testing.T) {
	doc := fleetMonth(t, "2026-11", nil, []schema.Fleet{prodFleet(func(f *schema.Fleet) { f.HoursOn = schema.MustDecimal("7.33") })})
	expect(t, doc, "gpu_hours", "1759.2")
	expect(t, doc, "invoice_usd", "4380.408")
	says(t, doc, "prod: 1,759.2 GPU-hours at 2.49 $/GPU-h, invoice 4,380.41 $")
}

func keptOn(day string, f schema.Fleet) schema.Fleet {
	f.Day = mustDay(day)
	return f
}

// A month is frozen by what was kept of it: the configuration of today is for the
// days after.
func TestMonthIsFrozen(t *testing.T) {
	dear := prodFleet(func(f *schema.Fleet) { f.USDPerGPUHour = usd("9") })
	kept := []schema.Fleet{keptOn("2026-09-20", prodFleet()), keptOn("2026-10-31", prodFleet()), keptOn("2026-11-16", dear), keptOn("2026-12-02", dear)}
	expect(t, fleetMonth(t, "2026-10", kept, []schema.Fleet{dear}), "invoice_usd", "14820.48")
	half := fleetMonth(t, "2026-11", kept, nil)
	expect(t, half, "invoice_usd", "33091.20")                                  // 15 days at 2.49, 15 at 9
	says(t, half, "prod: 5,760 GPU-hours at 5.75 $/GPU-h, invoice 33,091.20 $") // the mean, 5.745
	if reason := column(t, half, "reason")[0]; !strings.Contains(reason, "the price changed within the month") {
		t.Errorf("reason %q", reason)
	}
	later := prodFleet(func(f *schema.Fleet) { f.FixedFrom = mustDay("2026-11-11") })
	partly := fleetMonth(t, "2026-11", nil, []schema.Fleet{later})
	expect(t, partly, "invoice_usd", "9561.60")
	if reason := column(t, partly, "reason")[0]; !strings.Contains(reason, "20 of 30 days under contract") || !strings.Contains(reason, "not recorded then") {
		t.Errorf("reason %q", reason)
	}
	// a fleet that was given up
	if doc := fleetMonth(t, "2026-11", []schema.Fleet{keptOn("2026-09-20", prodFleet()), keptOn("2026-10-01", prodFleet(func(f *schema.Fleet) { f.Name = "other" }))}, nil); len(doc.Rows) != 0 {
		t.Errorf("a fleet of the past costs in November: %v", column(t, doc, "invoice_usd"))
	}
}

// Where the GPUs change there is no one utilization, and a month of which only part
// was kept says so.
func TestMonthOfTwoKinds(t *testing.T) {
	more := prodFleet(func(f *schema.Fleet) { f.GPUs = 16 })
	doc := fleetMonth(t, "2026-11", []schema.Fleet{keptOn("2026-11-01", prodFleet()), keptOn("2026-11-16", more), keptOn("2026-11-30", more)}, nil)
	expect(t, doc, "gpu_hours", "8640") // 15 days of 8, 15 of 16
	expect(t, doc, "achieved_utilization", "null")
	if reason := column(t, doc, "reason")[0]; !strings.Contains(reason, "the GPUs or the model changed") || strings.Contains(reason, "recorded, the others") {
		t.Errorf("reason %q", reason)
	}
	doc = fleetMonth(t, "2026-11", []schema.Fleet{keptOn("2026-11-20", prodFleet())}, []schema.Fleet{prodFleet()})
	expect(t, doc, "achieved_utilization", "0.0917")
	if reason := column(t, doc, "reason")[0]; !strings.Contains(reason, "1 of 30 days recorded") {
		t.Errorf("reason %q", reason)
	}
	half := fleetMonth(t, "2026-11", nil, []schema.Fleet{prodFleet(func(f *schema.Fleet) { f.FixedFrom = mustDay("2026-11-16") })})
	if reason := column(t, half, "reason")[0]; !strings.Contains(reason, "15 of 30 days under contract; its tokens are read as those of these days") {
		t.Errorf("reason %q", reason)
	}
}

// Price, volume and throughput add up to the change.
func TestMonthVariance(t *testing.T) {
	// October: 744 h at 2.49, 4.2 G tokens; November: 720 h at 2.99, 4.8 G tokens
	now := prodFleet(func(f *schema.Fleet) { f.USDPerGPUHour, f.OutputTokensPerMonth = usd("2.99"), 4_800_000_000 })
	kept := []schema.Fleet{keptOn("2026-10-01", prodFleet()), keptOn("2026-11-01", now), keptOn("2026-12-01", now)}
	doc := fleetMonth(t, "2026-11", kept, nil)
	expect(t, doc, "invoice_usd", "17222.40")
	expect(t, doc, "change_usd", "2401.92")
	expect(t, doc, "price_usd", "2880.00")           // 0.50 x 5,760 GPU-hours
	expect(t, doc, "volume_usd", "2117.211429")      // a seventh more tokens at October's cost
	expect(t, doc, "throughput_usd", "-2595.291429") // fewer GPU-hours a token
	doc.AsOf = tonight
	golden(t, "month.txt", doc, render.Table)
	golden(t, "month.csv", doc, render.CSV)
	unrecorded := fleetMonth(t, "2026-10", kept, nil)
	expect(t, unrecorded, "change_usd", "null")
	if reason := column(t, unrecorded, "reason")[0]; !strings.Contains(reason, "2026-09 was not recorded") {
		t.Errorf("reason %q", reason)
	}
}

// The worked examples of METHODOLOGY.md on fleets are what the report computes.
func TestMethodologyOfFleets(t *testing.T) {
	text, err := os.ReadFile("METHODOLOGY.md")
	if err != nil {
		t.Fatal(err)
	}
	page := strings.Join(strings.Fields(strings.ReplaceAll(string(text), ">", " ")), " ")
	s := reports.DefaultSettings()
	s.Items = cost.Items{OpsUSDMonth: schema.MustDecimal("4200")}
	row := cells(fleets(t, night(), s, prodFleet()), 0)
	n := night()
	n.Observations = []schema.Observation{offer(1, "coreweave", h100, 8, "49.24")}
	two := cells(fleets(t, n, s, prodFleet(func(f *schema.Fleet) { f.GPUs = 2 })), 0)
	for _, want := range []string{
		"14,541.60 $, **" + row["usd_per_mtok"].Amount.Fixed(3) + "** per million. With 4,200 $ of operations: (14,541.60 + 4,200) / 4,200 million = **" +
			row["all_in_usd_per_mtok"].Amount.Fixed(3) + "**",
		"sold by eights at 49.24 $/h only: " + two["market_usd_per_gpu_hour"].Amount.Fixed(2) + " $ per GPU-hour",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}
