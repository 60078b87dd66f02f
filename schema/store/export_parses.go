package store

import (
	"context"
	"database/sql"

	"mtok/schema"
	"mtok/schema/store/db"
)

// ExportParses returns the pages of the selected days that were read, each with
// what a parser made of it, in the order of fetch and parser version. Of an import
// the day is that on which it was made.
func (s *Store) ExportParses(ctx context.Context, f schema.ExportFilter) ([]schema.ExportedParse, error) {
	var out []schema.ExportedParse
	err := s.snapshot(ctx, "export parses", func(q *db.Queries, _ *sql.Conn) error {
		rows, err := q.ExportParses(ctx, db.ExportParsesParams{FromDay: int64(f.FromDay), ToDay: lastDay(f.ToDay)})
		if err != nil {
			return err
		}
		e := newExport(q, f)
		for _, row := range rows {
			p := schema.ExportedParse{Parse: toParse(row.Parse)}
			known, err := e.evidence(ctx, row.Fetch.ID, 0, &p.Evidence)
			if err != nil {
				return err
			}
			if known && !tooLate(f, p.ParsedAt) {
				out = append(out, p)
			}
		}
		return nil
	})
	return out, err
}

// ExportRejects hands the rows that a rule refused to yield, of the pages of
// ExportParses, in the order of fetch and position.
func (s *Store) ExportRejects(
	ctx context.Context, parses []schema.ExportedParse, yield func(*schema.ExportedReject) error,
) error {
	return s.snapshot(ctx, "export rejects", func(q *db.Queries, _ *sql.Conn) error {
		last := int64(0)
		for _, p := range parses {
			if p.FetchID == last {
				continue // read by two parsers
			}
			last = p.FetchID
			rows, err := q.FetchRejects(ctx, p.FetchID)
			if err != nil {
				return err
			}
			for _, r := range rows {
				out := schema.ExportedReject{FetchID: r.FetchID, Position: int(r.Position), Reject: schema.Reject{
					Source: r.Source, Label: r.Label, PriceText: r.PriceText, Rule: r.Rule, Reason: r.Reason,
				}}
				if err := yield(&out); err != nil {
					return err
				}
			}
		}
		return nil
	})
}
