package store

import (
	"context"
	"database/sql"
	"errors"
	"maps"
	"slices"

	"mtok/schema"
	"mtok/schema/store/db"
)

// Imported reports whether a file was read already, by the same parser.
func (s *Store) Imported(ctx context.Context, k schema.ImportKind) (bool, error) {
	n, err := s.queries.CountImported(ctx, db.CountImportedParams{
		Format: k.Format, PageSha256: optional(k.PageSHA256), ParserVersion: int64(k.ParserVersion),
		RequestKey: optional(k.Key),
	})
	return n > 0, s.fault("find import", err)
}

// Imports returns what was imported, in order, without its prices.
func (s *Store) Imports(ctx context.Context) ([]schema.Import, error) {
	rows, err := s.queries.ListImports(ctx)
	return mapRows(rows, func(r db.Import) schema.Import {
		return schema.Import{
			Fetch: schema.Fetch{ID: r.FetchID, FetchedAt: toTime(r.ImportedAt)}, Format: r.Format, File: r.File,
			Licence: r.Licence, Attribution: r.Attribution, Provenance: r.Provenance,
		}
	}), s.fault("list imports", err)
}

// SaveImport writes a file and all that was read from it, or nothing. A price that
// an earlier import of the same source gave for the same day and offer makes way;
// one that we observed ourselves stays, and is counted in kept. An offer that is
// known already is neither reworded nor reclassified, unless the format's own. What
// an earlier parser read from the same file goes, since today's may refuse it.
func (s *Store) SaveImport(ctx context.Context, in schema.Import) (kept int, err error) {
	err = s.update(ctx, "save import of "+in.File, func(t *tx) error {
		if err := s.beat(ctx, t, in.Fetch.RunID); err != nil {
			return err
		}
		if err := dropEarlier(ctx, t, in); err != nil {
			return err
		}
		id, err := s.putImport(ctx, t, in)
		if err != nil {
			return err
		}
		written, err := s.putImported(ctx, t, in, id)
		if err != nil {
			return err
		}
		kept = len(in.Prices) - written
		return putTokenPrices(ctx, t, in, id)
	})
	return kept, err
}

// dropEarlier takes out what was read from the same file before.
func dropEarlier(ctx context.Context, t *tx, in schema.Import) error {
	fetches, err := t.EarlierImports(ctx, db.EarlierImportsParams{
		Format: in.Format, PageSha256: optional(in.Page.SHA256), RequestKey: optional(in.DayKey),
	})
	if err != nil {
		return err
	}
	for _, id := range fetches {
		owed, err := t.ImportedPriceDays(ctx, id)
		if err != nil {
			return err
		}
		days := make(map[schema.Day]bool, len(owed))
		for _, day := range owed {
			days[schema.Day(day)] = true
		}
		if err := errors.Join(t.DropImportedPrices(ctx, id), t.DropImportedTokenPrices(ctx, id), unsettleDays(ctx, t, days)); err != nil {
			return err
		}
	}
	return nil
}

// putImport writes the file, its fetch and what was refused.
func (s *Store) putImport(ctx context.Context, t *tx, in schema.Import) (int64, error) {
	f := in.Fetch
	if err := putPage(ctx, t, in.Page); err != nil {
		return 0, err
	}
	id, err := t.InsertFetch(ctx, db.InsertFetchParams{
		RunID: f.RunID, Day: int64(f.Day), Provider: string(f.Provider), Source: f.Source, RequestKey: clean(f.Key),
		Origin: string(schema.OriginImport), Method: f.Method, Url: clean(f.URL), Status: int64(f.Status),
		PageSha256: optional(in.Page.SHA256), FetchedAt: f.FetchedAt.UnixMilli(),
	})
	if err != nil {
		return 0, err
	}
	err = t.InsertImport(ctx, db.InsertImportParams{
		FetchID: id, Format: in.Format, File: clean(in.File), Licence: in.Licence, Attribution: in.Attribution,
		Provenance: in.Provenance, ImportedAt: s.now().UnixMilli(),
	})
	if err != nil {
		return 0, err
	}
	err = t.PutParse(ctx, db.PutParseParams{
		FetchID: id, ParserVersion: int64(in.Parse.ParserVersion), Offers: int64(in.Parse.Offers),
		Rejects: int64(in.Parse.Rejects), Error: clean(in.Parse.Error), ParsedAt: s.now().UnixMilli(),
	})
	if err != nil {
		return 0, err
	}
	return id, putRejects(ctx, t, schema.FetchRejects{FetchID: id, Rejects: in.Rejects})
}

func putTokenPrices(ctx context.Context, t *tx, in schema.Import, fetch int64) error {
	days := map[schema.Day]bool{}
	for _, p := range in.TokenPrices {
		_, err := t.PutTokenPrice(ctx, db.PutTokenPriceParams{
			Day: int64(p.Day), Slot: p.Day.Slot(), Source: p.Source, Model: clean(p.Model), Endpoint: clean(p.Endpoint),
			FetchID: fetch, Origin: string(schema.OriginImport), UsdIn: fromUSD(p.In), UsdOut: fromUSD(p.Out), UsdCacheRead: fromUSD(p.CacheRead), PriceText: clean(p.Text),
		})
		if err != nil {
			return err
		}
		days[p.Day] = true
	}
	return unsettleDays(ctx, t, days)
}

func unsettleDays(ctx context.Context, t *tx, days map[schema.Day]bool) error {
	for _, day := range slices.Sorted(maps.Keys(days)) {
		if err := t.UnsettleDay(ctx, int64(day)); err != nil {
			return err
		}
	}
	return nil
}

func fromUSD(p *schema.USD) sql.NullInt64 {
	if p == nil {
		return sql.NullInt64{}
	}
	return sql.NullInt64{Int64: int64(*p), Valid: true}
}
