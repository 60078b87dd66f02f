package history

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// sheet reads a CSV file with a known header, row by row.
type sheet struct {
	reader *csv.Reader
	at     []int // the place of each wanted column
	width  int
	cells  []string // of the row, in the order that was wanted
	line   int
	result *Result
}

// openSheet reads the header. A file without any of the columns is of another
// format; one that lacks some is broken.
func openSheet(f Format, body []byte, want []string, into *Result) (*sheet, error) {
	text := bytes.TrimPrefix(body, []byte("\ufeff"))
	if bytes.IndexByte(body, 0) >= 0 || len(bytes.TrimSpace(text)) == 0 {
		return nil, otherFormat(f, found(body))
	}
	r := csv.NewReader(bytes.NewReader(text))
	r.FieldsPerRecord, r.ReuseRecord = -1, true
	header, err := r.Read()
	if err != nil {
		return nil, otherFormat(f, found(body))
	}
	for i := range header {
		header[i] = strings.TrimSpace(header[i])
	}
	switch missing := lacking(header, want); {
	case len(missing) == 0:
	case 2*len(missing) > len(want):
		return nil, otherFormat(f, found(body))
	default:
		return nil, brokenf("%s: the column %s is missing", f.Name, strings.Join(missing, ", "))
	}
	s := &sheet{reader: r, width: len(header), cells: make([]string, len(want)), result: into}
	into.Rows = make([]Row, 0, min(bytes.Count(text, []byte("\n")), rowsAhead))
	for _, c := range want {
		s.at = append(s.at, slices.Index(header, c))
	}
	return s, nil
}

// rowsAhead bounds the rows that memory is taken for at once, before they are read.
const rowsAhead = 1 << 21

// next goes to the next sound row; the others become faults.
func (s *sheet) next() bool {
	for {
		record, err := s.reader.Read()
		if errors.Is(err, io.EOF) {
			return false
		}
		s.result.Read++
		if len(record) > 0 { // a quote that is never closed gives none
			s.line, _ = s.reader.FieldPos(0)
		}
		var parse *csv.ParseError
		switch {
		case errors.As(err, &parse):
			s.line = parse.StartLine
			s.fault("%v", parse.Err)
			continue
		case err != nil:
			s.fault("%v", err)
			return false
		case len(record) != s.width:
			s.fault("%d cells in place of %d", len(record), s.width)
			continue
		}
		sound := true
		for i, at := range s.at {
			s.cells[i] = record[at]
			sound = sound && utf8.ValidString(record[at])
		}
		if sound {
			return true
		}
		s.fault("not UTF-8")
	}
}

func (s *sheet) fault(format string, args ...any) {
	s.result.Faults = append(s.result.Faults, Fault{Line: s.line, Text: fmt.Sprintf(format, args...)})
}

// headerRow reports whether a row repeats the header of some table: the cell of a
// number names its column.
func headerRow(cells ...string) bool {
	for _, c := range cells {
		if c == "" || strings.ContainsAny(c, "0123456789") {
			return false
		}
	}
	return true
}
