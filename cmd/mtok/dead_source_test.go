package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mtok/schema"
	"mtok/schema/store"
)

// TestDeadSource: a provider whose page says nothing any more is known in one
// night. Its last prices are carried, flagged and rentable nowhere, for max_age
// days and not one more, and are in no figure of those days.
func TestDeadSource(t *testing.T) {
	t.Parallel()
	night, err := filepath.Abs("../../scrapers/recorded/night")
	if err != nil {
		t.Fatal(err)
	}
	first, err := schema.ParseDay("2026-08-22")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	db, dead := filepath.Join(dir, "mtok.db"), filepath.Join(dir, "night")
	for _, provider := range []string{"lambda", "crusoe"} {
		if err := os.MkdirAll(filepath.Join(dead, provider), 0o755); err != nil {
			t.Fatal(err)
		}
		writeText(t, filepath.Join(dead, provider, "pricing-page.html"), readText(t, filepath.Join(night, provider, "pricing-page.html")))
	}
	providers := []string{"--provider", "lambda", "--provider", "crusoe", "--db", db, "--recorded", dead, "--day"}
	ingest := func(day schema.Day, exit int) {
		t.Helper()
		commandAt(t, day, exit, append(append([]string{"ingest"}, providers...), day.String())...)
	}
	ingest(first, exitOK)
	writeText(t, filepath.Join(dead, "lambda", "pricing-page.html"), "<html><body><h1>Sign in</h1></body></html>")
	maxAge := schema.Day(defaultConfig().Report.MaxAgeDays)
	for age := schema.Day(1); age <= maxAge+1; age++ {
		day := first + age
		ingest(day, exitPartial)
		commandAt(t, day, exitPartial, "status", "--db", db)
		rows := lambdaRows(t, db, day)
		want := 28
		if age > maxAge {
			want = 0
		}
		if len(rows) != want {
			t.Errorf("%d days after its last night: %d rows of lambda, want %d", age, len(rows), want)
		}
		for _, r := range rows {
			if r.Age.String() != fmt.Sprint(int(age)) || r.Day != first.String() || r.Eligible {
				t.Errorf("%d days after: %+v; want the day, its age, and not eligible", age, r)
			}
		}
	}
	inStore(t, db, func(ctx context.Context, s *store.Store) error {
		prices, err := s.DailyPrices(ctx, first+1, first+maxAge+1, "")
		if err != nil {
			return err
		}
		markets, err := s.DailyMarkets(ctx, first+1, first+maxAge+1, "")
		if err != nil {
			return err
		}
		costs, err := s.DailyTokenCosts(ctx, first+1, first+maxAge+1, "")
		if err != nil {
			return err
		}
		if len(prices) == 0 || len(markets) == 0 || len(costs) == 0 {
			t.Errorf("%d prices, %d markets, %d costs: crusoe's should be there", len(prices), len(markets), len(costs))
		}
		for _, p := range prices {
			if p.Provider == "lambda" {
				t.Errorf("a carried price is in the figures of %s: %+v", p.Day, p)
			}
		}
		for _, m := range markets {
			if m.CheapestProvider == "lambda" || m.Providers != 1 {
				t.Errorf("a carried price is in the market of %s: %+v", m.Day, m)
			}
		}
		for _, c := range costs {
			if c.Provider == "lambda" {
				t.Errorf("a carried price is in the token costs of %s: %+v", c.Day, c)
			}
		}
		return nil
	})
}

// priceRow is a row of `report prices`.
type priceRow struct {
	Provider string      `json:"provider"`
	Day      string      `json:"day"`
	Age      json.Number `json:"age_days"`
	Eligible bool        `json:"eligible"`
}

func lambdaRows(t *testing.T, db string, day schema.Day) []priceRow {
	t.Helper()
	var report struct{ Rows []priceRow }
	out := commandAt(t, day, exitOK, "report", "prices", "--provider", "lambda", "--db", db, "--format", "json")
	if err := json.Unmarshal([]byte(out), &report); err != nil {
		t.Fatal(err)
	}
	return report.Rows
}

// commandAt runs a command in the evening of a day.
func commandAt(t *testing.T, day schema.Day, want int, args ...string) string {
	t.Helper()
	var out, logs bytes.Buffer
	d := deps{
		Env: func(string) string { return "" }, Transport: noNetwork{},
		Now: func() time.Time { return day.Time().Add(20 * time.Hour) },
	}
	if code := run(t.Context(), args, &out, &logs, d); code != want {
		t.Fatalf("mtok %s: exit %d, want %d\n%s%s", strings.Join(args, " "), code, want, &out, &logs)
	}
	return out.String()
}
