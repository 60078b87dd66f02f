package pipeline

import (
	"maps"
	"slices"
)

// RuleCount is how many rows a rule refused.
type RuleCount struct {
	Rule string
	Rows int
}

// Accounts says where each row of a file went.
type Accounts struct {
	Read   int // rows of the file
	Kept   int // rows that gave a price
	Prices int // a row may give two: on demand and spot
	Broken int
	Rules  []RuleCount // the rows that gave none, by the rule that refused them
	// Beside are refused prices of rows that gave another one.
	Beside []RuleCount
}

// Accounts counts each row once: kept, broken, or refused by its first rule.
func (f ReadFile) Accounts() Accounts {
	a := Accounts{Read: f.Result.Read, Prices: f.prices + len(f.Verdict.Kept) + len(f.Result.Tokens), Broken: len(f.Result.Faults)}
	kept := map[int]bool{}
	for _, line := range f.Verdict.Lines {
		kept[line] = true
	}
	for _, line := range f.Result.TokenLines {
		kept[line] = true
	}
	a.Kept = len(kept)
	rules, beside := map[string]int{}, map[string]int{}
	done := map[int]bool{}
	for _, r := range f.Verdict.Rejects {
		switch {
		case kept[r.Line]:
			beside[r.Rule]++
		case !done[r.Line]:
			rules[r.Rule]++
			done[r.Line] = true
		}
	}
	a.Rules, a.Beside = sortedCounts(rules), sortedCounts(beside)
	return a
}

func sortedCounts(counts map[string]int) []RuleCount {
	var out []RuleCount
	for _, rule := range slices.Sorted(maps.Keys(counts)) {
		out = append(out, RuleCount{rule, counts[rule]})
	}
	return out
}
