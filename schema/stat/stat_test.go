package stat_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"mtok/schema"
	"mtok/schema/stat"
)

func statistics() map[string]func([]schema.USD) schema.USD {
	return map[string]func([]schema.USD) schema.USD{
		"min": stat.Min, "p10": stat.P10, "median": stat.Median, "max": stat.Max,
	}
}

func TestStatistics(t *testing.T) {
	tens := make([]schema.USD, 20)
	for i := range tens {
		tens[i] = schema.USD(20-i) * 10
	}
	tests := []struct {
		name                  string
		prices                []schema.USD
		min, p10, median, max schema.USD
	}{
		{"one", []schema.USD{7}, 7, 7, 7, 7},
		{"two, mean exact", []schema.USD{4, 2}, 2, 2, 3, 4},
		{"two, half rounds away from zero", []schema.USD{5, 2}, 2, 2, 4, 5},
		{"negative half rounds away from zero", []schema.USD{-2, -5}, -5, -5, -4, -2},
		{"half around zero", []schema.USD{-1, 0}, -1, -1, -1, 0},
		{"half above zero", []schema.USD{0, 1}, 0, 0, 1, 1},
		{"odd", []schema.USD{9, 1, 5}, 1, 1, 5, 9},
		{"equal", []schema.USD{3, 3, 3, 3}, 3, 3, 3, 3},
		{"ten: rank 1", tens[10:], 10, 10, 55, 100},
		{"eleven: rank 2", tens[9:], 10, 20, 60, 110},
		{"twenty: rank 2", tens, 10, 20, 105, 200},
	}
	for _, tt := range tests {
		want := map[string]schema.USD{"min": tt.min, "p10": tt.p10, "median": tt.median, "max": tt.max}
		for name, f := range statistics() {
			if got := f(tt.prices); got != want[name] {
				t.Errorf("%s: %s = %d, want %d", tt.name, name, got, want[name])
			}
		}
	}
}

// The verified H100 NVL machines at Vast.ai on 2026-07-18, cheapest ask of each.
func TestEvenMarket(t *testing.T) {
	prices := []schema.USD{2_668_148, 2_134_444, 2_747_222, 2_269_630}
	if got := stat.Median(prices).String(); got != "2.468889" {
		t.Errorf("median = %s, want 2.468889", got)
	}
	if got := stat.P10(prices).String(); got != "2.134444" {
		t.Errorf("p10 = %s, want 2.134444", got)
	}
}

func TestOrderDoesNotMatter(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		prices := make([]schema.USD, 1+random.IntN(40))
		for i := range prices {
			prices[i] = schema.USD(random.Int64N(50_000_000))
		}
		given := slices.Clone(prices)
		shuffled := slices.Clone(prices)
		random.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		for name, f := range statistics() {
			if a, b := f(prices), f(shuffled); a != b {
				t.Fatalf("%s of %v is %d, shuffled %d", name, prices, a, b)
			}
		}
		if !slices.Equal(prices, given) {
			t.Fatalf("the input was changed: %v to %v", given, prices)
		}
	}
}

func TestStatisticsAreOrdered(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		prices := make([]schema.USD, 1+random.IntN(40))
		for i := range prices {
			prices[i] = schema.USD(random.Int64N(100))
		}
		low, p10, median, high := stat.Min(prices), stat.P10(prices), stat.Median(prices), stat.Max(prices)
		if low > p10 || p10 > median || median > high {
			t.Fatalf("of %v: %d, %d, %d, %d are not in order", prices, low, p10, median, high)
		}
		if !slices.Contains(prices, p10) {
			t.Fatalf("p10 %d is none of %v", p10, prices)
		}
	}
}

func TestNoPricesIsNoStatistic(t *testing.T) {
	for name, f := range statistics() {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s of no prices gave a price", name)
				}
			}()
			f(nil)
		}()
	}
}
