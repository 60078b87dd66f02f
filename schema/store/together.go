package store

import "context"

// Together runs f on a store whose writes are one transaction: all of it is kept, or
// nothing. Until f returns others can read, as it was, but not write. When a write of
// f fails, f must end.
func (s *Store) Together(ctx context.Context, op string, f func(*Store) error) error {
	return s.update(ctx, op, func(t *tx) error {
		within := *s
		within.queries, within.within = t.Queries, t
		return f(&within)
	})
}
