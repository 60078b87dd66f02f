package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// rowKeys are what a row of the recorded night is compared by.
var rowKeys = []string{
	"provider", "gpu_class", "gpu_count", "term", "tier", "region",
	"usd_per_gpu_hour", "usd_per_instance_hour", "commitment_min_days", "commitment_max_days",
}

// TestRecordedNightRows holds `report prices` against every list price of
// 2026-08-22: testdata/night-2026-08-22.csv was read off the providers' pages
// of that day independently of the parsers.
func TestRecordedNightRows(t *testing.T) {
	night, err := filepath.Abs("../../scrapers/recorded/night")
	if err != nil {
		t.Fatal(err)
	}
	compareRows(t, night, "testdata/night-2026-08-22.csv", 66)
}

// TestCapturedNightRows is the same on the real pages, where they are at hand.
func TestCapturedNightRows(t *testing.T) {
	const night = "../../../shared/captures/night-2026-08-22"
	if _, err := os.Stat(night); err != nil {
		t.Skip("needs ../shared")
	}
	compareRows(t, night, filepath.Join(night, "expected.csv"), 66)
}

func compareRows(t *testing.T, night, expected string, count int) {
	db := filepath.Join(t.TempDir(), "mtok.db")
	ingest := []string{"ingest", "--db", db, "--recorded", night, "--day", "2026-08-22"}
	providers := []string{"lambda", "coreweave", "crusoe"}
	for _, p := range providers {
		ingest = append(ingest, "--provider", p)
	}
	command(t, exitOK, ingest...)
	var report struct {
		Rows []map[string]any `json:"rows"`
	}
	decoder := json.NewDecoder(strings.NewReader(command(t, exitOK, "report", "prices", "--db", db, "--format", "json")))
	decoder.UseNumber()
	if err := decoder.Decode(&report); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, row := range report.Rows {
		var cells []string
		for _, key := range rowKeys {
			cell := ""
			if row[key] != nil {
				cell = fmt.Sprint(row[key])
			}
			cells = append(cells, cell)
		}
		got = append(got, strings.Join(cells, ","))
	}
	want := readRows(t, expected, providers)
	slices.Sort(got)
	slices.Sort(want)
	if len(want) != count {
		t.Fatalf("%d rows expected in %s, want %d", len(want), expected, count)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("rows differ (-want +got):\n%s", diff)
	}
}

// readRows reads the rows of some providers in the order of rowKeys.
func readRows(t *testing.T, path string, providers []string) []string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	records, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var rows []string
	for _, record := range records[1:] {
		if !slices.Contains(providers, record[slices.Index(records[0], "provider")]) {
			continue
		}
		var cells []string
		for _, key := range rowKeys {
			cells = append(cells, record[slices.Index(records[0], key)])
		}
		rows = append(rows, strings.Join(cells, ","))
	}
	return rows
}

// command runs mtok in this process, checks its exit code and returns what it
// printed.
func command(t *testing.T, want int, args ...string) string {
	t.Helper()
	var out, logs bytes.Buffer
	d := deps{
		Env: func(string) string { return "" }, Transport: noNetwork{},
		Now: func() time.Time { return time.Date(2026, 8, 22, 20, 0, 0, 0, time.UTC) },
	}
	if code := run(t.Context(), args, &out, &logs, d); code != want {
		t.Fatalf("mtok %s: exit %d, want %d\n%s%s", strings.Join(args, " "), code, want, &out, &logs)
	}
	return out.String()
}
