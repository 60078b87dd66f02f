package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"mtok/schema"
	"mtok/schema/store/db"
)

// HeldQuarantines returns the quarantines that nobody decided, oldest day first.
func (s *Store) HeldQuarantines(ctx context.Context) ([]schema.Quarantine, error) {
	rows, err := s.queries.HeldQuarantines(ctx)
	return mapRows(rows, toQuarantine), s.fault("list quarantines", err)
}

// DayQuarantines returns the quarantines of a provider's day, whatever became of
// them, oldest first.
func (s *Store) DayQuarantines(ctx context.Context, p schema.ProviderID, day schema.Day) ([]schema.Quarantine, error) {
	rows, err := s.queries.DayQuarantines(ctx, db.DayQuarantinesParams{Provider: string(p), Day: int64(day)})
	return mapRows(rows, toQuarantine), s.fault("list quarantines", err)
}

// DecideQuarantine confirms or discards a held quarantine and records who did.
// Its day is then unsettled until Recompute. A quarantine that is not held is
// ErrNotFound.
func (s *Store) DecideQuarantine(ctx context.Context, id int64, state, by string) error {
	return s.update(ctx, "decide quarantine", func(t *tx) error {
		day, err := t.DecideQuarantine(ctx, db.DecideQuarantineParams{
			ID: id, State: state, DecidedBy: clean(by), DecidedAt: s.now().UnixMilli(),
		})
		if errors.Is(err, sql.ErrNoRows) {
			return fmt.Errorf("%w: held quarantine %d", ErrNotFound, id)
		}
		if err != nil {
			return err
		}
		return t.UnsettleDay(ctx, day)
	})
}

func toQuarantine(q db.Quarantine) schema.Quarantine {
	return schema.Quarantine{
		ID:        q.ID,
		RunID:     q.RunID,
		Provider:  schema.ProviderID(q.Provider),
		Day:       schema.Day(q.Day),
		Rule:      q.Rule,
		Evidence:  q.Evidence,
		State:     q.State,
		DecidedBy: q.DecidedBy,
		DecidedAt: toOptionalTime(q.DecidedAt),
		CreatedAt: toTime(q.CreatedAt),
	}
}
