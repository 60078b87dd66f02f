package export

import "io"

// sinkRows are gathered before they are encoded: Parquet writes column by column,
// from rows that lie in the cache of a core.
const sinkRows = 256

// sinkParts are how many of them there are at most: one is filled while another is
// encoded.
const sinkParts = 3

// rowWriter encodes rows of a flat struct.
type rowWriter[R any] interface {
	Write(rows []R) (int, error)
	Close() error
}

// sink flattens what it is given and has it encoded in parts, beside its caller.
type sink[T, R any] struct {
	fill func(*R, *T)
	rows []R
	n    int
	to   rowWriter[R]

	parts int
	full  chan []R // nil until the first part is full
	free  chan []R
	ended chan struct{} // closed once nothing more is encoded
	err   error         // of encoding, to be read when ended is closed
}

func newSink[T, R any](w io.Writer, f Format, fill func(*R, *T)) *sink[T, R] {
	s := &sink[T, R]{fill: fill, rows: make([]R, sinkRows), parts: 1}
	switch f {
	case CSV:
		s.to = newTextWriter[R](w, csvText{})
	case JSONL:
		s.to = newTextWriter[R](w, jsonText{})
	default:
		s.to = newParquetWriter[R](w)
	}
	return s
}

// Write takes a row, which may change afterwards. An error of encoding may come a
// few rows late, at the latest from Close.
func (s *sink[T, R]) Write(value *T) error {
	s.fill(&s.rows[s.n], value)
	if s.n++; s.n < len(s.rows) {
		return nil
	}
	return s.handOver()
}

// handOver gives a full part to be encoded and takes an empty one.
func (s *sink[T, R]) handOver() error {
	if s.full == nil {
		s.full, s.free, s.ended = make(chan []R, sinkParts), make(chan []R, sinkParts), make(chan struct{})
		go s.encode()
	}
	select {
	case <-s.ended:
		return s.err
	case s.full <- s.rows:
	}
	s.n = 0
	if s.parts < sinkParts {
		s.parts++
		s.rows = make([]R, sinkRows)
		return nil
	}
	select {
	case <-s.ended:
		return s.err
	case s.rows = <-s.free:
		return nil
	}
}

// encode writes parts until there are no more, or one fails.
func (s *sink[T, R]) encode() {
	defer close(s.ended)
	for rows := range s.full {
		if _, s.err = s.to.Write(rows); s.err != nil {
			return
		}
		s.free <- rows
	}
}

// Close must be called, once: it ends the encoding too.
func (s *sink[T, R]) Close() error {
	if s.full != nil {
		close(s.full)
		<-s.ended
	}
	if s.err != nil {
		return s.err
	}
	if _, err := s.to.Write(s.rows[:s.n]); err != nil {
		return err
	}
	return s.to.Close()
}
