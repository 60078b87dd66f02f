package store

import (
	"context"

	"mtok/schema"
	"mtok/schema/store/db"
)

// Observations returns the selected observations with their offers, the hash of
// the page that each was read from and when that was fetched, ordered by day,
// slot, offer key and source. Offer.Amount is not set: PriceText is what is kept.
func (s *Store) Observations(ctx context.Context, f schema.ObservationFilter) ([]schema.Observation, error) {
	rows, err := s.queries.ListObservations(ctx, db.ListObservationsParams{
		FromDay:     int64(f.FromDay),
		ToDay:       lastDay(f.ToDay),
		Provider:    optional(f.Provider),
		GpuClass:    optional(f.Class),
		Term:        optional(f.Term),
		Origin:      optional(f.Origin),
		IncludeHeld: fromBool(f.IncludeHeld),
	})
	return mapRows(rows, toObservation), s.fault("list observations", err)
}

func fromObservation(o schema.Observation, offerID int64) db.Observation {
	a := o.Offer.Attributes
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
		MaxDays:         fromPointer(a.MaxDays),
		Nvlink:          fromBoolPointer(a.NVLink),
		Datacenter:      fromBoolPointer(a.Datacenter),
		ReliabilityPpm:  fromPointer(a.ReliabilityPPM),
		ExcludedReason:  clean(o.Excluded),
		QuarantineID:    optionalID(o.Quarantine),
	}
}

func toObservation(row db.ListObservationsRow) schema.Observation {
	r := row.Observation
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
	o.Offer.Attributes = schema.Attributes{
		MaxDays:        toPointer(r.MaxDays),
		NVLink:         toBoolPointer(r.Nvlink),
		Datacenter:     toBoolPointer(r.Datacenter),
		ReliabilityPPM: toPointer(r.ReliabilityPpm),
	}
	if r.Tier != row.Offer.Tier {
		o.Offer.Attributes.Tier = schema.Tier(r.Tier)
	}
	return o
}
