package main

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"mtok/schema"
	"mtok/schema/store"
)

// contents is what a database says, a row a line: observations, notices,
// quarantines and the daily figures, without what two runs of one night may
// number differently. Days that are owed their figures are a line too.
func contents(t *testing.T, db string) string {
	t.Helper()
	var b strings.Builder
	inStore(t, db, func(ctx context.Context, s *store.Store) error {
		seen, err := s.Observations(ctx, schema.ObservationFilter{IncludeHeld: true})
		if err != nil {
			return err
		}
		for _, o := range seen {
			held, a := o.Quarantine != 0, o.Offer.Attributes
			fmt.Fprintln(&b, "row", o.Day, o.Source, o.Offer.OfferKey, o.Class, o.Origin, o.USDPerGPUHour, o.USDPerInstanceHour, o.Offer.PriceText,
				o.Offer.Stock, o.Offer.StockPoints, o.Offer.Note, o.Excluded, held, o.PageSHA256, o.FetchedAt, a.Tier)
		}
		notices, err := s.Notices(ctx)
		if err != nil {
			return err
		}
		for _, n := range notices {
			fmt.Fprintln(&b, "notice", n.Provider, n.Kind, n.Since, n.Last, n.Detail)
		}
		owed, err := s.UnsettledDays(ctx)
		if err != nil {
			return err
		}
		for _, day := range owed {
			fmt.Fprintln(&b, "owed", day)
		}
		days, err := s.ObservationDays(ctx)
		for _, day := range days {
			b.WriteString(dailyOf(ctx, t, s, day))
		}
		return err
	})
	return b.String()
}

// dailyFigures are the daily figures of one day, a row a line.
func dailyFigures(t *testing.T, db string, day schema.Day) (text string) {
	t.Helper()
	inStore(t, db, func(ctx context.Context, s *store.Store) error {
		text = dailyOf(ctx, t, s, day)
		return nil
	})
	return text
}

func dailyOf(ctx context.Context, t *testing.T, s *store.Store, day schema.Day) string {
	t.Helper()
	seen, err := s.Observations(ctx, schema.ObservationFilter{FromDay: day, ToDay: day})
	if err != nil {
		t.Fatal(err)
	}
	offers := map[int64]schema.OfferKey{} // ids are given in the order of saving
	for _, o := range seen {
		offers[o.OfferID] = o.Offer.OfferKey
	}
	prices, err := s.DailyPrices(ctx, day, day, "")
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, p := range prices {
		cheapest := offers[p.MinOfferID]
		p.MinOfferID = 0
		fmt.Fprintln(&b, "price", p, cheapest)
	}
	markets, err := s.DailyMarkets(ctx, day, day, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range markets {
		fmt.Fprintln(&b, "market", m)
	}
	costs, err := s.DailyTokenCosts(ctx, day, day, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range costs {
		fmt.Fprintln(&b, "cost", c)
	}
	return b.String()
}

func inStore(t *testing.T, db string, read func(context.Context, *store.Store) error) {
	t.Helper()
	s, err := store.Open(t.Context(), store.Config{Path: db, Mode: store.ReadOnly}, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := read(t.Context(), s); err != nil {
		t.Fatal(err)
	}
}
