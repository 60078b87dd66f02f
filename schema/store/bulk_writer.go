package store

import (
	"context"
	"database/sql/driver"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// bulkPlan is how rows are written together: what is the same in all of them stands
// in the text of the statement, the rest is bound.
type bulkPlan struct {
	query  string
	oneRow string // a row of VALUES, as query has it
	values string // the same, where some columns are constant
	bound  []boundColumn
}

// boundColumn is a column that is not constant. Neighbours often have one value:
// then its any is made once.
type boundColumn struct {
	at     int // in the row
	last   value
	driver any
}

// newBulkPlan writes the columns that are the same as those of the first row into
// the text of the statement.
func newBulkPlan(query, oneRow string, first []value, same []bool) *bulkPlan {
	p := &bulkPlan{query: query, oneRow: oneRow}
	cells := make([]string, len(first))
	for c, v := range first {
		if text, ok := literal(v); ok && same[c] {
			cells[c] = text
			continue
		}
		cells[c] = "?"
		p.bound = append(p.bound, boundColumn{at: c})
	}
	p.values = "(" + strings.Join(cells, ", ") + ")"
	return p
}

// statement is the text for so many rows.
func (p *bulkPlan) statement(rows int) string {
	many := strings.Repeat(p.values+", ", rows-1) + p.values
	return strings.Replace(p.query, p.oneRow, many, 1)
}

// bind appends what is bound of one row, the next of its statement.
func (p *bulkPlan) bind(into []driver.NamedValue, values []value) []driver.NamedValue {
	before := len(into) % (rowsPerStatement * max(1, len(p.bound)))
	for i := range p.bound {
		column := &p.bound[i]
		if v := values[column.at]; column.driver == nil || v != column.last {
			column.last, column.driver = v, v.forDriver()
		}
		into = append(into, driver.NamedValue{Ordinal: before + i + 1, Value: column.driver})
	}
	return into
}

// bulkBatch are some rows, ready to be written by statements of rowsPerStatement.
type bulkBatch struct {
	plan *bulkPlan
	rows int
	args []driver.NamedValue
}

// bulkWriter keeps a statement as long as it is for the same plan and number of rows.
type bulkWriter struct {
	conn      driver.ConnPrepareContext
	statement driver.Stmt
	plan      *bulkPlan
	rows      int
}

// write returns how many rows were written. A statement takes a fraction of a
// millisecond; to make each one stop when the context ends, the driver would start a
// goroutine for it, so that is asked between them.
func (w *bulkWriter) write(ctx context.Context, b bulkBatch) (written int64, err error) {
	for args := b.args; b.rows > 0 && err == nil; b.rows -= w.rows {
		if err := ctx.Err(); err != nil {
			return written, err
		}
		if err := w.prepare(ctx, b.plan, min(b.rows, rowsPerStatement)); err != nil {
			return written, err
		}
		statement, ok := w.statement.(driver.StmtExecContext)
		if !ok {
			return written, fmt.Errorf("a bulk insert needs a statement with a context, not %T", w.statement)
		}
		bound := w.rows * len(b.plan.bound)
		var result driver.Result
		if result, err = statement.ExecContext(context.WithoutCancel(ctx), args[:bound]); err != nil {
			return written, err
		}
		var n int64
		n, err = result.RowsAffected()
		written, args = written+n, args[bound:]
	}
	return written, err
}

func (w *bulkWriter) prepare(ctx context.Context, plan *bulkPlan, rows int) error {
	if plan == w.plan && rows == w.rows {
		return nil
	}
	if err := w.close(); err != nil {
		return err
	}
	var err error
	if w.statement, err = w.conn.PrepareContext(ctx, plan.statement(rows)); err != nil {
		return err
	}
	w.plan, w.rows = plan, rows
	return nil
}

func (w *bulkWriter) close() error {
	if w.statement == nil {
		return nil
	}
	err := w.statement.Close()
	w.statement, w.plan, w.rows = nil, nil, 0
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
