package store

import (
	"context"
	"database/sql"
	"errors"

	"mtok/schema"
	"mtok/schema/store/db"
)

// ClassMarkets returns the figures of a class across providers from one day to
// another, both included, in the order of days.
func (s *Store) ClassMarkets(ctx context.Context, class schema.ClassID, from, to schema.Day) ([]schema.DailyMarket, error) {
	rows, err := s.queries.ClassMarkets(ctx, db.ClassMarketsParams{
		GpuClass: string(class), FromDay: int64(from), ToDay: int64(to),
	})
	return mapRows(rows, toDailyMarket), s.fault("list markets of "+string(class), err)
}

// ClassPrices is ClassMarkets for the prices of each provider under one term, all
// node sizes together.
func (s *Store) ClassPrices(
	ctx context.Context, class schema.ClassID, term schema.Term, from, to schema.Day,
) ([]schema.DailyPrice, error) {
	rows, err := s.queries.ClassPrices(ctx, db.ClassPricesParams{
		GpuClass: string(class), FromDay: int64(from), ToDay: int64(to), Term: string(term),
	})
	return mapRows(rows, toDailyPrice), s.fault("list prices of "+string(class), err)
}

// ModelAPIPrices returns the daily prices of tokens of a model, by the name that
// its source gives it.
func (s *Store) ModelAPIPrices(ctx context.Context, model string, from, to schema.Day) ([]schema.DailyAPIPrice, error) {
	rows, err := s.queries.ModelAPIPrices(ctx, db.ModelAPIPricesParams{
		Model: model, FromDay: int64(from), ToDay: int64(to),
	})
	return mapRows(rows, toDailyAPIPrice), s.fault("list token prices of "+model, err)
}

// APIModels returns the models of which there is a daily price, as their sources
// name them.
func (s *Store) APIModels(ctx context.Context) ([]string, error) {
	models, err := s.queries.APIModels(ctx)
	return models, s.fault("list models of APIs", err)
}

// NewestMarketDay returns the newest day that has a price, imports included; false
// when there is none.
func (s *Store) NewestMarketDay(ctx context.Context) (schema.Day, bool, error) {
	day, err := s.queries.NewestMarketDay(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, false, nil
	}
	return schema.Day(day), err == nil, s.fault("find the newest day of a market", err)
}

// DailyDays returns the days that have any daily figure, in order.
func (s *Store) DailyDays(ctx context.Context) ([]schema.Day, error) {
	days, err := s.queries.DailyDays(ctx)
	return mapRows(days, toDay), s.fault("list days of figures", err)
}

// CompleteDays returns the days on which a provider was read in full, in order.
func (s *Store) CompleteDays(ctx context.Context, p schema.ProviderID, from, to schema.Day) ([]schema.Day, error) {
	days, err := s.queries.CompleteDays(ctx, db.CompleteDaysParams{Provider: string(p), FromDay: int64(from), ToDay: int64(to)})
	return mapRows(days, toDay), s.fault("list complete days of "+string(p), err)
}

// RejectCounts returns how many rows each rule refused from one day to another.
func (s *Store) RejectCounts(ctx context.Context, from, to schema.Day) ([]schema.RejectCount, error) {
	rows, err := s.queries.CountRejects(ctx, db.CountRejectsParams{FromDay: int64(from), ToDay: int64(to)})
	return mapRows(rows, func(r db.CountRejectsRow) schema.RejectCount {
		return schema.RejectCount{Provider: schema.ProviderID(r.Provider), Rule: r.Rule, N: int(r.N),
			Last: schema.Day(r.LastDay), Reason: r.Reason}
	}), s.fault("count rejects", err)
}

// ParseCounts returns how many pages each parser version read from one day to
// another.
func (s *Store) ParseCounts(ctx context.Context, from, to schema.Day) ([]schema.ParseCount, error) {
	rows, err := s.queries.CountParses(ctx, db.CountParsesParams{FromDay: int64(from), ToDay: int64(to)})
	return mapRows(rows, func(r db.CountParsesRow) schema.ParseCount {
		return schema.ParseCount{Provider: schema.ProviderID(r.Provider), Version: int(r.ParserVersion), N: int(r.N),
			First: schema.Day(r.FirstDay), Last: schema.Day(r.LastDay), Errors: int(r.Errors)}
	}), s.fault("count parses", err)
}

// Quarantines returns the quarantines of the nights from one day to another,
// whatever became of them.
func (s *Store) Quarantines(ctx context.Context, from, to schema.Day) ([]schema.Quarantine, error) {
	rows, err := s.queries.ExportQuarantines(ctx, db.ExportQuarantinesParams{FromDay: int64(from), ToDay: int64(to)})
	return mapRows(rows, toQuarantine), s.fault("list quarantines", err)
}

// PageHashes returns the hash of every archived page.
func (s *Store) PageHashes(ctx context.Context) ([]string, error) {
	hashes, err := s.queries.PageHashes(ctx)
	return hashes, s.fault("list pages", err)
}
