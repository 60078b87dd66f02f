//go:build unix

package main

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"mtok/schema"
	"mtok/schema/store"
)

// A year of nights with so many prices each: what six providers and the first
// pages of a market's thirteen models give.
const (
	yearNights = 365
	yearPrices = 1_000
)

// BenchmarkRecompute derives the daily figures of a year again. The floor is the
// sqlite3 shell reading the same rows with their offers, in the same order.
func BenchmarkRecompute(b *testing.B) {
	program := buildProgram(b, ".", "mtok")
	dir := b.TempDir()
	db := filepath.Join(dir, "year.db")
	fillYear(b, db)
	b.Run("year/mtok", func(b *testing.B) {
		for b.Loop() {
			runProgram(b, dir, program, "recompute", "--all", "--db", db)
		}
	})
	b.Run("year/sqlite3-select", func(b *testing.B) {
		shell, err := exec.LookPath("sqlite3")
		if err != nil {
			b.Skip("not measured: no sqlite3")
		}
		for b.Loop() {
			runProgram(b, dir, shell, "-readonly", db, `SELECT * FROM observations JOIN offers ON offers.id = offer_id
				ORDER BY day, slot, provider, sku, gpu_count, region, term, commitment_min, commitment_max, offers.tier, source`)
		}
	})
}

// fillYear saves the nights of a year, whose prices move a little.
func fillYear(b *testing.B, path string) { fillNights(b, path, yearNights, yearPrices) }

// fillNights saves so many nights of so many prices.
func fillNights(b *testing.B, path string, nights, prices int) {
	b.Helper()
	ctx := context.Background()
	s, err := store.Open(ctx, store.Config{Path: path, Mode: store.Create}, time.Now)
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	first := schema.DayOf(time.Date(2025, 8, 22, 0, 0, 0, 0, time.UTC))
	for day := first; day < first+schema.Day(nights); day++ {
		run, err := s.StartRun(ctx, schema.Run{Job: schema.JobNightly, Day: day, Slot: day.Slot(), Trigger: "manual", Version: "v0", Owner: "bench/1"})
		if err != nil {
			b.Fatal(err)
		}
		fetch := schema.Fetch{RunID: run.ID, Day: day, Provider: "vast", Source: "bundles-api", Origin: schema.OriginLive,
			Method: "POST", URL: "https://example.com/", Status: 200, FetchedAt: day.Time()}
		if fetch.ID, err = s.SaveFetch(ctx, fetch, nil); err != nil {
			b.Fatal(err)
		}
		night := schema.ProviderNight{Run: run, Observations: benchNight(day, fetch.ID, prices), Result: schema.ProviderRun{
			RunID: run.ID, Provider: "vast", Day: day, Status: schema.StatusComplete, Offers: prices, EndedAt: day.Time()}}
		if err := s.SaveProviderNight(ctx, night); err != nil {
			b.Fatal(err)
		}
		if err := s.FinishRun(ctx, run.ID, schema.StatusComplete); err != nil {
			b.Fatal(err)
		}
	}
}

func benchNight(day schema.Day, fetch int64, prices int) []schema.Observation {
	classes := []schema.ClassID{"h100-sxm-80gb", "h200-sxm-141gb", "a100-sxm-80gb", "l40s-48gb", "b200-sxm-180gb"}
	yes, days, ppm := true, int64(90), int64(988_343)
	seen := make([]schema.Observation, prices)
	for i := range seen {
		gpus := 1 << (i % 4)
		usd := schema.USD(1_900_000 + 3_000*int64(i%400) + 500*(int64(day)%40))
		machine := fmt.Sprint(1_000_000 + i)
		class := classes[i%len(classes)]
		seen[i] = schema.Observation{
			Day: day, Slot: day.Slot(), Source: "bundles-api", Class: class, Origin: schema.OriginLive, FetchID: fetch,
			USDPerGPUHour: usd, USDPerInstanceHour: usd * schema.USD(gpus),
			Offer: schema.Offer{
				OfferKey: schema.OfferKey{Provider: "vast", SKU: machine + "/" + string(class), GPUCount: gpus, Term: schema.TermOnDemand},
				GPURaw:   string(class), VRAMMiB: 81_559, Basis: schema.BasisInstance, Unit: schema.UnitInstanceHour,
				GroupKey: machine, PriceText: usd.String(), Currency: "USD", Stock: schema.StockAvailable,
				Attributes: schema.Attributes{MaxDays: &days, NVLink: &yes, Datacenter: &yes, ReliabilityPPM: &ppm, Tier: schema.TierVerified},
			},
		}
	}
	return seen
}
