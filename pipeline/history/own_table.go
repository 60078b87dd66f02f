package history

import (
	"bytes"
	"encoding/csv"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"mtok/schema"
)

// ownRow is a row of a table of our own export: CSV and JSON lines alike.
type ownRow struct {
	cells map[string]string
	null  map[string]bool
	line  int
	err   error // the first cell that is not what it must be
}

// ownRows reads all rows of a table.
func ownRows(body []byte) ([]ownRow, error) {
	text := bytes.TrimPrefix(body, []byte("\ufeff"))
	if len(bytes.TrimSpace(text)) == 0 {
		return nil, nil
	}
	if text[0] == '{' {
		return ownLines(text)
	}
	return ownCSV(text)
}

func ownLines(text []byte) ([]ownRow, error) {
	var rows []ownRow
	for line := range bytes.Lines(text) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		row := ownRow{cells: map[string]string{}, null: map[string]bool{}, line: len(rows) + 1}
		var values map[string]jsontext.Value
		if err := json.Unmarshal(line, &values); err != nil {
			return nil, brokenf("row %d: %s", row.line, clip(err.Error()))
		}
		for name, v := range values {
			switch v.Kind() {
			case 'n':
				row.null[name] = true
			case '"':
				unquoted, err := jsontext.AppendUnquote(nil, v)
				if err != nil {
					return nil, brokenf("row %d: %s", row.line, clip(err.Error()))
				}
				row.cells[name] = string(unquoted)
			default:
				row.cells[name] = string(v)
			}
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// ownCSV takes off the apostrophe that keeps a text from being a formula in a
// spreadsheet. An empty cell is null or "", as the column may be.
func ownCSV(text []byte) ([]ownRow, error) {
	records, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		return nil, brokenf("%v", err)
	}
	var rows []ownRow
	for i, record := range records[1:] {
		row := ownRow{cells: map[string]string{}, null: map[string]bool{}, line: i + 1}
		for at, name := range records[0] {
			row.cells[name] = strings.TrimPrefix(record[at], "'")
			row.null[name] = record[at] == ""
		}
		rows = append(rows, row)
	}
	return rows, nil
}

func (r *ownRow) fault(name, format string, args ...any) {
	if r.err == nil {
		r.err = brokenf("row %d: %s: "+format, append([]any{r.line, name}, args...)...)
	}
}

func (r *ownRow) text(name string) string {
	v, ok := r.cells[name]
	if !ok && !r.null[name] {
		r.fault(name, "is missing")
	}
	return v
}

func (r *ownRow) int(name string) int64 {
	n, err := strconv.ParseInt(r.text(name), 10, 64)
	if err != nil {
		r.fault(name, "%q is no whole number", clip(r.cells[name]))
	}
	return n
}

func (r *ownRow) optional(name string) *int64 {
	if r.null[name] {
		return nil
	}
	n := r.int(name)
	return &n
}

func (r *ownRow) bool(name string) bool {
	b, err := strconv.ParseBool(r.text(name))
	if err != nil {
		r.fault(name, "%q is neither true nor false", clip(r.cells[name]))
	}
	return b
}

func (r *ownRow) optionalBool(name string) *bool {
	if r.null[name] {
		return nil
	}
	b := r.bool(name)
	return &b
}

func (r *ownRow) day(name string) schema.Day {
	d, err := schema.ParseDay(r.text(name))
	if err != nil {
		r.fault(name, "%v", err)
	}
	return d
}

func (r *ownRow) time(name string) time.Time {
	if r.null[name] {
		return time.Time{}
	}
	t, err := time.Parse(time.RFC3339Nano, r.text(name))
	if err != nil {
		r.fault(name, "%q is no time", clip(r.cells[name]))
	}
	return t.UTC()
}

func (r *ownRow) usd(name string) schema.USD {
	u, err := schema.ParseUSD(r.text(name))
	if err != nil {
		r.fault(name, "%v", err)
	}
	return u
}

func (r *ownRow) optionalUSD(name string) *schema.USD {
	if r.null[name] {
		return nil
	}
	u := r.usd(name)
	return &u
}

// has reports whether a row is of the table that has a column.
func (r *ownRow) has(name string) bool {
	_, ok := r.cells[name]
	return ok || r.null[name]
}
