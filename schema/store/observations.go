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
	observations, err := listed(ctx, f, "", s.each)
	return observations, s.fault("list observations", err)
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
