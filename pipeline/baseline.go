package pipeline

import (
	"context"
	"fmt"

	"mtok/pipeline/validate"
	"mtok/schema"
)

// marketNights is how many published nights a market is held against.
const marketNights = 3

// baseline reads what a part is held against: what the provider's own nights
// published in the lastWithin days before. Of a market, where no machine is held
// against its own past, the last few nights do.
func (pn *providerNight) baseline(ctx context.Context, p *part) (validate.Baseline, error) {
	if pn.answered == 0 {
		return validate.Baseline{}, nil // nothing is judged
	}
	runs, err := pn.night.Store.ProviderRuns(ctx, p.day-lastWithin, p.day)
	if err != nil {
		return validate.Baseline{}, fmt.Errorf("nights before %s: %w", p.day, err)
	}
	whole := map[schema.Day]bool{}
	for _, r := range runs {
		// Of a quarantined night there are published rows only where it was confirmed.
		if r.Provider == pn.provider.ID && (r.Status == schema.StatusComplete || r.Status == schema.StatusQuarantined) {
			whole[r.Day] = true
		}
	}
	published, err := pn.published(ctx, p)
	if err != nil {
		return validate.Baseline{}, fmt.Errorf("prices before %s: %w", p.day, err)
	}
	return validate.NewBaseline(p.day, published, func(d schema.Day) bool { return whole[d] }), nil
}

func (pn *providerNight) published(ctx context.Context, p *part) ([]schema.KnownOffer, error) {
	oldest := p.day - lastWithin
	if !validate.IsMarket(p.seen) {
		return pn.night.Store.PublishedOffers(ctx, pn.provider.ID, oldest, p.day)
	}
	var published []schema.KnownOffer
	for range marketNights {
		before := p.day
		if n := len(published); n > 0 {
			before = published[n-1].Day
		}
		night, err := pn.night.Store.LastOffers(ctx, pn.provider.ID, before, int(before-oldest))
		if err != nil || len(night) == 0 {
			return published, err
		}
		published = append(published, night...)
	}
	return published, nil
}

// heldBefore reads the quarantines of the lastWithin days before a day that
// nobody decided yet, with what they hold.
func (pn *providerNight) heldBefore(ctx context.Context, day schema.Day) ([]validate.Held, error) {
	all, err := pn.night.Store.HeldQuarantines(ctx)
	if err != nil {
		return nil, fmt.Errorf("held nights: %w", err)
	}
	var held []validate.Held
	for _, q := range all {
		if q.Provider != pn.provider.ID || q.Day >= day || q.Day < day-lastWithin {
			continue
		}
		rows, err := pn.night.Store.Observations(ctx, schema.ObservationFilter{
			FromDay: q.Day, ToDay: q.Day, Provider: q.Provider, IncludeHeld: true,
		})
		if err != nil {
			return nil, fmt.Errorf("held night of %s: %w", q.Day, err)
		}
		h := validate.Held{Quarantine: q, Whole: true}
		for _, o := range rows {
			switch {
			case o.Quarantine == q.ID:
				h.Rows = append(h.Rows, o)
			case o.Quarantine == 0 && o.Origin != schema.OriginImport:
				h.Whole = false
			}
		}
		held = append(held, h)
	}
	return held, nil
}
