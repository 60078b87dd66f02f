package cost_test

import (
	"math/big"
	"os"
	"strings"
	"testing"

	"mtok/reports/cost"
	"mtok/schema"
)

// The worked examples of METHODOLOGY.md are what this package computes.
func TestMethodologyFigures(t *testing.T) {
	text, err := os.ReadFile("../METHODOLOGY.md")
	if err != nil {
		t.Fatal(err)
	}
	page := strings.Join(strings.Fields(strings.ReplaceAll(string(text), ">", " ")), " ")
	holds := func(format string, figures ...string) {
		t.Helper()
		for _, f := range figures {
			format = strings.Replace(format, "%", f, 1)
		}
		if !strings.Contains(page, format) {
			t.Errorf("the page lacks %q", format)
		}
	}
	per := func(hour, speed, utilization, overhead string) cost.PerMTok {
		got, err := cost.Compute(input(hour, speed, utilization, overhead))
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	flat, low := per("6.58", "4418", "0.65", "2.0"), per("6.58", "4418", "0.30", "1")
	holds("= **%** busy all the time, **%** at 65 %, **"+low.Utilized.Fixed(3)+"** at 30 %", flat.Raw.Fixed(3), flat.Utilized.Fixed(3))
	holds("at 65 %, **" + flat.AllIn.Fixed(3) + "**")
	holds("that is %, % and % $ per million; the last two", flat.Raw.Fixed(3), per("26.32", "21433.3", "1", "1").Raw.Fixed(3), per("26.32", "10180.1", "1", "1").Raw.Fixed(3))
	holds("so 6.58 $/h make % $ per million", per("6.58", "898", "1", "1").Raw.Fixed(3))
	var curve []string
	for _, u := range []string{"0.05", "0.10", "0.20", "0.30", "0.50", "0.65", "0.80", "1"} {
		curve = append(curve, per("6.58", "4418", u, "1").Utilized.Fixed(3))
	}
	holds("| $ per million | " + strings.Join(curve, " | ") + " |")
	one, two := per("2.50", "840", "0.65", "2.0"), per("5.00", "4418", "0.65", "2.0")
	holds("% and % $ per million busy all the time, % and % with", one.Raw.Fixed(3), two.Raw.Fixed(3), one.AllIn.Fixed(3), two.AllIn.Fixed(3))
	claimed := per("2.50", "42000", "0.65", "2.0")
	holds("arrives at % $ per million, % with", claimed.Raw.Fixed(4), claimed.AllIn.Fixed(4))
	checkItems(t, holds)
	checkSplits(t, holds)
	checkBounds(t, holds)
}

type holdsFunc func(format string, figures ...string)

func checkItems(t *testing.T, holds holdsFunc) {
	t.Helper()
	got, err := cost.Itemise(input("6.58", "4418", "0.65", "1"), cost.Items{StorageGB: decimal(200), StorageUSDPerGBMonth: schema.MustDecimal("0.07"),
		EgressUSDPerGB: schema.MustDecimal("0.08"), OpsUSDMonth: decimal(2000), Replicas: 4, SpareReplicas: 1}, cost.Month{})
	if err != nil {
		t.Fatal(err)
	}
	by := map[string]schema.USD{}
	for _, item := range got.Items {
		by[item.Name] = item.PerMTok
	}
	holds("rent % + spare % + storage % + egress % + operations % = **%** $", by["rent"].Fixed(3), by["spare replicas"].Fixed(3),
		by["storage"].Fixed(4), by["egress"].Fixed(3), by["operations"].Fixed(3), got.AllIn.Fixed(3))
}

func checkSplits(t *testing.T, holds holdsFunc) {
	t.Helper()
	total, err := flow(658, 4418, 4418).TotalTokens()
	if err != nil {
		t.Fatal(err)
	}
	ratio, err := flow(658, 4418, 4418).PriceRatio(schema.MustDecimal("3.0769230769"))
	if err != nil {
		t.Fatal(err)
	}
	rag, err := flow(658, 8980, 898).TotalTokens()
	if err != nil {
		t.Fatal(err)
	}
	holds("the same for each token | % | % |", total.Input.Fixed(3), total.Output.Fixed(3))
	holds("here 0.40 / 0.13 | % | % |", ratio.Input.Fixed(3), ratio.Output.Fixed(3))
	holds("but % a million tokens of any kind", rag.Output.Fixed(3))
}

func checkBounds(t *testing.T, holds holdsFunc) {
	t.Helper()
	b := roofline(t, h100(t, 1, "llama-3.1-70b", cost.FP8))
	holds("so % fit. Decode:", b.Capacity.FloatString(2))
	holds("the measured 840 is % of it: *plausible*", judge(t, b, "840").Ratio.FloatString(2))
	four := h100(t, 4, "llama-3.3-70b", cost.FP8)
	four.InputTokens, four.OutputTokens = schema.MustDecimal("5000"), schema.MustDecimal("500")
	b = roofline(t, four)
	estimate, ok := b.Estimate()
	words, _, _ := strings.Cut(estimate.String(), " (")
	if !ok {
		t.Error("no estimate of four H100")
	}
	bound := b.TokensPerSecond.FloatString(0)
	holds("Bound % tok/s, so \"%\"", bound[:1]+","+bound[1:], words)
	claim := h100(t, 1, "llama-3.1-70b", cost.FP16)
	claim.InputTokens, claim.OutputTokens, claim.Concurrency = schema.MustDecimal("3072"), schema.MustDecimal("1024"), 32
	free, err := cost.Unlimited(claim)
	if err != nil {
		t.Fatal(err)
	}
	times := new(big.Rat).Quo(big.NewRat(42_000, 1), free.TokensPerSecond)
	holds("at most **% tok/s**", free.TokensPerSecond.FloatString(0))
	holds("The claim is % times that", times.FloatString(0))
	claim.Precision = cost.FP8
	b = roofline(t, claim)
	holds("leave room for % such requests: at most 1,016 tok/s", b.Batch.FloatString(0))
	if b.TokensPerSecond.FloatString(0) != "1016" {
		t.Errorf("in 8 bits at most %s", b.TokensPerSecond.FloatString(1))
	}
}
