package store

import (
	"context"
	"database/sql"
)

// prepared runs the queries of one transaction and prepares each that comes a
// second time: a night writes thousands of rows one by one, and to SQLite
// reading the statement costs more than the row. The transaction closes what is
// prepared.
type prepared struct {
	*sql.Tx
	seen map[string]*sql.Stmt // nil where a query came once
}

func newPrepared(t *sql.Tx) prepared { return prepared{Tx: t, seen: map[string]*sql.Stmt{}} }

// statement returns nil for the first time of a query.
func (p prepared) statement(ctx context.Context, query string) (*sql.Stmt, error) {
	statement, met := p.seen[query]
	if statement != nil {
		return statement, nil
	}
	var err error
	if met {
		statement, err = p.PrepareContext(ctx, query)
	}
	if err == nil {
		p.seen[query] = statement
	}
	return statement, err
}

func (p prepared) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	statement, err := p.statement(ctx, query)
	switch {
	case err != nil:
		return nil, err
	case statement == nil:
		return p.Tx.ExecContext(ctx, query, args...)
	}
	return statement.ExecContext(ctx, args...)
}

func (p prepared) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	statement, err := p.statement(ctx, query)
	switch {
	case err != nil:
		return nil, err
	case statement == nil:
		return p.Tx.QueryContext(ctx, query, args...)
	}
	return statement.QueryContext(ctx, args...)
}

func (p prepared) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	statement, err := p.statement(ctx, query)
	if err != nil || statement == nil {
		return p.Tx.QueryRowContext(ctx, query, args...) // the row carries the error
	}
	return statement.QueryRowContext(ctx, args...)
}
