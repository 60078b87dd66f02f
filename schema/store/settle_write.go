package store

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"mtok/schema"
	"mtok/schema/store/db"
)

// dailyWriter writes the figures of days, many days at a time.
type dailyWriter struct {
	tx      *tx
	dialect dialect
	// first says that there are no daily prices yet, so that there are none to
	// replace.
	first  bool
	prices map[schema.ClassID][]db.DailyPrice // that wait, in the order of days
	wait   int                                // how many
}

// pricesWaiting is how many daily prices wait to be written: the more, the more of a
// class stand side by side in the table.
const pricesWaiting = 100_000

// all writes what is made, in order.
func (w *dailyWriter) all(ctx context.Context, made <-chan chan derived) error {
	some, err := w.tx.SomeDailyPrices(ctx)
	if err != nil {
		return err
	}
	w.first, w.prices = some == 0, map[schema.ClassID][]db.DailyPrice{}
	each := func() error {
		for of := range made {
			if err := w.add(ctx, <-of); err != nil {
				return err
			}
		}
		return w.flush(ctx)
	}
	if w.first {
		return w.dialect.fillDailyPrices(ctx, w.tx, each)
	}
	return each()
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
		w.prices[p.Class] = append(w.prices[p.Class], fromDailyPrice(p))
	}
	w.wait += len(of.daily.Prices)
	of.daily.Prices = nil
	if !w.first {
		if err := w.tx.DeleteDailyPrices(ctx, int64(of.day)); err != nil {
			return err
		}
	}
	if err := replaceDerived(ctx, w.tx, of.daily); err != nil {
		return err
	}
	if err := w.tx.SettleDay(ctx, int64(of.day)); err != nil || w.wait < pricesWaiting {
		return err
	}
	return w.flush(ctx)
}

// flush writes the prices that wait, class by class: they stand so in the table.
func (w *dailyWriter) flush(ctx context.Context) error {
	for _, class := range slices.Sorted(maps.Keys(w.prices)) {
		if err := w.dialect.putDailyPrices(ctx, w.tx, w.prices[class]); err != nil {
			return err
		}
		w.prices[class] = w.prices[class][:0]
	}
	w.wait = 0
	return nil
}
