package store

import (
	"context"
	"database/sql/driver"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// bulkWriter keeps a statement as long as it is for the same number of rows.
type bulkWriter struct {
	conn      driver.ConnPrepareContext
	query     string
	oneRow    string // a row of VALUES, as query has it
	values    string // the same, where some columns are constant
	bound     []boundColumn
	statement driver.Stmt
	rows      int // of statement
	named     []driver.NamedValue
}

// boundColumn is a column that is not constant. Neighbours often have one value:
// then its any is made once.
type boundColumn struct {
	at     int // in the row
	last   value
	driver any
}

// newBulkWriter writes the columns that are the same as those of the first row into
// the text of the statement.
func newBulkWriter(conn driver.ConnPrepareContext, query, oneRow string, first []value, same []bool) *bulkWriter {
	w := &bulkWriter{conn: conn, query: query, oneRow: oneRow}
	cells := make([]string, len(first))
	for c, v := range first {
		if text, ok := literal(v); ok && same[c] {
			cells[c] = text
			continue
		}
		cells[c] = "?"
		w.bound = append(w.bound, boundColumn{at: c})
	}
	w.values = "(" + strings.Join(cells, ", ") + ")"
	return w
}

// prepare makes the statement one for so many rows.
func (w *bulkWriter) prepare(ctx context.Context, rows int) error {
	if rows == w.rows {
		return nil
	}
	if err := w.close(); err != nil {
		return err
	}
	many := strings.Repeat(w.values+", ", rows-1) + w.values
	var err error
	if w.statement, err = w.conn.PrepareContext(ctx, strings.Replace(w.query, w.oneRow, many, 1)); err != nil {
		return err
	}
	w.rows = rows
	w.named = make([]driver.NamedValue, rows*len(w.bound))
	for i := range w.named {
		w.named[i].Ordinal = i + 1
	}
	return nil
}

// bind sets the values of one row of the statement.
func (w *bulkWriter) bind(row int, values []value) {
	named := w.named[row*len(w.bound):]
	for i := range w.bound {
		column := &w.bound[i]
		if v := values[column.at]; column.driver == nil || v != column.last {
			column.last, column.driver = v, v.forDriver()
		}
		named[i].Value = column.driver
	}
}

// write runs the statement with all its rows bound.
func (w *bulkWriter) write(ctx context.Context) (int64, error) {
	statement, ok := w.statement.(driver.StmtExecContext)
	if !ok {
		return 0, fmt.Errorf("a bulk insert needs a statement with a context, not %T", w.statement)
	}
	result, err := statement.ExecContext(ctx, w.named)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

func (w *bulkWriter) close() error {
	if w.statement == nil {
		return nil
	}
	err := w.statement.Close()
	w.statement, w.rows = nil, 0
	return err
}

// literal is a value as SQL writes it; false for one that is better bound.
func literal(v value) (string, bool) {
	const longest = 100
	switch v.kind {
	case isNumber:
		return strconv.FormatInt(v.n, 10), v.n != math.MinInt64
	case isText:
		if len(v.s) <= longest && strings.IndexFunc(v.s, func(r rune) bool { return r < ' ' || r > '~' || r == '?' }) < 0 {
			return "'" + strings.ReplaceAll(v.s, "'", "''") + "'", true
		}
		return "", false
	default:
		return "NULL", true
	}
}
