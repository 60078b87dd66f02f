package store

import (
	"cmp"
	"context"
	"database/sql/driver"
	_ "embed" // the SQL beside this file
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
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

// rowsPerBulk is how many rows are made into values at a time.
const rowsPerBulk = 20_000

// bulkSQLiteRows writes rows by a statement that has one row of VALUES, and
// returns how many it wrote. It speaks to the driver itself: for a million rows
// database/sql would convert and copy twenty million arguments.
func bulkSQLiteRows[Row any](
	ctx context.Context, t *tx, query, oneRow string, rows []Row, values func([]any, Row) []any,
) (written int64, err error) {
	err = t.conn.Raw(func(raw any) error {
		conn, ok := raw.(driver.ConnPrepareContext)
		if !ok {
			return fmt.Errorf("a bulk insert needs a connection that prepares, not %T", raw)
		}
		var args []any
		for part := range slices.Chunk(rows, rowsPerBulk) {
			args = args[:0]
			for _, row := range part {
				args = values(args, row)
			}
			n, err := bulkPart(ctx, conn, query, oneRow, len(part), args)
			if err != nil {
				return err
			}
			written += n
		}
		return nil
	})
	return written, err
}

// bulkPart writes rows whose values are in args, row by row. What is the same in
// all of them is bound once, in the text of the statement.
func bulkPart(
	ctx context.Context, conn driver.ConnPrepareContext, query, oneRow string, rows int, args []any,
) (written int64, err error) {
	w := bulkWriter{conn: conn, query: query, oneRow: oneRow, width: len(args) / rows}
	if rows > rowsPerStatement {
		args = w.inline(args)
	}
	defer func() { err = errors.Join(err, w.close()) }()
	for rows > 0 {
		n := min(rows, rowsPerStatement)
		wrote, err := w.write(ctx, n, args[:n*w.width])
		if err != nil {
			return written, err
		}
		written += wrote
		rows, args = rows-n, args[n*w.width:]
	}
	return written, nil
}

// bulkWriter keeps a statement as long as it is for the same number of rows.
type bulkWriter struct {
	conn          driver.ConnPrepareContext
	query, oneRow string
	values        string // a row of VALUES, where some are constant
	width         int    // placeholders a row
	statement     driver.Stmt
	rows          int // of statement
	named         []driver.NamedValue
}

func (w *bulkWriter) write(ctx context.Context, rows int, args []any) (int64, error) {
	if rows != w.rows {
		if err := w.close(); err != nil {
			return 0, err
		}
		one := cmp.Or(w.values, w.oneRow)
		many := strings.Repeat(one+", ", rows-1) + one
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

// inline moves the columns that have one value in all rows into the text of the
// statement, and returns the values of the others.
func (w *bulkWriter) inline(args []any) []any {
	constant := make([]bool, w.width)
	cells := make([]string, w.width)
	left := 0
	for c := range w.width {
		text, ok := literal(args[c])
		for i := c + w.width; ok && i < len(args); i += w.width {
			ok = args[i] == args[c]
		}
		if constant[c], cells[c] = ok, text; !ok {
			cells[c] = "?"
			left++
		}
	}
	if left == w.width || left == 0 {
		return args
	}
	kept := args[:0]
	for i, arg := range args {
		if !constant[i%w.width] {
			kept = append(kept, arg)
		}
	}
	w.values, w.width = "("+strings.Join(cells, ", ")+")", left
	return kept
}

// literal is a value as SQL writes it; false for one that is better bound.
func literal(value any) (string, bool) {
	const longest = 100
	switch v := value.(type) {
	case nil:
		return "NULL", true
	case int64:
		return strconv.FormatInt(v, 10), v != math.MinInt64
	case string:
		if len(v) <= longest && strings.IndexFunc(v, func(r rune) bool { return r < ' ' || r > '~' || r == '?' }) < 0 {
			return "'" + strings.ReplaceAll(v, "'", "''") + "'", true
		}
	}
	return "", false
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
