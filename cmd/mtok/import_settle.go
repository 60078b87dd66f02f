package main

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"

	"mtok/reports"
	"mtok/schema"
	"mtok/schema/store"
)

// settleGC is how much the heap may grow between collections while figures are made:
// they leave much behind and keep little.
const settleGC = 200 // per cent

// manyDays is from how many days on it is told how far their figures are.
const manyDays = 200

// settleTogether is settle in two transactions: an import is of many days, whose
// figures are made several days at a time. Until the second one ends, the days are
// owed.
func (a *app) settleTogether(ctx context.Context, s *store.Store, catalog *schema.Catalog, tell jobProgress) error {
	runtime.GC() // the prices of the files are not needed any more, and count as kept until then
	defer debug.SetGCPercent(debug.SetGCPercent(settleGC))
	days, err := s.UnsettledDays(ctx)
	if err != nil {
		return err
	}
	err = s.Together(ctx, "derive daily API prices", func(s *store.Store) error {
		for _, day := range days {
			err := s.RecomputeAPI(ctx, day, func(seen []schema.TokenObservation) []schema.DailyAPIPrice {
				return reports.DailyAPIPrices(day, seen)
			})
			if err != nil {
				return fmt.Errorf("recompute %s: %w", day, err)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	if len(days) < manyDays {
		tell = silent
	}
	advanced, done := tell("making daily figures", "daily figures")
	defer done()
	var counting sync.Mutex // days are made beside each other
	made := 0
	settings := a.config.settings()
	return s.RecomputeDays(ctx, days, func(day schema.Day, seen []schema.Observation) (schema.Daily, error) {
		daily, err := reports.Recompute(day, seen, catalog, settings)
		if err != nil {
			return daily, fmt.Errorf("recompute %s: %w", day, err)
		}
		counting.Lock()
		made++
		advanced(made, len(days))
		counting.Unlock()
		return daily, nil
	}, func(s *store.Store) error { return a.keepContracts(ctx, s, catalog, days) })
}
