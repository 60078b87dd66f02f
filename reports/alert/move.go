package alert

import (
	"slices"

	"mtok/schema"
)

// step is one price gone and one new.
type step struct{ from, to schema.USD }

func (s step) rise() bool { return s.to > s.from }

// listPercent is how far apart the ratios of a list may lie that is said to have
// moved as a whole: each price is rounded on its own.
const listPercent = 3

// steps tells a move of prices from a change of what is offered. Exactly one
// price gone and one new is a move, and so is a list of which every price moved
// by one ratio within listPercent. Anything else is composition: none.
func steps(before, after []schema.USD) []step {
	gone := without(before, after)
	new := without(after, before)
	if len(gone) == 1 && len(new) == 1 {
		return []step{{gone[0], new[0]}}
	}
	if len(before) != len(after) || len(before) < 2 {
		return nil
	}
	var moved []step
	for i := range before {
		s := step{before[i], after[i]}
		if s.from == s.to || s.rise() != (after[0] > before[0]) {
			return nil
		}
		moved = append(moved, s)
	}
	if !oneRatio(moved) {
		return nil
	}
	return moved
}

// oneRatio reports whether steps have one ratio within listPercent.
func oneRatio(moved []step) bool {
	for _, a := range moved {
		for _, b := range moved {
			if !sameRatio(a, b) {
				return false
			}
		}
	}
	return true
}

// sameRatio compares two ratios by products, exactly; prices are far below the
// 300 million micro-dollars at which these would overflow.
func sameRatio(a, b step) bool {
	x, y := int64(a.to)*int64(b.from), int64(b.to)*int64(a.from)
	return max(x, y)/(100+listPercent) <= min(x, y)/100
}

// without returns the prices of a that b lacks; both are sorted.
func without(a, b []schema.USD) []schema.USD {
	var left []schema.USD
	for _, p := range a {
		if _, found := slices.BinarySearch(b, p); !found {
			left = append(left, p)
		}
	}
	return left
}

// roundedApart is how far two sources may print the same price apart: one of
// them rounds to cents.
const roundedApart = schema.USD(5_000)

func same(a, b schema.USD) bool { return max(a-b, b-a) <= roundedApart }

// shares reports whether two moves have a step in common.
func shares(a, b []step) bool {
	return slices.ContainsFunc(a, func(s step) bool {
		return slices.ContainsFunc(b, func(t step) bool {
			return s.rise() == t.rise() && same(s.from, t.from) && same(s.to, t.to)
		})
	})
}

// leads reports whether two moves lead to one new price.
func leads(a, b []step) bool {
	return slices.ContainsFunc(a, func(s step) bool {
		return slices.ContainsFunc(b, func(t step) bool { return same(s.to, t.to) })
	})
}

// beyond reports whether a price lies at least some per cent away from another.
func beyond(from, to schema.USD, percent int64) bool {
	return max(to-from, from-to)*100 >= from*schema.USD(percent)
}
