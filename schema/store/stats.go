package store

import (
	"context"

	"mtok/schema/store/db"
)

// Stats are the sizes that `status` shows.
type Stats struct {
	Bytes       int64 // of the database file, or of the PostgreSQL database
	WALBytes    int64 // of the write-ahead log; 0 on PostgreSQL
	PageBytes   int64 // of all archived bodies, raw
	StoredBytes int64 // of all archived bodies, as compressed

	Runs, Fetches, Pages, Offers, Observations, Rejects, DailyPrices int64
}

// Stats counts rows and bytes.
func (s *Store) Stats(ctx context.Context) (Stats, error) {
	counts, err := s.queries.Counts(ctx)
	if err != nil {
		return Stats{}, s.fault("count rows", err)
	}
	stats := fromCounts(counts)
	stats.Bytes, stats.WALBytes, err = s.dialect.size(ctx, s.read)
	return stats, s.fault("measure database", err)
}

func fromCounts(c db.CountsRow) Stats {
	return Stats{
		PageBytes:    c.RawBytes,
		StoredBytes:  c.StoredBytes,
		Runs:         c.Runs,
		Fetches:      c.Fetches,
		Pages:        c.Pages,
		Offers:       c.Offers,
		Observations: c.Observations,
		Rejects:      c.Rejects,
		DailyPrices:  c.DailyPrices,
	}
}
