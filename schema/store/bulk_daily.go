package store

import (
	"cmp"
	"context"
	_ "embed" // the SQL beside this file
	"fmt"
	"slices"

	"mtok/schema/store/db"
)

//go:embed bulk_daily_sqlite.sql
var bulkDailySQLite string

// dailyPriceRow is the VALUES row of bulk_daily_sqlite.sql.
const dailyPriceRow = "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"

// putDailyPrices writes in the order of class and day, in which the rows stand side
// by side.
func (sqliteDialect) putDailyPrices(ctx context.Context, t *tx, rows []db.DailyPrice) error {
	slices.SortStableFunc(rows, func(a, b db.DailyPrice) int {
		return cmp.Or(cmp.Compare(a.GpuClass, b.GpuClass), cmp.Compare(a.Day, b.Day))
	})
	_, err := bulkSQLiteRows(ctx, t, bulkDailySQLite, dailyPriceRow, rows, dailyPriceValues)
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

// dailyPriceValues are the columns of bulk_daily_sqlite.sql.
func dailyPriceValues(args []any, p db.DailyPrice) []any {
	return append(args,
		p.Day, p.GpuClass, p.Provider, p.Tier, p.Term, p.CommitmentMin, p.CommitmentMax, p.GpuCount, p.Origin,
		p.N, p.Gpus, p.UsdMin, p.UsdP10, p.UsdMedian, p.UsdMax, null(p.MinOfferID), p.AsOf,
	)
}

// dailyWriter writes the figures of days, many days at a time.
type dailyWriter struct {
	tx      *tx
	dialect dialect
	prices  []db.DailyPrice // that wait
}

// all writes what is made, in order.
func (w *dailyWriter) all(ctx context.Context, made <-chan chan derived) error {
	for of := range made {
		if err := w.add(ctx, <-of); err != nil {
			return err
		}
	}
	return w.flush(ctx)
}

// add replaces the figures of a day; its prices wait until there are many.
func (w *dailyWriter) add(ctx context.Context, of derived) error {
	if of.err != nil {
		return of.err
	}
	if of.daily.Day != of.day {
		return fmt.Errorf("figures of %s are not of that day", of.daily.Day)
	}
	for _, p := range of.daily.Prices {
		if p.Day != of.day {
			return fmt.Errorf("price of %s among those of %s", p.Day, of.day)
		}
		w.prices = append(w.prices, fromDailyPrice(p))
	}
	of.daily.Prices = nil
	if err := replaceDaily(ctx, w.tx, of.daily); err != nil {
		return err
	}
	if err := w.tx.SettleDay(ctx, int64(of.day)); err != nil || len(w.prices) < rowsPerBulk {
		return err
	}
	return w.flush(ctx)
}

// flush writes the prices that wait, in the order of their key: the rows of a class
// stand side by side.
func (w *dailyWriter) flush(ctx context.Context) error {
	err := w.dialect.putDailyPrices(ctx, w.tx, w.prices)
	w.prices = w.prices[:0]
	return err
}
