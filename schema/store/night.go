package store

import (
	"context"
	"fmt"

	"mtok/schema"
	"mtok/schema/store/db"
)

// SaveProviderNight writes one provider's part of a run, all of it or nothing.
// Its run must be running.
//
// A complete night replaces the provider's own observations of its days and
// slots and the quarantines still held there. A quarantined one does so only
// where nothing is published yet: what is not believed never takes the place of
// what was, and its pages and evidence are kept all the same. A partial night
// replaces only the offers that it names, a failed one none. Imported
// observations are never touched: one in the way is ErrCollision, and so is an
// offer observed twice by one source in one slot.
//
// When n.Quarantine is set, it gets its ID and holds every observation of n.
func (s *Store) SaveProviderNight(ctx context.Context, n schema.ProviderNight) error {
	return s.update(ctx, "save night of "+string(n.Result.Provider), func(t *tx) error {
		return s.saveNight(ctx, t, n)
	})
}

func (s *Store) saveNight(ctx context.Context, t *tx, n schema.ProviderNight) error {
	if err := s.beat(ctx, t, n.Result.RunID); err != nil {
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
	if err := s.holdNight(ctx, t, n); err != nil {
		return err
	}
	if err := saveNotices(ctx, t, n); err != nil {
		return err
	}
	if !writes {
		return nil
	}
	rows, err := observationRows(ctx, t, n)
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

// night is what a complete run replaces as a whole.
type night struct {
	day  schema.Day
	slot int64
}

// nightsOf are the run's night and every other night that n speaks of.
func nightsOf(n schema.ProviderNight) map[night]bool {
	nights := map[night]bool{{n.Result.Day, n.Run.Slot}: true}
	for _, o := range n.Observations {
		nights[night{o.Day, o.Slot}] = true
	}
	return nights
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
		for at := range nightsOf(n) {
			published, err := t.CountPublished(ctx, db.CountPublishedParams{
				Day: int64(at.day), Slot: at.slot, Provider: string(n.Result.Provider),
			})
			if err != nil || published > 0 {
				return false, false, err
			}
		}
		return true, true, nil
	}
	return false, false, nil
}

// clear deletes the provider's own observations of the nights of n, and closes
// the quarantines still held there.
func (s *Store) clear(ctx context.Context, t *tx, n schema.ProviderNight) error {
	provider := string(n.Result.Provider)
	for at := range nightsOf(n) {
		err := t.DeleteOwnObservations(ctx, db.DeleteOwnObservationsParams{
			Day: int64(at.day), Slot: at.slot, Provider: provider,
		})
		if err != nil {
			return err
		}
	}
	return t.ReplaceQuarantines(ctx, db.ReplaceQuarantinesParams{
		Provider:  provider,
		Day:       int64(n.Result.Day),
		DecidedBy: fmt.Sprintf("run %d", n.Result.RunID),
		DecidedAt: s.now().UnixMilli(),
	})
}

// holdNight inserts the quarantine of a night that has one.
func (s *Store) holdNight(ctx context.Context, t *tx, n schema.ProviderNight) error {
	q := n.Quarantine
	if q == nil {
		return nil
	}
	id, err := t.InsertQuarantine(ctx, db.InsertQuarantineParams{
		RunID:     n.Result.RunID,
		Provider:  string(n.Result.Provider),
		Day:       int64(n.Result.Day),
		Rule:      q.Rule,
		Evidence:  clean(q.Evidence),
		CreatedAt: s.now().UnixMilli(),
	})
	q.ID = id
	return err
}

// observationRows finds or makes the offers and joins them to their
// observations. Rows without a quarantine of the night keep their own.
func observationRows(ctx context.Context, t *tx, n schema.ProviderNight) ([]db.Observation, error) {
	ids, err := saveOffers(ctx, t, n.Result.Provider, n.Observations)
	if err != nil {
		return nil, err
	}
	type key struct {
		night
		offer  int64
		source string
	}
	seen := make(map[key]bool, len(n.Observations))
	rows := make([]db.Observation, len(n.Observations))
	for i, o := range n.Observations {
		row := fromObservation(o, ids[i])
		if n.Quarantine != nil {
			row.QuarantineID = optionalID(n.Quarantine.ID)
		}
		k := key{night{o.Day, o.Slot}, row.OfferID, row.Source}
		if seen[k] {
			return nil, fmt.Errorf("%w: %s observed offer %+v twice", ErrCollision, o.Source, o.Offer.OfferKey)
		}
		seen[k] = true
		rows[i] = row
	}
	return rows, nil
}
