package store

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"

	"mtok/schema"
	"mtok/schema/store/db"
)

// Empty reports whether nothing was ever observed or imported.
func (s *Store) Empty(ctx context.Context) (bool, error) {
	n, err := s.queries.CountKept(ctx)
	return n == 0, s.fault("look for prices", err)
}

// SaveArchive puts an export back into a database that has no prices yet, as it was:
// runs, fetches, quarantines, notices, observations and token prices, each under a new
// number in the order of the old ones. Pages are known by their hash alone, and each
// fetch says that it came by the export. files are the exported files themselves. All
// days are unsettled.
func (s *Store) SaveArchive(ctx context.Context, a schema.Archive, files []schema.Import) error {
	return s.update(ctx, "put back an export", func(t *tx) error {
		if err := s.beat(ctx, t, files[0].Fetch.RunID); err != nil {
			return err
		}
		if n, err := t.CountKept(ctx); err != nil || n > 0 {
			return cmp.Or(err, fmt.Errorf("%w: the database has prices already", ErrCollision))
		}
		for _, f := range files {
			if _, err := s.putImport(ctx, t, f); err != nil {
				return err
			}
		}
		p := putBack{store: s, tx: t, by: files[0], runs: map[int64]int64{}, fetches: map[int64]int64{}, quarantines: map[int64]int64{}}
		for _, step := range []func(context.Context, schema.Archive) error{
			p.putRuns, p.putFetches, p.putQuarantines, p.putNotices, p.putPrices, p.putTokens, p.putParses,
		} {
			if err := step(ctx, a); err != nil {
				return err
			}
		}
		return nil
	})
}

// putBack maps the numbers of an export to those of this database.
type putBack struct {
	store                      *Store
	tx                         *tx
	by                         schema.Import // the first of the files
	runs, fetches, quarantines map[int64]int64
}

func (p putBack) putRuns(ctx context.Context, a schema.Archive) error {
	nights := slices.Clone(a.Nights)
	slices.SortStableFunc(nights, func(x, y schema.ExportedNight) int { return cmp.Compare(x.Run.ID, y.Run.ID) })
	for _, n := range nights {
		id, known := p.runs[n.Run.ID]
		if !known {
			r := n.Run
			if r.Status == schema.StatusRunning {
				r.Status, r.FinishedAt = schema.StatusAbandoned, r.StartedAt
			}
			var err error
			id, err = p.tx.InsertEndedRun(ctx, db.InsertEndedRunParams{
				Job: r.Job, Day: int64(r.Day), Slot: r.Slot, Trigger: clean(r.Trigger), Status: string(r.Status), Version: r.Version,
				StartedAt: r.StartedAt.UnixMilli(), BeatAt: r.StartedAt.UnixMilli(), FinishedAt: fromPointer(ptrTo(r.FinishedAt.UnixMilli())),
			})
			if err != nil {
				return err
			}
			p.runs[r.ID] = id
		}
		n.Result.RunID = id
		if err := p.store.putResult(ctx, p.tx, schema.ProviderNight{Result: n.Result}); err != nil {
			return err
		}
	}
	return nil
}

// run is the number of a run here; what an import of the other database fetched
// hangs on the run of this one.
func (p putBack) run(old int64) int64 { return cmp.Or(p.runs[old], p.by.Fetch.RunID) }

func (p putBack) putFetches(ctx context.Context, a schema.Archive) error {
	found := map[int64]schema.Evidence{}
	for _, o := range a.Observations {
		found[o.Fetch.ID] = o.Evidence
	}
	for _, o := range a.TokenPrices {
		found[o.Fetch.ID] = o.Evidence
	}
	for _, n := range a.Notices {
		if _, known := found[n.Fetch.ID]; !known {
			found[n.Fetch.ID] = schema.Evidence{Fetch: n.Fetch}
		}
	}
	for _, r := range a.Parses { // they know the day of the fetch
		found[r.Fetch.ID] = r.Evidence
	}
	for _, old := range slices.Sorted(maps.Keys(found)) {
		if err := p.putFetch(ctx, found[old]); err != nil {
			return err
		}
	}
	return nil
}

func (p putBack) putFetch(ctx context.Context, e schema.Evidence) error {
	f := e.Fetch
	if f.PageSHA256 != "" {
		if err := p.tx.InsertPage(ctx, db.InsertPageParams{Sha256: f.PageSHA256, Body: []byte{}}); err != nil {
			return err
		}
	}
	id, err := p.tx.InsertFetch(ctx, db.InsertFetchParams{
		RunID: p.run(f.RunID), Day: int64(f.Day), Provider: string(f.Provider), Source: clean(f.Source), RequestKey: clean(f.Key),
		Origin: string(f.Origin), Method: f.Method, Url: clean(f.URL), Status: int64(f.Status), PageSha256: optional(f.PageSHA256),
		FetchedAt: f.FetchedAt.UnixMilli(),
	})
	if err != nil {
		return err
	}
	p.fetches[f.ID] = id
	from := e.ImportedFrom
	if from == nil {
		from = &schema.ImportedFrom{Format: p.by.Format, File: p.by.File, Licence: p.by.Licence,
			Attribution: p.by.Attribution, Provenance: p.by.Provenance, At: p.by.Fetch.FetchedAt}
	}
	return p.tx.InsertImport(ctx, db.InsertImportParams{
		FetchID: id, Format: clean(from.Format), File: clean(from.File), Licence: clean(from.Licence),
		Attribution: clean(from.Attribution), Provenance: clean(from.Provenance), ImportedAt: from.At.UnixMilli(),
	})
}

func (p putBack) putQuarantines(ctx context.Context, a schema.Archive) error {
	held := slices.Clone(a.Quarantines)
	slices.SortStableFunc(held, func(x, y schema.Quarantine) int { return cmp.Compare(x.ID, y.ID) })
	for _, q := range held {
		row := db.InsertQuarantineParams{
			RunID: p.run(q.RunID), Provider: string(q.Provider), Day: int64(q.Day), Rule: q.Rule, Evidence: clean(q.Evidence),
			State: q.State, DecidedBy: clean(q.DecidedBy), CreatedAt: q.CreatedAt.UnixMilli(),
		}
		if !q.DecidedAt.IsZero() {
			row.DecidedAt = fromPointer(ptrTo(q.DecidedAt.UnixMilli()))
		}
		id, err := p.tx.InsertQuarantine(ctx, row)
		if err != nil {
			return err
		}
		p.quarantines[q.ID] = id
	}
	return nil
}

// quarantine is the number of a quarantine here. Without it a price that was held would
// count: an export that lacks it is not put back.
func (p putBack) quarantine(old int64) (sql.NullInt64, error) {
	id, known := p.quarantines[old]
	if old != 0 && !known {
		return sql.NullInt64{}, fmt.Errorf("%w: quarantine %d of a price: the export's quarantines belong to it", ErrNotFound, old)
	}
	return optionalID(id), nil
}

func (p putBack) putNotices(ctx context.Context, a schema.Archive) error {
	for _, n := range a.Notices {
		err := p.tx.PutNotice(ctx, db.PutNoticeParams{
			Provider: string(n.Provider), Kind: n.Kind, SinceDay: int64(n.Since), LastDay: int64(n.Last), Detail: clean(n.Detail),
			FetchID: p.fetches[n.Fetch.ID],
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (p putBack) putPrices(ctx context.Context, a schema.Archive) error {
	byProvider := map[schema.ProviderID][]db.Offer{}
	for i := range a.Observations {
		o := &a.Observations[i]
		byProvider[o.Offer.Provider] = append(byProvider[o.Offer.Provider], fromOffer(o.Offer, o.Class))
	}
	ids := map[schema.OfferKey]int64{}
	for _, provider := range slices.Sorted(maps.Keys(byProvider)) {
		stored, err := p.store.storedOffers(ctx, p.tx, provider, byProvider[provider])
		if err != nil {
			return err
		}
		for key, offer := range stored {
			ids[key] = offer.ID
		}
	}
	rows := make([]db.Observation, len(a.Observations))
	days := map[schema.Day]bool{}
	for i := range a.Observations {
		o := &a.Observations[i]
		row, err := fromObservation(o.Observation, ids[o.Offer.OfferKey])
		if err != nil {
			return err
		}
		row.FetchID = p.fetches[o.Fetch.ID]
		if row.QuarantineID, err = p.quarantine(o.QuarantineID); err != nil {
			return err
		}
		rows[i], days[o.Day] = row, true
	}
	written, err := p.store.dialect.putObservations(ctx, p.tx, rows)
	if err == nil && written != int64(len(rows)) {
		err = fmt.Errorf("%w: %d of %d observations stand twice", ErrCollision, int64(len(rows))-written, len(rows))
	}
	if err != nil {
		return err
	}
	return unsettleDays(ctx, p.tx, days)
}

func (p putBack) putTokens(ctx context.Context, a schema.Archive) error {
	days := map[schema.Day]bool{}
	for _, o := range a.TokenPrices {
		quarantine, err := p.quarantine(o.QuarantineID)
		if err != nil {
			return err
		}
		_, err = p.tx.PutTokenPrice(ctx, db.PutTokenPriceParams{
			Day: int64(o.Day), Slot: o.Slot, Source: o.Source, Model: clean(o.Model), Endpoint: clean(o.Endpoint), Precision: clean(o.Precision),
			MinPromptTokens: o.MinPromptTokens, FetchID: p.fetches[o.Fetch.ID], Origin: string(o.Origin),
			UsdIn: fromUSD(o.USDIn), UsdOut: fromUSD(o.USDOut), UsdCacheRead: fromUSD(o.USDCacheRead), UsdCacheWrite: fromUSD(o.USDCacheWrite),
			UptimePpm: fromPointer(o.UptimePPM), PriceText: clean(o.PriceText), ExcludedReason: clean(o.Excluded),
			QuarantineID: quarantine,
		})
		if err != nil {
			return err
		}
		days[o.Day] = true
	}
	return unsettleDays(ctx, p.tx, days)
}

func ptrTo[T any](v T) *T { return &v }
