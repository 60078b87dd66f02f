package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"mtok/schema"
	"mtok/schema/store/db"
)

// Pruned is what retention took, or would take.
type Pruned struct {
	Pages int
	Bytes int64 // as compressed: the file keeps its size and fills the space again
}

// Prune drops the bodies of pages that no figure rests on: pages of days before
// the given one that were fetched again on their day, with another outcome. Kept
// are the page of every price, published, held or excluded, of every notice and
// import, all pages of a night that was ever quarantined, and of a request the
// last page of a day that could be read, whether it gave a price or not. Of a
// dropped page its hash, size and fetches stay. With dry nothing is dropped.
func (s *Store) Prune(ctx context.Context, before schema.Day, dry bool) (Pruned, error) {
	var pruned Pruned
	const op = "prune pages"
	if dry {
		err := s.snapshot(ctx, op, func(q *db.Queries, _ *sql.Conn) error {
			_, err := prunable(ctx, q, before, &pruned)
			return err
		})
		return pruned, err
	}
	err := s.update(ctx, op, func(t *tx) error {
		hashes, err := prunable(ctx, t.Queries, before, &pruned)
		if err != nil {
			return err
		}
		for _, hash := range hashes {
			n, err := t.DropPageBody(ctx, db.DropPageBodyParams{Empty: []byte{}, Sha256: hash})
			if err == nil && n != 1 {
				err = fmt.Errorf("%w: page %s", ErrNotFound, hash)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	return pruned, err
}

// prunable returns the pages to drop, counted in pruned.
func prunable(ctx context.Context, q *db.Queries, before schema.Day, pruned *Pruned) ([]string, error) {
	spare, err := superseded(ctx, q, before)
	if err != nil || len(spare) == 0 {
		return nil, err
	}
	used, err := q.ObservedPages(ctx)
	if err != nil {
		return nil, err
	}
	for _, hash := range used {
		delete(spare, hash.String)
	}
	var out []string
	for _, hash := range slices.Sorted(maps.Keys(spare)) {
		size, err := q.PageStored(ctx, hash)
		if err != nil {
			return nil, err
		}
		if size > 0 {
			out = append(out, hash)
			pruned.Pages++
			pruned.Bytes += size
		}
	}
	return out, nil
}

// superseded returns the pages of which every fetch is old, no import, of no
// quarantined night and no notice, and was made again on its day.
func superseded(ctx context.Context, q *db.Queries, before schema.Day) (map[string]bool, error) {
	kept, err := newKept(ctx, q)
	if err != nil {
		return nil, err
	}
	days, err := q.FetchDays(ctx)
	if err != nil {
		return nil, err
	}
	spare, stay := map[string]bool{}, map[string]bool{}
	for _, day := range days {
		fetches, err := q.ListFetches(ctx, db.ListFetchesParams{FromDay: day, ToDay: day})
		if err != nil {
			return nil, err
		}
		type target struct{ provider, source, key string }
		last := map[target]int64{} // the newest fetch that could be read
		for _, f := range fetches {
			if f.PageSha256.Valid && f.ErrorKind == "" {
				last[target{f.Provider, f.Source, f.RequestKey}] = f.ID
			}
		}
		for _, f := range fetches {
			if !f.PageSha256.Valid {
				continue
			}
			if day >= int64(before) || kept.fetch(f) || last[target{f.Provider, f.Source, f.RequestKey}] <= f.ID {
				stay[f.PageSha256.String] = true
			} else {
				spare[f.PageSha256.String] = true
			}
		}
	}
	for hash := range stay {
		delete(spare, hash)
	}
	return spare, nil
}

// kept knows the fetches whose pages stay whatever their age.
type kept struct {
	notices map[int64]bool
	runs    map[providerRun]bool // quarantined
	days    map[providerDay]bool // likewise
}

type (
	providerRun struct {
		provider string
		run      int64
	}
	providerDay struct {
		provider string
		day      int64
	}
)

func newKept(ctx context.Context, q *db.Queries) (kept, error) {
	k := kept{notices: map[int64]bool{}, runs: map[providerRun]bool{}, days: map[providerDay]bool{}}
	notices, err := q.ListNotices(ctx)
	if err != nil {
		return k, err
	}
	for _, n := range notices {
		k.notices[n.FetchID] = true
	}
	quarantines, err := q.ExportQuarantines(ctx, db.ExportQuarantinesParams{FromDay: math.MinInt64, ToDay: math.MaxInt64})
	for _, held := range quarantines {
		k.runs[providerRun{held.Provider, held.RunID}] = true
		k.days[providerDay{held.Provider, held.Day}] = true
	}
	return k, err
}

func (k kept) fetch(f db.Fetch) bool {
	return f.Origin == string(schema.OriginImport) || k.notices[f.ID] ||
		k.runs[providerRun{f.Provider, f.RunID}] || k.days[providerDay{f.Provider, f.Day}]
}

// pageStored returns the compressed bytes of a page, and whether it is known.
func pageStored(ctx context.Context, q *db.Queries, hash string) (int64, bool, error) {
	size, err := q.PageStored(ctx, hash)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, false, nil
	}
	return size, err == nil, err
}
