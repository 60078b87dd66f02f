package store

import (
	"context"
	_ "embed" // the SQL beside this file

	"mtok/schema/store/db"
)

var (
	//go:embed bulk_daily_sqlite.sql
	bulkDailySQLite string
	//go:embed bulk_daily_unindex_sqlite.sql
	bulkDailyUnindexSQLite string
	//go:embed bulk_daily_index_sqlite.sql
	bulkDailyIndexSQLite string
)

// dailyPriceRow is the VALUES row of bulk_daily_sqlite.sql.
const dailyPriceRow = "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"

func (sqliteDialect) putDailyPrices(ctx context.Context, t *tx, rows []db.DailyPrice) error {
	_, err := bulkSQLiteRows(ctx, t, bulkDailySQLite, dailyPriceRow, rows, dailyPriceValues)
	return err
}

// fillDailyPrices drops the index by day and makes it again: to sort a million days
// costs less than to look up the place of each.
func (sqliteDialect) fillDailyPrices(ctx context.Context, t *tx, fill func() error) error {
	if _, err := t.sql.ExecContext(ctx, bulkDailyUnindexSQLite); err != nil {
		return err
	}
	if err := fill(); err != nil {
		return err
	}
	_, err := t.sql.ExecContext(ctx, bulkDailyIndexSQLite)
	return err
}

func (postgresDialect) putDailyPrices(ctx context.Context, t *tx, rows []db.DailyPrice) error {
	for _, row := range rows {
		if err := t.InsertDailyPrice(ctx, db.InsertDailyPriceParams(row)); err != nil {
			return err
		}
	}
	return nil
}

func (postgresDialect) fillDailyPrices(_ context.Context, _ *tx, fill func() error) error {
	return fill()
}

// dailyPriceValues are the columns of bulk_daily_sqlite.sql.
func dailyPriceValues(into []value, p *db.DailyPrice) []value {
	return append(into,
		number(p.Day), text(p.GpuClass), text(p.Provider), text(p.Tier), text(p.Term), number(p.CommitmentMin),
		number(p.CommitmentMax), number(p.GpuCount), text(p.Origin), number(p.N), number(p.Gpus), number(p.UsdMin),
		number(p.UsdP10), number(p.UsdMedian), number(p.UsdMax), optionalNumber(p.MinOfferID), number(p.AsOf),
	)
}
