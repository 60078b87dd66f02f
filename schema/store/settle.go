package store

import (
	"context"
	"fmt"

	"mtok/schema"
)

// Recompute settles a day: f makes its daily figures from its published
// observations, as Observations returns them but for floors of bids, which are in
// no figure and half of a market, and they replace those that were there. It is one write transaction, so that no night comes between what f read
// and what is kept; f must be quick and must not use the store.
func (s *Store) Recompute(
	ctx context.Context, day schema.Day, f func([]schema.Observation) (schema.Daily, error),
) error {
	return s.update(ctx, "recompute "+day.String(), func(t *tx) error {
		observations, err := listed(ctx, schema.ObservationFilter{FromDay: day, ToDay: day}, schema.TermBidFloor, t.each)
		if err != nil {
			return err
		}
		daily, err := f(observations)
		if err != nil {
			return err
		}
		if err := offersAmong(daily.Prices, observations); err != nil {
			return err
		}
		if daily.Day != day {
			return fmt.Errorf("figures of %s are not of that day", daily.Day)
		}
		if err := replaceDaily(ctx, t, daily); err != nil {
			return err
		}
		return t.SettleDay(ctx, int64(day))
	})
}

// offersAmong fails where a price names an offer that is not among the observations
// that it was made from. The table has no foreign key to say so.
func offersAmong(prices []schema.DailyPrice, seen []schema.Observation) error {
	offers := make(map[int64]bool, len(seen))
	for i := range seen {
		offers[seen[i].OfferID] = true
	}
	for i := range prices {
		if id := prices[i].MinOfferID; id != 0 && !offers[id] {
			return fmt.Errorf("daily price of %s on %s: offer %d was not observed", prices[i].Class, prices[i].Day, id)
		}
	}
	return nil
}

// UnsettledDays returns the days whose observations changed after their daily
// figures were made, in order: a run that dies leaves them to the next.
func (s *Store) UnsettledDays(ctx context.Context) ([]schema.Day, error) {
	days, err := s.queries.UnsettledDays(ctx)
	return mapRows(days, toDay), s.fault("list unsettled days", err)
}
