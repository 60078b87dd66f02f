//go:build unix

package main

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"mtok/reports"
	"mtok/schema"
	"mtok/schema/store"
)

// Five years of 60 providers, of which each lists 15 of 40 classes, with the API
// prices of 336 models.
const (
	longDays      = 1826
	longProviders = 60
	longClasses   = 40
	longModels    = 336
)

// BenchmarkReports makes the whole set of reports of five years as pages, and one
// trend over all of them.
func BenchmarkReports(b *testing.B) {
	program := buildProgram(b, ".", "mtok")
	dir := b.TempDir()
	db := filepath.Join(dir, "long.db")
	fillLong(b, db)
	b.Run("set/mtok", func(b *testing.B) {
		for b.Loop() {
			runProgram(b, dir, program, "report", "--output", filepath.Join(dir, "out"), "--db", db)
		}
	})
	b.Run("trend-5-years/mtok", func(b *testing.B) { benchTrend(b, db, longDays) })
	b.Run("trend-90-days/mtok", func(b *testing.B) { benchTrend(b, db, reports.DefaultWindow) })
	b.Run("trend-5-years-with-start/mtok", func(b *testing.B) {
		for b.Loop() {
			runProgram(b, dir, program, "report", "trend", "h100-sxm-80gb", "--days", fmt.Sprint(longDays), "--db", db)
		}
	})
}

// benchTrend builds the report alone, in a database that is open.
func benchTrend(b *testing.B, path string, days int) {
	ctx := context.Background()
	s, err := store.Open(ctx, store.Config{Path: path, Mode: store.ReadOnly}, time.Now)
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	catalog, err := schema.LoadCatalog()
	if err != nil {
		b.Fatal(err)
	}
	config := defaultConfig()
	loader := reports.Loader{Source: s, Catalog: catalog, Settings: config.settings(), Tokens: s, History: s}
	runs, before := 0, ownCPU(b)
	for b.Loop() {
		runs++
		doc, err := loader.Trend(ctx, reports.Filter{Class: "h100-sxm-80gb", Window: reports.Window{Days: days}})
		if err != nil || len(doc.Rows) != days || len(doc.Charts) != 2 {
			b.Fatalf("%d rows, %d charts, %v", len(doc.Rows), len(doc.Charts), err)
		}
	}
	b.ReportMetric((ownCPU(b)-before).Seconds()/float64(runs), "cpu-s")
}

// ownCPU is the CPU time that this process has used.
func ownCPU(b *testing.B) time.Duration {
	b.Helper()
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// fillLong writes the tables that reports read, by statements that make their rows.
func fillLong(b *testing.B, path string) {
	b.Helper()
	ctx := context.Background()
	s, err := store.Open(ctx, store.Config{Path: path, Mode: store.Create}, time.Now)
	if err != nil {
		b.Fatal(err)
	}
	if err := s.Close(); err != nil {
		b.Fatal(err)
	}
	db, err := sql.Open("sqlite", path+"?_pragma=synchronous(0)")
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	for _, statement := range longStatements(b) {
		if _, err := db.ExecContext(ctx, statement); err != nil {
			b.Fatalf("%v:\n%s", err, statement)
		}
	}
}

func longStatements(b *testing.B) []string {
	b.Helper()
	catalog, err := schema.LoadCatalog()
	if err != nil {
		b.Fatal(err)
	}
	last := schema.DayOf(time.Date(2026, 8, 22, 0, 0, 0, 0, time.UTC))
	var classes, configurations []string
	for i, g := range catalog.GPUs[:min(longClasses, len(catalog.GPUs))] {
		classes = append(classes, fmt.Sprintf("(%d, '%s')", i, g.ID))
	}
	for i := len(classes); i < longClasses; i++ {
		classes = append(classes, fmt.Sprintf("(%d, 'unmatched:gpu-%d')", i, i))
	}
	var inputs []string
	for i, class := range []string{"h100-sxm-80gb", "h200-sxm-141gb", "b200-sxm-180gb", "gh200-96gb", "a100-sxm-80gb"} {
		for j, w := range reports.DefaultWorkloads() {
			hash := fmt.Sprintf("%064d", 10*i+j)
			inputs = append(inputs, fmt.Sprintf("('%s', 'formula 1\nthroughput row-%d class=%s gpus=2 precision=\"FP8\" tokens_per_second=4418 source=\"s\"\n')", hash, i, class))
			for _, statistic := range []string{"cheapest", "median"} {
				configurations = append(configurations, fmt.Sprintf("('%s', '%s', '%s', '%s')", class, w.Name, statistic, hash))
			}
		}
	}
	days := fmt.Sprintf("WITH RECURSIVE days(day) AS (SELECT %d UNION ALL SELECT day + 1 FROM days WHERE day < %d)", last-longDays+1, last)
	numbers := func(name string, n int) string {
		return fmt.Sprintf("%s(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM %s WHERE n < %d)", name, name, n-1)
	}
	providers := days + ", " + numbers("providers", longProviders)
	listed := providers + ", classes(n, class) AS (VALUES " + strings.Join(classes, ", ") + "), sizes(size) AS (VALUES (0), (8))"
	const price = "2000000 + 1000 * ((days.day * 7 + providers.n * 31 + classes.n * 13) % 900)"
	return []string{
		"PRAGMA journal_mode = OFF", "BEGIN",
		days + " INSERT INTO runs (job, day, slot, trigger, status, version, owner, started_at, beat_at, finished_at) SELECT 'nightly', day, day * 86400, 'schedule', 'complete', 'v', 'o', 0, 0, 0 FROM days",
		providers + " INSERT INTO provider_runs SELECT runs.id, printf('p%02d', n), days.day, 'complete', 15, 3, '', '', 0 FROM days JOIN runs ON runs.day = days.day CROSS JOIN providers",
		providers + " INSERT INTO fetches (run_id, day, provider, source, request_key, origin, method, url, status, etag, last_modified, error_kind, error, fetched_at) SELECT runs.id, days.day, printf('p%02d', n), 'pricing-page', '', 'live', 'GET', 'https://example.com/', 200, '', '', '', '', days.day * 86400000 FROM days JOIN runs ON runs.day = days.day CROSS JOIN providers",
		"INSERT INTO parses SELECT id, 1, 15, 3, '', 0 FROM fetches",
		"INSERT INTO rejects SELECT id, n, 'pricing-page', 'a row', '', 'unpriced', 'listed without a price' FROM fetches, (SELECT 0 AS n UNION SELECT 1 UNION SELECT 2)",
		listed + " INSERT INTO daily_prices SELECT days.day, class, printf('p%02d', providers.n), 'secure', 'on_demand', 0, 0, size, 'live', 1, 8, " + price + ", " + price + ", " + price + ", " + price + ", NULL, days.day * 86400000 FROM days, providers, classes, sizes WHERE (providers.n + classes.n) % 8 < 3",
		listed + " INSERT INTO daily_market SELECT days.day, class, 'on_demand', 'live', min(" + price + "), printf('p%02d', (days.day / 7 + classes.n) % 60), 'secure', 2450000, 22 FROM days, providers, classes WHERE (providers.n + classes.n) % 8 < 3 GROUP BY days.day, class",
		"INSERT INTO cost_inputs VALUES " + strings.Join(inputs, ", "),
		days + ", c(class, workload, statistic, inputs) AS (VALUES " + strings.Join(configurations, ", ") + ") INSERT INTO daily_token_costs SELECT day, class, 'on_demand', workload, statistic, inputs, 'live', 'p01', 'secure', 2, 1, 4000000, 251000 + day % 90, 387000 + day % 90, 774000 + day % 90 FROM days, c",
		days + ", " + numbers("models", longModels) + " INSERT INTO daily_api_prices SELECT day, 'openrouter/models-api', CASE n WHEN 0 THEN 'meta-llama/llama-3.3-70b-instruct' ELSE printf('vendor/model-%03d', n) END, '', '', 0, 'live', 130000, 400000, NULL, NULL, '0.13', day * 86400000 FROM days, models",
		providers + ", classes(n, class) AS (VALUES " + strings.Join(classes, ", ") + ") INSERT INTO offers (provider, sku, gpu_count, region, term, commitment_min, commitment_max, tier, gpu_raw, form_raw, vram_mib, basis, unit, group_key, per_gpu, max_gpus, gpu_class) SELECT printf('p%02d', providers.n), class, 8, '', 'on_demand', 0, 0, 'secure', class, '', 0, 'instance', 'gpu_hour', '', 1, 8, class FROM providers, classes WHERE (providers.n + classes.n) % 8 < 3",
		fmt.Sprintf("INSERT INTO observations SELECT %d, %d, offers.id, 'pricing-page', fetches.id, 'live', 'secure', '2.00', 'USD', 2000000 + 1000 * offers.id, 16000000 + 8000 * offers.id, NULL, '', NULL, NULL, NULL, NULL, NULL, '', '', NULL FROM offers JOIN fetches ON fetches.provider = offers.provider AND fetches.day = %d", last, last.Slot(), last),
		"COMMIT", "PRAGMA journal_mode = WAL",
	}
}
