package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
)

// rawRow is a row as a driver gives it: int64, string or nil.
type rawRow []driver.Value

func (r rawRow) integer(i int) int64 {
	n, _ := r[i].(int64)
	return n
}

func (r rawRow) text(i int) string {
	s, _ := r[i].(string)
	return s
}

func (r rawRow) pointer(i int) *int64 {
	n, ok := r[i].(int64)
	if !ok {
		return nil
	}
	return &n
}

func (r rawRow) boolPointer(i int) *bool {
	n, ok := r[i].(int64)
	if !ok {
		return nil
	}
	b := n == 1
	return &b
}

// eachRow hands the rows of a query to do, each valid until it returns. It speaks
// to SQLite's driver itself: for ten million rows database/sql would convert two
// hundred million values.
func eachRow(ctx context.Context, conn *sql.Conn, width int, do func(rawRow) error, query string, args ...any) error {
	row := make(rawRow, width)
	direct := false
	err := conn.Raw(func(raw any) (err error) {
		queryer, ok := raw.(driver.QueryerContext)
		if _, checks := raw.(driver.NamedValueChecker); !ok || checks {
			return nil // PostgreSQL's has types of its own
		}
		direct = true
		named := make([]driver.NamedValue, len(args))
		for i, arg := range args {
			named[i] = driver.NamedValue{Ordinal: i + 1, Value: arg}
		}
		rows, err := queryer.QueryContext(ctx, query, named)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, rows.Close()) }()
		if got := len(rows.Columns()); got != width {
			return fmt.Errorf("%d columns, not %d", got, width)
		}
		for {
			if err := rows.Next(row); err != nil {
				if errors.Is(err, io.EOF) {
					return nil
				}
				return err
			}
			if err := do(row); err != nil {
				return err
			}
		}
	})
	if err != nil || direct {
		return err
	}
	rows, err := conn.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	values, into := make([]any, width), make([]any, width)
	for i := range values {
		into[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return err
		}
		for i, v := range values {
			row[i] = v
		}
		if err := do(row); err != nil {
			return err
		}
	}
	return rows.Err()
}

func toNullInt(v driver.Value) sql.NullInt64 {
	n, ok := v.(int64)
	return sql.NullInt64{Int64: n, Valid: ok}
}
