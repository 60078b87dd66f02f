package store_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mtok/schema"
	"mtok/schema/store"
)

// judged is what is read of an observation to judge it.
func judged(o schema.Observation) schema.Observation {
	return schema.Observation{
		Day: o.Day, Source: o.Source, Class: o.Class, USDPerGPUHour: o.USDPerGPUHour, Excluded: o.Excluded,
		Offer: schema.Offer{
			OfferKey: o.Offer.OfferKey, Basis: o.Offer.Basis, GroupKey: o.Offer.GroupKey,
			Attributes: schema.Attributes{Tier: o.Offer.Attributes.Tier, ReliabilityPPM: o.Offer.Attributes.ReliabilityPPM},
		},
	}
}

// TestReadings: what rules judge are the published observations of our own nights, of
// one term of a market and of all terms of a list; within a transaction too.
func TestReadings(t *testing.T) {
	eachBackend(t, func(t *testing.T, c store.Config) {
		ctx := context.Background()
		s := mustOpen(t, c, store.Create)
		for day := firstNight; day < firstNight+3; day++ {
			run := mustRun(t, s, day)
			f := mustFetch(t, s, run)
			mustSave(t, s, nightOf(run, schema.StatusComplete, marketOffer(f), h100(f, 1, 3_990_000), h100(f, 2, 3_890_000)))
			mustFinish(t, s, run)
		}
		holdDay(t, s, firstNight+3, 31_920_000)
		confirmed := holdDay(t, s, firstNight+4, 2_000_000)
		if err := s.DecideQuarantine(ctx, confirmed.ID, "confirmed", "ann"); err != nil {
			t.Fatal(err)
		}
		saveImport(t, s, firstNight+5)

		for _, test := range []struct {
			name       string
			provider   schema.ProviderID
			term       schema.Term
			from, to   schema.Day
			asks, list int
		}{
			{"on demand", "lambda", schema.TermOnDemand, firstNight, firstNight + 5, 7, 10},
			{"reserved", "lambda", schema.TermReserved, firstNight, firstNight + 5, 3, 10},
			{"some days", "lambda", schema.TermOnDemand, firstNight + 1, firstNight + 2, 4, 6},
			{"the confirmed one", "lambda", schema.TermOnDemand, firstNight + 3, firstNight + 5, 1, 1},
			{"another term", "lambda", schema.TermSpot, firstNight, firstNight + 5, 0, 10},
			{"another market", "vast", schema.TermOnDemand, firstNight, firstNight + 5, 0, 0},
		} {
			seen, err := s.Observations(ctx, schema.ObservationFilter{FromDay: test.from, ToDay: test.to, Provider: test.provider})
			if err != nil {
				t.Fatal(err)
			}
			var list, asks []schema.Observation
			for _, o := range seen {
				if o.Origin != schema.OriginImport {
					list = append(list, judged(o))
				}
				if o.Origin != schema.OriginImport && o.Offer.Term == test.term {
					asks = append(asks, judged(o))
				}
			}
			read := func(s *store.Store) error {
				var gotAsks, gotList []schema.Observation
				keep := func(into *[]schema.Observation) func(*schema.Observation) {
					return func(o *schema.Observation) { *into = append(*into, *o) }
				}
				err := errors.Join(
					s.MarketAsks(ctx, test.provider, test.term, test.from, test.to, keep(&gotAsks)),
					s.ListPrices(ctx, test.provider, test.from, test.to, keep(&gotList)),
				)
				for name, of := range map[string]struct {
					want, got []schema.Observation
					n         int
				}{"asks": {asks, gotAsks, test.asks}, "list": {list, gotList, test.list}} {
					if diff := cmp.Diff(of.want, of.got, cmp.AllowUnexported(schema.Decimal{})); diff != "" || len(of.got) != of.n {
						t.Errorf("%s, %s: %d, want %d (-want +got):\n%s", test.name, name, len(of.got), of.n, diff)
					}
				}
				return err
			}
			if err := read(s); err != nil {
				t.Fatal(err)
			}
			if err := s.Together(ctx, "read", read); err != nil {
				t.Fatal(err)
			}
		}
	})
}
