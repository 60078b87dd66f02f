package store

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"slices"
)

// rowsPerBulk is how many rows are looked through at a time for columns that have
// one value in all of them.
const rowsPerBulk = 20_000

// rowsPerBatch is how many rows are made ready at a time, and batchesAhead how many
// times before they are written.
const (
	rowsPerBatch = 10 * rowsPerStatement
	batchesAhead = 2
)

// bulkSQLiteRows writes rows by a statement that has one row of VALUES, and
// returns how many it wrote. It speaks to the driver itself: for a million rows
// database/sql would convert and copy twenty million arguments. While SQLite writes
// some rows, the next are made ready.
func bulkSQLiteRows[Row any](
	ctx context.Context, t *tx, query, oneRow string, rows []Row, values func([]value, *Row) []value,
) (written int64, err error) {
	err = t.conn.Raw(func(raw any) error {
		conn, ok := raw.(driver.ConnPrepareContext)
		if !ok {
			return fmt.Errorf("a bulk insert needs a connection that prepares, not %T", raw)
		}
		stop := make(chan struct{})
		batches, spent := make(chan bulkBatch, batchesAhead), make(chan []driver.NamedValue, batchesAhead)
		go func() {
			defer close(batches)
			for part := range slices.Chunk(rows, rowsPerBulk) {
				if !bulkPart(query, oneRow, part, values, batches, spent, stop) {
					return
				}
			}
		}()
		w := bulkWriter{conn: conn}
		var err error
		for b := range batches {
			var n int64
			if n, err = w.write(ctx, b); err != nil {
				break
			}
			written += n
			select {
			case spent <- b.args:
			default:
			}
		}
		close(stop)
		for range batches { // until nobody reads the rows any more: they are the caller's again
		}
		return errors.Join(err, w.close())
	})
	return written, err
}

// bulkPart makes rows ready, until it is told to stop. What is the same in all of them
// is bound once, in the text of the statement.
func bulkPart[Row any](
	query, oneRow string, rows []Row, values func([]value, *Row) []value,
	batches chan<- bulkBatch, spent <-chan []driver.NamedValue, stop <-chan struct{},
) bool {
	first := values(nil, &rows[0])
	same := make([]bool, len(first))
	if len(rows) > rowsPerStatement {
		same = constantColumns(rows, first, values)
	}
	plan := newBulkPlan(query, oneRow, first, same)
	row := make([]value, 0, len(first))
	for part := range slices.Chunk(rows, rowsPerBatch) {
		b := bulkBatch{plan: plan, rows: len(part)}
		select {
		case b.args = <-spent:
		default:
		}
		b.args = b.args[:0]
		for i := range part {
			row = values(row[:0], &part[i])
			b.args = plan.bind(b.args, row)
		}
		select {
		case batches <- b:
		case <-stop:
			return false
		}
	}
	return true
}

// constantColumns tells which columns have the value of the first row in all of
// them, one that SQL can write.
func constantColumns[Row any](rows []Row, first []value, values func([]value, *Row) []value) []bool {
	same := make([]bool, len(first))
	for c, v := range first {
		_, same[c] = literal(v)
	}
	row := make([]value, 0, len(first))
	for i := range rows {
		row = values(row[:0], &rows[i])
		for c, v := range row {
			if same[c] && v != first[c] {
				same[c] = false
			}
		}
	}
	return same
}
