package store

import (
	"context"
	_ "embed" // the SQL beside this file
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

// offerValues are the columns of bulk_offers_sqlite.sql.
func offerValues(into []value, o *db.Offer) []value {
	return append(into,
		number(o.ID), text(o.Provider), text(o.Sku), number(o.GpuCount), text(o.Region), text(o.Term), number(o.CommitmentMin),
		number(o.CommitmentMax), text(o.Tier), text(o.GpuRaw), text(o.FormRaw), number(o.VramMib), text(o.Basis), text(o.Unit),
		text(o.GroupKey), number(o.PerGpu), number(o.MaxGpus), text(o.GpuClass),
	)
}
