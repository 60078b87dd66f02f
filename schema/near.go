package schema

import (
	"cmp"
	"slices"
	"strings"
)

// maxNear is how many names "did you mean" offers.
const maxNear = 3

// Near returns the up to three known names most like the given one, best first:
// those that share whole words ("h100" finds "h100-sxm-80gb"), words one letter
// off, or differ by a few letters in all. None when nothing is alike.
func Near(name string, known []string) []string {
	type candidate struct {
		name           string
		words, letters int
	}
	var found []candidate
	for _, k := range known {
		c := candidate{k, wordsAlike(name, k), editDistance(slug(name), slug(k))}
		if c.words > 0 || c.letters <= (min(len(name), len(k))+1)/3 {
			found = append(found, c)
		}
	}
	slices.SortFunc(found, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.words, a.words), cmp.Compare(a.letters, b.letters), strings.Compare(a.name, b.name))
	})
	var names []string
	for _, c := range found {
		if !slices.Contains(names, c.name) {
			names = append(names, c.name)
		}
	}
	return names[:min(len(names), maxNear)]
}

// wordsAlike counts two for each word of name that known has too, and one for a
// word of three letters or more that is one letter off. A known name that only
// lacks the separators ("h100sxm") counts as one word.
func wordsAlike(name, known string) int {
	score := 0
	words := nameTokens(known)
	for _, w := range nameTokens(name) {
		switch {
		case slices.Contains(words, w):
			score += 2
		case len(w) >= 3 && slices.ContainsFunc(words, func(k string) bool { return editDistance(w, k) == 1 }):
			score++
		}
	}
	squeezed := strings.Join(nameTokens(name), "")
	if score == 0 && squeezed != "" && strings.HasPrefix(strings.Join(words, ""), squeezed) {
		score = 1
	}
	return score
}

// editDistance is the number of letters to insert, drop or replace.
func editDistance(a, b string) int {
	from, to := []rune(a), []rune(b)
	row := make([]int, len(to)+1)
	for j := range row {
		row[j] = j
	}
	for i, r := range from {
		diagonal := row[0]
		row[0] = i + 1
		for j, s := range to {
			step := diagonal
			if r != s {
				step++
			}
			diagonal = row[j+1]
			row[j+1] = min(step, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(to)]
}
