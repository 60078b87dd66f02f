package store

import (
	"context"
	"database/sql"
	_ "embed" // the SQL beside this file
	"math"
	"time"

	"mtok/schema"
	"mtok/schema/store/db"
)

//go:embed export_rows.sql
var exportRows string

// The columns of export_rows.sql.
const (
	rowSlot = iota
	rowOffer
	rowSource
	rowFetch
	rowTier
	rowPrice
	rowCurrency
	rowGPUHour
	rowInstanceHour
	rowStock
	rowStockPoints
	rowMaxDays
	rowNVLink
	rowDatacenter
	rowReliability
	rowStorage
	rowNote
	rowExcluded
	rowQuarantine
	rowWidth
)

// exportBatch is how many rows export_rows.sql reads at a time, so that a day of any
// size fits.
const exportBatch = 10_000

// ExportObservations hands every selected observation to yield: held, discarded and
// excluded ones too, ordered by day, slot, offer and source. All are of one
// moment: a night that is saved meanwhile is not seen. The row is valid until yield
// returns; an error of yield ends the export.
func (s *Store) ExportObservations(
	ctx context.Context, f schema.ExportFilter, yield func(*schema.ExportedObservation) error,
) error {
	return s.snapshot(ctx, "export observations", func(q *db.Queries, conn *sql.Conn) error {
		days, err := q.ObservationDays(ctx)
		if err != nil {
			return err
		}
		e := newExport(q, f)
		for _, day := range days {
			if day < int64(f.FromDay) || day > lastDay(f.ToDay) {
				continue
			}
			if err := e.observationsOf(ctx, conn, schema.Day(day), yield); err != nil {
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
	ctx context.Context, conn *sql.Conn, day schema.Day, yield func(*schema.ExportedObservation) error,
) error {
	slot, offer, source := int64(math.MinInt64), int64(0), ""
	for {
		part := e.part[:0]
		err := eachRow(ctx, conn, rowWidth, func(r rawRow) error {
			part = append(part, toExportedObservation(day, r))
			return nil
		}, exportRows, int64(day), slot, offer, source)
		if err != nil {
			return err
		}
		e.part = part
		for i := range part {
			o := &part[i]
			slot, offer, source = o.Slot, o.OfferID, o.Source
			known, err := e.complete(ctx, o)
			if err != nil {
				return err
			}
			if known {
				if err := yield(o); err != nil {
					return err
				}
			}
		}
		if len(part) < exportBatch {
			return nil
		}
	}
}

func toExportedObservation(day schema.Day, r rawRow) schema.ExportedObservation {
	o := schema.ExportedObservation{
		Observation: schema.Observation{
			Day: day, Slot: day.Slot(), Source: r.text(rowSource), OfferID: r.integer(rowOffer), FetchID: r.integer(rowFetch),
			USDPerGPUHour: schema.USD(r.integer(rowGPUHour)), USDPerInstanceHour: schema.USD(r.integer(rowInstanceHour)),
			Excluded: r.text(rowExcluded), Quarantine: r.integer(rowQuarantine),
			Offer: schema.Offer{
				PriceText: r.text(rowPrice), Currency: "USD", Note: r.text(rowNote), Stock: toStock(toNullInt(r[rowStock])),
				Attributes: schema.Attributes{
					MaxDays: r.pointer(rowMaxDays), NVLink: r.boolPointer(rowNVLink), Datacenter: r.boolPointer(rowDatacenter),
					ReliabilityPPM: r.pointer(rowReliability), StorageGB: r.pointer(rowStorage), Tier: schema.Tier(r.text(rowTier)),
				},
			},
		},
		StockPoints: r.text(rowStockPoints),
	}
	if r[rowSlot] != nil {
		o.Slot = r.integer(rowSlot)
	}
	if r[rowCurrency] != nil {
		o.Offer.Currency = r.text(rowCurrency)
	}
	return o
}

// complete adds what a row hangs on; it reports whether the row was known in time.
func (e *export) complete(ctx context.Context, o *schema.ExportedObservation) (bool, error) {
	known, err := e.evidence(ctx, o.FetchID, o.Quarantine, &o.Evidence)
	if err != nil || !known {
		return false, err
	}
	offer, err := e.offer(ctx, int64(o.Day), o.OfferID)
	if err != nil {
		return false, err
	}
	seen := &o.Offer
	price, currency, note, stock, attributes := seen.PriceText, seen.Currency, seen.Note, seen.Stock, seen.Attributes
	*seen = offer.Offer
	seen.PriceText, seen.Currency, seen.Note, seen.Stock, seen.Attributes = price, currency, note, stock, attributes
	if attributes.Tier == seen.Tier {
		seen.Attributes.Tier = ""
	}
	o.Class, o.Origin, o.Quarantine = offer.class, o.Fetch.Origin, 0
	o.PageSHA256, o.FetchedAt = o.Fetch.PageSHA256, o.Fetch.FetchedAt
	return true, nil
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
