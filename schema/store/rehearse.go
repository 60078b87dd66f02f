package store

import (
	"context"
	"errors"
)

// errRehearsed ends a rehearsal that went well.
var errRehearsed = errors.New("rehearsed")

// Rehearse runs f on a store in which everything that it writes can be read
// again, and keeps none of it. It is one write transaction: until f returns,
// others can read, as it was, but not write. When a write of f fails, f must end.
func (s *Store) Rehearse(ctx context.Context, f func(*Store) error) error {
	err := s.update(ctx, "rehearse", func(t *tx) error {
		rehearsal := *s
		rehearsal.queries, rehearsal.within = t.Queries, t
		if err := f(&rehearsal); err != nil {
			return err
		}
		return errRehearsed
	})
	if errors.Is(err, errRehearsed) {
		return nil
	}
	return err
}
