package store

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"mtok/schema"
)

// BenchmarkImport saves a file of a million prices: a thousand offers on a thousand
// days.
func BenchmarkImport(b *testing.B) {
	ctx := context.Background()
	for b.Loop() {
		b.StopTimer()
		s := benchOpen(b, filepath.Join(b.TempDir(), "mtok.db"))
		run, err := s.StartRun(ctx, schema.Run{Job: schema.JobImport, Day: 20687, Slot: 1, Trigger: "bench", Version: "v0", Owner: "bench/1"})
		if err != nil {
			b.Fatal(err)
		}
		in := millionPrices(run)
		b.StartTimer()
		if _, err := s.SaveImport(ctx, in); err != nil {
			b.Fatal(err)
		}
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

func millionPrices(run schema.Run) schema.Import {
	body := []byte("a million prices")
	in := schema.Import{
		Fetch: schema.Fetch{RunID: run.ID, Day: run.Day, Provider: "nixj9", Source: "nixj9", Method: "READ", URL: "file:a.csv", Status: 200, FetchedAt: time.Unix(0, 0)},
		Page:  schema.Page{SHA256: hashOf(body), MediaType: "text/csv", Body: body}, Format: "nixj9", File: "a.csv",
	}
	for day := range 1000 {
		for offer := range 1000 {
			usd := schema.USD(2_000_000 + offer)
			on := schema.Day(19_000 + day)
			in.Prices = append(in.Prices, schema.ImportedPrice{Day: on, Said: &schema.Observation{
				Source: "nixj9", Class: "b200-sxm-180gb", Origin: schema.OriginImport, USDPerGPUHour: usd, USDPerInstanceHour: usd,
				Offer: schema.Offer{OfferKey: schema.OfferKey{Provider: "lambda", SKU: fmt.Sprintf("nixj9:B200-%d", offer), GPUCount: 1, Term: schema.TermOnDemand},
					GPURaw: "B200", Basis: schema.BasisInstance, Unit: schema.UnitGPUHour, PerGPU: true, PriceText: "2.00", Currency: "USD"},
			}})
		}
	}
	return in
}
