package cost_test

import (
	"errors"
	"math/big"
	"math/rand/v2"
	"testing"

	"mtok/reports/cost"
	"mtok/schema"
)

func dec(text string) schema.Decimal { return schema.MustDecimal(text) }

// percentOf rounds a share to whole per cents.
func percentOf(t *testing.T, share *big.Rat) string {
	t.Helper()
	if share == nil {
		return "nil"
	}
	return new(big.Rat).Mul(share, big.NewRat(100, 1)).FloatString(0)
}

// llama is OpenRouter's price of llama-3.3-70b of 2026-08-01.
func llama(fee string) cost.APIPrice { return cost.APIPrice{In: 130_000, Out: 400_000, Fee: dec(fee)} }

// TestBreakEven holds the figures of the first screens and of the derivations:
// 2x H100 at 6.58 $/h and 4,418 output tokens a second.
func TestBreakEven(t *testing.T) {
	chat, rag := cost.Mix{Input: dec("1000"), Output: dec("1000")}, cost.Mix{Input: dec("5000"), Output: dec("500")}
	for _, c := range []struct {
		name, hourly, tokens string
		api                  cost.APIPrice
		mix                  cost.Mix
		perMTok, rent, allIn string
	}{
		{"2x H100", "6.58", "4418", llama("0"), chat, "0.530", "78", "156"},
		{"2x H100 with the fee", "6.58", "4418", llama("0.055"), chat, "0.559", "74", "148"},
		{"1x B200 FP4", "6.79", "6920", llama("0"), chat, "0.530", "51", "103"},
		{"2x H100 long input", "6.58", "898", llama("0"), rag, "1.700", "120", "239"},
		{"at 5.00", "5.00", "4418", llama("0"), chat, "0.530", "59", "119"},
		{"a dearer host", "5.00", "4418", cost.APIPrice{In: 710_000, Out: 710_000}, chat, "1.420", "22", "44"},
		{"half of the input cached", "6.58", "4418",
			cost.APIPrice{In: 130_000, Out: 400_000, CacheRead: 13_000, CachedShare: dec("0.5")}, chat, "0.472", "88", "175"},
		{"no cache price listed", "6.58", "4418", cost.APIPrice{In: 130_000, Out: 400_000, CachedShare: dec("0.5")}, chat, "0.530", "78", "156"},
	} {
		api, err := c.api.PerMTok(c.mix)
		if err != nil {
			t.Fatal(err)
		}
		in := cost.Input{USDPerHour: dec(c.hourly).Rat(), TokensPerSecond: dec(c.tokens), Overhead: dec("2.0")}
		b, err := cost.BreakEvenAt(in, nil, api)
		if err != nil {
			t.Fatal(err)
		}
		got := [3]string{api.FloatString(3), percentOf(t, b.Rent), percentOf(t, b.AllIn)}
		if want := [3]string{c.perMTok, c.rent, c.allIn}; got != want {
			t.Errorf("%s: API, rent, all-in %v, want %v", c.name, got, want)
		}
		if cost.Never(b.Rent) != (b.Rent.Cmp(big.NewRat(1, 1)) > 0) || !cost.Never(nil) {
			t.Errorf("%s: never is wrong", c.name)
		}
	}
}

// TestBreakEvenTokens holds "298 M output tokens a day; full load is 382 M".
func TestBreakEvenTokens(t *testing.T) {
	b, err := cost.BreakEvenAt(cost.Input{USDPerHour: dec("6.58").Rat(), TokensPerSecond: dec("4418"), Overhead: dec("2")}, nil, dec("0.53").Rat())
	if err != nil {
		t.Fatal(err)
	}
	million := big.NewRat(1, 1_000_000)
	full, even := new(big.Rat).Mul(b.FullPerDay, million).FloatString(0), new(big.Rat).Mul(b.PerDay, million).FloatString(0)
	if full != "382" || even != "298" {
		t.Errorf("full load %s M, break-even %s M", full, even)
	}
}

// TestBreakEvenOfItems: the all-in cost at the break-even is the API's price, also
// where a part of it is paid by token.
func TestBreakEvenOfItems(t *testing.T) {
	items := cost.Items{StorageGB: dec("200"), StorageUSDPerGBMonth: dec("0.1"), OpsUSDMonth: dec("730"), EgressUSDPerGB: dec("0.08"), SpareReplicas: 1, Replicas: 4}
	in := cost.Input{USDPerHour: dec("6.58").Rat(), TokensPerSecond: dec("4418")}
	api := dec("1.42").Rat()
	b, err := cost.BreakEvenAt(in, &items, api)
	if err != nil || cost.Never(b.AllIn) || b.AllIn.Cmp(b.Rent) <= 0 {
		t.Fatalf("%v, %v", b.AllIn, err)
	}
	in.Utilization = dec(b.AllIn.FloatString(12))
	got, err := cost.Itemise(in, items, cost.Month{})
	if err != nil || got.AllIn != 1_420_000 {
		t.Errorf("all-in at the break-even %s, %v", got.AllIn, err)
	}
	// Where the egress of a token alone is dearer, no load will do.
	items.EgressUSDPerGB = dec("6000")
	if b, err = cost.BreakEvenAt(in, &items, api); err != nil || b.AllIn != nil {
		t.Errorf("break-even %v, %v", b.AllIn, err)
	}
}

func TestBreakEvenRefuses(t *testing.T) {
	in := cost.Input{USDPerHour: dec("6.58").Rat(), TokensPerSecond: dec("4418"), Overhead: dec("2")}
	if _, err := cost.BreakEvenAt(in, nil, new(big.Rat)); !errors.Is(err, cost.ErrInput) {
		t.Errorf("a free API: %v", err)
	}
	if _, err := cost.BreakEvenAt(cost.Input{}, nil, big.NewRat(1, 2)); !errors.Is(err, cost.ErrInput) {
		t.Errorf("no rent: %v", err)
	}
	for _, p := range []cost.APIPrice{{}, {In: 130_000}, {In: 1, Out: 1, CacheRead: 1, CachedShare: dec("1.1")}} {
		if _, err := p.PerMTok(cost.Mix{Input: dec("1"), Output: dec("1")}); !errors.Is(err, cost.ErrInput) {
			t.Errorf("%+v: %v", p, err)
		}
	}
	for _, m := range []cost.Mix{{}, {Output: dec("1")}, {Input: dec("1"), Output: dec("0")}} {
		if _, err := llama("0").PerMTok(m); !errors.Is(err, cost.ErrInput) {
			t.Errorf("%+v: %v", m, err)
		}
	}
}

// TestPictureOfMonth: 8 GPUs at 2.49 cost 14,342 in a month of 720 hours; 4.2 G
// output and as much input by API 2,226.
func TestPictureOfMonth(t *testing.T) {
	mix := cost.Mix{Input: dec("1000"), Output: dec("1000")}
	month, err := cost.ParseMonth("2026-11")
	if err != nil {
		t.Fatal(err)
	}
	p, err := cost.PictureOfMonth(dec("19.92").Rat(), big.NewRat(month.Hours(), 1), dec("4200000000").Rat(), mix, dec("0.53").Rat())
	if err != nil {
		t.Fatal(err)
	}
	if p.Rent.Fixed(0) != "14342" || p.API.Fixed(0) != "2226" || p.InputTokens.Cmp(p.OutputTokens) != 0 {
		t.Errorf("rent %s, API %s, input %s", p.Rent, p.API, p.InputTokens)
	}
}

// TestSpillOver compares the search with trying every number.
func TestSpillOver(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	in := cost.Input{USDPerHour: dec("6.58").Rat(), TokensPerSecond: dec("4418")} // 15.9 M tokens an hour
	api := dec("0.53").Rat()
	for range 50 {
		hourly := make([]int64, 1+rng.IntN(48))
		for i := range hourly {
			hourly[i] = rng.Int64N(120_000_000)
		}
		best, all, err := cost.CheapestSpillOver(hourly, in, api)
		if err != nil {
			t.Fatal(err)
		}
		none, most := all[0], all[2]
		if none.Configurations != 0 || none.Rent != 0 || none.Spilled.Cmp(big.NewRat(1, 1)) != 0 || most.API != 0 || most.Spilled.Sign() != 0 {
			t.Fatalf("alternatives %+v", all)
		}
		for n := range most.Configurations + 1 {
			if total := totalOf(hourly, n, in, api); total.Cmp(totalOf(hourly, best.Configurations, in, api)) < 0 {
				t.Fatalf("%d configurations are cheaper than %d", n, best.Configurations)
			}
		}
	}
}

// totalOf is the cost of a load with n configurations, hour by hour.
func totalOf(hourly []int64, n int, in cost.Input, api *big.Rat) *big.Rat {
	capacity := new(big.Rat).Mul(in.TokensPerSecond.Rat(), big.NewRat(3600*int64(n), 1))
	sum := new(big.Rat)
	for _, tokens := range hourly {
		sum.Add(sum, new(big.Rat).Mul(in.USDPerHour, big.NewRat(int64(n), 1)))
		if rest := new(big.Rat).Sub(new(big.Rat).SetInt64(tokens), capacity); rest.Sign() > 0 {
			sum.Add(sum, rest.Mul(rest, new(big.Rat).Mul(api, big.NewRat(1, 1_000_000))))
		}
	}
	return sum
}

func TestSpillOverRefuses(t *testing.T) {
	in := cost.Input{USDPerHour: dec("6.58").Rat(), TokensPerSecond: dec("4418")}
	api := dec("0.53").Rat()
	for name, hourly := range map[string][]int64{"nothing": nil, "negative": {-1}, "another unit": {1 << 62}} {
		if _, _, err := cost.CheapestSpillOver(hourly, in, api); !errors.Is(err, cost.ErrInput) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if best, _, err := cost.CheapestSpillOver([]int64{0, 0}, in, api); err != nil || best.Configurations != 0 || best.Total != 0 {
		t.Errorf("no load: %+v, %v", best, err)
	}
}
