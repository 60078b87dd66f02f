package store_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"mtok/schema"
	"mtok/schema/store"
)

// makeUpgrade names the database to make for testdata/upgrade. Whoever adds a
// migration makes one before it, named by the version that it is of:
//
//	go test ./schema/store -run TestMakeUpgradeDatabase -make-upgrade v1
//
// and commits it with the migration: TestUpgradeDatabases migrates them all. A
// database that is there is never made again, since it is of its time.
var makeUpgrade = flag.String("make-upgrade", "", "make testdata/upgrade/`NAME`.db.zst")

const upgradeFolder = "testdata/upgrade"

// TestMakeUpgradeDatabase makes one, and keeps it where that is asked for.
func TestMakeUpgradeDatabase(t *testing.T) {
	folder, name := t.TempDir(), "made"
	if *makeUpgrade != "" {
		folder, name = upgradeFolder, *makeUpgrade
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(folder, name)
	if _, err := os.Stat(path + ".db.zst"); err == nil {
		t.Fatalf("%s.db.zst is there already", path)
	}
	c := sqliteConfig(t)
	s := mustOpen(t, c, store.Create)
	fillForUpgrade(t, s)
	text := dump(t, s)
	if err := s.Close(); err != nil { // folds the log into the file
		t.Fatal(err)
	}
	content, err := os.ReadFile(c.Path)
	if err != nil {
		t.Fatal(err)
	}
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression))
	if err != nil {
		t.Fatal(err)
	}
	for file, data := range map[string][]byte{path + ".db.zst": encoder.EncodeAll(content, nil), path + ".txt": []byte(text)} {
		if err := os.WriteFile(file, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	upgrade(t, path+".db.zst")
}

// TestUpgradeDatabases migrates every database of an earlier version: what was in
// it is read as it was, it is sound, and the next night is written to it.
func TestUpgradeDatabases(t *testing.T) {
	files, err := filepath.Glob(upgradeFolder + "/*.db.zst")
	if err != nil || len(files) == 0 {
		t.Fatalf("no database in %s: %v", upgradeFolder, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".db.zst"), func(t *testing.T) { upgrade(t, file) })
	}
}

func upgrade(t *testing.T, file string) {
	t.Helper()
	packed, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(strings.TrimSuffix(file, ".db.zst") + ".txt")
	if err != nil {
		t.Fatal(err)
	}
	decoder, err := zstd.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	defer decoder.Close()
	c := sqliteConfig(t)
	out, err := os.Create(c.Path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := decoder.WriteTo(out); err != nil {
		t.Fatal(err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	s := mustOpen(t, c, store.ReadWrite)
	if v := s.Version(); v.Found == 0 || v.Found > v.Now {
		t.Errorf("migrated from version %d to %d", v.Found, v.Now)
	}
	if problems, err := s.Check(context.Background()); err != nil || len(problems) != 0 {
		t.Errorf("check: %v, %v", problems, err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(dump(t, s), "\n")); diff != "" {
		t.Errorf("what is read (-as it was +now):\n%s", diff)
	}
	saveDay(t, s, firstNight+9, 3_690_000)
	if got := prices(t, s, schema.ObservationFilter{FromDay: firstNight + 9}); len(got) != 1 {
		t.Errorf("the next night left %v", got)
	}
}

// fillForUpgrade writes something into every table that a night writes.
func fillForUpgrade(t *testing.T, s *store.Store) {
	t.Helper()
	ctx := context.Background()
	saveDay(t, s, firstNight, 3_990_000, 3_890_000)
	if err := s.Recompute(ctx, firstNight, figures(dailyOf(firstNight, 1, 3_990_000))); err != nil {
		t.Fatal(err)
	}
	// A night with everything in it, of which the daily figures are owed.
	run := mustRun(t, s, firstNight+1)
	f := mustFetch(t, s, run)
	n := nightOf(run, schema.StatusComplete, marketOffer(f), h100(f, 1, 3_790_000))
	n.Parses = []schema.Parse{{FetchID: f.ID, ParserVersion: 1, Offers: 2, Rejects: 1, ParsedAt: clock()}}
	n.Rejects = []schema.FetchRejects{{FetchID: f.ID, Rejects: []schema.Reject{
		{Source: f.Source, Label: "8x B300", PriceText: "Contact sales", Rule: schema.RuleUnpriced, Reason: "listed without a price"},
	}}}
	n.Notices = []schema.Notice{{Provider: "lambda", Kind: schema.NoticeNoPublicPrice, Detail: "sells by contract", FetchID: f.ID}}
	mustSave(t, s, n)
	mustFinish(t, s, run)
	// Held nights: one that nobody decided, one of each decision.
	for i, decision := range []string{"", schema.QuarantineConfirmed, schema.QuarantineDiscarded} {
		run := mustRun(t, s, firstNight+2+schema.Day(i))
		n := nightOf(run, schema.StatusQuarantined, h100(mustFetch(t, s, run), 1, 31_920_000))
		n.Result.ErrorKind, n.Result.Detail = "unit_ratio", "8 times the price"
		n.Quarantine = &schema.Quarantine{Rule: "unit_ratio", Evidence: "8 times the price"}
		mustSave(t, s, n)
		if decision != "" {
			if err := s.DecideQuarantine(ctx, n.Quarantine.ID, decision, "ann"); err != nil {
				t.Fatal(err)
			}
		}
		mustFinish(t, s, run)
	}
	// A failed one, and one whose process died.
	run = mustRun(t, s, firstNight+5)
	failed := newFetch(run)
	failed.Status, failed.ErrorKind, failed.Error = 503, "status", "fetch https://lambda.ai/pricing: status (HTTP 503)"
	if _, err := s.SaveFetch(ctx, failed, nil); err != nil {
		t.Fatal(err)
	}
	mustSave(t, s, nightOf(run, schema.StatusFailed))
	mustRunOver(t, s, run)
}

func mustRunOver(t *testing.T, s *store.Store, run schema.Run) {
	t.Helper()
	if err := s.AbandonRun(context.Background(), run.ID); err != nil {
		t.Fatal(err)
	}
}

// dump is what a database holds, a row a line, as it is read through the store.
func dump(t *testing.T, s *store.Store) string {
	t.Helper()
	ctx := context.Background()
	var b strings.Builder
	days, err := s.ObservationDays(ctx)
	section(t, &b, "observed days", days, err, func(d schema.Day) any { return d })
	runs, err := s.LastRuns(ctx, "", 1000)
	section(t, &b, "runs", runs, err, func(r schema.Run) any {
		return []any{r.ID, r.Job, r.Day, r.Trigger, r.Status, r.StartedAt, r.FinishedAt}
	})
	parts, err := s.ProviderRuns(ctx, 0, 1<<20)
	section(t, &b, "providers", parts, err, func(r schema.ProviderRun) any {
		return []any{r.RunID, r.Provider, r.Day, r.Status, r.Offers, r.ErrorKind, r.Detail}
	})
	fetches, err := s.Fetches(ctx, schema.FetchFilter{})
	section(t, &b, "fetches", fetches, err, func(f schema.Fetch) any {
		body := ""
		if f.PageSHA256 != "" {
			page, err := s.Page(ctx, f.PageSHA256)
			if err != nil {
				t.Fatal(err)
			}
			body = string(page.Body)
		}
		return []any{f.ID, f.Day, f.Provider, f.Source, f.Key, f.Origin, f.URL, f.Status, f.ErrorKind, f.FetchedAt, body}
	})
	seen, err := s.Observations(ctx, schema.ObservationFilter{IncludeHeld: true})
	section(t, &b, "observations", seen, err, func(o schema.Observation) any {
		k, a := o.Offer.OfferKey, o.Offer.Attributes
		return []any{o.Day, o.Source, k.Provider, k.SKU, k.GPUCount, k.Region, k.Term, k.Commitment.MinDays, k.Commitment.MaxDays, k.Tier, o.Class, o.Origin, o.FetchID, o.USDPerGPUHour, o.USDPerInstanceHour,
			o.Offer.GPURaw, o.Offer.VRAMMiB, o.Offer.PriceText, o.Offer.Stock, o.Offer.StockPoints, o.Offer.Note, o.Excluded, o.Quarantine,
			a.Tier, value(a.MaxDays), value(a.NVLink), value(a.Datacenter), value(a.ReliabilityPPM), value(a.StorageGB)}
	})
	rejects, err := s.Rejects(ctx, schema.FetchFilter{})
	section(t, &b, "rejects", rejects, err, func(r schema.Rejected) any { return []any{r.FetchID, r.Label, r.PriceText, r.Rule, r.Reason} })
	notices, err := s.Notices(ctx)
	section(t, &b, "notices", notices, err, func(n schema.Notice) any { return []any{n.Provider, n.Kind, n.Detail, n.Since, n.Last} })
	held, err := s.HeldQuarantines(ctx)
	section(t, &b, "held", held, err, func(q schema.Quarantine) any { return []any{q.ID, q.Provider, q.Day, q.Rule, q.Evidence} })
	prices, err := s.DailyPrices(ctx, 0, 1<<20, "")
	section(t, &b, "daily prices", prices, err, func(p schema.DailyPrice) any {
		return []any{p.Day, p.Class, p.Provider, p.Tier, p.Term, p.Commitment.MinDays, p.Commitment.MaxDays, p.GPUCount, p.Origin,
			p.N, p.GPUs, p.Min, p.P10, p.Median, p.Max, p.MinOfferID, p.AsOf}
	})
	markets, err := s.DailyMarkets(ctx, 0, 1<<20, "")
	section(t, &b, "daily markets", markets, err, func(m schema.DailyMarket) any {
		return []any{m.Day, m.Class, m.Term, m.Origin, m.Cheapest, m.CheapestProvider, m.CheapestTier, m.Median, m.Providers}
	})
	costs, err := s.DailyTokenCosts(ctx, 0, 1<<20, "")
	section(t, &b, "daily token costs", costs, err, func(c schema.DailyTokenCost) any {
		return []any{c.Day, c.Class, c.Term, c.Workload, c.Statistic, c.Inputs, c.Origin, c.Provider, c.Tier, c.GPUs, c.Replicas,
			c.USDPerHour, c.Raw, c.Utilized, c.AllIn}
	})
	owed, err := s.UnsettledDays(ctx)
	section(t, &b, "unsettled", owed, err, func(d schema.Day) any { return d })
	return b.String()
}

func section[T any](t *testing.T, b *strings.Builder, title string, rows []T, err error, show func(T) any) {
	t.Helper()
	if err != nil {
		t.Fatalf("%s: %v", title, err)
	}
	fmt.Fprintf(b, "# %s: %d\n", title, len(rows))
	for _, row := range rows {
		fmt.Fprintf(b, "%v\n", show(row))
	}
}

func value[T any](p *T) any {
	if p == nil {
		return "-"
	}
	return *p
}
