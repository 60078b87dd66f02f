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
	var kept, done lineSet
	for _, lines := range [][]int{f.Verdict.Lines, f.Result.TokenLines} {
		for _, line := range lines {
			if kept.add(line) {
				a.Kept++
			}
		}
	}
	rules, beside := map[string]int{}, map[string]int{}
	for _, r := range f.Verdict.Rejects {
		switch {
		case kept.has(r.Line):
			beside[r.Rule]++
		case done.add(r.Line):
			rules[r.Rule]++
		}
	}
	a.Rules, a.Beside = sortedCounts(rules), sortedCounts(beside)
	return a
}

// lineSet are lines of a file, from 0; most of a large one.
type lineSet []bool

func (s lineSet) has(line int) bool { return line < len(s) && s[line] }

// add reports whether the line is new.
func (s *lineSet) add(line int) bool {
	if line >= len(*s) {
		*s = append(*s, make([]bool, max(line+1-len(*s), len(*s)))...)
	}
	was := (*s)[line]
	(*s)[line] = true
	return !was
}

func sortedCounts(counts map[string]int) []RuleCount {
	var out []RuleCount
	for _, rule := range slices.Sorted(maps.Keys(counts)) {
		out = append(out, RuleCount{rule, counts[rule]})
	}
	return out
}
