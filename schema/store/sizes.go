package store

import (
	"context"

	"mtok/schema"
)

// FetchedBytes returns the size of the bodies that a run fetched from each
// provider, uncompressed. A 304 has none; a provider without a body is missing.
func (s *Store) FetchedBytes(ctx context.Context, runID int64) (map[schema.ProviderID]int64, error) {
	rows, err := s.queries.FetchedBytes(ctx, runID)
	out := make(map[schema.ProviderID]int64, len(rows))
	for _, r := range rows {
		out[schema.ProviderID(r.Provider)] = r.Bytes
	}
	return out, s.fault("measure fetches", err)
}

// Size returns the bytes of the database and of its write-ahead log, which
// PostgreSQL keeps elsewhere: 0 there. Stats counts as well, which takes longer.
func (s *Store) Size(ctx context.Context) (database, log int64, err error) {
	database, log, err = s.dialect.size(ctx, s.read)
	return database, log, s.fault("measure database", err)
}
