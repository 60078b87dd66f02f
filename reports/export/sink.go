package export

import "io"

// sinkRows are gathered before they are encoded: Parquet writes column by column.
const sinkRows = 1024

// rowWriter encodes rows of a flat struct.
type rowWriter[R any] interface {
	Write(rows []R) (int, error)
	Close() error
}

// sink flattens what it is given and encodes it in parts.
type sink[T, R any] struct {
	fill func(*R, *T)
	rows []R
	n    int
	to   rowWriter[R]
}

func newSink[T, R any](w io.Writer, f Format, fill func(*R, *T)) *sink[T, R] {
	s := &sink[T, R]{fill: fill, rows: make([]R, sinkRows)}
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

func (s *sink[T, R]) Write(value *T) error {
	s.fill(&s.rows[s.n], value)
	if s.n++; s.n < len(s.rows) {
		return nil
	}
	return s.flush()
}

func (s *sink[T, R]) flush() error {
	_, err := s.to.Write(s.rows[:s.n])
	s.n = 0
	return err
}

func (s *sink[T, R]) Close() error {
	if err := s.flush(); err != nil {
		return err
	}
	return s.to.Close()
}
