package store_test

import (
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mtok/schema"
	"mtok/schema/store"
)

// figuresOf makes a daily price of each observation that it is given.
func figuresOf(day schema.Day, seen []schema.Observation) (schema.Daily, error) {
	d := schema.Daily{Day: day}
	for _, o := range seen {
		d.Prices = append(d.Prices, schema.DailyPrice{
			Day: day, Class: o.Class, Provider: o.Offer.Provider, Tier: schema.Tier(o.Offer.SKU), Term: o.Offer.Term, Origin: o.Origin,
			N: 1, GPUs: o.Offer.GPUCount, Min: o.USDPerGPUHour, P10: o.USDPerGPUHour, Median: o.USDPerGPUHour, Max: o.USDPerInstanceHour,
			MinOfferID: o.OfferID, AsOf: o.FetchedAt.Unix(),
		})
	}
	return d, nil
}

// manyPrices is a file of 120 offers on so many days, which share their words: what
// is the same in all rows is written once. Half of the offers say the same each day.
func manyPrices(run schema.Run, first schema.Day, days int) schema.Import {
	in := importOf(run, "many", first, 2_000_000, "b200-sxm-180gb")
	one := *in.Prices[0].Said
	in.Prices, in.TokenPrices = nil, nil
	said := make([]*schema.Observation, 120)
	for day := range schema.Day(days) {
		for offer := range said {
			if said[offer] != nil && offer%2 == 0 {
				in.Prices = append(in.Prices, schema.ImportedPrice{Day: first + day, Said: said[offer]})
				continue
			}
			o := one
			o.Offer.SKU = fmt.Sprintf("nixj9:it's a ? %d", offer)
			o.Offer.PriceText, o.Offer.Note = `it's "2.00" -- or 'less'`, "why?"
			o.USDPerGPUHour += schema.USD(offer)
			said[offer] = &o
			in.Prices = append(in.Prices, schema.ImportedPrice{Day: first + day, Said: &o})
		}
	}
	return in
}

// TestRecomputeDays settles many days at once as Recompute does one by one.
func TestRecomputeDays(t *testing.T) {
	eachBackend(t, func(t *testing.T, c store.Config) {
		s := mustOpen(t, c, store.Create)
		ctx := t.Context()
		const first, days = schema.Day(20523), 9
		run := mustRun(t, s, firstNight)
		if _, err := s.SaveImport(ctx, manyPrices(run, first, days)); err != nil {
			t.Fatal(err)
		}
		fetch := mustFetch(t, s, run)
		err := s.SaveProviderNight(ctx, schema.ProviderNight{
			Run: run, Observations: []schema.Observation{h100(fetch, 1, 4_290_000)},
			Result: schema.ProviderRun{RunID: run.ID, Provider: "lambda", Day: firstNight, Status: schema.StatusComplete, EndedAt: clock()},
		})
		if err != nil {
			t.Fatal(err)
		}
		seen, err := s.Observations(ctx, schema.ObservationFilter{ToDay: first})
		if err != nil || len(seen) != 120 || seen[0].Offer.PriceText != `it's "2.00" -- or 'less'` || seen[0].Offer.Note != "why?" {
			t.Fatal(len(seen), err)
		}
		owed, err := s.UnsettledDays(ctx)
		if err != nil || len(owed) != days+1 {
			t.Fatal(owed, err)
		}
		broken := errors.New("broken")
		if err := s.RecomputeDays(ctx, owed, func(day schema.Day, seen []schema.Observation) (schema.Daily, error) {
			if day == first+5 {
				return schema.Daily{}, broken
			}
			return figuresOf(day, seen)
		}, nil); !errors.Is(err, broken) {
			t.Errorf("a day without figures: %v", err)
		}
		if again, err := s.UnsettledDays(ctx); err != nil || len(again) != len(owed) {
			t.Errorf("after a failure %v are owed, %v", again, err)
		}
		if err := s.RecomputeDays(ctx, owed, func(day schema.Day, seen []schema.Observation) (schema.Daily, error) {
			d, err := figuresOf(day, seen)
			if day == first+5 {
				d.Prices[0].MinOfferID = 4711
			}
			return d, err
		}, nil); err == nil || !strings.Contains(err.Error(), "offer 4711 was not observed") {
			t.Errorf("a price of an offer that nobody saw: %v", err)
		}
		if again, err := s.UnsettledDays(ctx); err != nil || len(again) != len(owed) {
			t.Errorf("after another failure %v are owed, %v", again, err)
		}
		ended := false
		if err := s.RecomputeDays(ctx, owed, figuresOf, func(*store.Store) error { ended = true; return nil }); err != nil || !ended {
			t.Fatal(ended, err)
		}
		got, err := s.DailyPrices(ctx, 0, firstNight, "")
		if err != nil || len(got) != 120*days+1 {
			t.Fatal(len(got), err)
		}
		for _, day := range owed {
			if err := s.Recompute(ctx, day, func(seen []schema.Observation) (schema.Daily, error) { return figuresOf(day, seen) }); err != nil {
				t.Fatal(err)
			}
		}
		want, err := s.DailyPrices(ctx, 0, firstNight, "")
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("-day by day +at once:\n%s", diff)
		}
		again := owed[:3] // some days of many, whose figures are there already
		if err := s.RecomputeDays(ctx, again, figuresOf, func(*store.Store) error { return nil }); err != nil {
			t.Fatal(err)
		}
		if got, err = s.DailyPrices(ctx, 0, firstNight, ""); err != nil || !cmp.Equal(want, got) {
			t.Errorf("three days made again changed the figures, %v:\n%s", err, cmp.Diff(want, got))
		}
		err = s.Together(ctx, "x", func(s *store.Store) error {
			return s.RecomputeDays(ctx, owed, figuresOf, func(*store.Store) error { return nil })
		})
		if err == nil {
			t.Error("days were settled within another transaction, which they would not see")
		}
	})
}

// TestRecomputeDaysKeepsTheSchema looks for the index that is made again when the
// table of daily prices is filled for the first time, also after a failure.
func TestRecomputeDaysKeepsTheSchema(t *testing.T) {
	c := store.Config{Path: filepath.Join(t.TempDir(), "mtok.db")}
	s := mustOpen(t, c, store.Create)
	ctx := t.Context()
	before := schemaOf(t, c.Path)
	if len(before) < 20 {
		t.Fatalf("a schema of %d lines", len(before))
	}
	const first = schema.Day(20523)
	run := mustRun(t, s, firstNight)
	if _, err := s.SaveImport(ctx, manyPrices(run, first, 2)); err != nil {
		t.Fatal(err)
	}
	owed := []schema.Day{first, first + 1}
	broken := errors.New("broken")
	if err := s.RecomputeDays(ctx, owed, figuresOf, func(*store.Store) error { return broken }); !errors.Is(err, broken) {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, schemaOf(t, c.Path)); diff != "" {
		t.Errorf("after a failure the schema differs:\n%s", diff)
	}
	if err := s.RecomputeDays(ctx, owed, figuresOf, func(*store.Store) error { return nil }); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, schemaOf(t, c.Path)); diff != "" {
		t.Errorf("the schema differs:\n%s", diff)
	}
	if problems, err := s.Check(ctx); err != nil || len(problems) > 0 {
		t.Errorf("check: %v, %v", problems, err)
	}
}

// schemaOf returns the statements of all tables and indices.
func schemaOf(t *testing.T, path string) []string {
	t.Helper()
	pool, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	rows, err := pool.Query("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY sql")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var out []string
	for rows.Next() {
		var line string
		if err := rows.Scan(&line); err != nil {
			t.Fatal(err)
		}
		out = append(out, line)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}
