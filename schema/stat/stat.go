// Package stat holds order statistics over exact money. It is pure, leaves its
// input as it is, and gives the same answer for the same prices in any order.
// Of no prices there is no statistic: each function panics on an empty slice,
// as slices.Min does, because 0 would pass for a price.
package stat

import (
	"slices"

	"mtok/schema"
)

// Min returns the lowest price.
func Min(prices []schema.USD) schema.USD { return slices.Min(prices) }

// Max returns the highest price.
func Max(prices []schema.USD) schema.USD { return slices.Max(prices) }

// P10 returns the tenth percentile by nearest rank: the lowest price that at
// least a tenth of the prices do not exceed. It is always one of them.
func P10(prices []schema.USD) schema.USD {
	rank := (len(prices) + 9) / 10 // n/10 rounded up, counted from 1
	return slices.Sorted(slices.Values(prices))[rank-1]
}

// Median returns the middle price, or the mean of the two in the middle rounded
// once, half away from zero.
func Median(prices []schema.USD) schema.USD {
	sorted := slices.Sorted(slices.Values(prices))
	half := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[half]
	}
	return mean(sorted[half-1], sorted[half])
}

// mean needs a <= b.
func mean(a, b schema.USD) schema.USD {
	middle := a + (b-a)/2
	if (b-a)%2 != 0 && middle >= 0 {
		middle++
	}
	return middle
}
