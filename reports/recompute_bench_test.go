package reports_test

import (
	"fmt"
	"slices"
	"testing"

	"mtok/reports"
	"mtok/schema"
)

// BenchmarkDerive derives the daily figures of ten thousand asks at a market, in
// memory. The floor is what no statistic can do without: the sorted prices.
func BenchmarkDerive(b *testing.B) {
	catalog, err := schema.LoadCatalog()
	if err != nil {
		b.Fatal(err)
	}
	classes := []schema.ClassID{"h100-sxm-80gb", "h200-sxm-141gb", "a100-sxm-80gb", "l40s-48gb", "b200-sxm-180gb"}
	seen := make([]schema.Observation, 10_000)
	for i := range seen {
		seen[i] = offer(int64(i+1), "vast", classes[i%len(classes)], 1<<(i%4), fmt.Sprintf("%d.%02d", 2+i%3, i%100), machine(fmt.Sprint(i)))
	}
	b.Run("asks-10000/mtok", func(b *testing.B) {
		for b.Loop() {
			daily, err := reports.Recompute(tonight, seen, catalog, reports.DefaultSettings())
			if err != nil || len(daily.Prices) == 0 {
				b.Fatalf("%d prices, %v", len(daily.Prices), err)
			}
		}
	})
	b.Run("asks-10000/sort-prices", func(b *testing.B) {
		for b.Loop() {
			prices := make([]schema.USD, 0, len(seen))
			for i := range seen {
				prices = append(prices, seen[i].USDPerGPUHour)
			}
			slices.Sort(prices)
		}
	})
}
