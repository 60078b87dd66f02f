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
	t.Parallel()
	night, err := filepath.Abs("../../scrapers/recorded/night")
	if err != nil {
		t.Fatal(err)
	}
	compareRows(t, night, "testdata/night-2026-08-22.csv", 118, exitOK, nightConfig)
}

// TestCapturedNightRows is the same on the real pages, where they are at hand.
func TestCapturedNightRows(t *testing.T) {
	t.Parallel()
	const night = "../../../shared/captures/night-2026-08-22"
	if _, err := os.Stat(night); err != nil {
		t.Skip("needs ../shared")
	}
	// Of Vast.ai two of the default models were recorded: a partial night, and
	// rows that TestCapturedVast compares.
	compareRows(t, night, filepath.Join(night, "expected.csv"), 132, exitPartial, "")
}

func compareRows(t *testing.T, night, expected string, count, exit int, config string) {
	db := filepath.Join(t.TempDir(), "mtok.db")
	configFile := filepath.Join(t.TempDir(), "config.toml")
	writeText(t, configFile, config)
	command(t, exit, "ingest", "--config", configFile, "--db", db, "--recorded", night, "--day", "2026-08-22")
	var report struct {
		Rows []map[string]any `json:"rows"`
	}
	decoder := json.NewDecoder(strings.NewReader(command(t, exitOK, "report", "prices", "--db", db, "--format", "json")))
	decoder.UseNumber()
	if err := decoder.Decode(&report); err != nil {
		t.Fatal(err)
	}
	want := readRows(t, expected)
	hasVast := slices.ContainsFunc(want, func(row string) bool { return strings.HasPrefix(row, "vast,") })
	var got []string
	for _, row := range report.Rows {
		if row["term"] == "bid_floor" || row["provider"] == "vast" && !hasVast {
			continue
		}
		if strings.HasPrefix(fmt.Sprint(row["gpu_class"]), "unmatched:") {
			row["gpu_class"] = "" // the catalog has no class for it
		}
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
	slices.Sort(got)
	slices.Sort(want)
	if len(want) != count {
		t.Fatalf("%d rows expected in %s, want %d", len(want), expected, count)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("rows differ (-want +got):\n%s", diff)
	}
}

// readRows reads expected rows in the order of rowKeys.
func readRows(t *testing.T, path string) []string {
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
