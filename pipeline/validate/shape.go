package validate

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"mtok/schema"
)

const (
	// rowsPercent is the share of the usual rows below which a night is short.
	rowsPercent = 70
	// classNights is how many nights in a row a class must have been there for
	// its absence to say something.
	classNights = 3
	// unmatchedPercent is the share of rows of unknown GPUs that is held, where it
	// also lies unmatchedRise points above that of the last night. A new unknown
	// GPU alone is no fault.
	unmatchedPercent = 20
	unmatchedRise    = 2
)

// shape holds the rows of a list against those of the nights before: how many
// they are, of which classes, and how many of them are of GPUs that the catalog
// does not know. It speaks of what is absent, hence of complete nights alone.
func shape(n Night) []Breach {
	if !n.Complete || len(n.Baseline.Nights) == 0 {
		return nil
	}
	var breaches []Breach
	if usual := usualRows(n.Baseline.Nights); len(n.Seen)*2*100 < usual*rowsPercent {
		breaches = append(breaches, Breach{
			Rule: RuleRows, Detail: fmt.Sprintf("%d priced offers, usually %d", len(n.Seen), usual/2),
		})
	}
	if gone := goneClasses(n); len(gone) > 0 {
		breaches = append(breaches, Breach{
			Rule: RuleClassGone, Detail: fmt.Sprintf("no offer of %s, of which each of the last nights had some", strings.Join(gone, ", ")),
		})
	}
	return append(breaches, unmatchedShare(n)...)
}

// usualRows is twice the median of the rows of the nights, so that it is whole.
func usualRows(nights []PastNight) int {
	var rows []int
	for _, night := range nights {
		rows = append(rows, len(night.Offers))
	}
	slices.Sort(rows)
	return rows[(len(rows)-1)/2] + rows[len(rows)/2]
}

// goneClasses are the known classes that each of the last nights had and that
// tonight has not.
func goneClasses(n Night) []string {
	have := map[schema.ClassID]bool{}
	for _, o := range n.Seen {
		have[o.Class] = true
	}
	nights := n.Baseline.Nights[:min(len(n.Baseline.Nights), classNights)]
	had := map[schema.ClassID]int{} // nights
	for _, night := range nights {
		for class := range night.classes(n.ClassOf) {
			had[class]++
		}
	}
	var gone []string
	for _, class := range slices.Sorted(maps.Keys(had)) {
		if had[class] == len(nights) && !have[class] && !isUnmatched(class) {
			gone = append(gone, string(class))
		}
	}
	return gone
}

func isUnmatched(class schema.ClassID) bool {
	return strings.HasPrefix(string(class), schema.UnmatchedPrefix)
}

// unmatchedShare compares the share of rows without a known class with that of
// the last night, both by today's catalog.
func unmatchedShare(n Night) []Breach {
	unknown, before := 0, 0
	for _, o := range n.Seen {
		if isUnmatched(o.Class) {
			unknown++
		}
	}
	last := n.Baseline.Nights[0]
	for class, offers := range last.classes(n.ClassOf) {
		if isUnmatched(class) {
			before += offers
		}
	}
	now, then := unknown*100, before*100
	rows, lastRows := len(n.Seen), len(last.Offers)
	if now <= rows*unmatchedPercent || now*lastRows <= (then+unmatchedRise*lastRows)*rows {
		return nil
	}
	return []Breach{{
		Rule: RuleUnmatched, Detail: fmt.Sprintf("%d of %d offers are of no known GPU, %d of %d the last night", unknown, rows, before, lastRows),
	}}
}
