package store

import (
	"context"
	_ "embed" // the SQL beside this file
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

	"mtok/schema/store/db"
)

var (
	//go:embed bulk_make_postgres.sql
	bulkMakePostgres string
	//go:embed bulk_merge_postgres.sql
	bulkMergePostgres string
	//go:embed bulk_drop_postgres.sql
	bulkDropPostgres string
)

// putOffers inserts one by one: the database chooses the ids.
func (postgresDialect) putOffers(ctx context.Context, t *tx, rows []db.Offer) ([]int64, error) {
	ids := make([]int64, len(rows))
	for i, row := range rows {
		var err error
		if ids[i], err = insertOffer(ctx, t, row); err != nil {
			return nil, err
		}
	}
	return ids, nil
}

// putObservations copies into a temporary table and merges from there, since
// COPY cannot replace.
func (postgresDialect) putObservations(ctx context.Context, t *tx, rows []db.Observation) (int64, error) {
	if _, err := t.sql.ExecContext(ctx, bulkMakePostgres); err != nil {
		return 0, err
	}
	source := pgx.CopyFromSlice(len(rows), func(i int) ([]any, error) {
		return forDrivers(observationValues(nil, &rows[i])), nil
	})
	err := t.conn.Raw(func(raw any) error {
		conn, ok := raw.(*stdlib.Conn)
		if !ok {
			return fmt.Errorf("COPY needs a connection of pgx, not %T", raw)
		}
		_, err := conn.Conn().CopyFrom(
			ctx, pgx.Identifier{"incoming_observations"}, strings.Fields(observationColumns), source)
		return err
	})
	if err != nil {
		return 0, err
	}
	written, err := affected(t.sql.ExecContext(ctx, bulkMergePostgres))
	if err != nil {
		return 0, err
	}
	// The table would go with the commit, but a rehearsal saves many nights in
	// one transaction.
	_, err = t.sql.ExecContext(ctx, bulkDropPostgres)
	return written, err
}
