package store

import (
	"cmp"
	"context"
	"fmt"

	"mtok/schema"
	"mtok/schema/store/db"
)

// Observations returns the selected observations with their offers, the hash of
// the page that each was read from and when that was fetched, ordered by day,
// slot, offer key and source. Offer.Amount and Offer.Excluded are not set: what is
// kept is PriceText, and Observation.Excluded for both reasons.
func (s *Store) Observations(ctx context.Context, f schema.ObservationFilter) ([]schema.Observation, error) {
	observations, err := listObservations(ctx, s.queries, db.ListObservationsParams{
		FromDay:     int64(f.FromDay),
		ToDay:       lastDay(f.ToDay),
		Provider:    optional(f.Provider),
		GpuClass:    optional(f.Class),
		Term:        optional(f.Term),
		Origin:      optional(f.Origin),
		IncludeHeld: fromBool(f.IncludeHeld),
	})
	return observations, s.fault("list observations", err)
}

func listObservations(
	ctx context.Context, q *db.Queries, selected db.ListObservationsParams,
) ([]schema.Observation, error) {
	rows, err := q.ListObservations(ctx, selected)
	if err != nil {
		return nil, err
	}
	observations := make([]schema.Observation, len(rows))
	for i, row := range rows {
		if observations[i], err = toObservation(row); err != nil {
			return nil, err
		}
	}
	return observations, nil
}

// ObservationDays returns the days that have observations, in order: published
// ones, held ones and imported ones alike.
func (s *Store) ObservationDays(ctx context.Context) ([]schema.Day, error) {
	days, err := s.queries.ObservationDays(ctx)
	return mapRows(days, toDay), s.fault("list observed days", err)
}

// fromObservation fails on stock that would not read back.
func fromObservation(o schema.Observation, offerID int64) (db.Observation, error) {
	a := o.Offer.Attributes
	points := clean(o.Offer.StockPoints.String())
	if _, err := toStockPoints(points); err != nil {
		return db.Observation{}, fmt.Errorf("offer %+v: %w", o.Offer.OfferKey, err)
	}
	tier := o.Offer.Tier
	if a.Tier != "" {
		tier = a.Tier
	}
	return db.Observation{
		Day:             int64(o.Day),
		Slot:            o.Slot,
		OfferID:         offerID,
		Source:          o.Source,
		FetchID:         o.FetchID,
		Origin:          string(o.Origin),
		Tier:            clean(string(tier)),
		PriceText:       clean(o.Offer.PriceText),
		Currency:        clean(o.Offer.Currency),
		UsdGpuHour:      int64(o.USDPerGPUHour),
		UsdInstanceHour: int64(o.USDPerInstanceHour),
		Stock:           fromStock(o.Offer.Stock),
		StockPoints:     points,
		MaxDays:         fromPointer(a.MaxDays),
		Nvlink:          fromBoolPointer(a.NVLink),
		Datacenter:      fromBoolPointer(a.Datacenter),
		ReliabilityPpm:  fromPointer(a.ReliabilityPPM),
		StorageGb:       fromPointer(a.StorageGB),
		Note:            clean(o.Offer.Note),
		ExcludedReason:  clean(cmp.Or(o.Excluded, o.Offer.Excluded)),
		QuarantineID:    optionalID(o.Quarantine),
	}, nil
}

func toObservation(row db.ListObservationsRow) (schema.Observation, error) {
	r := row.Observation
	points, err := toStockPoints(r.StockPoints)
	if err != nil {
		return schema.Observation{}, fmt.Errorf("offer %d on %s: %w", r.OfferID, schema.Day(r.Day), err)
	}
	o := schema.Observation{
		Day:                schema.Day(r.Day),
		Slot:               r.Slot,
		Source:             r.Source,
		OfferID:            r.OfferID,
		Offer:              toOffer(row.Offer),
		Class:              schema.ClassID(row.Offer.GpuClass),
		Origin:             schema.Origin(r.Origin),
		FetchID:            r.FetchID,
		PageSHA256:         row.PageSha256.String,
		FetchedAt:          toTime(row.FetchedAt),
		USDPerGPUHour:      schema.USD(r.UsdGpuHour),
		USDPerInstanceHour: schema.USD(r.UsdInstanceHour),
		Excluded:           r.ExcludedReason,
	}
	if row.QuarantineState == schema.QuarantineHeld {
		o.Quarantine = r.QuarantineID.Int64
	}
	o.Offer.PriceText = r.PriceText
	o.Offer.Currency = r.Currency
	o.Offer.Stock = toStock(r.Stock)
	o.Offer.StockPoints = points
	o.Offer.Note = r.Note
	o.Offer.Attributes = schema.Attributes{
		MaxDays:        toPointer(r.MaxDays),
		NVLink:         toBoolPointer(r.Nvlink),
		Datacenter:     toBoolPointer(r.Datacenter),
		ReliabilityPPM: toPointer(r.ReliabilityPpm),
		StorageGB:      toPointer(r.StorageGb),
	}
	if r.Tier != row.Offer.Tier {
		o.Offer.Attributes.Tier = schema.Tier(r.Tier)
	}
	return o, nil
}
