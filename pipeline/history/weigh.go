package history

import (
	"slices"

	"mtok/schema"
)

// lineUp says behind which line each file begins, when files are judged as one.
func lineUp(files []Sifted) []int {
	before, behind := make([]int, len(files)), 0
	for i := range files {
		before[i] = behind
		last := 0
		for _, line := range files[i].lines {
			last = max(last, line)
		}
		for _, refused := range [][]Reject{files[i].Rejects, files[i].refused} {
			for _, r := range refused {
				last = max(last, r.Line)
			}
		}
		behind += last + 1
	}
	return before
}

// fileOf is the file of a line, and the line in it.
func fileOf(before []int, line int) (file, of int) {
	at, found := slices.BinarySearch(before, line)
	if !found {
		at--
	}
	return at, line - before[at]
}

// Weigh judges files by the rules that need more than one row, and all of them
// together, so that a price is held against the day before, which may stand in another
// file. The verdicts are in the order of the files.
func (j Judge) Weigh(f Format, files []Sifted) []Verdict {
	g := &ring{Judge: j, format: f}
	if len(files) == 1 {
		g.seen, g.lines = files[0].seen, files[0].lines
		g.rejects = append(files[0].Rejects, files[0].refused...)
		g.weigh()
		return []Verdict{{Kept: g.seen, Lines: g.lines, Rejects: g.rejects}}
	}
	before, all := lineUp(files), 0
	for i := range files {
		all += len(files[i].seen)
	}
	g.seen, g.lines = make([]schema.ImportedPrice, 0, all), make([]int, 0, all)
	for i := range files {
		g.seen = append(g.seen, files[i].seen...)
		for _, line := range files[i].lines {
			g.lines = append(g.lines, line+before[i])
		}
		for _, refused := range [][]Reject{files[i].Rejects, files[i].refused} {
			for _, r := range refused {
				r.Line += before[i]
				g.rejects = append(g.rejects, r)
			}
		}
		files[i].seen, files[i].lines = nil, nil
	}
	g.weigh()
	out := make([]Verdict, len(files))
	for i, o := range g.seen {
		file, line := fileOf(before, g.lines[i])
		v := &out[file]
		v.Kept, v.Lines = append(v.Kept, o), append(v.Lines, line)
	}
	for _, r := range g.rejects {
		file, line := fileOf(before, r.Line)
		v := &out[file]
		r.Line = line
		v.Rejects = append(v.Rejects, r)
	}
	return out
}

// weigh holds the rows against each other.
func (g *ring) weigh() {
	g.number()
	g.series(g.doubles(g.strands()))
}

// number tells offers apart by a number: to compare their keys a million times is what
// would take the time.
func (g *ring) number() {
	numbers, said := map[schema.OfferKey]int32{}, map[*schema.Observation]int32{}
	g.offers = make([]int32, len(g.seen))
	for i, p := range g.seen {
		n, met := said[p.Said]
		if !met {
			if n, met = numbers[p.Said.Offer.OfferKey]; !met {
				n = int32(len(numbers))
				numbers[p.Said.Offer.OfferKey] = n
			}
			said[p.Said] = n
		}
		g.offers[i] = n
	}
}

// add puts the rows of a later piece of the same file behind.
func (r *Result) add(later Result) {
	r.Read += later.Read
	r.Rows = append(r.Rows, later.Rows...)
	r.Tokens = append(r.Tokens, later.Tokens...)
	r.TokenLines = append(r.TokenLines, later.TokenLines...)
	r.Rejects = append(r.Rejects, later.Rejects...)
	r.Faults = append(r.Faults, later.Faults...)
}

// shift counts lines from so many lines before.
func (r *Result) shift(before int) {
	if before == 0 {
		return
	}
	for i := range r.Rows {
		r.Rows[i].Line += before
	}
	for i := range r.TokenLines {
		r.TokenLines[i] += before
	}
	for i := range r.Rejects {
		r.Rejects[i].Line += before
	}
	for i := range r.Faults {
		r.Faults[i].Line += before
	}
}
