package store

import (
	"context"
	"database/sql/driver"
	_ "embed" // the SQL beside this file
	"errors"
	"fmt"
	"slices"
	"strings"

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

// bulkSQLiteRows writes rows by a statement that has one row of VALUES, and
// returns how many it wrote. It speaks to the driver itself: for a million rows
// database/sql would convert and copy twenty million arguments.
func bulkSQLiteRows[Row any](
	ctx context.Context, t *tx, query, oneRow string, rows []Row, values func([]any, Row) []any,
) (written int64, err error) {
	err = t.conn.Raw(func(raw any) (err error) {
		conn, ok := raw.(driver.ConnPrepareContext)
		if !ok {
			return fmt.Errorf("a bulk insert needs a connection that prepares, not %T", raw)
		}
		w := bulkWriter{conn: conn, query: query, oneRow: oneRow}
		defer func() { err = errors.Join(err, w.close()) }()
		var args []any
		for chunk := range slices.Chunk(rows, rowsPerStatement) {
			args = args[:0]
			for _, row := range chunk {
				args = values(args, row)
			}
			n, err := w.write(ctx, len(chunk), args)
			if err != nil {
				return err
			}
			written += n
		}
		return nil
	})
	return written, err
}

// bulkWriter keeps a statement as long as it is for the same number of rows.
type bulkWriter struct {
	conn          driver.ConnPrepareContext
	query, oneRow string
	statement     driver.Stmt
	rows          int // of statement
	named         []driver.NamedValue
}

func (w *bulkWriter) write(ctx context.Context, rows int, args []any) (int64, error) {
	if rows != w.rows {
		if err := w.close(); err != nil {
			return 0, err
		}
		many := strings.Repeat(w.oneRow+", ", rows-1) + w.oneRow
		var err error
		if w.statement, err = w.conn.PrepareContext(ctx, strings.Replace(w.query, w.oneRow, many, 1)); err != nil {
			return 0, err
		}
		w.rows = rows
	}
	statement, ok := w.statement.(driver.StmtExecContext)
	if !ok {
		return 0, fmt.Errorf("a bulk insert needs a statement with a context, not %T", w.statement)
	}
	w.named = w.named[:0]
	for i, arg := range args {
		w.named = append(w.named, driver.NamedValue{Ordinal: i + 1, Value: arg})
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

// offerValues are the columns of bulk_offers_sqlite.sql.
func offerValues(args []any, o db.Offer) []any {
	return append(args,
		o.ID, o.Provider, o.Sku, o.GpuCount, o.Region, o.Term, o.CommitmentMin, o.CommitmentMax, o.Tier,
		o.GpuRaw, o.FormRaw, o.VramMib, o.Basis, o.Unit, o.GroupKey, o.PerGpu, o.MaxGpus, o.GpuClass,
	)
}
