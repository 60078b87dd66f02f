package export_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"mtok/reports/export"
	"mtok/schema"
)

var update = flag.Bool("update", false, "write the golden files anew")

func ptr[T any](v T) *T { return &v }

func fetched() schema.Fetch {
	return schema.Fetch{
		ID: 7, RunID: 3, Day: 20687, Provider: "lambda", Source: "pricing-page", Origin: schema.OriginLive, Method: "GET",
		URL: "https://lambda.ai/pricing", Status: 200, PageSHA256: strings.Repeat("ab", 32),
		FetchedAt: time.Date(2026, 8, 22, 6, 10, 0, 123_000_000, time.UTC),
	}
}

// plain is the ordinary price: nothing that may be missing is there.
func plain() *schema.ExportedObservation {
	return &schema.ExportedObservation{
		Observation: schema.Observation{
			Day: 20687, Slot: 20687 * 86400, Source: "pricing-page", Class: "h100-sxm-80gb", Origin: schema.OriginLive,
			Offer: schema.Offer{
				OfferKey: schema.OfferKey{Provider: "lambda", SKU: "instances/gpu_8x_h100_sxm/80", GPUCount: 8, Term: schema.TermOnDemand},
				GPURaw:   "NVIDIA H100 SXM", VRAMMiB: 81920, Basis: schema.BasisInstance, Unit: schema.UnitGPUHour,
				PriceText: "$3.99", Currency: "USD",
			},
			USDPerGPUHour: 3_990_000, USDPerInstanceHour: 31_920_000,
		},
		Evidence: schema.Evidence{Fetch: fetched()},
	}
}

// full has every field set, and texts that mean something to other programs.
func full() *schema.ExportedObservation {
	o := plain()
	o.Origin, o.Fetch.Origin, o.Fetch.Key = schema.OriginImport, schema.OriginImport, "=1+1"
	o.Offer.SKU, o.Offer.Region, o.Offer.Tier = "m/1,\"2\"", "'us\u2028\x1b[31m", schema.TierCluster
	o.Offer.Term, o.Offer.Commitment = schema.TermReserved, schema.Commitment{MinDays: 14, MaxDays: 365}
	o.Offer.FormRaw, o.Offer.GroupKey, o.Offer.PerGPU, o.Offer.MaxGPUs = "SXM5", "machine 7", true, 16
	o.Offer.Stock, o.StockPoints = schema.StockSoldOut, "1x high, 8x us-east none"
	o.Offer.Note, o.Excluded = "as listed,\nnever invoiced", "broken machine"
	o.Offer.Attributes = schema.Attributes{
		MaxDays: ptr(int64(31)), NVLink: ptr(true), Datacenter: ptr(false), ReliabilityPPM: ptr(int64(987_654)),
		StorageGB: ptr(int64(100)), Tier: schema.TierVerified,
	}
	o.USDPerGPUHour, o.USDPerInstanceHour = 1, 1_200_278
	o.QuarantineID, o.QuarantineState = 5, schema.QuarantineHeld
	o.ImportedFrom = &schema.ImportedFrom{
		Format: "gpuhunt", File: "catalog.csv", Licence: "MIT", Attribution: "somebody", Provenance: "aggregator",
		At: time.Date(2026, 8, 23, 0, 0, 0, 0, time.UTC),
	}
	return o
}

func tokenPrice() *schema.ExportedTokenPrice {
	return &schema.ExportedTokenPrice{
		Day: 20687, Slot: 20687 * 86400, Source: "models-api", Model: "meta-llama/llama-3.3-70b-instruct", Origin: schema.OriginLive,
		USDIn: ptr(schema.USD(130_000)), USDOut: ptr(schema.USD(0)), PriceText: "0.00000013", Evidence: schema.Evidence{Fetch: fetched()},
	}
}

func night() *schema.ExportedNight {
	at := fetched().FetchedAt
	return &schema.ExportedNight{
		Run: schema.Run{ID: 3, Job: schema.JobNightly, Day: 20687, Slot: 20687 * 86400, Trigger: "schedule",
			Status: schema.StatusComplete, Version: "v1", StartedAt: at, FinishedAt: at.Add(time.Minute)},
		Result: schema.ProviderRun{RunID: 3, Provider: "lambda", Day: 20687, Status: schema.StatusComplete, Offers: 2, Rejects: 1, EndedAt: at},
	}
}

func notice() *schema.ExportedNotice {
	return &schema.ExportedNotice{
		Notice: schema.Notice{Provider: "fluidstack", Kind: schema.NoticeNoPublicPrice, Detail: "asks for a call", Since: 20600, Last: 20687, FetchID: 7},
		Fetch:  fetched(),
	}
}

func quarantine() *schema.Quarantine {
	return &schema.Quarantine{
		ID: 5, RunID: 3, Provider: "lambda", Day: 20687, Rule: "moved", Evidence: "7 of 9 prices moved",
		State: schema.QuarantineHeld, CreatedAt: fetched().FetchedAt,
	}
}

// written is a table in a format.
func written[T any](t *testing.T, sink func(w *bytes.Buffer) export.Sink[T], rows ...*T) []byte {
	t.Helper()
	var b bytes.Buffer
	s := sink(&b)
	for _, row := range rows {
		if err := s.Write(row); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// tables are all tables in a format, with a few rows.
func tables(t *testing.T, f export.Format) map[string][]byte {
	t.Helper()
	return map[string][]byte{
		"observations": written(t, func(w *bytes.Buffer) export.Sink[schema.ExportedObservation] { return export.Observations(w, f) }, plain(), full()),
		"token_prices": written(t, func(w *bytes.Buffer) export.Sink[schema.ExportedTokenPrice] { return export.TokenPrices(w, f) }, tokenPrice()),
		"nights":       written(t, func(w *bytes.Buffer) export.Sink[schema.ExportedNight] { return export.Nights(w, f) }, night()),
		"notices":      written(t, func(w *bytes.Buffer) export.Sink[schema.ExportedNotice] { return export.Notices(w, f) }, notice()),
		"quarantines":  written(t, func(w *bytes.Buffer) export.Sink[schema.Quarantine] { return export.Quarantines(w, f) }, quarantine()),
	}
}

func TestGolden(t *testing.T) {
	for _, f := range []export.Format{export.CSV, export.JSONL} {
		for name, got := range tables(t, f) {
			path := filepath.Join("testdata", name+"."+string(f))
			if *update {
				if err := os.WriteFile(path, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(string(got), "\n")); diff != "" {
				t.Errorf("%s (-want +got):\n%s", path, diff)
			}
		}
	}
}

// TestColumns holds the columns: another program, and the import of an export,
// rely on their names and order.
func TestColumns(t *testing.T) {
	var b strings.Builder
	for _, table := range export.Tables() {
		fmt.Fprintln(&b, table.Name)
		for _, c := range table.Columns {
			fmt.Fprintf(&b, "  %-20s %s\n", c.Name, c.Type)
		}
	}
	path := filepath.Join("testdata", "columns.txt")
	if *update {
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Errorf("columns (-want +got):\n%s", diff)
	}
}

// TestEmptyTable: a table without a row still has its columns.
func TestEmptyTable(t *testing.T) {
	for _, f := range export.Formats() {
		got := written(t, func(w *bytes.Buffer) export.Sink[schema.Quarantine] { return export.Quarantines(w, f) })
		if f == export.JSONL != (len(got) == 0) {
			t.Errorf("%s: %d bytes", f, len(got))
		}
	}
}

// fullDisk takes so many bytes and no more.
type fullDisk struct{ room int }

var errFull = errors.New("disk full")

func (d *fullDisk) Write(p []byte) (int, error) {
	if len(p) > d.room {
		return 0, errFull
	}
	d.room -= len(p)
	return len(p), nil
}

// TestFullDisk: what can't be written is told, be it early or at the end.
func TestFullDisk(t *testing.T) {
	const rows = 10_000
	for _, f := range export.Formats() {
		for _, room := range []int{0, 300 << 10} {
			sink := export.Observations(&fullDisk{room}, f)
			var err error
			for i := 0; i < rows && err == nil; i++ {
				o := plain()
				o.Offer.SKU, o.PageSHA256 = fmt.Sprintf("%x", sha256.Sum256([]byte{byte(i), byte(i >> 8)})), ""
				o.Fetch.URL = strings.Repeat(o.Offer.SKU, 4)
				err = sink.Write(o)
			}
			if closed := sink.Close(); err != nil && !errors.Is(err, errFull) || !errors.Is(closed, errFull) {
				t.Errorf("%s, room for %d: %v, closed: %v", f, room, err, closed)
			}
		}
	}
}

func TestParseFormat(t *testing.T) {
	for _, f := range export.Formats() {
		if got, err := export.ParseFormat(string(f)); got != f || err != nil {
			t.Errorf("%s: %s, %v", f, got, err)
		}
	}
	if _, err := export.ParseFormat("xlsx"); err == nil || !strings.Contains(err.Error(), "parquet, csv, jsonl") {
		t.Errorf("xlsx: %v", err)
	}
}
