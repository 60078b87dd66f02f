package store

import (
	"context"
	"fmt"

	"mtok/schema"
	"mtok/schema/store/db"
)

// putParses writes what parsers made of the pages, and the rows that gave no price.
func (p putBack) putParses(ctx context.Context, a schema.Archive) error {
	for _, r := range a.Parses {
		err := p.tx.PutParse(ctx, db.PutParseParams{
			FetchID: p.fetches[r.Fetch.ID], ParserVersion: int64(r.ParserVersion), Offers: int64(r.Offers),
			Rejects: int64(r.Parse.Rejects), Error: clean(r.Parse.Error), ParsedAt: r.ParsedAt.UnixMilli(),
		})
		if err != nil {
			return err
		}
	}
	for _, r := range a.Rejects {
		fetch, known := p.fetches[r.FetchID]
		if !known {
			return fmt.Errorf("%w: fetch %d of a reject", ErrNotFound, r.FetchID)
		}
		err := p.tx.InsertReject(ctx, db.InsertRejectParams{
			FetchID: fetch, Position: int64(r.Position), Source: r.Source, Label: clean(r.Label),
			PriceText: clean(r.PriceText), Rule: r.Rule, Reason: clean(r.Reason),
		})
		if err != nil {
			return err
		}
	}
	return nil
}
