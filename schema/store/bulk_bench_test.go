//go:build unix

package store

import (
	"bufio"
	"context"
	"encoding/csv"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"mtok/schema"
	"mtok/schema/store/db"
)

// A million observations are a hundred nights of ten thousand offers.
const (
	benchNights = 100
	benchOffers = 10_000
)

// BenchmarkMillion writes a million observations through the bulk writer, in one
// transaction, and closes the file. The peer is `sqlite3 .import` of the same rows
// into a copy of the same file: same STRICT table, same keys, same pragmas.
func BenchmarkMillion(b *testing.B) {
	ctx := context.Background()
	dir := b.TempDir()
	template := filepath.Join(dir, "template.db")
	makeTemplate(b, template)
	b.Run("mtok", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			s := benchOpen(b, copyOf(b, template))
			before := cpuTime(b)
			b.StartTimer()
			err := s.update(ctx, "bulk", func(t *tx) error {
				rows := make([]db.Observation, benchOffers)
				for night := range benchNights {
					n, err := s.dialect.putObservations(ctx, t, nightRows(rows, night))
					if err != nil || n != benchOffers {
						return fmt.Errorf("night %d: %d rows, %w", night, n, err)
					}
				}
				return nil
			})
			if err != nil {
				b.Fatal(err)
			}
			if err := s.Close(); err != nil {
				b.Fatal(err)
			}
			b.ReportMetric((cpuTime(b) - before).Seconds(), "cpu-s")
		}
	})
	b.Run("sqlite3-import", func(b *testing.B) {
		program, err := exec.LookPath("sqlite3")
		if err != nil {
			b.Skip("not measured: no sqlite3")
		}
		rows := filepath.Join(dir, "rows.csv")
		writeRows(b, rows)
		for b.Loop() {
			b.StopTimer()
			file := copyOf(b, template)
			b.StartTimer()
			load := exec.Command(program, "-bail", file, "PRAGMA foreign_keys = ON; PRAGMA synchronous = FULL; PRAGMA cache_size = -16384",
				".import --csv "+rows+" observations")
			out, err := load.CombinedOutput()
			if err != nil {
				b.Fatalf("%v\n%s", err, out)
			}
			b.StopTimer()
			b.ReportMetric((load.ProcessState.UserTime() + load.ProcessState.SystemTime()).Seconds(), "cpu-s")
			out, err = exec.Command(program, file, "SELECT count(*) FROM observations").Output()
			if want := fmt.Sprintln(benchNights * benchOffers); err != nil || string(out) != want {
				b.Fatalf("%s rows, want %s (%v)", out, want, err)
			}
			b.StartTimer()
		}
	})
}

// nightRows fills in the rows of one night. No column is NULL, since .import has no
// NULL: the quarantine is a confirmed one.
func nightRows(rows []db.Observation, night int) []db.Observation {
	day := int64(20_000 + night)
	for i := range rows {
		usd := int64(1_316_888 + 7*i + night)
		rows[i] = db.Observation{
			Day: day, Slot: day * 86_400, OfferID: int64(i + 1), Source: "bundles-api", FetchID: 1, Origin: "live",
			Tier: "verified", PriceText: "1.3168888888888888", Currency: "USD", UsdGpuHour: usd, UsdInstanceHour: 8 * usd,
			Stock: optionalID(1), MaxDays: optionalID(31), Nvlink: optionalID(1), Datacenter: optionalID(1),
			ReliabilityPpm: optionalID(988_343), StorageGb: optionalID(8), QuarantineID: optionalID(1),
		}
	}
	return rows
}

func writeRows(b *testing.B, path string) {
	b.Helper()
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	buffered := bufio.NewWriter(f)
	w := csv.NewWriter(buffered)
	rows := make([]db.Observation, benchOffers)
	for night := range benchNights {
		for _, row := range nightRows(rows, night) {
			var cells []string
			for _, v := range observationValues(nil, &row) {
				cells = append(cells, fmt.Sprint(v.forDriver()))
			}
			if err := w.Write(cells); err != nil {
				b.Fatal(err)
			}
		}
	}
	if w.Flush(); w.Error() != nil {
		b.Fatal(w.Error())
	}
	if err := buffered.Flush(); err != nil {
		b.Fatal(err)
	}
}

// makeTemplate makes a database with the offers, fetch and quarantine that the
// observations point to.
func makeTemplate(b *testing.B, path string) {
	b.Helper()
	ctx := context.Background()
	s := benchOpen(b, path)
	run, err := s.StartRun(ctx, schema.Run{Job: schema.JobNightly, Day: 1, Trigger: "manual", Version: "v0", Owner: "bench/1"})
	if err != nil {
		b.Fatal(err)
	}
	fetch := schema.Fetch{RunID: run.ID, Day: 1, Provider: "vast", Source: "bundles-api", Origin: schema.OriginLive,
		Method: "POST", URL: "https://example.com/", Status: 200, FetchedAt: time.Unix(0, 0)}
	if _, err := s.SaveFetch(ctx, fetch, nil); err != nil {
		b.Fatal(err)
	}
	err = s.update(ctx, "make", func(t *tx) error {
		offers := make([]db.Offer, benchOffers)
		for i := range offers {
			offers[i] = db.Offer{Provider: "vast", Sku: fmt.Sprintf("%d/H100 SXM", 1_000_000+i), GpuCount: 8, Term: "on_demand",
				GpuRaw: "H100 SXM", VramMib: 81_559, Basis: "instance", Unit: "instance_hour",
				GroupKey: fmt.Sprint(1_000_000 + i), GpuClass: "h100-sxm-80gb"}
		}
		if _, err := s.dialect.putOffers(ctx, t, offers); err != nil {
			return err
		}
		_, err := t.InsertQuarantine(ctx, db.InsertQuarantineParams{RunID: run.ID, Provider: "vast", Day: 1,
			State: schema.QuarantineConfirmed, DecidedBy: "bench", DecidedAt: optionalID(1)})
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	if err := s.Close(); err != nil {
		b.Fatal(err)
	}
}

func benchOpen(b *testing.B, path string) *Store {
	b.Helper()
	s, err := Open(context.Background(), Config{Path: path, Mode: Create}, time.Now)
	if err != nil {
		b.Fatal(err)
	}
	return s
}

func cpuTime(b *testing.B) time.Duration {
	b.Helper()
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func copyOf(b *testing.B, path string) string {
	b.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		b.Fatal(err)
	}
	target := filepath.Join(b.TempDir(), "mtok.db")
	if err := os.WriteFile(target, data, 0o600); err != nil {
		b.Fatal(err)
	}
	return target
}
