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
	if row.Observation.Tier != row.Offer.Tier {
		known.Offer.Attributes.Tier = schema.Tier(row.Observation.Tier)
	}
	return known
}

// PublishedOffers returns what a provider's own nights published from one day to
// another, both included: the newest day first, each day's in the order of
// LastOffers. It is made for providers of some hundred offers: it looks each of
// them up on each day.
func (s *Store) PublishedOffers(
	ctx context.Context, provider schema.ProviderID, from, to schema.Day,
) ([]schema.KnownOffer, error) {
	rows, err := s.queries.PublishedOffers(ctx, db.PublishedOffersParams{
		Provider: string(provider), FromDay: int64(from), ToDay: int64(to),
	})
	return mapRows(rows, func(row db.PublishedOffersRow) schema.KnownOffer {
		return toKnownOffer(db.LastOffersRow(row))
	}), s.fault("list published offers", err)
}
