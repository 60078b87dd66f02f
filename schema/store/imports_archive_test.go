package store_test

import (
	"errors"
	"testing"

	"mtok/schema"
	"mtok/schema/store"
)

// TestSaveArchiveKeepsHolds puts back a price that was held as one that is held, and
// refuses an export without the quarantine that held it: the price would count.
func TestSaveArchiveKeepsHolds(t *testing.T) {
	eachBackend(t, func(t *testing.T, c store.Config) {
		s := mustOpen(t, c, store.Create)
		ctx := t.Context()
		run := mustRun(t, s, firstNight)
		file := importOf(run, "export", firstNight, 1, "")
		file.Prices, file.TokenPrices = nil, nil
		fetch := newFetch(run)
		fetch.ID, fetch.PageSHA256 = 7, newPage("listed").SHA256
		held := schema.Evidence{Fetch: fetch, QuarantineID: 3, QuarantineState: schema.QuarantineHeld}
		quarantine := schema.Quarantine{ID: 3, RunID: run.ID, Provider: "lambda", Day: firstNight, Rule: "price_jump",
			State: schema.QuarantineHeld, CreatedAt: clock()}
		gpu := schema.Archive{Observations: []schema.ExportedObservation{{Observation: h100(fetch, 1, 4_290_000), Evidence: held}}}
		usd := schema.USD(130_000)
		tokens := schema.Archive{TokenPrices: []schema.ExportedTokenPrice{{Day: firstNight, Slot: firstNight.Slot(), Source: "openrouter/models-api",
			Model: "m", Origin: fetch.Origin, USDIn: &usd, Evidence: held}}}
		for name, archive := range map[string]schema.Archive{"GPUs": gpu, "tokens": tokens} {
			if err := s.SaveArchive(ctx, archive, []schema.Import{file}); !errors.Is(err, store.ErrNotFound) {
				t.Errorf("%s without the quarantine: %v, want ErrNotFound", name, err)
			}
		}
		gpu.TokenPrices, gpu.Quarantines = tokens.TokenPrices, []schema.Quarantine{quarantine}
		if err := s.SaveArchive(ctx, gpu, []schema.Import{file}); err != nil {
			t.Fatal(err)
		}
		for includeHeld, want := range map[bool]int{false: 0, true: 1} {
			seen, err := s.Observations(ctx, schema.ObservationFilter{IncludeHeld: includeHeld})
			if err != nil || len(seen) != want {
				t.Errorf("held ones included %t: %d observations, %v; want %d", includeHeld, len(seen), err, want)
			}
			if prices := mustTokens(t, s, schema.TokenPriceFilter{IncludeHeld: includeHeld}); len(prices) != want {
				t.Errorf("held ones included %t: %d token prices, want %d", includeHeld, len(prices), want)
			}
		}
	})
}
