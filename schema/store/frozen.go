package store

import (
	"context"
	"database/sql"

	"mtok/schema"
	"mtok/schema/store/db"
)

// PageSince returns since which day, up to a day, a provider's source has given
// one page and no other, and on how many days; 0 nights where it did not that
// day.
func (s *Store) PageSince(
	ctx context.Context, provider schema.ProviderID, source, sha256 string, day schema.Day,
) (since schema.Day, nights int, err error) {
	row, err := s.queries.PageSince(ctx, db.PageSinceParams{
		Provider: string(provider), Source: source, Page: sql.NullString{String: sha256, Valid: true}, Day: int64(day),
	})
	return schema.Day(row.Since), int(row.Nights), s.fault("find since when a page stands", err)
}

// MovedProviders returns the providers, but one, of which an own published list
// price changed between two days, both included.
func (s *Store) MovedProviders(
	ctx context.Context, but schema.ProviderID, from, to schema.Day,
) ([]schema.ProviderID, error) {
	rows, err := s.queries.MovedProviders(ctx, db.MovedProvidersParams{
		But: string(but), FromDay: int64(from), ToDay: int64(to),
	})
	return mapRows(rows, func(p string) schema.ProviderID { return schema.ProviderID(p) }),
		s.fault("find what moved", err)
}
