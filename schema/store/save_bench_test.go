//go:build unix

package store

import (
	"context"
	"encoding/csv"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"mtok/schema"
)

// BenchmarkSave saves a night of ten thousand offers: the first, of which none is
// known, and the next. The peer is `sqlite3 .import` of the same offers and
// observations into a copy of the same file; it looks nothing up and reports
// nothing unsettled.
func BenchmarkSave(b *testing.B) {
	ctx := context.Background()
	dir := b.TempDir()
	template := filepath.Join(dir, "template.db")
	first := schema.Day(20_000)
	emptyNights(b, template, first, 2)
	b.Run("first-10000/mtok", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			s := benchOpen(b, copyOf(b, template))
			night := saveNight(1, first)
			b.StartTimer()
			if err := s.SaveProviderNight(ctx, night); err != nil {
				b.Fatal(err)
			}
			b.StopTimer()
			s.Close()
			b.StartTimer()
		}
	})
	b.Run("first-10000/sqlite3-import", func(b *testing.B) {
		program, err := exec.LookPath("sqlite3")
		if err != nil {
			b.Skip("not measured: no sqlite3")
		}
		offers, observations := saveFiles(b, dir, first)
		for b.Loop() {
			b.StopTimer()
			file := copyOf(b, template)
			b.StartTimer()
			out, err := exec.Command(program, "-bail", file, "PRAGMA foreign_keys = ON; PRAGMA synchronous = FULL; PRAGMA cache_size = -16384",
				".import --csv "+offers+" offers", ".import --csv "+observations+" observations").CombinedOutput()
			if err != nil || len(out) > 0 {
				b.Fatalf("%v\n%s", err, out)
			}
		}
	})
	b.Run("next-10000/mtok", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			s := benchOpen(b, copyOf(b, template))
			if err := s.SaveProviderNight(ctx, saveNight(1, first)); err != nil {
				b.Fatal(err)
			}
			night := saveNight(2, first+1)
			b.StartTimer()
			if err := s.SaveProviderNight(ctx, night); err != nil {
				b.Fatal(err)
			}
			b.StopTimer()
			s.Close()
			b.StartTimer()
		}
	})
}

// emptyNights makes a database with nights that have a fetch and no rows yet, and
// a quarantine. Only the last is running, so the earlier ones are saved in its
// name.
func emptyNights(b *testing.B, path string, first schema.Day, nights int) {
	b.Helper()
	makeTemplate(b, path)
	ctx := context.Background()
	s := benchOpen(b, path)
	defer s.Close()
	for i := range nights {
		day := first + schema.Day(i)
		fetch := schema.Fetch{RunID: 1, Day: day, Provider: "vast", Source: "bundles-api", Origin: schema.OriginLive,
			Method: "POST", URL: "https://example.com/", Status: 200, FetchedAt: day.Time()}
		if _, err := s.SaveFetch(ctx, fetch, nil); err != nil {
			b.Fatal(err)
		}
	}
	if err := s.update(ctx, "empty", func(t *tx) error {
		_, err := t.sql.ExecContext(ctx, "DELETE FROM offers")
		return err
	}); err != nil {
		b.Fatal(err)
	}
}

// saveNight is a complete night, read from the given fetch.
func saveNight(fetch int64, day schema.Day) schema.ProviderNight {
	yes, days, ppm, gb := true, int64(31), int64(988_343), int64(8)
	run := schema.Run{ID: 1, Job: schema.JobNightly, Day: day, Slot: day.Slot()}
	n := schema.ProviderNight{Run: run, Result: schema.ProviderRun{RunID: 1, Provider: "vast", Day: day,
		Status: schema.StatusComplete, Offers: benchOffers, EndedAt: day.Time().Add(time.Hour)}}
	for i := range benchOffers {
		machine := fmt.Sprint(1_000_000 + i)
		usd := schema.USD(1_316_888 + 7*i)
		n.Observations = append(n.Observations, schema.Observation{
			Day: day, Slot: day.Slot(), Source: "bundles-api", Class: "h100-sxm-80gb", Origin: schema.OriginLive, FetchID: fetch,
			USDPerGPUHour: usd, USDPerInstanceHour: 8 * usd,
			Offer: schema.Offer{
				OfferKey: schema.OfferKey{Provider: "vast", SKU: machine + "/H100 SXM", GPUCount: 8, Term: schema.TermOnDemand},
				GPURaw:   "H100 SXM", VRAMMiB: 81_559, Basis: schema.BasisInstance, Unit: schema.UnitInstanceHour,
				GroupKey: machine, PriceText: "1.3168888888888888", Currency: "USD", Stock: schema.StockAvailable,
				Attributes: schema.Attributes{MaxDays: &days, NVLink: &yes, Datacenter: &yes, ReliabilityPPM: &ppm, StorageGB: &gb,
					Tier: schema.TierVerified},
			},
		})
	}
	return n
}

// saveFiles writes what saveNight saves as the shell imports it.
func saveFiles(b *testing.B, dir string, day schema.Day) (offers, observations string) {
	b.Helper()
	offers, observations = filepath.Join(dir, "offers.csv"), filepath.Join(dir, "observations.csv")
	var offerRows, rows [][]string
	cells := func(row []value) []string {
		out := make([]string, len(row))
		for i, v := range row {
			out[i] = fmt.Sprint(v.forDriver())
		}
		return out
	}
	for i, o := range saveNight(1, day).Observations {
		offer := fromOffer(o.Offer, o.Class)
		offer.ID = int64(i + 1)
		offerRows = append(offerRows, cells(offerValues(nil, &offer)))
		row, err := fromObservation(o, offer.ID)
		if err != nil {
			b.Fatal(err)
		}
		row.QuarantineID = optionalID(1) // .import has no NULL
		rows = append(rows, cells(observationValues(nil, &row)))
	}
	for file, lines := range map[string][][]string{offers: offerRows, observations: rows} {
		f, err := os.Create(file)
		if err != nil {
			b.Fatal(err)
		}
		if err := csv.NewWriter(f).WriteAll(lines); err != nil {
			b.Fatal(err)
		}
		if err := f.Close(); err != nil {
			b.Fatal(err)
		}
	}
	return offers, observations
}
