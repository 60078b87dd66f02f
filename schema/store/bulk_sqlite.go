package store

import (
	"context"
	"database/sql"
	_ "embed" // the SQL beside this file
	"slices"
	"strings"

	"mtok/schema/store/db"
)

// rowsPerStatement is where more rows a statement stop to pay.
const rowsPerStatement = 100

//go:embed bulk_sqlite.sql
var bulkSQLite string

// oneRow is the VALUES row of bulk_sqlite.sql. Its placeholders are bare: the
// driver looks numbered ones up by name, which is quadratic.
const oneRow = "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"

func (sqliteDialect) putObservations(ctx context.Context, t *tx, rows []db.Observation) (int64, error) {
	written := int64(0)
	var statement *sql.Stmt
	defer func() {
		if statement != nil {
			statement.Close()
		}
	}()
	prepared := 0 // rows of statement
	for chunk := range slices.Chunk(rows, rowsPerStatement) {
		if len(chunk) != prepared {
			if statement != nil {
				statement.Close()
			}
			values := strings.Repeat(oneRow+", ", len(chunk)-1) + oneRow
			var err error
			statement, err = t.sql.PrepareContext(ctx, strings.Replace(bulkSQLite, oneRow, values, 1))
			if err != nil {
				return 0, err
			}
			prepared = len(chunk)
		}
		var args []any
		for _, row := range chunk {
			args = append(args, observationValues(row)...)
		}
		n, err := affected(statement.ExecContext(ctx, args...))
		if err != nil {
			return 0, err
		}
		written += n
	}
	return written, nil
}
