package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"mtok/schema"
	"mtok/schema/store/db"
)

// export looks up what the rows of an export hang on and remembers it: a night of
// thousands of prices has a handful of fetches, and next night has its offers.
type export struct {
	q      *db.Queries
	filter schema.ExportFilter

	offers      map[int64]exportedOffer
	fetches     map[int64]exportedFetch
	quarantines map[int64]db.Quarantine
	runs        map[int64]schema.Run

	part []schema.ExportedObservation // of a day, used again for the next
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
		offers: map[int64]exportedOffer{}, fetches: map[int64]exportedFetch{},
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

// offer reads all offers of a day where one is not known yet.
func (e *export) offer(ctx context.Context, day, id int64) (exportedOffer, error) {
	if o, ok := e.offers[id]; ok {
		return o, nil
	}
	if len(e.offers) > rememberedOffers {
		clear(e.offers)
	}
	rows, err := e.q.DayOffers(ctx, day)
	if err != nil {
		return exportedOffer{}, err
	}
	for _, row := range rows {
		e.offers[row.ID] = exportedOffer{toOffer(row), schema.ClassID(row.GpuClass)}
	}
	o, ok := e.offers[id]
	if !ok {
		return o, fmt.Errorf("%w: offer %d of %s", ErrNotFound, id, schema.Day(day))
	}
	return o, nil
}

func (e *export) fetch(ctx context.Context, id int64) (exportedFetch, error) {
	if f, ok := e.fetches[id]; ok {
		return f, nil
	}
	if len(e.fetches) > rememberedFetches {
		clear(e.fetches)
	}
	row, err := e.q.GetFetch(ctx, id)
	if err != nil {
		return exportedFetch{}, fmt.Errorf("fetch %d: %w", id, err)
	}
	f := exportedFetch{fetch: toFetch(row)}
	known := f.fetch.FetchedAt
	if f.fetch.Origin == schema.OriginImport {
		row, err := e.q.GetImport(ctx, id)
		if err != nil {
			return f, fmt.Errorf("import of fetch %d: %w", id, err)
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
			return f, err
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
