package cost_test

import (
	"errors"
	"math/big"
	"math/rand/v2"
	"testing"

	"mtok/reports/cost"
	"mtok/schema"
)

func TestItemise(t *testing.T) {
	// 1 $/h, 1,000 tok/s, half busy: 1.8 M tokens an hour
	in := input("1", "1000", "0.5", "1")
	tests := []struct {
		name  string
		items cost.Items
		month string
		want  string // all in
		last  string // of the items, with its cost
	}{
		{"rent alone", cost.Items{}, "", "0.555556", "rent 0.555556"},
		{"storage", cost.Items{StorageGB: decimal(200), StorageUSDPerGBMonth: schema.MustDecimal("0.073")}, "", "0.566667", "storage 0.011111"},
		{"storage in November", cost.Items{StorageGB: decimal(200), StorageUSDPerGBMonth: schema.MustDecimal("0.072")}, "2026-11", "0.566667", "storage 0.011111"},
		{"storage of four", cost.Items{StorageGB: decimal(200), StorageUSDPerGBMonth: schema.MustDecimal("0.073"), Replicas: 4}, "", "0.558333", "storage 0.002778"},
		{"egress", cost.Items{EgressUSDPerGB: schema.MustDecimal("0.08")}, "", "0.575556", "egress 0.02"},
		{"egress, 4 bytes a token", cost.Items{EgressUSDPerGB: decimal(1), BytesPerToken: decimal(4)}, "", "0.559556", "egress 0.004"},
		{"operations", cost.Items{OpsUSDMonth: decimal(1460)}, "", "1.666667", "operations 1.111111"},
		{"a spare", cost.Items{SpareReplicas: 1}, "", "1.111111", "spare replicas 0.555556"},
		{"a spare for four", cost.Items{SpareReplicas: 1, Replicas: 4}, "", "0.694444", "spare replicas 0.138889"},
		{"spot", cost.Items{InterruptedShare: schema.MustDecimal("0.1"), Spot: true}, "", "0.617284", "spot interruptions 0.061728"},
		{"not spot", cost.Items{InterruptedShare: schema.MustDecimal("0.1")}, "", "0.555556", "rent 0.555556"},
		{"own power", cost.Items{Owned: true, GPUs: 2, KWPerGPU: schema.MustDecimal("1.5"), PUE: schema.MustDecimal("1.2"), USDPerKWh: schema.MustDecimal("0.1")}, "", "0.755556", "power 0.20"},
		{"rented power", cost.Items{GPUs: 2, KWPerGPU: schema.MustDecimal("1.5"), USDPerKWh: schema.MustDecimal("0.1")}, "", "0.555556", "rent 0.555556"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var month cost.Month
			if tt.month != "" {
				var err error
				if month, err = cost.ParseMonth(tt.month); err != nil {
					t.Fatal(err)
				}
			}
			got, err := cost.Itemise(in, tt.items, month)
			if err != nil {
				t.Fatal(err)
			}
			last := got.Items[len(got.Items)-1]
			if got.AllIn.String() != tt.want || last.Name+" "+last.PerMTok.String() != tt.last || last.Words == "" {
				t.Errorf("all in %s, %+v; want %s and %s", got.AllIn, last, tt.want, tt.last)
			}
		})
	}
}

func TestItemiseRefuses(t *testing.T) {
	good := input("1", "1000", "0.5", "1")
	doubled := good
	doubled.Overhead = decimal(2)
	idle := good
	idle.TokensPerSecond = schema.Decimal{}
	for name, err := range map[string]error{
		"multiplier beside items": second(cost.Itemise(doubled, cost.Items{}, cost.Month{})),
		"no throughput":           second(cost.Itemise(idle, cost.Items{}, cost.Month{})),
		"negative spares":         second(cost.Itemise(good, cost.Items{SpareReplicas: -1}, cost.Month{})),
		"negative replicas":       second(cost.Itemise(good, cost.Items{Replicas: -1}, cost.Month{})),
		"always interrupted":      second(cost.Itemise(good, cost.Items{InterruptedShare: decimal(1)}, cost.Month{})),
		"own, of no GPU":          second(cost.Itemise(good, cost.Items{Owned: true}, cost.Month{})),
		"PUE below 1":             second(cost.Itemise(good, cost.Items{PUE: schema.MustDecimal("0.9")}, cost.Month{})),
	} {
		if !errors.Is(err, cost.ErrInput) {
			t.Errorf("%s: %v, want ErrInput", name, err)
		}
	}
	good.Overhead = schema.Decimal{}
	if _, err := cost.Itemise(good, cost.Items{}, cost.Month{}); err != nil {
		t.Errorf("no multiplier: %v", err)
	}
}

// Whatever the items, the all-in cost rises with the price and each item, and
// falls with throughput, but for egress, which goes by the token.
func TestItemisedCostIsMonotone(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	some := func(n int64) schema.Decimal {
		return schema.MustDecimal(big.NewRat(random.Int64N(n*1000), 1000).FloatString(3))
	}
	for range 300 {
		in := input("1", "1", "0.65", "1")
		in.USDPerHour = big.NewRat(1+random.Int64N(100_000), 1000)
		speed := 1 + random.Int64N(50_000)
		items := cost.Items{StorageGB: some(1000), StorageUSDPerGBMonth: some(1), EgressUSDPerGB: some(1), OpsUSDMonth: some(9000),
			Replicas: 1 + random.IntN(8), SpareReplicas: random.IntN(3), InterruptedShare: schema.MustDecimal("0.2"), Spot: random.IntN(2) == 0,
			Owned: random.IntN(2) == 0, GPUs: 8, KWPerGPU: some(2), USDPerKWh: some(1)}
		at := func(in cost.Input, speed int64, items cost.Items) schema.USD {
			in.TokensPerSecond = decimal(speed)
			got, err := cost.Itemise(in, items, cost.Month{})
			if err != nil {
				t.Fatal(err)
			}
			return got.AllIn
		}
		base := at(in, speed, items)
		dearer, more := in, items
		dearer.USDPerHour = new(big.Rat).Mul(in.USDPerHour, big.NewRat(3, 2))
		more.SpareReplicas++
		if at(dearer, speed, items) < base || at(in, speed*2, items) > base || at(in, speed, more) < base {
			t.Fatalf("base %s, dearer %s, faster %s, with a spare %s: %+v", base, at(dearer, speed, items), at(in, speed*2, items), at(in, speed, more), items)
		}
		plain, err := cost.Compute(cost.Input{USDPerHour: in.USDPerHour, TokensPerSecond: decimal(speed), Utilization: in.Utilization, Overhead: decimal(1)})
		if err != nil || base < plain.Utilized {
			t.Fatalf("all in %s below the rent %s: %v", base, plain.Utilized, err)
		}
	}
}

func TestCurve(t *testing.T) {
	in := input("6.58", "4418", "0.65", "2")
	at := func(u schema.Decimal) (cost.PerMTok, error) {
		in.Utilization = u
		return cost.Compute(in)
	}
	points, err := cost.Curve(cost.DefaultCurve(), at)
	if err != nil || len(points) != 10 {
		t.Fatalf("%d points, %v", len(points), err)
	}
	for i, p := range points {
		if p.PerMTok.Raw.Fixed(3) != "0.414" || p.PerMTok.AllIn < p.PerMTok.Utilized || (i > 0 && p.PerMTok.Utilized >= points[i-1].PerMTok.Utilized) {
			t.Errorf("at %s: %+v", p.Utilization, p.PerMTok)
		}
	}
	byUse := map[string]string{"1.00": "0.414", "0.65": "0.636", "0.30": "1.379"}
	for _, p := range points {
		if want, ok := byUse[p.Utilization.String()]; ok && p.PerMTok.Utilized.Fixed(3) != want {
			t.Errorf("at %s: %s, want %s", p.Utilization, p.PerMTok.Utilized.Fixed(3), want)
		}
	}
	if _, err := cost.Curve([]schema.Decimal{schema.MustDecimal("0")}, at); !errors.Is(err, cost.ErrInput) {
		t.Errorf("at 0: %v, want ErrInput", err)
	}
}
