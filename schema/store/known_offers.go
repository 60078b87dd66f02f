package store

import (
	"cmp"
	"context"
	_ "embed" // the SQL beside this file
	"slices"

	"mtok/schema"
	"mtok/schema/store/db"
)

//go:embed last_offers.sql
var lastOffers string

// The columns of last_offers.sql after those of the offer.
const (
	soldDay = rawOfferWidth + iota
	soldSlot
	soldFetch
	soldGPUHour
	soldPriceText
	soldCurrency
	soldExcluded
	soldTier
	soldWidth
)

// LastOffers returns what a provider sold on the newest day, of the within days
// before a day, of which its own observations are published; nothing where there
// is no such day. They are ordered by key; an offer that was observed several
// times comes once, as of the newest slot and the first fetch of it.
func (s *Store) LastOffers(
	ctx context.Context, provider schema.ProviderID, before schema.Day, within int,
) ([]schema.KnownOffer, error) {
	var rows []soldOffer
	err := s.each(ctx, soldWidth, func(r rawRow) error {
		rows = append(rows, soldOffer{r.integer(soldSlot), r.integer(soldFetch), toKnownOffer(r.offer(), db.Observation{
			Day: r.integer(soldDay), UsdGpuHour: r.integer(soldGPUHour), PriceText: r.text(soldPriceText),
			Currency: r.text(soldCurrency), ExcludedReason: r.text(soldExcluded), Tier: r.text(soldTier),
		})})
		return nil
	}, lastOffers, int64(before)-int64(within), int64(before)-1, string(provider))
	if err != nil {
		return nil, s.fault("list the last offers", err)
	}
	slices.SortFunc(rows, func(a, b soldOffer) int {
		return cmp.Or(compareKeys(a.known.Offer.OfferKey, b.known.Offer.OfferKey), cmp.Compare(b.slot, a.slot), cmp.Compare(a.fetch, b.fetch))
	})
	var offers []schema.KnownOffer
	for i, row := range rows {
		if i == 0 || row.known.Offer.OfferKey != rows[i-1].known.Offer.OfferKey {
			offers = append(offers, row.known)
		}
	}
	return offers, nil
}

// soldOffer is an offer as one fetch of a night saw it.
type soldOffer struct {
	slot, fetch int64
	known       schema.KnownOffer
}

// compareKeys orders the offers of one provider.
func compareKeys(a, b schema.OfferKey) int {
	return cmp.Or(
		cmp.Compare(a.SKU, b.SKU), cmp.Compare(a.GPUCount, b.GPUCount), cmp.Compare(a.Region, b.Region), cmp.Compare(a.Term, b.Term),
		cmp.Compare(a.Commitment.MinDays, b.Commitment.MinDays), cmp.Compare(a.Commitment.MaxDays, b.Commitment.MaxDays),
		cmp.Compare(a.Tier, b.Tier),
	)
}

func toKnownOffer(offer db.Offer, seen db.Observation) schema.KnownOffer {
	known := schema.KnownOffer{
		Offer:         toOffer(offer),
		Class:         schema.ClassID(offer.GpuClass),
		Day:           schema.Day(seen.Day),
		USDPerGPUHour: schema.USD(seen.UsdGpuHour),
	}
	known.Offer.PriceText = seen.PriceText
	known.Offer.Currency = seen.Currency
	known.Offer.Excluded = seen.ExcludedReason
	if seen.Tier != offer.Tier {
		known.Offer.Attributes.Tier = schema.Tier(seen.Tier)
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
		return toKnownOffer(row.Offer, row.Observation)
	}), s.fault("list published offers", err)
}
