package store

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"time"

	"mtok/schema"
	"mtok/schema/store/db"
)

// export looks up what the rows of an export hang on and remembers it: a night of
// thousands of prices has a handful of fetches, and next night has its offers.
type export struct {
	q      *db.Queries
	filter schema.ExportFilter

	offers      map[int64]*exportedOffer
	fetches     map[int64]*exportedFetch
	quarantines map[int64]db.Quarantine
	runs        map[int64]schema.Run

	// A part of a day, its texts, and the row that is yielded: all are used again.
	part   []exportRow
	texts  rowTexts
	row    schema.ExportedObservation
	values exportValues
}

// exportValues are what the attributes of a row point to.
type exportValues struct {
	maxDays, reliability, storage int64
	nvlink, datacenter            bool
}

// Beyond so many remembered offers or fetches all are forgotten and read again.
const (
	rememberedOffers  = 100_000
	rememberedFetches = 10_000
)

type exportedOffer struct {
	schema.Offer
	class schema.ClassID
}

type exportedFetch struct {
	fetch schema.Fetch
	from  *schema.ImportedFrom
	late  bool
}

func newExport(q *db.Queries, f schema.ExportFilter) *export {
	return &export{
		q: q, filter: f,
		offers: map[int64]*exportedOffer{}, fetches: map[int64]*exportedFetch{},
		quarantines: map[int64]db.Quarantine{}, runs: map[int64]schema.Run{},
	}
}

// evidence fills in where a row was read from; it reports false for what was not
// known in time.
func (e *export) evidence(ctx context.Context, fetchID, quarantineID int64, out *schema.Evidence) (bool, error) {
	f, err := e.fetch(ctx, fetchID)
	if err != nil || f.late {
		return false, err
	}
	out.Fetch, out.ImportedFrom = f.fetch, f.from
	out.QuarantineID, out.QuarantineState = 0, ""
	if quarantineID == 0 {
		return true, nil
	}
	q, err := e.quarantine(ctx, quarantineID)
	if err != nil {
		return false, err
	}
	out.QuarantineID, out.QuarantineState = q.ID, q.State
	if tooLate(e.filter, toOptionalTime(q.DecidedAt)) {
		out.QuarantineState = schema.QuarantineHeld
	}
	return true, nil
}

// needOffers finds the offers of a part and reads those that are not known yet. Most of a night's
// new ones have ids in a row.
func (e *export) needOffers(ctx context.Context, part []exportRow) error {
	if len(e.offers) > rememberedOffers {
		clear(e.offers)
	}
	var missing []int64
	for i := range part {
		r := &part[i]
		if r.of = e.offers[r.offer]; r.of == nil {
			missing = append(missing, r.offer)
		}
	}
	slices.Sort(missing)
	const gap = 32 // to read so many offers in vain costs less than a query
	for len(missing) > 0 {
		n := 1
		for n < len(missing) && missing[n]-missing[n-1] <= gap {
			n++
		}
		rows, err := e.q.OffersBetween(ctx, db.OffersBetweenParams{First: missing[0], Last: missing[n-1]})
		if err != nil {
			return err
		}
		for _, row := range rows {
			e.offers[row.ID] = &exportedOffer{toOffer(row), schema.ClassID(row.GpuClass)}
		}
		missing = missing[n:]
	}
	for i := range part {
		r := &part[i]
		if r.of != nil {
			continue
		}
		if r.of = e.offers[r.offer]; r.of == nil {
			return fmt.Errorf("%w: offer %d", ErrNotFound, r.offer)
		}
	}
	return nil
}

func (e *export) fetch(ctx context.Context, id int64) (*exportedFetch, error) {
	if f, ok := e.fetches[id]; ok {
		return f, nil
	}
	if len(e.fetches) > rememberedFetches {
		clear(e.fetches)
	}
	row, err := e.q.GetFetch(ctx, id)
	if err != nil {
		return nil, fmt.Errorf("fetch %d: %w", id, err)
	}
	f := &exportedFetch{fetch: toFetch(row)}
	known := f.fetch.FetchedAt
	if f.fetch.Origin == schema.OriginImport {
		row, err := e.q.GetImport(ctx, id)
		if err != nil {
			return nil, fmt.Errorf("import of fetch %d: %w", id, err)
		}
		f.from = &schema.ImportedFrom{
			Format: row.Format, File: row.File, Licence: row.Licence, Attribution: row.Attribution,
			Provenance: row.Provenance, At: toTime(row.ImportedAt),
		}
		known = f.from.At
	}
	f.late = tooLate(e.filter, known)
	if !f.late && !e.filter.KnownBy.IsZero() {
		run, err := e.run(ctx, f.fetch.RunID)
		if err != nil {
			return nil, err
		}
		f.late = unfinished(e.filter, run)
	}
	e.fetches[id] = f
	return f, nil
}

func (e *export) run(ctx context.Context, id int64) (schema.Run, error) {
	if r, ok := e.runs[id]; ok {
		return r, nil
	}
	row, err := e.q.GetRun(ctx, id)
	if err != nil {
		return schema.Run{}, fmt.Errorf("run %d: %w", id, err)
	}
	e.runs[id] = toRun(row)
	return e.runs[id], nil
}

func (e *export) quarantine(ctx context.Context, id int64) (db.Quarantine, error) {
	if q, ok := e.quarantines[id]; ok {
		return q, nil
	}
	row, err := e.q.GetQuarantine(ctx, id)
	if err != nil {
		return row, fmt.Errorf("quarantine %d: %w", id, err)
	}
	e.quarantines[id] = row
	return row, nil
}

// tooLate reports whether something happened after the moment of the filter.
func tooLate(f schema.ExportFilter, at time.Time) bool {
	return !f.KnownBy.IsZero() && at.After(f.KnownBy)
}

// unfinished reports whether a run was still running then: what it wrote was not
// the last word.
func unfinished(f schema.ExportFilter, r schema.Run) bool {
	return !f.KnownBy.IsZero() && (r.FinishedAt.IsZero() || r.FinishedAt.After(f.KnownBy))
}

func toUSDPointer(n sql.NullInt64) *schema.USD {
	if !n.Valid {
		return nil
	}
	usd := schema.USD(n.Int64)
	return &usd
}
