package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"mtok/schema"
	"mtok/schema/store/db"
)

// putNightTokens writes the listed token prices of a night, as it does its
// observations: a complete night has cleared those that were there, a partial one
// replaces by key. A quarantine of the night holds all of them.
func putNightTokens(ctx context.Context, t *tx, n schema.ProviderNight) error {
	seen := make(map[schema.TokenKey]bool, len(n.TokenPrices))
	for _, p := range n.TokenPrices {
		switch {
		case p.Day != n.Result.Day || p.Slot != slotOf(n):
			return fmt.Errorf("token price of %s, slot %d, in the night of %s, slot %d", p.Day, p.Slot, n.Result.Day, slotOf(n))
		case p.Provider != n.Result.Provider:
			return fmt.Errorf("token price of %s in the night of %s", p.Provider, n.Result.Provider)
		case seen[p.TokenKey]:
			return fmt.Errorf("%w: token price %+v stands twice", ErrCollision, p.TokenKey)
		}
		seen[p.TokenKey] = true
		row := fromTokenPrice(p)
		if n.Quarantine != nil {
			row.QuarantineID = optionalID(n.Quarantine.ID)
		}
		written, err := t.PutTokenPrice(ctx, db.PutTokenPriceParams(row))
		if err == nil && written == 0 {
			err = fmt.Errorf("%w: token price %+v meets an imported one", ErrCollision, p.TokenKey)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// clearTokenPrices deletes the provider's own token prices of the night.
func clearTokenPrices(ctx context.Context, t *tx, n schema.ProviderNight) error {
	return t.DeleteOwnTokenPrices(ctx, db.DeleteOwnTokenPricesParams{
		Day: int64(n.Result.Day), Slot: slotOf(n), Provider: string(n.Result.Provider),
	})
}

// TokenPrices returns the listed prices of tokens that a filter selects, in the
// order of day, slot and identity.
func (s *Store) TokenPrices(ctx context.Context, f schema.TokenPriceFilter) ([]schema.TokenObservation, error) {
	return s.tokenPrices(ctx, s.queries, f)
}

func (s *Store) tokenPrices(ctx context.Context, q *db.Queries, f schema.TokenPriceFilter) ([]schema.TokenObservation, error) {
	rows, err := q.ListTokenPrices(ctx, db.ListTokenPricesParams{
		FromDay: int64(f.FromDay), ToDay: lastDay(f.ToDay), Provider: optional(f.Provider), IncludeHeld: fromBool(f.IncludeHeld),
	})
	return mapRows(rows, toTokenObservation), s.fault("list token prices", err)
}

// LastTokenDay returns the newest day, up to one, of which a provider's own list
// is published; false when there is none.
func (s *Store) LastTokenDay(ctx context.Context, p schema.ProviderID, upTo schema.Day) (schema.Day, bool, error) {
	day, err := s.queries.LastTokenDay(ctx, db.LastTokenDayParams{Provider: string(p), ToDay: int64(upTo)})
	if errors.Is(err, sql.ErrNoRows) {
		return 0, false, nil
	}
	return schema.Day(day), err == nil, s.fault("find the latest list of token prices", err)
}

// TokenPriceDays returns the days that have listed prices of tokens, in order.
func (s *Store) TokenPriceDays(ctx context.Context) ([]schema.Day, error) {
	days, err := s.queries.TokenPriceDays(ctx)
	return mapRows(days, toDay), s.fault("list days of token prices", err)
}

// RecomputeAPI makes the daily prices of tokens of a day from its published list,
// as Recompute does those of GPUs; the day is not settled by it.
func (s *Store) RecomputeAPI(
	ctx context.Context, day schema.Day, f func([]schema.TokenObservation) []schema.DailyAPIPrice,
) error {
	return s.update(ctx, "recompute token prices of "+day.String(), func(t *tx) error {
		seen, err := s.tokenPrices(ctx, t.Queries, schema.TokenPriceFilter{FromDay: day, ToDay: day})
		if err != nil {
			return err
		}
		if err := t.DeleteDailyAPIPrices(ctx, int64(day)); err != nil {
			return err
		}
		for _, p := range f(seen) {
			if p.Day != day {
				return fmt.Errorf("token price of %s among those of %s", p.Day, day)
			}
			if err := t.InsertDailyAPIPrice(ctx, fromDailyAPIPrice(p)); err != nil {
				return err
			}
		}
		return nil
	})
}

// DailyAPIPrices returns the daily prices of tokens from one day to another, both
// included; of every model when model is empty.
func (s *Store) DailyAPIPrices(ctx context.Context, from, to schema.Day, model string) ([]schema.DailyAPIPrice, error) {
	rows, err := s.queries.ListDailyAPIPrices(ctx, db.ListDailyAPIPricesParams{
		FromDay: int64(from), ToDay: int64(to), Model: optional(model),
	})
	return mapRows(rows, toDailyAPIPrice), s.fault("list daily token prices", err)
}

// sourceText is a source with its provider, as the tables name it.
func sourceText(p schema.ProviderID, source string) string {
	if p == "" {
		return source
	}
	return string(p) + "/" + source
}

func sourceParts(text string) (schema.ProviderID, string) {
	provider, source, found := strings.Cut(text, "/")
	if !found {
		return "", text // an import, which has no provider of ours
	}
	return schema.ProviderID(provider), source
}

// optionalUSD makes an amount that was not listed NULL.
func optionalUSD(u schema.USD) sql.NullInt64 { return sql.NullInt64{Int64: int64(u), Valid: u > 0} }

func fromTokenPrice(p schema.TokenObservation) db.TokenPrice {
	return db.TokenPrice{
		Day:             int64(p.Day),
		Slot:            p.Slot,
		Source:          sourceText(p.Provider, p.Source),
		Model:           clean(p.Model),
		Endpoint:        clean(p.Endpoint),
		Precision:       clean(p.Precision),
		MinPromptTokens: p.MinPromptTokens,
		FetchID:         p.FetchID,
		Origin:          string(p.Origin),
		UsdIn:           optionalUSD(p.In),
		UsdOut:          optionalUSD(p.Out),
		UsdCacheRead:    optionalUSD(p.CacheRead),
		UsdCacheWrite:   optionalUSD(p.CacheWrite),
		UptimePpm:       fromPointer(p.UptimePPM),
		PriceText:       clean(p.PriceText),
		ExcludedReason:  clean(p.Excluded),
		QuarantineID:    optionalID(p.Quarantine),
	}
}

func toTokenObservation(r db.ListTokenPricesRow) schema.TokenObservation {
	p := r.TokenPrice
	out := schema.TokenObservation{
		TokenPrice: schema.TokenPrice{
			TokenKey:  schema.TokenKey{Model: p.Model, Endpoint: p.Endpoint, Precision: p.Precision, MinPromptTokens: p.MinPromptTokens},
			In:        schema.USD(p.UsdIn.Int64),
			Out:       schema.USD(p.UsdOut.Int64),
			CacheRead: schema.USD(p.UsdCacheRead.Int64), CacheWrite: schema.USD(p.UsdCacheWrite.Int64),
			UptimePPM: toPointer(p.UptimePpm), PriceText: p.PriceText, Excluded: p.ExcludedReason,
		},
		Day: schema.Day(p.Day), Slot: p.Slot, Origin: schema.Origin(p.Origin), FetchID: p.FetchID,
		PageSHA256: r.PageSha256.String, FetchedAt: toTime(r.FetchedAt),
	}
	out.Provider, out.Source = sourceParts(p.Source)
	if r.QuarantineState == schema.QuarantineHeld {
		out.Quarantine = p.QuarantineID.Int64
	}
	return out
}

func fromDailyAPIPrice(p schema.DailyAPIPrice) db.InsertDailyAPIPriceParams {
	return db.InsertDailyAPIPriceParams{
		Day: int64(p.Day), Source: sourceText(p.Provider, p.Source), Model: clean(p.Model), Endpoint: clean(p.Endpoint),
		Precision: clean(p.Precision), MinPromptTokens: p.MinPromptTokens, Origin: string(p.Origin),
		UsdIn: optionalUSD(p.In), UsdOut: optionalUSD(p.Out),
		UsdCacheRead: optionalUSD(p.CacheRead), UsdCacheWrite: optionalUSD(p.CacheWrite),
		PriceText: clean(p.PriceText), AsOf: p.AsOf * msPerSecond,
	}
}

func toDailyAPIPrice(p db.DailyApiPrice) schema.DailyAPIPrice {
	out := schema.DailyAPIPrice{
		Day:      schema.Day(p.Day),
		TokenKey: schema.TokenKey{Model: p.Model, Endpoint: p.Endpoint, Precision: p.Precision, MinPromptTokens: p.MinPromptTokens},
		Origin:   schema.Origin(p.Origin), In: schema.USD(p.UsdIn.Int64), Out: schema.USD(p.UsdOut.Int64),
		CacheRead: schema.USD(p.UsdCacheRead.Int64), CacheWrite: schema.USD(p.UsdCacheWrite.Int64),
		PriceText: p.PriceText, AsOf: p.AsOf / msPerSecond,
	}
	out.Provider, out.Source = sourceParts(p.Source)
	return out
}
