package store

import (
	"context"

	"mtok/schema"
	"mtok/schema/store/db"
)

// ImportedBy names the record that each day's lowest imported price of a class is
// from, from one day to another, both included.
func (s *Store) ImportedBy(
	ctx context.Context, class schema.ClassID, term schema.Term, from, to schema.Day,
) (map[schema.Day]string, error) {
	rows, err := s.queries.ImportedBy(ctx, db.ImportedByParams{
		GpuClass: string(class), FromDay: int64(from), ToDay: int64(to), Term: string(term),
	})
	out := map[schema.Day]string{}
	for _, r := range rows {
		if name := schema.ImportFormatOf(r.Sku); name != "" && out[schema.Day(r.Day)] == "" {
			out[schema.Day(r.Day)] = name
		}
	}
	return out, s.fault("name the imports of "+string(class), err)
}
