package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"time"

	"mtok/schema"
	"mtok/schema/store/db"
)

// ExportObservations hands every selected observation to yield: held, discarded and
// excluded ones too, ordered by day, slot, offer and source. All are of one
// moment: a night that is saved meanwhile is not seen. The row, with all that it
// points to, is valid until yield returns; an error of yield ends the export.
func (s *Store) ExportObservations(
	ctx context.Context, f schema.ExportFilter, yield func(*schema.ExportedObservation) error,
) (err error) {
	pool, read, done, err := s.rowsReader()
	if err != nil {
		return s.fault("export observations", err)
	}
	defer func() { err = errors.Join(err, done()) }()
	return s.snapshotOf(ctx, pool, "export observations", func(q *db.Queries, conn *sql.Conn) error {
		days, err := q.ObservationDays(ctx)
		if err != nil {
			return err
		}
		e := newExport(q, f)
		for _, day := range days {
			if day < int64(f.FromDay) || day > lastDay(f.ToDay) {
				continue
			}
			if err := e.observationsOf(ctx, conn, read, schema.Day(day), yield); err != nil {
				return err
			}
		}
		return nil
	})
}

// observationsOf reads a day part by part, each beginning after the last row of
// the one before. What the rows hang on is looked up when the part is read: one
// connection answers one query at a time.
func (e *export) observationsOf(
	ctx context.Context, conn *sql.Conn, read rowReader, day schema.Day, yield func(*schema.ExportedObservation) error,
) error {
	slot, offer, source := int64(math.MinInt64), int64(0), ""
	for {
		part := e.part[:0]
		err := read(ctx, conn, func(r rawRow) { part = append(part, e.texts.row(r)) }, int64(day), slot, offer, source)
		if err != nil {
			return err
		}
		e.part = part
		if err := e.needOffers(ctx, part); err != nil {
			return err
		}
		for i := range part {
			r := &part[i]
			if cmp.Or(cmp.Compare(slot, r.slot), cmp.Compare(offer, r.offer), cmp.Compare(source, r.source)) >= 0 {
				return fmt.Errorf("offer %d of %s came out of order", r.offer, day)
			}
			slot, offer, source = r.slot, r.offer, r.source
			known, err := e.complete(ctx, day, r)
			if err != nil {
				return err
			}
			if known {
				if err := yield(&e.row); err != nil {
					return err
				}
			}
		}
		if len(part) < exportBatch {
			return nil
		}
	}
}

// complete makes e.row of a row and what it hangs on; it reports whether the row
// was known in time.
func (e *export) complete(ctx context.Context, day schema.Day, r *exportRow) (bool, error) {
	o := &e.row
	known, err := e.evidence(ctx, r.fetch, r.quarantine.Int64, &o.Evidence)
	if err != nil || !known {
		return false, err
	}
	o.Day, o.Slot, o.Source, o.OfferID, o.FetchID = day, r.slot, r.source, r.offer, r.fetch
	o.Offer, o.Class, o.Origin = r.of.Offer, r.of.class, o.Fetch.Origin
	o.PageSHA256, o.FetchedAt = o.Fetch.PageSHA256, o.Fetch.FetchedAt
	o.USDPerGPUHour, o.USDPerInstanceHour = r.usdPerGPUHour, r.usdPerInstanceHour
	o.Excluded, o.StockPoints = r.excluded, r.stockPoints
	o.Offer.PriceText, o.Offer.Currency, o.Offer.Note, o.Offer.Stock = r.price, r.currency, r.note, toStock(r.stock)
	o.Offer.Attributes = e.attributes(r)
	if o.Offer.Attributes.Tier == o.Offer.Tier {
		o.Offer.Attributes.Tier = ""
	}
	return true, nil
}

// attributes point into e, which is written over by the next row.
func (e *export) attributes(r *exportRow) schema.Attributes {
	e.values = exportValues{
		maxDays: r.maxDays.Int64, reliability: r.reliability.Int64, storage: r.storage.Int64,
		nvlink: r.nvlink.Int64 == 1, datacenter: r.datacenter.Int64 == 1,
	}
	a := schema.Attributes{Tier: schema.Tier(r.tier)}
	if r.maxDays.Valid {
		a.MaxDays = &e.values.maxDays
	}
	if r.nvlink.Valid {
		a.NVLink = &e.values.nvlink
	}
	if r.datacenter.Valid {
		a.Datacenter = &e.values.datacenter
	}
	if r.reliability.Valid {
		a.ReliabilityPPM = &e.values.reliability
	}
	if r.storage.Valid {
		a.StorageGB = &e.values.storage
	}
	return a
}

// ExportTokenPrices is ExportObservations for API prices.
func (s *Store) ExportTokenPrices(
	ctx context.Context, f schema.ExportFilter, yield func(*schema.ExportedTokenPrice) error,
) error {
	return s.snapshot(ctx, "export token prices", func(q *db.Queries, _ *sql.Conn) error {
		days, err := q.TokenPriceDays(ctx)
		if err != nil {
			return err
		}
		e := newExport(q, f)
		for _, day := range days {
			if day < int64(f.FromDay) || day > lastDay(f.ToDay) {
				continue
			}
			rows, err := q.ExportTokenPrices(ctx, day)
			if err != nil {
				return err
			}
			for _, r := range rows {
				out := toExportedTokenPrice(r)
				known, err := e.evidence(ctx, r.FetchID, r.QuarantineID.Int64, &out.Evidence)
				if err != nil {
					return err
				}
				if !known {
					continue
				}
				if err := yield(&out); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

func toExportedTokenPrice(r db.TokenPrice) schema.ExportedTokenPrice {
	return schema.ExportedTokenPrice{
		Day: schema.Day(r.Day), Slot: r.Slot, Source: r.Source, Model: r.Model, Endpoint: r.Endpoint,
		Precision: r.Precision, MinPromptTokens: r.MinPromptTokens, Origin: schema.Origin(r.Origin),
		USDIn: toUSDPointer(r.UsdIn), USDOut: toUSDPointer(r.UsdOut),
		USDCacheRead: toUSDPointer(r.UsdCacheRead), USDCacheWrite: toUSDPointer(r.UsdCacheWrite),
		UptimePPM: toPointer(r.UptimePpm), PriceText: r.PriceText, Excluded: r.ExcludedReason,
	}
}

// ExportNights returns the selected entries of the ledger with their runs, in the
// order of run, provider and day.
func (s *Store) ExportNights(ctx context.Context, f schema.ExportFilter) ([]schema.ExportedNight, error) {
	rows, err := s.queries.ExportNights(ctx, db.ExportNightsParams{FromDay: int64(f.FromDay), ToDay: lastDay(f.ToDay)})
	var nights []schema.ExportedNight
	for _, row := range rows {
		n := schema.ExportedNight{Run: toRun(row.Run), Result: toProviderRun(row.ProviderRun)}
		if !tooLate(f, n.Result.EndedAt) && !unfinished(f, n.Run) {
			nights = append(nights, n)
		}
	}
	return nights, s.fault("export nights", err)
}

// ExportNotices returns the notices that began in the selected days. Of one that
// went on after KnownBy, Last is cut to its day.
func (s *Store) ExportNotices(ctx context.Context, f schema.ExportFilter) ([]schema.ExportedNotice, error) {
	notices, err := s.Notices(ctx)
	if err != nil {
		return nil, err
	}
	var out []schema.ExportedNotice
	for _, n := range notices {
		if n.Since > schema.Day(lastDay(f.ToDay)) || n.Last < f.FromDay {
			continue
		}
		if !f.KnownBy.IsZero() {
			known := schema.DayOf(f.KnownBy)
			if n.Since > known {
				continue
			}
			n.Last = min(n.Last, known)
		}
		fetch, err := s.Fetch(ctx, n.FetchID)
		if err != nil {
			return nil, err
		}
		out = append(out, schema.ExportedNotice{Notice: n, Fetch: fetch})
	}
	return out, nil
}

// ExportQuarantines returns the quarantines of the selected days, as they stood at
// KnownBy.
func (s *Store) ExportQuarantines(ctx context.Context, f schema.ExportFilter) ([]schema.Quarantine, error) {
	rows, err := s.queries.ExportQuarantines(ctx, db.ExportQuarantinesParams{
		FromDay: int64(f.FromDay), ToDay: lastDay(f.ToDay),
	})
	var out []schema.Quarantine
	for _, row := range rows {
		q := toQuarantine(row)
		if tooLate(f, q.CreatedAt) {
			continue
		}
		if tooLate(f, q.DecidedAt) {
			q.State, q.DecidedBy, q.DecidedAt = schema.QuarantineHeld, "", time.Time{}
		}
		out = append(out, q)
	}
	return out, s.fault("export quarantines", err)
}
