package store

import (
	"context"
	"fmt"
	"slices"

	"mtok/schema"
	"mtok/schema/store/db"
)

// SaveProviderNight writes one provider's part of a run for one day, all of it
// or nothing. Its run must be running, and every observation of n be of the day
// of n.Result and of its slot: the run's own on the run's day, else midnight.
//
// A complete night replaces the provider's own observations of that slot and the
// quarantines still held there. A quarantined one does so only where nothing is
// published yet: what is not believed never takes the place of what was. Its
// pages and evidence are kept all the same, and its quarantine is discarded at
// once, since there is nothing to decide on. Nor does a quarantined night reword
// or reclassify an offer that is known already. A partial night
// replaces only the offers that it names, and where n.Reparsed those that its
// pages gave before; a failed one none. Imported observations are never touched:
// one in the way is ErrCollision, and so is an offer observed twice by one source
// in one slot.
//
// When n.Quarantine is set, it gets its ID and state and holds every observation
// of n, or those of n.HeldOffers alone; of these, none takes the place of a price
// that is published for the day. Token prices go the same way, all held or none.
// The quarantines of n.Confirms are confirmed with it, their days unsettled.
// A day whose observations may have changed is unsettled until Recompute.
func (s *Store) SaveProviderNight(ctx context.Context, n schema.ProviderNight) error {
	return s.update(ctx, "save night of "+string(n.Result.Provider), func(t *tx) error {
		return s.saveNight(ctx, t, n)
	})
}

func (s *Store) saveNight(ctx context.Context, t *tx, n schema.ProviderNight) error {
	if err := s.beat(ctx, t, n.Result.RunID); err != nil {
		return err
	}
	if err := checkNight(n); err != nil {
		return err
	}
	if err := s.putResult(ctx, t, n); err != nil {
		return err
	}
	replaces, writes, err := s.weight(ctx, t, n)
	if err != nil {
		return err
	}
	if replaces {
		if err := s.clear(ctx, t, n); err != nil {
			return err
		}
	}
	doubted := n.HeldOffers
	if n, err = withoutPublished(ctx, t, n); err != nil {
		return err
	}
	if n.Reparsed && writes && !replaces {
		spared := slices.DeleteFunc(slices.Clone(doubted), func(key schema.OfferKey) bool { return slices.Contains(n.HeldOffers, key) })
		if err := clearPages(ctx, t, n, spared); err != nil {
			return err
		}
	}
	if err := s.holdNight(ctx, t, n, writes); err != nil {
		return err
	}
	if err := saveNotices(ctx, t, n); err != nil {
		return err
	}
	if err := s.confirm(ctx, t, n); err != nil {
		return err
	}
	if !writes {
		return nil
	}
	if err := t.UnsettleDay(ctx, int64(n.Result.Day)); err != nil {
		return err
	}
	if err := s.putRows(ctx, t, n); err != nil {
		return err
	}
	if err := putNightTokens(ctx, t, n); err != nil {
		return err
	}
	return s.closeEmptied(ctx, t, n)
}

// putRows writes the observations of a night.
func (s *Store) putRows(ctx context.Context, t *tx, n schema.ProviderNight) error {
	rows, err := s.observationRows(ctx, t, n)
	if err != nil || len(rows) == 0 {
		return err
	}
	written, err := s.dialect.putObservations(ctx, t, rows)
	if err == nil && written != int64(len(rows)) {
		err = fmt.Errorf("%w: %d of %d observations meet imported ones",
			ErrCollision, int64(len(rows))-written, len(rows))
	}
	return err
}

// putResult writes how it went: the provider's entry of the ledger, what the
// parsers made of each fetch, and the rows that gave no price.
func (s *Store) putResult(ctx context.Context, t *tx, n schema.ProviderNight) error {
	r := n.Result
	err := t.PutProviderRun(ctx, db.PutProviderRunParams{
		RunID:     r.RunID,
		Provider:  string(r.Provider),
		Day:       int64(r.Day),
		Status:    string(r.Status),
		Offers:    int64(r.Offers),
		Rejects:   int64(r.Rejects),
		ErrorKind: r.ErrorKind,
		Detail:    clean(r.Detail),
		EndedAt:   r.EndedAt.UnixMilli(),
	})
	if err != nil {
		return err
	}
	for _, p := range n.Parses {
		err := t.PutParse(ctx, db.PutParseParams{
			FetchID:       p.FetchID,
			ParserVersion: int64(p.ParserVersion),
			Offers:        int64(p.Offers),
			Rejects:       int64(p.Rejects),
			Error:         clean(p.Error),
			ParsedAt:      p.ParsedAt.UnixMilli(),
		})
		if err != nil {
			return err
		}
	}
	for _, of := range n.Rejects {
		if err := putRejects(ctx, t, of); err != nil {
			return err
		}
	}
	return nil
}

// putRejects replaces the rejects of a fetch, so that parsing it again does not
// count them twice.
func putRejects(ctx context.Context, t *tx, of schema.FetchRejects) error {
	if err := t.DeleteRejects(ctx, of.FetchID); err != nil {
		return err
	}
	for i, r := range of.Rejects {
		err := t.InsertReject(ctx, db.InsertRejectParams{
			FetchID:   of.FetchID,
			Position:  int64(i),
			Source:    r.Source,
			Label:     clean(r.Label),
			PriceText: clean(r.PriceText),
			Rule:      r.Rule,
			Reason:    clean(r.Reason),
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// slotOf is the slot that a night writes: pages of another day than the run's
// belong to no slot of the run.
func slotOf(n schema.ProviderNight) int64 {
	if n.Result.Day == n.Run.Day {
		return n.Run.Slot
	}
	return n.Result.Day.Slot()
}

// checkNight refuses observations that a rerun of the night would not replace.
func checkNight(n schema.ProviderNight) error {
	for _, o := range n.Observations {
		if o.Day != n.Result.Day || o.Slot != slotOf(n) {
			return fmt.Errorf("observation of %s, slot %d, in the night of %s, slot %d",
				o.Day, o.Slot, n.Result.Day, slotOf(n))
		}
	}
	return nil
}

// weight says whether the rows of n take the place of all that is there, and
// whether they are written at all.
func (s *Store) weight(ctx context.Context, t *tx, n schema.ProviderNight) (replaces, writes bool, err error) {
	switch n.Result.Status {
	case schema.StatusComplete:
		return true, true, nil
	case schema.StatusPartial:
		return false, true, nil
	case schema.StatusQuarantined:
		published, err := t.CountPublished(ctx, db.CountPublishedParams{
			Day: int64(n.Result.Day), Slot: slotOf(n), Provider: string(n.Result.Provider),
		})
		if err != nil {
			return false, false, err
		}
		tokens, err := t.CountPublishedTokenPrices(ctx, db.CountPublishedTokenPricesParams{
			Day: int64(n.Result.Day), Slot: slotOf(n), Provider: string(n.Result.Provider),
		})
		believed := err == nil && published+tokens > 0
		return !believed, !believed, err
	}
	return false, false, nil
}

// clear deletes the provider's own observations of the night, and closes the
// quarantines still held there.
func (s *Store) clear(ctx context.Context, t *tx, n schema.ProviderNight) error {
	err := t.DeleteOwnObservations(ctx, db.DeleteOwnObservationsParams{
		Day: int64(n.Result.Day), Slot: slotOf(n), Provider: string(n.Result.Provider),
	})
	if err != nil {
		return err
	}
	if err := clearTokenPrices(ctx, t, n); err != nil {
		return err
	}
	return s.closeHeld(ctx, t, n)
}

// closeHeld closes the quarantines still held of the night's provider and day.
func (s *Store) closeHeld(ctx context.Context, t *tx, n schema.ProviderNight) error {
	return t.ReplaceQuarantines(ctx, db.ReplaceQuarantinesParams{
		Provider:  string(n.Result.Provider),
		Day:       int64(n.Result.Day),
		DecidedBy: fmt.Sprintf("run %d", n.Result.RunID),
		DecidedAt: s.now().UnixMilli(),
	})
}

// byPublished decides a quarantine whose night was not written.
const byPublished = "the published rows of that day"

// holdNight inserts the quarantine of a night that has one, decided where the
// published rows stay.
func (s *Store) holdNight(ctx context.Context, t *tx, n schema.ProviderNight, written bool) error {
	q := n.Quarantine
	if q == nil {
		return nil
	}
	now := s.now().UnixMilli()
	row := db.InsertQuarantineParams{
		RunID:     n.Result.RunID,
		Provider:  string(n.Result.Provider),
		Day:       int64(n.Result.Day),
		Rule:      q.Rule,
		Evidence:  clean(q.Evidence),
		State:     schema.QuarantineHeld,
		CreatedAt: now,
	}
	if !written && n.Result.Status == schema.StatusQuarantined || withstood(n) {
		row.State, row.DecidedBy, row.DecidedAt = schema.QuarantineDiscarded, byPublished, optionalID(now)
	}
	id, err := t.InsertQuarantine(ctx, row)
	q.ID, q.State, q.DecidedBy, q.DecidedAt = id, row.State, row.DecidedBy, toOptionalTime(row.DecidedAt)
	return err
}

// observationRows finds or makes the offers and joins them to their
// observations. Rows without a quarantine of the night keep their own.
func (s *Store) observationRows(ctx context.Context, t *tx, n schema.ProviderNight) ([]db.Observation, error) {
	ids, err := s.saveOffers(ctx, t, n)
	if err != nil {
		return nil, err
	}
	type key struct {
		offer  int64
		source string
	}
	seen := make(map[key]bool, len(n.Observations))
	rows := make([]db.Observation, len(n.Observations))
	for i, o := range n.Observations {
		row, err := fromObservation(o, ids[i])
		if err != nil {
			return nil, err
		}
		if n.Holds(o.Offer.OfferKey) {
			row.QuarantineID = optionalID(n.Quarantine.ID)
		}
		k := key{row.OfferID, row.Source}
		if seen[k] {
			return nil, fmt.Errorf("%w: %s observed offer %+v twice", ErrCollision, o.Source, o.Offer.OfferKey)
		}
		seen[k] = true
		rows[i] = row
	}
	return rows, nil
}
