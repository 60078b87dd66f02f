package history

import (
	"runtime"
	"slices"
	"sync"

	"mtok/schema"
)

// Sifted is a file of which each row was judged by itself.
type Sifted struct {
	Result  // without its rows
	seen    []schema.ImportedPrice
	lines   []int // of seen
	refused []Reject
}

// Sift parses a file and judges each row by itself. A large file whose format allows
// it is taken piece by piece, so that its rows are never in memory all at once. The
// rows are of day where the format tells none.
func (j Judge) Sift(f Format, name string, body []byte, day schema.Day) (Sifted, error) {
	pieces := []piece{{rows: body}}
	if f.RowByRow {
		pieces = cutPieces(body, pieceBytes)
	}
	parse := func(p piece, text []byte) (Result, error) {
		r, err := f.Parse(name, text)
		if f.Undated {
			for i := range r.Rows {
				r.Rows[i].Day = day
			}
		}
		r.shift(p.before)
		return r, err
	}
	if len(pieces) == 1 {
		r, err := parse(pieces[0], body)
		if err != nil {
			return Sifted{Result: r}, err
		}
		return j.rows(f, r), nil
	}
	return j.pieces(f, pieces, parse)
}

// rowsApart is how many rows are judged by one goroutine at least.
const rowsApart = 20_000

// rows judges each row of a file. What they come to stands in the order of the rows,
// however many parts of them are judged at a time.
func (j Judge) rows(f Format, r Result) Sifted {
	parts := max(1, min(runtime.GOMAXPROCS(0), len(r.Rows)/rowsApart))
	size := max(1, (len(r.Rows)+parts-1)/parts)
	cut := slices.Collect(slices.Chunk(r.Rows, size))
	sizes := make([]int, len(cut))
	for i := range cut {
		sizes[i] = len(cut[i])
	}
	out := newSieve(j, f, sizes)
	out.each(func(i int, g *ring) { g.sift(cut[i]) })
	s := out.sifted()
	s.Result, s.Rows = r, nil
	return s
}

// pieces parses and judges the pieces of a file, some at a time.
func (j Judge) pieces(f Format, pieces []piece, parse func(piece, []byte) (Result, error)) (Sifted, error) {
	sizes := make([]int, len(pieces))
	for i, p := range pieces {
		sizes[i] = p.lines
	}
	out := newSieve(j, f, sizes)
	results, faults := make([]Result, len(pieces)), make([]error, len(pieces))
	buffers := sync.Pool{New: func() any { return new([]byte) }}
	out.each(func(i int, g *ring) {
		buffer := buffers.Get().(*[]byte)
		*buffer = pieces[i].body(*buffer)
		r, err := parse(pieces[i], *buffer)
		buffers.Put(buffer)
		g.sift(r.Rows)
		r.Rows = nil
		results[i], faults[i] = r, err
	})
	var all Result
	for i, r := range results {
		if faults[i] != nil {
			return Sifted{Result: r}, faults[i]
		}
		all.add(r)
	}
	s := out.sifted()
	s.Result = all
	return s, nil
}

// sieve judges parts of a file beside each other. What they come to lies in one
// piece of memory, in which each part has room for its rows.
type sieve struct {
	sizes []int
	seen  []schema.ImportedPrice
	lines []int
	rings []ring
}

func newSieve(j Judge, f Format, sizes []int) *sieve {
	all := 0
	for _, n := range sizes {
		all += n
	}
	s := &sieve{sizes: sizes, seen: make([]schema.ImportedPrice, all), lines: make([]int, all)}
	from := 0
	for _, n := range sizes {
		s.rings = append(s.rings, ring{Judge: j, format: f, classes: map[gpuName]known{}, found: map[*Listing]finding{},
			seen: s.seen[from : from : from+n], lines: s.lines[from : from : from+n]})
		from += n
	}
	return s
}

func (s *sieve) each(do func(int, *ring)) {
	var all sync.WaitGroup
	free := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i := range s.rings {
		free <- struct{}{}
		all.Go(func() {
			do(i, &s.rings[i])
			<-free
		})
	}
	all.Wait()
}

// sifted moves the parts together.
func (s *sieve) sifted() Sifted {
	var out Sifted
	from, n, fits := 0, 0, true
	for i := range s.rings {
		out.refused = append(out.refused, s.rings[i].rejects...)
		fits = fits && len(s.rings[i].seen) <= s.sizes[i]
	}
	if !fits { // a line gave several rows: what had no room lies elsewhere
		for i := range s.rings {
			out.seen, out.lines = append(out.seen, s.rings[i].seen...), append(out.lines, s.rings[i].lines...)
		}
		return out
	}
	for i := range s.rings {
		if from != n {
			copy(s.seen[n:], s.rings[i].seen)
			copy(s.lines[n:], s.rings[i].lines)
		}
		from, n = from+s.sizes[i], n+len(s.rings[i].seen)
	}
	out.seen, out.lines = s.seen[:n], s.lines[:n]
	return out
}
