package store_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mtok/schema"
	"mtok/schema/store"
)

const openList = "models-api"

// listFetch archives a list of OpenRouter.
func listFetch(t *testing.T, s *store.Store, run schema.Run) schema.Fetch {
	t.Helper()
	f, page := newFetch(run), newPage("list of "+run.Day.String())
	f.Provider, f.Source = schema.ProviderOpenRouter, openList
	id, err := s.SaveFetch(context.Background(), f, page)
	if err != nil {
		t.Fatal(err)
	}
	f.ID, f.PageSHA256 = id, page.SHA256
	return f
}

func tokenPrice(f schema.Fetch, model string, in, out schema.USD) schema.TokenObservation {
	return schema.TokenObservation{
		TokenPrice: schema.TokenPrice{
			TokenKey: schema.TokenKey{Provider: f.Provider, Source: f.Source, Model: model}, In: in, Out: out, PriceText: "as listed",
		},
		Day: f.Day, Slot: f.Day.Slot(), Origin: f.Origin, FetchID: f.ID, PageSHA256: f.PageSHA256, FetchedAt: f.FetchedAt,
	}
}

func listNight(run schema.Run, status schema.RunStatus, prices ...schema.TokenObservation) schema.ProviderNight {
	return schema.ProviderNight{
		Run: run, TokenPrices: prices,
		Result: schema.ProviderRun{RunID: run.ID, Provider: schema.ProviderOpenRouter, Day: run.Day, Status: status, Offers: len(prices), EndedAt: clock()},
	}
}

func mustTokens(t *testing.T, s *store.Store, f schema.TokenPriceFilter) []schema.TokenObservation {
	t.Helper()
	rows, err := s.TokenPrices(context.Background(), f)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func TestTokenPrices(t *testing.T) {
	eachBackend(t, func(t *testing.T, c store.Config) {
		ctx := context.Background()
		s := mustOpen(t, c, store.Create)
		if _, ok, err := s.LastTokenDay(ctx, schema.ProviderOpenRouter, firstNight); ok || err != nil {
			t.Fatalf("newest list of nothing: %t, %v", ok, err)
		}
		run := mustRun(t, s, firstNight)
		f := listFetch(t, s, run)
		full := tokenPrice(f, "meta-llama/llama-3.3-70b-instruct", 130_000, 400_000)
		full.CacheRead, full.CacheWrite, full.UptimePPM = 13_000, 20_000, ptr(int64(995_000))
		full.Endpoint, full.Precision, full.MinPromptTokens = "deepinfra/fp8", "fp8", 32_000
		alias := tokenPrice(f, "~x/latest", 1, 2)
		alias.Excluded = "an alias"
		inputOnly := tokenPrice(f, "x/embed", 20_000, 0)
		if err := s.SaveProviderNight(ctx, listNight(run, schema.StatusComplete, full, alias, inputOnly)); err != nil {
			t.Fatal(err)
		}
		want := []schema.TokenObservation{full, inputOnly, alias}
		if diff := cmp.Diff(want, mustTokens(t, s, schema.TokenPriceFilter{Provider: schema.ProviderOpenRouter})); diff != "" {
			t.Errorf("token prices (-want +got):\n%s", diff)
		}
		if rows := mustTokens(t, s, schema.TokenPriceFilter{Provider: "open"}); len(rows) != 0 {
			t.Errorf("a provider whose name begins another's has %d prices", len(rows))
		}

		// A partial night replaces what it names, a complete one all, a failed none.
		moved := full
		moved.In = 140_000
		for _, step := range []struct {
			night schema.ProviderNight
			want  []schema.TokenObservation
		}{
			{listNight(run, schema.StatusPartial, moved), []schema.TokenObservation{moved, inputOnly, alias}},
			{listNight(run, schema.StatusFailed), []schema.TokenObservation{moved, inputOnly, alias}},
			{listNight(run, schema.StatusComplete, full), []schema.TokenObservation{full}},
		} {
			if err := s.SaveProviderNight(ctx, step.night); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(step.want, mustTokens(t, s, schema.TokenPriceFilter{})); diff != "" {
				t.Errorf("after a %s night (-want +got):\n%s", step.night.Result.Status, diff)
			}
		}
		twice := s.SaveProviderNight(ctx, listNight(run, schema.StatusComplete, full, full))
		if !errors.Is(twice, store.ErrCollision) {
			t.Errorf("one price twice: %v", twice)
		}
		if days, err := s.TokenPriceDays(ctx); err != nil || !cmp.Equal(days, []schema.Day{firstNight}) {
			t.Errorf("days %v, %v", days, err)
		}
	})
}

func TestHeldTokenPrices(t *testing.T) {
	eachBackend(t, func(t *testing.T, c store.Config) {
		ctx := context.Background()
		s := mustOpen(t, c, store.Create)
		run := mustRun(t, s, firstNight)
		f := listFetch(t, s, run)
		held := listNight(run, schema.StatusQuarantined, tokenPrice(f, "x/y", 130_000, 400_000))
		held.Quarantine = &schema.Quarantine{RunID: run.ID, Provider: schema.ProviderOpenRouter, Day: run.Day, Rule: "rows", CreatedAt: clock()}
		if err := s.SaveProviderNight(ctx, held); err != nil {
			t.Fatal(err)
		}
		if rows := mustTokens(t, s, schema.TokenPriceFilter{}); len(rows) != 0 {
			t.Errorf("a held list is published: %v", rows)
		}
		if rows := mustTokens(t, s, schema.TokenPriceFilter{IncludeHeld: true}); len(rows) != 1 || rows[0].Quarantine == 0 {
			t.Errorf("held list: %v", rows)
		}
		if _, ok, err := s.LastTokenDay(ctx, schema.ProviderOpenRouter, firstNight); ok || err != nil {
			t.Errorf("a held list is the newest: %t, %v", ok, err)
		}
		if err := s.DecideQuarantine(ctx, held.Quarantine.ID, schema.QuarantineConfirmed, "test"); err != nil {
			t.Fatal(err)
		}
		if rows := mustTokens(t, s, schema.TokenPriceFilter{}); len(rows) != 1 || rows[0].Quarantine != 0 {
			t.Errorf("confirmed list: %v", rows)
		}
		if day, ok, err := s.LastTokenDay(ctx, schema.ProviderOpenRouter, firstNight+9); day != firstNight || !ok || err != nil {
			t.Errorf("newest list: %s, %t, %v", day, ok, err)
		}

		// What is published is not replaced by a list that is not believed.
		doubted := listNight(run, schema.StatusQuarantined, tokenPrice(f, "x/y", 1, 1))
		doubted.Quarantine = &schema.Quarantine{RunID: run.ID, Provider: schema.ProviderOpenRouter, Day: run.Day, Rule: "rows", CreatedAt: clock()}
		if err := s.SaveProviderNight(ctx, doubted); err != nil {
			t.Fatal(err)
		}
		if rows := mustTokens(t, s, schema.TokenPriceFilter{IncludeHeld: true}); len(rows) != 1 || rows[0].In != 130_000 {
			t.Errorf("after a doubted list: %v", rows)
		}
	})
}

func TestRecomputeAPI(t *testing.T) {
	eachBackend(t, func(t *testing.T, c store.Config) {
		ctx := context.Background()
		s := mustOpen(t, c, store.Create)
		run := mustRun(t, s, firstNight)
		price := tokenPrice(listFetch(t, s, run), "x/y", 130_000, 400_000)
		if err := s.SaveProviderNight(ctx, listNight(run, schema.StatusComplete, price)); err != nil {
			t.Fatal(err)
		}
		want := schema.DailyAPIPrice{Day: firstNight, TokenKey: price.TokenKey, Origin: price.Origin, In: price.In, Out: price.Out,
			PriceText: price.PriceText, AsOf: price.FetchedAt.Unix()}
		for range 2 {
			err := s.RecomputeAPI(ctx, firstNight, func(seen []schema.TokenObservation) []schema.DailyAPIPrice {
				if len(seen) != 1 {
					t.Errorf("recomputed from %d prices", len(seen))
				}
				return []schema.DailyAPIPrice{want}
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		got, err := s.DailyAPIPrices(ctx, firstNight, firstNight, "x/y")
		if diff := cmp.Diff([]schema.DailyAPIPrice{want}, got); diff != "" || err != nil {
			t.Errorf("daily token prices (-want +got): %v\n%s", err, diff)
		}
		other := want
		other.Day++
		if err := s.RecomputeAPI(ctx, firstNight, func([]schema.TokenObservation) []schema.DailyAPIPrice {
			return []schema.DailyAPIPrice{other}
		}); err == nil {
			t.Error("a price of another day was kept")
		}
		if got, err := s.DailyAPIPrices(ctx, firstNight, firstNight, ""); err != nil || len(got) != 1 {
			t.Errorf("after an error %d rows, %v", len(got), err)
		}
	})
}
