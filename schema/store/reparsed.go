package store

import (
	"context"
	"slices"

	"mtok/schema"
	"mtok/schema/store/db"
)

// clearPages deletes what the pages of a night that were read again gave before,
// but of those that can't be read any more, and but the spared offers.
func clearPages(ctx context.Context, t *tx, n schema.ProviderNight, spared []schema.OfferKey) error {
	for _, p := range n.Parses {
		if p.Error != "" {
			continue
		}
		err := t.DeleteFetchTokenPrices(ctx, db.DeleteFetchTokenPricesParams{
			Day: int64(n.Result.Day), Slot: slotOf(n), FetchID: p.FetchID,
		})
		if err != nil {
			return err
		}
		offers, err := t.FetchOffers(ctx, db.FetchOffersParams{
			Day: int64(n.Result.Day), Slot: slotOf(n), FetchID: p.FetchID,
		})
		if err != nil {
			return err
		}
		for _, offer := range offers {
			if slices.Contains(spared, toOffer(offer).OfferKey) {
				continue
			}
			err := t.DeleteObservation(ctx, db.DeleteObservationParams{
				Day: int64(n.Result.Day), Slot: slotOf(n), OfferID: offer.ID, FetchID: p.FetchID,
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}
