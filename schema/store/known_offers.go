package store

import (
	"context"

	"mtok/schema"
	"mtok/schema/store/db"
)

// LastOffers returns what a provider sold on the newest day, of the within days
// before a day, of which its own observations are published; nothing where there
// is no such day. They are ordered by key; an offer that was observed several
// times comes once, as of the newest slot and the first fetch of it.
func (s *Store) LastOffers(
	ctx context.Context, provider schema.ProviderID, before schema.Day, within int,
) ([]schema.KnownOffer, error) {
	rows, err := s.queries.LastOffers(ctx, db.LastOffersParams{
		Provider: string(provider), FromDay: int64(before) - int64(within), ToDay: int64(before) - 1,
	})
	if err != nil {
		return nil, s.fault("list the last offers", err)
	}
	var offers []schema.KnownOffer
	last := int64(0)
	for _, row := range rows {
		if row.Offer.ID != last {
			offers = append(offers, toKnownOffer(row))
		}
		last = row.Offer.ID
	}
	return offers, nil
}

func toKnownOffer(row db.LastOffersRow) schema.KnownOffer {
	known := schema.KnownOffer{
		Offer:         toOffer(row.Offer),
		Class:         schema.ClassID(row.Offer.GpuClass),
		Day:           schema.Day(row.Observation.Day),
		USDPerGPUHour: schema.USD(row.Observation.UsdGpuHour),
	}
	known.Offer.PriceText = row.Observation.PriceText
	known.Offer.Currency = row.Observation.Currency
	known.Offer.Excluded = row.Observation.ExcludedReason
	return known
}
