package cost_test

import (
	"errors"
	"math/big"
	"math/rand/v2"
	"testing"

	"mtok/reports/cost"
	"mtok/schema"
)

func input(hour, speed, utilization, overhead string) cost.Input {
	in := cost.Input{TokensPerSecond: schema.MustDecimal(speed), Utilization: schema.MustDecimal(utilization),
		Overhead: schema.MustDecimal(overhead)}
	in.USDPerHour, _ = new(big.Rat).SetString(hour)
	return in
}

func TestCompute(t *testing.T) {
	tests := []struct {
		name                 string
		in                   cost.Input
		raw, utilized, allIn string
	}{
		{"one GPU, claimed speed", input("2.50", "42000", "0.65", "2.0"), "0.0165", "0.0254", "0.0509"},
		{"two H100, measured speed", input("5.00", "4418", "0.65", "2.0"), "0.3144", "0.4836", "0.9673"},
		{"no discount, no overhead", input("3.5281", "2030.8", "1", "1"), "0.4826", "0.4826", "0.4826"},
		{"whole node", input("23.92", "16000", "0.65", "2.0"), "0.4153", "0.6389", "1.2778"},
		{"share of a node", input("12.31", "4418", "0.65", "2.0"), "0.7740", "1.1907", "2.3815"},
		{"share without end", input("10/3", "1000", "1", "1"), "0.9259", "0.9259", "0.9259"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := cost.Compute(tt.in)
			if err != nil {
				t.Fatal(err)
			}
			for _, v := range []struct {
				what string
				got  schema.USD
				want string
			}{{"raw", got.Raw, tt.raw}, {"utilized", got.Utilized, tt.utilized}, {"all in", got.AllIn, tt.allIn}} {
				if v.got.Fixed(4) != v.want {
					t.Errorf("%s = %s, want %s", v.what, v.got.Fixed(4), v.want)
				}
			}
		})
	}
}

// A utilized cost made from a rounded raw one would be 0 in the second case.
func TestComputeRoundsOnce(t *testing.T) {
	got, err := cost.Compute(input("0.0000000036", "1", "0.25", "1"))
	if err != nil {
		t.Fatal(err)
	}
	if got.Raw != 1 || got.Utilized != 4 {
		t.Errorf("raw %d, utilized %d micro-dollars, want 1 and 4", got.Raw, got.Utilized)
	}
	got, err = cost.Compute(input("0.00000000144", "1", "0.25", "1"))
	if err != nil {
		t.Fatal(err)
	}
	if got.Raw != 0 || got.Utilized != 2 {
		t.Errorf("raw %d, utilized %d micro-dollars, want 0 and 2", got.Raw, got.Utilized)
	}
}

func TestComputeRefuses(t *testing.T) {
	good := input("2.50", "42000", "0.65", "2.0")
	tests := map[string]func(in *cost.Input){
		"no price":          func(in *cost.Input) { in.USDPerHour = nil },
		"price 0":           func(in *cost.Input) { in.USDPerHour = new(big.Rat) },
		"negative price":    func(in *cost.Input) { in.USDPerHour = big.NewRat(-1, 1) },
		"no throughput":     func(in *cost.Input) { in.TokensPerSecond = schema.Decimal{} },
		"throughput 0":      func(in *cost.Input) { in.TokensPerSecond = schema.MustDecimal("0.0") },
		"no utilization":    func(in *cost.Input) { in.Utilization = schema.Decimal{} },
		"utilization 0":     func(in *cost.Input) { in.Utilization = schema.MustDecimal("0") },
		"utilization above": func(in *cost.Input) { in.Utilization = schema.MustDecimal("1.01") },
		"no overhead":       func(in *cost.Input) { in.Overhead = schema.Decimal{} },
		"overhead below 1":  func(in *cost.Input) { in.Overhead = schema.MustDecimal("0.99") },
	}
	for name, spoil := range tests {
		t.Run(name, func(t *testing.T) {
			in := good
			spoil(&in)
			if got, err := cost.Compute(in); !errors.Is(err, cost.ErrInput) {
				t.Errorf("got %+v, %v, want ErrInput", got, err)
			}
		})
	}
	huge := good
	huge.USDPerHour = new(big.Rat).SetInt64(1 << 62)
	huge.TokensPerSecond = schema.MustDecimal("0.000001")
	if _, err := cost.Compute(huge); !errors.Is(err, schema.ErrMoney) {
		t.Errorf("out of range: %v, want ErrMoney", err)
	}
}

func TestCostFallsWithThroughputAndRisesWithPrice(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		price := big.NewRat(1+random.Int64N(100_000_000), 1_000_000)
		speed := 1 + random.Int64N(50_000)
		at := func(price *big.Rat, speed int64) cost.PerMTok {
			got, err := cost.Compute(cost.Input{USDPerHour: price, TokensPerSecond: schema.MustDecimal(big.NewInt(speed).String()),
				Utilization: schema.MustDecimal("0.65"), Overhead: schema.MustDecimal("2.0")})
			if err != nil {
				t.Fatal(err)
			}
			return got
		}
		base, faster := at(price, speed), at(price, speed*2)
		dearer := at(new(big.Rat).Mul(price, big.NewRat(2, 1)), speed)
		if faster.Raw > base.Raw || faster.AllIn > base.AllIn || dearer.Raw < base.Raw || dearer.AllIn < base.AllIn {
			t.Fatalf("price %s speed %d: base %+v faster %+v dearer %+v", price, speed, base, faster, dearer)
		}
		if base.Raw > base.Utilized || base.Utilized > base.AllIn {
			t.Fatalf("price %s speed %d: %+v is not in order", price, speed, base)
		}
	}
}
