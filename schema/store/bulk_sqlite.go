package store

import (
	"context"
	"database/sql/driver"
	_ "embed" // the SQL beside this file
	"errors"
	"fmt"
	"slices"

	"mtok/schema/store/db"
)

// rowsPerStatement is where more rows a statement stop to pay.
const rowsPerStatement = 100

var (
	//go:embed bulk_sqlite.sql
	bulkSQLite string
	//go:embed bulk_offers_sqlite.sql
	bulkOffersSQLite string
	//go:embed last_offer_sqlite.sql
	lastOfferSQLite string
)

// The VALUES rows of bulk_sqlite.sql and bulk_offers_sqlite.sql. Their
// placeholders are bare: the driver looks numbered ones up by name, which is
// quadratic.
const (
	observationRow = "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
	offerRow       = "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)

func (sqliteDialect) putObservations(ctx context.Context, t *tx, rows []db.Observation) (int64, error) {
	return bulkSQLiteRows(ctx, t, bulkSQLite, observationRow, rows, observationValues)
}

// putOffers chooses the ids, as SQLite would: the transaction is the only one
// that writes.
func (sqliteDialect) putOffers(ctx context.Context, t *tx, rows []db.Offer) ([]int64, error) {
	var last int64
	if err := t.sql.QueryRowContext(ctx, lastOfferSQLite).Scan(&last); err != nil {
		return nil, err
	}
	ids := make([]int64, len(rows))
	numbered := slices.Clone(rows)
	for i := range numbered {
		last++
		ids[i], numbered[i].ID = last, last
	}
	_, err := bulkSQLiteRows(ctx, t, bulkOffersSQLite, offerRow, numbered, offerValues)
	return ids, err
}

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

// offerValues are the columns of bulk_offers_sqlite.sql.
func offerValues(into []value, o *db.Offer) []value {
	return append(into,
		number(o.ID), text(o.Provider), text(o.Sku), number(o.GpuCount), text(o.Region), text(o.Term), number(o.CommitmentMin),
		number(o.CommitmentMax), text(o.Tier), text(o.GpuRaw), text(o.FormRaw), number(o.VramMib), text(o.Basis), text(o.Unit),
		text(o.GroupKey), number(o.PerGpu), number(o.MaxGpus), text(o.GpuClass),
	)
}
