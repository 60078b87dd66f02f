package store_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mtok/schema"
	"mtok/schema/store"
)

// lastOffers lists what LastOffers finds, by day and GPU count.
func lastOffers(t *testing.T, s *store.Store, p schema.ProviderID, before schema.Day, within int) []string {
	t.Helper()
	offers, err := s.LastOffers(context.Background(), p, before, within)
	if err != nil {
		t.Fatal(err)
	}
	list := []string{}
	for _, o := range offers {
		list = append(list, fmt.Sprintf("%s %dx %s", o.Day, o.Offer.GPUCount, o.USDPerGPUHour))
	}
	return list
}

func TestLastOffers(t *testing.T) {
	eachBackend(t, func(t *testing.T, c store.Config) {
		s := mustOpen(t, c, store.Create)
		saveDay(t, s, firstNight-20, 4_990_000)
		saveDay(t, s, firstNight, 3_990_000, 3_890_000)
		holdDay(t, s, firstNight+1, 31_920_000)
		confirmed := holdDay(t, s, firstNight+2, 2_000_000)
		if err := s.DecideQuarantine(context.Background(), confirmed.ID, "confirmed", "ann"); err != nil {
			t.Fatal(err)
		}
		saveImport(t, s, firstNight+4)

		day := []string{"2026-08-22 1x 3.99", "2026-08-22 2x 3.89"}
		for _, test := range []struct {
			name     string
			provider schema.ProviderID
			before   schema.Day
			within   int
			want     []string
		}{
			{"the day before", "lambda", firstNight + 1, 1, day},
			{"the held day does not count", "lambda", firstNight + 2, 14, day},
			{"nor does it where nothing else is", "lambda", firstNight + 2, 1, []string{}},
			{"the confirmed day", "lambda", firstNight + 3, 14, []string{"2026-08-24 1x 2.00"}},
			{"an import does not count", "lambda", firstNight + 5, 14, []string{"2026-08-24 1x 2.00"}},
			{"not the day itself", "lambda", firstNight, 14, []string{}},
			{"the edge", "lambda", firstNight, 20, []string{"2026-08-02 1x 4.99"}},
			{"beyond the edge", "lambda", firstNight, 19, []string{}},
			{"another provider", "crusoe", firstNight + 3, 14, []string{}},
		} {
			if diff := cmp.Diff(test.want, lastOffers(t, s, test.provider, test.before, test.within)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", test.name, diff)
			}
		}
	})
}

// Of a night of which single offers are held, the others are the last ones.
func TestLastOffersButHeldOnes(t *testing.T) {
	eachBackend(t, func(t *testing.T, c store.Config) {
		s := mustOpen(t, c, store.Create)
		held := holdOffer(t, s, firstNight, 31_920_000, 3_890_000)
		if got := lastOffers(t, s, "lambda", firstNight+1, 14); !slices.Equal(got, []string{"2026-08-22 2x 3.89"}) {
			t.Errorf("beside a held one: %q", got)
		}
		if err := s.DecideQuarantine(context.Background(), held.ID, "confirmed", "ann"); err != nil {
			t.Fatal(err)
		}
		if got := lastOffers(t, s, "lambda", firstNight+1, 14); len(got) != 2 {
			t.Errorf("once it is confirmed: %q", got)
		}
	})
}

// saveImport saves an imported price of a day.
func saveImport(t *testing.T, s *store.Store, day schema.Day) {
	t.Helper()
	run := mustRun(t, s, day)
	f := newFetch(run)
	f.Origin, f.Source = schema.OriginImport, "a-data-set"
	id, err := s.SaveFetch(context.Background(), f, newPage("csv"))
	if err != nil {
		t.Fatal(err)
	}
	f.ID = id
	mustSave(t, s, nightOf(run, schema.StatusPartial, h100(f, 1, 2_490_000)))
	mustFinish(t, s, run)
}

// Two sources list one offer: the page that was fetched first says its price.
func TestLastOffersOncePerOffer(t *testing.T) {
	eachBackend(t, func(t *testing.T, c store.Config) {
		s := mustOpen(t, c, store.Create)
		run := mustRun(t, s, firstNight)
		first, second := mustFetch(t, s, run), mustFetch(t, s, run)
		second.Source = "instance-types-api"
		offer := marketOffer(first)
		again := marketOffer(second)
		again.USDPerGPUHour = 1_000_000
		mustSave(t, s, nightOf(run, schema.StatusComplete, again, offer))

		got, err := s.LastOffers(context.Background(), "lambda", firstNight+1, 1)
		if err != nil {
			t.Fatal(err)
		}
		want := schema.KnownOffer{Offer: offer.Offer, Class: offer.Class, Day: firstNight, USDPerGPUHour: offer.USDPerGPUHour}
		want.Offer.Excluded = offer.Excluded
		want.Offer.Stock, want.Offer.StockPoints = schema.StockUnknown, nil
		want.Offer.Note, want.Offer.Attributes = "", schema.Attributes{Tier: "verified"}
		if diff := cmp.Diff([]schema.KnownOffer{want}, got, cmp.AllowUnexported(schema.Decimal{})); diff != "" {
			t.Errorf("known offers (-want +got):\n%s", diff)
		}
	})
}

// priceOf is an offer's count and price.
func priceOf(o schema.KnownOffer) string {
	return fmt.Sprintf("%dx %s", o.Offer.GPUCount, o.USDPerGPUHour)
}
