package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"mtok/schema"
	"mtok/schema/store/db"
)

// withstood reports whether the quarantine of single offers has none left to
// hold, since prices of all of them are published.
func withstood(n schema.ProviderNight) bool {
	return n.Quarantine != nil && n.HeldOffers != nil && len(n.HeldOffers) == 0
}

// withoutPublished leaves out of a night the held offers that have a published
// price of that slot: what is not believed never takes the place of what was.
func withoutPublished(ctx context.Context, t *tx, n schema.ProviderNight) (schema.ProviderNight, error) {
	if n.Quarantine == nil || n.HeldOffers == nil {
		return n, nil
	}
	rows, err := t.PublishedOn(ctx, db.PublishedOnParams{
		Day: int64(n.Result.Day), Slot: slotOf(n), Provider: string(n.Result.Provider),
	})
	if err != nil {
		return n, err
	}
	published := make(map[schema.OfferKey]bool, len(rows))
	for _, row := range rows {
		published[toOffer(row.Offer).OfferKey] = true
	}
	held := n.HeldOffers
	n.HeldOffers = []schema.OfferKey{}
	for _, key := range held {
		if !published[key] {
			n.HeldOffers = append(n.HeldOffers, key)
		}
	}
	n.Observations = slices.DeleteFunc(slices.Clone(n.Observations), func(o schema.Observation) bool {
		key := o.Offer.OfferKey
		return published[key] && slices.Contains(held, key)
	})
	return n, nil
}

// confirm publishes the held nights that this one agrees with. One that was
// decided in the meantime stays as it was decided.
func (s *Store) confirm(ctx context.Context, t *tx, n schema.ProviderNight) error {
	for _, id := range n.Confirms {
		day, err := t.DecideQuarantine(ctx, db.DecideQuarantineParams{
			ID: id, State: schema.QuarantineConfirmed, DecidedBy: fmt.Sprintf("night of %s", n.Result.Day),
			DecidedAt: s.now().UnixMilli(),
		})
		if errors.Is(err, sql.ErrNoRows) {
			continue
		}
		if err != nil {
			return err
		}
		if err := t.UnsettleDay(ctx, day); err != nil {
			return err
		}
	}
	return nil
}

// closeEmptied closes the quarantines of the night's day that hold nothing any
// more, since their rows were written again.
func (s *Store) closeEmptied(ctx context.Context, t *tx, n schema.ProviderNight) error {
	own := int64(0)
	if n.Quarantine != nil {
		own = n.Quarantine.ID
	}
	return t.ReplaceEmptiedQuarantines(ctx, db.ReplaceEmptiedQuarantinesParams{
		Provider: string(n.Result.Provider), Day: int64(n.Result.Day), But: own,
		DecidedBy: fmt.Sprintf("run %d", n.Result.RunID), DecidedAt: s.now().UnixMilli(),
	})
}
