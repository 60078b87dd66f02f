package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"mtok/schema"
	"mtok/schema/store/db"
)

// replaceDaily replaces everything that is recomputed for one day. The inputs of
// its token costs are kept once per content.
func replaceDaily(ctx context.Context, t *tx, d schema.Daily) error {
	if err := t.DeleteDailyPrices(ctx, int64(d.Day)); err != nil {
		return err
	}
	return replaceDerived(ctx, t, d)
}

// replaceDerived is replaceDaily for a day whose prices are gone already.
func replaceDerived(ctx context.Context, t *tx, d schema.Daily) error {
	if err := t.DeleteDailyMarket(ctx, int64(d.Day)); err != nil {
		return err
	}
	if err := t.DeleteDailyTokenCosts(ctx, int64(d.Day)); err != nil {
		return err
	}
	for _, in := range d.Inputs {
		if err := putInputs(ctx, t, in); err != nil {
			return err
		}
	}
	for _, p := range d.Prices {
		if p.Day != d.Day {
			return fmt.Errorf("price of %s among those of %s", p.Day, d.Day)
		}
		if err := t.InsertDailyPrice(ctx, db.InsertDailyPriceParams(fromDailyPrice(p))); err != nil {
			return err
		}
	}
	for _, m := range d.Markets {
		if m.Day != d.Day {
			return fmt.Errorf("market of %s among those of %s", m.Day, d.Day)
		}
		if err := t.InsertDailyMarket(ctx, db.InsertDailyMarketParams(fromDailyMarket(m))); err != nil {
			return err
		}
	}
	for _, c := range d.TokenCosts {
		if c.Day != d.Day {
			return fmt.Errorf("token cost of %s among those of %s", c.Day, d.Day)
		}
		if err := t.InsertDailyTokenCost(ctx, db.InsertDailyTokenCostParams(fromTokenCost(c))); err != nil {
			return err
		}
	}
	return nil
}

func putInputs(ctx context.Context, t *tx, in schema.CostInputs) error {
	if got := hashOf([]byte(in.Body)); got != in.Hash {
		return fmt.Errorf("%w: cost inputs %s have %s", ErrHash, in.Hash, got)
	}
	return t.InsertCostInputs(ctx, db.InsertCostInputsParams{Hash: in.Hash, Body: in.Body})
}

// DailyPrices returns the daily prices from one day to another, both included;
// of every class when class is empty.
func (s *Store) DailyPrices(
	ctx context.Context, from, to schema.Day, class schema.ClassID,
) ([]schema.DailyPrice, error) {
	rows, err := s.queries.ListDailyPrices(ctx, db.ListDailyPricesParams{
		FromDay: int64(from), ToDay: int64(to), GpuClass: optional(class),
	})
	return mapRows(rows, toDailyPrice), s.fault("list daily prices", err)
}

// DailyMarkets is DailyPrices for the figures across providers.
func (s *Store) DailyMarkets(
	ctx context.Context, from, to schema.Day, class schema.ClassID,
) ([]schema.DailyMarket, error) {
	rows, err := s.queries.ListDailyMarkets(ctx, db.ListDailyMarketsParams{
		FromDay: int64(from), ToDay: int64(to), GpuClass: optional(class),
	})
	return mapRows(rows, toDailyMarket), s.fault("list daily markets", err)
}

// DailyTokenCosts is DailyPrices for the costs of a million tokens.
func (s *Store) DailyTokenCosts(
	ctx context.Context, from, to schema.Day, class schema.ClassID,
) ([]schema.DailyTokenCost, error) {
	rows, err := s.queries.ListDailyTokenCosts(ctx, db.ListDailyTokenCostsParams{
		FromDay: int64(from), ToDay: int64(to), GpuClass: optional(class),
	})
	return mapRows(rows, toTokenCost), s.fault("list daily token costs", err)
}

// CostInputs returns the settings and the benchmark row behind token costs, or
// ErrNotFound.
func (s *Store) CostInputs(ctx context.Context, hash string) (schema.CostInputs, error) {
	row, err := s.queries.GetCostInputs(ctx, hash)
	if errors.Is(err, sql.ErrNoRows) {
		err = ErrNotFound
	}
	return schema.CostInputs(row), s.fault("read cost inputs", err)
}

// LatestDay returns the newest published day; false when nothing is published.
func (s *Store) LatestDay(ctx context.Context) (schema.Day, bool, error) {
	day, err := s.queries.LatestDay(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, false, nil
	}
	return schema.Day(day), err == nil, s.fault("find the latest day", err)
}

// LatestDayUpTo returns the newest published day that is not after day; false
// when there is none.
func (s *Store) LatestDayUpTo(ctx context.Context, day schema.Day) (schema.Day, bool, error) {
	found, err := s.queries.LatestDayUpTo(ctx, int64(day))
	if errors.Is(err, sql.ErrNoRows) {
		return 0, false, nil
	}
	return schema.Day(found), err == nil, s.fault("find the latest day", err)
}
