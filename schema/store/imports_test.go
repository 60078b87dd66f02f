package store_test

import (
	"strings"
	"testing"
	"time"

	"mtok/schema"
	"mtok/schema/store"
)

// importOf is a file that says one price of one offer on one day.
func importOf(run schema.Run, body string, day schema.Day, usd schema.USD, class schema.ClassID) schema.Import {
	page := *newPage(body)
	o := schema.Observation{
		Source: "nixj9", Class: class, Origin: schema.OriginImport, USDPerGPUHour: usd, USDPerInstanceHour: usd,
		Offer: schema.Offer{OfferKey: schema.OfferKey{Provider: "lambda", SKU: schema.ImportedSKU("nixj9", "B200"), GPUCount: 1, Term: schema.TermOnDemand},
			GPURaw: "B200", Basis: schema.BasisInstance, Unit: schema.UnitGPUHour, PerGPU: true, PriceText: usd.String(), Currency: "USD"},
	}
	return schema.Import{
		Fetch: schema.Fetch{RunID: run.ID, Day: run.Day, Provider: "nixj9", Source: "nixj9", Method: "READ", URL: "file:a.csv", Status: 200,
			FetchedAt: time.Date(2026, 8, 22, 20, 0, 0, 0, time.UTC)},
		Page: page, Format: "nixj9", File: "a.csv", Licence: "MIT", Attribution: "nixj9", Provenance: "primary",
		Parse:       schema.Parse{ParserVersion: 1, Offers: 1, Rejects: 1},
		Rejects:     []schema.Reject{{Source: "nixj9", Label: "row 2", PriceText: "0.5", Rule: "placeholder", Reason: "no price"}},
		Prices:      []schema.ImportedPrice{{Day: day, Said: &o}},
		TokenPrices: []schema.ImportedTokenPrice{{Day: day, Source: "token-prices", Model: "m", Endpoint: "groq", In: &usd, Text: usd.String()}},
	}
}

// TestSaveImport writes a file once, and lets a later file of the same source say a
// price again.
func TestSaveImport(t *testing.T) {
	eachBackend(t, func(t *testing.T, c store.Config) {
		s := mustOpen(t, c, store.Create)
		ctx := t.Context()
		run := mustRun(t, s, firstNight)
		const day = schema.Day(20523) // 2026-03-11
		first := importOf(run, "first", day, 6_080_000, "b200-sxm-180gb")
		if kept, err := s.SaveImport(ctx, first); err != nil || kept != 0 {
			t.Fatal(kept, err)
		}
		kind := schema.ImportKind{Format: "nixj9", PageSHA256: first.Page.SHA256, ParserVersion: 1}
		for k, want := range map[schema.ImportKind]bool{
			kind: true, {Format: "nixj9", PageSHA256: first.Page.SHA256, ParserVersion: 2}: false,
			{Format: "skypilot", PageSHA256: first.Page.SHA256, ParserVersion: 1}: false,
		} {
			if got, err := s.Imported(ctx, k); err != nil || got != want {
				t.Errorf("Imported(%+v) = %v, %v", k, got, err)
			}
		}
		if _, err := s.SaveImport(ctx, importOf(run, "second", day, 6_690_000, "unmatched:b200")); err != nil {
			t.Fatal(err)
		}
		seen, err := s.Observations(ctx, schema.ObservationFilter{})
		if err != nil || len(seen) != 1 {
			t.Fatal(seen, err)
		}
		if o := seen[0]; o.USDPerGPUHour != 6_690_000 || o.Class != "unmatched:b200" || o.Origin != schema.OriginImport {
			t.Errorf("the later file is not what stands: %+v", o)
		}
		tokens := mustTokens(t, s, schema.TokenPriceFilter{})
		if len(tokens) != 1 || tokens[0].In != 6_690_000 || tokens[0].Origin != schema.OriginImport || tokens[0].FetchID != seen[0].FetchID {
			t.Errorf("the later file's token price is not what stands: %+v", tokens)
		}
		owed, err := s.UnsettledDays(ctx)
		if err != nil || len(owed) != 1 || owed[0] != day {
			t.Errorf("owed %v, %v", owed, err)
		}
		imports, err := s.Imports(ctx)
		if err != nil || len(imports) != 2 || imports[0].Licence != "MIT" || imports[0].Provenance != "primary" {
			t.Errorf("imports %+v, %v", imports, err)
		}
		if problems, err := s.Check(ctx); err != nil || len(problems) > 0 {
			t.Errorf("check: %v, %v", problems, err)
		}
		if _, ok, err := s.LatestDay(ctx); ok || err != nil {
			t.Errorf("an import published a day: %v, %v", ok, err)
		}
	})
}

// TestImportAgainByAnotherParser reads a file again by a parser that refuses what
// the one before believed.
func TestImportAgainByAnotherParser(t *testing.T) {
	eachBackend(t, func(t *testing.T, c store.Config) {
		s := mustOpen(t, c, store.Create)
		ctx := t.Context()
		run := mustRun(t, s, firstNight)
		const day = schema.Day(20523)
		file := importOf(run, "file", day, 32_000, "b200-sxm-180gb")
		if _, err := s.SaveImport(ctx, file); err != nil {
			t.Fatal(err)
		}
		if err := s.Recompute(ctx, day, func([]schema.Observation) (schema.Daily, error) { return schema.Daily{Day: day}, nil }); err != nil {
			t.Fatal(err)
		}
		again := file
		again.Parse.ParserVersion, again.Prices, again.TokenPrices = 2, nil, nil
		if _, err := s.SaveImport(ctx, again); err != nil {
			t.Fatal(err)
		}
		seen, err := s.Observations(ctx, schema.ObservationFilter{})
		if err != nil || len(seen) > 0 {
			t.Errorf("what the new parser refuses still stands: %+v, %v", seen, err)
		}
		if tokens := mustTokens(t, s, schema.TokenPriceFilter{}); len(tokens) > 0 {
			t.Errorf("token prices still stand: %+v", tokens)
		}
		if owed, err := s.UnsettledDays(ctx); err != nil || len(owed) != 1 || owed[0] != day {
			t.Errorf("owed %v, %v", owed, err)
		}
	})
}

// TestImportLeavesOwn lets what was observed stand where a file says it too.
func TestImportLeavesOwn(t *testing.T) {
	eachBackend(t, func(t *testing.T, c store.Config) {
		s := mustOpen(t, c, store.Create)
		ctx := t.Context()
		night := mustRun(t, s, firstNight)
		fetch := mustFetch(t, s, night)
		err := s.SaveProviderNight(ctx, schema.ProviderNight{
			Run: night, Observations: []schema.Observation{h100(fetch, 1, 4_290_000)},
			Result: schema.ProviderRun{RunID: night.ID, Provider: "lambda", Day: firstNight, Status: schema.StatusComplete, EndedAt: clock()},
		})
		if err != nil {
			t.Fatal(err)
		}
		own, err := s.Observations(ctx, schema.ObservationFilter{})
		if err != nil || len(own) == 0 {
			t.Fatal(own, err)
		}
		in := importOf(night, "copy", own[0].Day, own[0].USDPerGPUHour/2, "unmatched:other")
		said := own[0]
		said.USDPerGPUHour /= 2
		said.Class = "unmatched:other"
		in.Prices[0] = schema.ImportedPrice{Day: said.Day, Said: &said}
		kept, err := s.SaveImport(ctx, in)
		if err != nil || kept != 1 {
			t.Fatalf("kept %d, %v", kept, err)
		}
		again, err := s.Observations(ctx, schema.ObservationFilter{})
		if err != nil || len(again) != len(own) || again[0].USDPerGPUHour != own[0].USDPerGPUHour || again[0].Class != own[0].Class {
			t.Errorf("the own price became %+v, %v", again, err)
		}
	})
}

// TestBrokenImportLeavesNothing fails in the middle.
func TestBrokenImportLeavesNothing(t *testing.T) {
	eachBackend(t, func(t *testing.T, c store.Config) {
		s := mustOpen(t, c, store.Create)
		ctx := t.Context()
		in := importOf(mustRun(t, s, firstNight), "first", 20523, 0, "b200-sxm-180gb") // no price is a broken row
		if _, err := s.SaveImport(ctx, in); err == nil || !strings.Contains(err.Error(), "save import of a.csv") {
			t.Fatal(err)
		}
		imports, err := s.Imports(ctx)
		if err != nil || len(imports) != 0 {
			t.Errorf("left behind: %+v, %v", imports, err)
		}
	})
}
