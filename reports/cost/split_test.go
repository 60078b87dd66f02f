package cost_test

import (
	"errors"
	"math/big"
	"math/rand/v2"
	"testing"

	"mtok/reports/cost"
	"mtok/schema"
)

func flow(hour, input, output int64) cost.Flow {
	return cost.Flow{USDPerHour: big.NewRat(hour, 100), Input: big.NewRat(input, 1), Output: big.NewRat(output, 1)}
}

func TestSplits(t *testing.T) {
	f := flow(658, 4418, 4418) // 2x H100 at 3.29, 1000 in and 1000 out
	tests := []struct {
		name          string
		got           func() (cost.Split, error)
		method        cost.Method
		input, output string
	}{
		{"output only", f.OutputOnly, cost.MethodOutput, "0.0000", "0.4137"},
		{"total", f.TotalTokens, cost.MethodTotal, "0.2069", "0.2069"},
		{"as an API of 0.13 and 0.40", func() (cost.Split, error) { return f.PriceRatio(schema.MustDecimal("3.0769")) }, cost.MethodRatio, "0.1015", "0.3122"},
		{"phases", func() (cost.Split, error) {
			return cost.PhaseSplit(cost.Phase{big.NewRat(100, 1), big.NewRat(73_700, 1)}, cost.Phase{big.NewRat(150, 1), big.NewRat(14_800, 1)})
		}, cost.MethodPhase, "0.3769", "2.8153"},
	}
	for _, tt := range tests {
		got, err := tt.got()
		if err != nil || got.Method != tt.method || got.Input.Fixed(4) != tt.input || got.Output.Fixed(4) != tt.output {
			t.Errorf("%s: %s, %s in, %s out, %v; want %s and %s", tt.name, got.Method, got.Input.Fixed(4), got.Output.Fixed(4), err, tt.input, tt.output)
		}
	}
}

// However the rent is divided, the requests that it serves pay all of it.
func TestSplitsPayTheRent(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		in, out := 1+random.Int64N(20_000), 1+random.Int64N(4_000)
		lengths := [2]schema.Decimal{decimal(in), decimal(out)}
		f := flow(1+random.Int64N(100_000), 0, 1+random.Int64N(60_000))
		var err error
		if f.Input, err = cost.InputRate(f.Output, lengths[0], lengths[1]); err != nil {
			t.Fatal(err)
		}
		perHour := new(big.Rat).Quo(new(big.Rat).Mul(f.Output, big.NewRat(3600, 1)), big.NewRat(out, 1))
		k := decimal(1 + random.Int64N(9))
		for _, split := range []func() (cost.Split, error){f.OutputOnly, f.TotalTokens, func() (cost.Split, error) { return f.PriceRatio(k) }} {
			s, err := split()
			if err != nil {
				t.Fatal(err)
			}
			if paid := perHour.Mul(perHour, s.Request(lengths[0], lengths[1])); paid.Cmp(f.USDPerHour) != 0 {
				t.Fatalf("%s: %d in, %d out pay %s of %s", s.Method, in, out, paid, f.USDPerHour)
			}
			perHour = new(big.Rat).Quo(new(big.Rat).Mul(f.Output, big.NewRat(3600, 1)), big.NewRat(out, 1))
		}
		one, _ := f.PriceRatio(schema.MustDecimal("1"))
		if total, _ := f.TotalTokens(); one.Input != total.Input || one.Output != total.Output {
			t.Fatalf("a ratio of 1 is %+v, the total %+v", one, total)
		}
	}
}

func decimal(n int64) schema.Decimal { return schema.MustDecimal(big.NewInt(n).String()) }

func TestSplitsRefuse(t *testing.T) {
	good := flow(658, 4418, 4418)
	noRent, noInput, noOutput := good, good, good
	noRent.USDPerHour, noInput.Input, noOutput.Output = nil, nil, new(big.Rat)
	phase := cost.Phase{big.NewRat(1, 1), big.NewRat(1, 1)}
	for name, err := range map[string]error{
		"no rent": second(noRent.OutputOnly()), "no rent, total": second(noRent.TotalTokens()),
		"no input": second(noInput.TotalTokens()), "no output": second(noOutput.OutputOnly()), "no output, total": second(noOutput.TotalTokens()),
		"ratio 0": second(good.PriceRatio(schema.MustDecimal("0"))), "no ratio": second(good.PriceRatio(schema.Decimal{})),
		"no prefill": second(cost.PhaseSplit(cost.Phase{}, phase)), "no decode": second(cost.PhaseSplit(phase, cost.Phase{})),
		"no input length":  second(cost.InputRate(good.Output, schema.Decimal{}, decimal(1))),
		"no output length": second(cost.InputRate(good.Output, decimal(1), schema.Decimal{})),
	} {
		if !errors.Is(err, cost.ErrInput) {
			t.Errorf("%s: %v, want ErrInput", name, err)
		}
	}
	if _, err := noInput.OutputOnly(); err != nil {
		t.Errorf("output only needs no input rate: %v", err)
	}
}
