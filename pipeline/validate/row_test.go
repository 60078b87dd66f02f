package validate_test

import (
	"math/rand/v2"
	"testing"

	"mtok/pipeline/validate"
	"mtok/schema"
)

func h100() schema.GPUClass {
	return schema.GPUClass{ID: "h100-sxm-80gb", Band: schema.Band{Low: 600_000, High: 25_000_000}}
}

func offer(amount string, unit schema.Unit, gpus int) schema.Offer {
	return schema.Offer{
		OfferKey: schema.OfferKey{Provider: "lambda", SKU: "instances/NVIDIA H100 SXM/80GB", GPUCount: gpus, Term: schema.TermOnDemand},
		Basis:    schema.BasisInstance, Unit: unit, PriceText: "$" + amount, Currency: "USD", Amount: schema.MustDecimal(amount),
	}
}

func TestRowDerivesBothPrices(t *testing.T) {
	cases := []struct {
		name             string
		offer            schema.Offer
		perGPU, instance string
	}{
		{"CoreWeave H100: an instance of 8", offer("49.24", schema.UnitInstanceHour, 8), "6.155", "49.24"},
		{"CoreWeave A100 spot: five decimals", offer("9.51", schema.UnitInstanceHour, 8), "1.18875", "9.51"},
		{"Lambda 2x: listed per GPU", offer("4.19", schema.UnitGPUHour, 2), "4.19", "8.38"},
		{"rounded once, half away from zero", offer("13.8755555", schema.UnitInstanceHour, 8), "1.734444", "13.875556"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, reject := validate.Row(c.offer, h100(), true)
			if reject != nil {
				t.Fatalf("rejected: %+v", reject)
			}
			if got.PerGPUHour.String() != c.perGPU || got.PerInstanceHour.String() != c.instance {
				t.Errorf("got %s per GPU, %s per instance; want %s, %s", got.PerGPUHour, got.PerInstanceHour, c.perGPU, c.instance)
			}
		})
	}
}

func TestRowRejects(t *testing.T) {
	change := func(f func(*schema.Offer)) schema.Offer {
		o := offer("3.99", schema.UnitGPUHour, 8)
		f(&o)
		return o
	}
	cases := []struct {
		name, rule string
		offer      schema.Offer
	}{
		{"another currency", validate.RuleCurrency, change(func(o *schema.Offer) { o.Currency = "EUR" })},
		{"no currency", validate.RuleCurrency, change(func(o *schema.Offer) { o.Currency = "" })},
		{"component price", validate.RuleBasis, change(func(o *schema.Offer) { o.Basis = schema.BasisGPUComponent })},
		{"unknown unit", validate.RuleUnit, change(func(o *schema.Offer) { o.Unit = "gpu_month" })},
		{"zero", validate.RuleAmount, change(func(o *schema.Offer) { o.Amount = schema.MustDecimal("0.00") })},
		{"missing", validate.RuleAmount, change(func(o *schema.Offer) { o.Amount = schema.Decimal{} })},
		{"a vCPU number as count", schema.RuleGPUCount, change(func(o *schema.Offer) { o.GPUCount = 208 })},
		{"no count", schema.RuleGPUCount, change(func(o *schema.Offer) { o.GPUCount = 0 })},
		{"instance price read as per GPU", validate.RuleBand, change(func(o *schema.Offer) { o.Amount = schema.MustDecimal("49.24") })},
		{"per-GPU price read as instance", validate.RuleBand, change(func(o *schema.Offer) { o.Unit = schema.UnitInstanceHour })},
		{"text of another price", validate.RuleText, change(func(o *schema.Offer) { o.PriceText = "$3.49" })},
		{"a price from", validate.RuleText, change(func(o *schema.Offer) { o.PriceText = "From $3.99" })},
		{"euros", validate.RuleText, change(func(o *schema.Offer) { o.PriceText = "3.99 €" })},
		{"another dollar", validate.RuleText, change(func(o *schema.Offer) { o.PriceText = "$3.99 CAD" })},
		{"no currency", validate.RuleText, change(func(o *schema.Offer) { o.PriceText = "3.99/hr" })},
		{"per instance, read per GPU", validate.RuleText, change(func(o *schema.Offer) { o.PriceText = "$3.99/instance/hr" })},
		{"a month", validate.RuleText, change(func(o *schema.Offer) { o.PriceText = "$3.99/mo" })},
		{"two prices", validate.RuleText, change(func(o *schema.Offer) { o.PriceText = "$4.99 $3.99" })},
		{"cents misread", validate.RuleText, change(func(o *schema.Offer) { o.PriceText = "3990 cents" })},
		{"a number misread", validate.RuleText, change(func(o *schema.Offer) { o.PriceText = "39.9e-2" })},
		{"a number out of any range", validate.RuleText, change(func(o *schema.Offer) { o.PriceText = "3.99e400" })},
		{"ambiguous thousands", validate.RuleText, change(func(o *schema.Offer) { o.PriceText = "$3,990" })},
		{"a count in the name", schema.RuleGPUCount, change(func(o *schema.Offer) { o.GPURaw = "4x NVIDIA H100" })},
		{"a count behind the name", schema.RuleGPUCount, change(func(o *schema.Offer) { o.GPURaw = "H100 SXM x4" })},
		{"a count glued to the name", schema.RuleGPUCount, change(func(o *schema.Offer) { o.GPURaw = "4xH100" })},
		{"a count apart", schema.RuleGPUCount, change(func(o *schema.Offer) { o.GPURaw = "4 x H100" })},
		{"memory of all GPUs", validate.RuleMemory, change(func(o *schema.Offer) { o.GPURaw, o.VRAMMiB = "H100 80GB HBM3", 640*1024 })},
		{"memory of another part", validate.RuleMemory, change(func(o *schema.Offer) { o.GPURaw, o.VRAMMiB = "A100-SXM4-80GB", 40960 })},
		{"placeholder 0.50", validate.RuleBand, change(func(o *schema.Offer) { o.Amount = schema.MustDecimal("0.50") })},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			price, reject := validate.Row(c.offer, h100(), true)
			if reject == nil {
				t.Fatalf("accepted at %+v", price)
			}
			if reject.Rule != c.rule || reject.Reason == "" {
				t.Errorf("got rule %q, reason %q; want rule %q with a reason", reject.Rule, reject.Reason, c.rule)
			}
		})
	}
}

// TestRowAcceptsWhatIsPrinted: forms of one price, and names that agree.
func TestRowAcceptsWhatIsPrinted(t *testing.T) {
	for _, text := range []string{"$3.99", "$3.99/GPU/hr", "$3.99/hr*", "3.99", "3.990", "399e-2", "399 cents", "USD 3.99", "$3.99 (was $4.29)", ""} {
		o := offer("3.99", schema.UnitGPUHour, 8)
		o.PriceText = text // none where nothing is printed
		if _, reject := validate.Row(o, h100(), true); reject != nil {
			t.Errorf("%q: %+v", text, reject)
		}
	}
	for name, mib := range map[string]int64{
		"8x H100": 0, "NVIDIA 8xH100 80GB": 81559, "H100 PCIe x16": 0, "MI300X 192GB": 192 * 1024, "NVIDIA GH200 480GB": 96 * 1024,
		"H100 80 GB (x8)": 80 * 1024, "RTX PRO 6000": 96 * 1024, "Tesla V100-SXM2-32GB": 32 * 1024, "A100X": 0, "H100 8×": 0,
	} {
		o := offer("3.99", schema.UnitGPUHour, 8)
		o.GPURaw, o.VRAMMiB = name, mib
		if _, reject := validate.Row(o, h100(), true); reject != nil {
			t.Errorf("%q with %d MiB: %+v", name, mib, reject)
		}
	}
}

// TestRowBandOfATerm: a spot price may lie below what is believed on demand, a
// floor of a bid below both, and neither above the class.
func TestRowBandOfATerm(t *testing.T) {
	for _, c := range []struct {
		term   schema.Term
		price  string
		passes bool
	}{
		{schema.TermOnDemand, "0.60", true}, {schema.TermOnDemand, "0.59", false}, {schema.TermReserved, "0.59", false},
		{schema.TermSpot, "0.40", true}, {schema.TermSpot, "0.39", false}, {schema.TermSpot, "25.01", false},
		{schema.TermBidFloor, "0.01", true}, {schema.TermBidFloor, "25.01", false},
	} {
		o := offer(c.price, schema.UnitGPUHour, 1)
		o.Term = c.term
		if _, reject := validate.Row(o, h100(), true); (reject == nil) != c.passes {
			t.Errorf("%s at %s: %+v", c.term, c.price, reject)
		}
	}
}

func TestSameInstance(t *testing.T) {
	for _, c := range []struct {
		gpu, instance string
		gpus          int
		same          bool
	}{
		{"3.99", "31.92", 8, true}, {"1.187", "9.51", 8, true}, {"3.97", "31.92", 8, false}, {"3.99", "3.99", 8, false}, {"31.92", "31.92", 8, false},
	} {
		if got := validate.SameInstance(dollars(c.gpu), dollars(c.instance), c.gpus); got != c.same {
			t.Errorf("%d x %s is %s: %t", c.gpus, c.gpu, c.instance, got)
		}
	}
}

func TestRowClusterMinimumIsNoNodeSize(t *testing.T) {
	o := offer("5.54", schema.UnitGPUHour, 256)
	if _, reject := validate.Row(o, h100(), true); reject == nil {
		t.Error("a node of 256 GPUs was accepted")
	}
	o.Tier = schema.TierCluster
	if _, reject := validate.Row(o, h100(), true); reject != nil {
		t.Errorf("a cluster of at least 256 GPUs was rejected: %+v", reject)
	}
}

func TestRowUnmatchedGPUHasWideBand(t *testing.T) {
	o := offer("49.24", schema.UnitGPUHour, 1)
	if _, reject := validate.Row(o, schema.GPUClass{}, false); reject != nil {
		t.Errorf("an unknown GPU is kept, got %+v", reject)
	}
	o.Amount = schema.MustDecimal("4924")
	if _, reject := validate.Row(o, schema.GPUClass{}, false); reject == nil {
		t.Error("cents for dollars were accepted")
	}
}

func dollars(text string) schema.USD {
	amount, err := schema.ParseUSD(text)
	if err != nil {
		panic(err)
	}
	return amount
}

func observation(sku, price string, class schema.ClassID) schema.Observation {
	o := offer(price, schema.UnitGPUHour, 1)
	o.SKU = sku
	return schema.Observation{Day: 1, Source: "pricing-page", Offer: o, Class: class, FetchID: 7, USDPerGPUHour: dollars(price)}
}

func TestDuplicates(t *testing.T) {
	seen := []schema.Observation{
		observation("same", "3.99", "x"), observation("same", "3.99", "x"),
		observation("split", "3.99", "x"), observation("split", "4.29", "x"), observation("single", "1.99", "x"),
	}
	rand.Shuffle(len(seen), func(i, j int) { seen[i], seen[j] = seen[j], seen[i] })
	kept, doubles := validate.Duplicates(seen)
	if len(kept) != 2 || len(doubles) != 2 {
		t.Fatalf("kept %d, rejected %d; want 2 and 2", len(kept), len(doubles))
	}
	for _, d := range doubles {
		if d.Reject.Rule != validate.RuleContradiction || d.FetchID != 7 {
			t.Errorf("reject %+v", d)
		}
	}
	for _, k := range kept {
		if k.Offer.SKU == "split" {
			t.Error("one of two contradicting prices was kept")
		}
	}
}
