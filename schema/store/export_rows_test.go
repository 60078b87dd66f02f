package store_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"mtok/schema"
	"mtok/schema/store"
)

// exported are the observations of an export, a line each.
func exported(t *testing.T, s *store.Store, f schema.ExportFilter) []string {
	t.Helper()
	lines := []string{}
	err := s.ExportObservations(context.Background(), f, func(o *schema.ExportedObservation) error {
		lines = append(lines, fmt.Sprintf("%s %dx %s %s %q", o.Day, o.Offer.GPUCount, o.USDPerGPUHour, o.QuarantineState, o.Excluded))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

// TestExportedFields: what a report reads is what is exported, with its evidence.
func TestExportedFields(t *testing.T) {
	eachBackend(t, func(t *testing.T, c store.Config) {
		ctx := context.Background()
		s := mustOpen(t, c, store.Create)
		run := mustRun(t, s, firstNight)
		f := mustFetch(t, s, run)
		euro := h100(f, 2, 1_000_000)
		euro.Offer.Currency, euro.Offer.Stock = "EUR", schema.StockAvailable
		mustSave(t, s, nightOf(run, schema.StatusComplete, h100(f, 1, 3_990_000), euro, marketOffer(f)))
		mustFinish(t, s, run)
		want, err := s.Observations(ctx, schema.ObservationFilter{})
		if err != nil {
			t.Fatal(err)
		}
		byID := map[int64]schema.Observation{}
		for _, o := range want {
			byID[o.OfferID] = o
		}
		n := 0
		err = s.ExportObservations(ctx, schema.ExportFilter{}, func(o *schema.ExportedObservation) error {
			n++
			w := byID[o.OfferID]
			if o.StockPoints != w.Offer.StockPoints.String() {
				t.Errorf("stock %q, want %q", o.StockPoints, w.Offer.StockPoints)
			}
			w.Offer.StockPoints = nil
			if diff := cmp.Diff(w, o.Observation, cmp.AllowUnexported(schema.Decimal{})); diff != "" {
				t.Errorf("as read (-want +exported):\n%s", diff)
			}
			if diff := cmp.Diff(f, o.Fetch); diff != "" {
				t.Errorf("fetch (-want +got):\n%s", diff)
			}
			return nil
		})
		if err != nil || n != 3 {
			t.Errorf("%d rows, %v", n, err)
		}
	})
}

// TestExportIsWhole: what reports leave out is exported, and said to be so.
func TestExportIsWhole(t *testing.T) {
	eachBackend(t, func(t *testing.T, c store.Config) {
		ctx := context.Background()
		s := mustOpen(t, c, store.Create)
		saveDay(t, s, firstNight, 3_990_000)
		for i, decide := range []string{schema.QuarantineHeld, schema.QuarantineDiscarded, schema.QuarantineConfirmed} {
			run := mustRun(t, s, firstNight+1+schema.Day(i))
			f := mustFetch(t, s, run)
			night := nightOf(run, schema.StatusQuarantined, h100(f, 1, 1_000_000))
			night.Quarantine = &schema.Quarantine{Rule: "r", Evidence: "e"}
			mustSave(t, s, night)
			mustFinish(t, s, run)
			if decide != schema.QuarantineHeld {
				if err := s.DecideQuarantine(ctx, night.Quarantine.ID, decide, "me"); err != nil {
					t.Fatal(err)
				}
			}
		}
		want := []string{
			`2026-08-22 1x 3.99  ""`, `2026-08-23 1x 1.00 held ""`, `2026-08-24 1x 1.00 discarded ""`, `2026-08-25 1x 1.00 confirmed ""`,
		}
		if diff := cmp.Diff(want, exported(t, s, schema.ExportFilter{})); diff != "" {
			t.Errorf("all (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(want[1:3], exported(t, s, schema.ExportFilter{FromDay: firstNight + 1, ToDay: firstNight + 2})); diff != "" {
			t.Errorf("some days (-want +got):\n%s", diff)
		}
		quarantines, err := s.ExportQuarantines(ctx, schema.ExportFilter{FromDay: firstNight + 2})
		if err != nil || len(quarantines) != 2 || quarantines[0].State != schema.QuarantineDiscarded {
			t.Errorf("quarantines: %+v, %v", quarantines, err)
		}
		nights, err := s.ExportNights(ctx, schema.ExportFilter{ToDay: firstNight})
		if err != nil || len(nights) != 1 || nights[0].Run.Job != schema.JobNightly || nights[0].Result.Status != schema.StatusComplete {
			t.Errorf("nights: %+v, %v", nights, err)
		}
	})
}

// TestExportInParts reads a day of more rows than a part has, of two slots.
func TestExportInParts(t *testing.T) {
	const rows = 20_001
	s := mustOpen(t, sqliteConfig(t), store.Create)
	run := mustRun(t, s, firstNight)
	f := mustFetch(t, s, run)
	mustSave(t, s, wide(run, f, rows))
	mustExec(t, s.Writer(), "UPDATE observations SET slot = slot + 3600 WHERE offer_id % 3 = 0")
	seen := map[int]bool{}
	last := [2]int64{}
	err := s.ExportObservations(context.Background(), schema.ExportFilter{}, func(o *schema.ExportedObservation) error {
		at := [2]int64{o.Slot, o.OfferID}
		if at[0] < last[0] || at[0] == last[0] && at[1] <= last[1] {
			return fmt.Errorf("%v after %v", at, last)
		}
		last = at
		seen[o.Offer.GPUCount] = true
		return nil
	})
	if err != nil || len(seen) != rows {
		t.Errorf("%d offers, %v", len(seen), err)
	}
}

// TestExportAsOf tells what was known from what it is of: a recorded page of a past
// day, a run that went past midnight, a decision made later.
func TestExportAsOf(t *testing.T) {
	eachBackend(t, func(t *testing.T, c store.Config) {
		ctx := context.Background()
		c.Mode = store.Create
		now := firstNight.Time().Add(6 * time.Hour)
		s, err := store.Open(ctx, c, func() time.Time { return now })
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		saveDay(t, s, firstNight, 3_990_000) // finished on its day

		now = (firstNight + 2).Time().Add(-time.Minute) // begins on its day, ends on the next
		run := mustRun(t, s, firstNight+1)
		f := newFetch(run)
		f.FetchedAt = now
		late := newPage("late")
		if f.ID, err = s.SaveFetch(ctx, f, late); err != nil {
			t.Fatal(err)
		}
		f.PageSHA256 = late.SHA256
		night := nightOf(run, schema.StatusQuarantined, h100(f, 1, 2_000_000))
		night.Quarantine = &schema.Quarantine{Rule: "r", Evidence: "e"}
		mustSave(t, s, night)
		now = now.Add(2 * time.Minute)
		mustFinish(t, s, run)
		now = (firstNight + 5).Time()
		if err := s.DecideQuarantine(ctx, night.Quarantine.ID, schema.QuarantineConfirmed, "me"); err != nil {
			t.Fatal(err)
		}

		now = (firstNight + 6).Time() // an old page that comes late
		run = mustRun(t, s, firstNight-10)
		old := newFetch(run)
		old.FetchedAt = now
		if old.ID, err = s.SaveFetch(ctx, old, newPage("old")); err != nil {
			t.Fatal(err)
		}
		mustSave(t, s, nightOf(run, schema.StatusComplete, h100(old, 1, 1_000_000)))
		mustFinish(t, s, run)

		first, doubted, confirmed, before := `2026-08-22 1x 3.99  ""`, `2026-08-23 1x 2.00 held ""`, `2026-08-23 1x 2.00 confirmed ""`, `2026-08-12 1x 1.00  ""`
		for _, tt := range []struct {
			day  schema.Day
			want []string
		}{
			{firstNight - 10, []string{}},
			{firstNight, []string{first}},
			{firstNight + 1, []string{first}}, // its run was not over
			{firstNight + 2, []string{first, doubted}},
			{firstNight + 4, []string{first, doubted}},
			{firstNight + 5, []string{first, confirmed}},
			{firstNight + 6, []string{before, first, confirmed}},
		} {
			f := schema.ExportFilter{KnownBy: (tt.day + 1).Time().Add(-time.Millisecond)}
			if diff := cmp.Diff(tt.want, exported(t, s, f)); diff != "" {
				t.Errorf("as of %s (-want +got):\n%s", tt.day, diff)
			}
		}
	})
}

// TestExportSeesOneMoment: a night that is saved in the middle is not seen, and an
// export that is broken off leaves the connection as it was.
func TestExportSeesOneMoment(t *testing.T) {
	eachBackend(t, func(t *testing.T, c store.Config) {
		s := mustOpen(t, c, store.Create)
		saveDay(t, s, firstNight, 3_990_000)
		saveDay(t, s, firstNight+1, 3_990_000)
		var got []string
		err := s.ExportObservations(context.Background(), schema.ExportFilter{}, func(o *schema.ExportedObservation) error {
			if len(got) == 0 {
				saveDay(t, s, firstNight+1, 1_000_000)
			}
			got = append(got, o.USDPerGPUHour.String())
			return nil
		})
		if diff := cmp.Diff([]string{"3.99", "3.99"}, got); diff != "" || err != nil {
			t.Errorf("%v (-want +got):\n%s", err, diff)
		}
		broken := errors.New("broken off")
		for range 10 {
			err := s.ExportObservations(context.Background(), schema.ExportFilter{}, func(*schema.ExportedObservation) error { return broken })
			if !errors.Is(err, broken) {
				t.Errorf("got %v", err)
			}
		}
		if got := prices(t, s, schema.ObservationFilter{}); len(got) != 2 || got[1] != "2026-08-23 1x 1.00" {
			t.Errorf("after it: %v", got)
		}
	})
}

// TestExportTokenPrices reads the prices of the APIs, with what is not published.
func TestExportTokenPrices(t *testing.T) {
	eachBackend(t, func(t *testing.T, c store.Config) {
		s := mustOpen(t, c, store.Create)
		saveDay(t, s, firstNight, 3_990_000)
		mustExec(t, s.Writer(), `INSERT INTO token_prices (day, slot, source, model, endpoint, precision, min_prompt_tokens, fetch_id, origin,
			usd_in, usd_out, price_text, excluded_reason) VALUES (20687, 20687 * 86400, 'models-api', 'm', 'e', 'fp8', 0, 1, 'live', 130000, 0, '0.13', '')`)
		var got []schema.ExportedTokenPrice
		err := s.ExportTokenPrices(context.Background(), schema.ExportFilter{}, func(p *schema.ExportedTokenPrice) error {
			got = append(got, *p)
			return nil
		})
		if err != nil || len(got) != 1 {
			t.Fatalf("%v, %v", got, err)
		}
		want := schema.ExportedTokenPrice{
			Day: firstNight, Slot: firstNight.Slot(), Source: "models-api", Model: "m", Endpoint: "e", Precision: "fp8", Origin: schema.OriginLive,
			USDIn: ptr(schema.USD(130_000)), USDOut: ptr(schema.USD(0)), PriceText: "0.13", Evidence: schema.Evidence{Fetch: got[0].Fetch},
		}
		if diff := cmp.Diff(want, got[0]); diff != "" || got[0].Fetch.ID != 1 {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

// TestExportedImport names the source of an import.
func TestExportedImport(t *testing.T) {
	s := mustOpen(t, sqliteConfig(t), store.Create)
	saveDay(t, s, firstNight, 3_990_000)
	for _, statement := range []string{
		"UPDATE fetches SET origin = 'import'", "UPDATE observations SET origin = 'import'",
		"INSERT INTO imports VALUES (1, 'gpuhunt', 'catalog.csv', 'MIT', 'them', 'aggregator', 1787443200000)", // 2026-08-23
	} {
		mustExec(t, s.Writer(), statement)
	}
	var got *schema.ImportedFrom
	read := func(f schema.ExportFilter) (n int) {
		err := s.ExportObservations(context.Background(), f, func(o *schema.ExportedObservation) error {
			n++
			got = o.ImportedFrom
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	if n := read(schema.ExportFilter{}); n != 1 {
		t.Fatalf("%d rows", n)
	}
	want := &schema.ImportedFrom{Format: "gpuhunt", File: "catalog.csv", Licence: "MIT", Attribution: "them", Provenance: "aggregator",
		At: (firstNight + 1).Time()}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if n := read(schema.ExportFilter{KnownBy: firstNight.Time().Add(23 * time.Hour)}); n != 0 {
		t.Error("known before it was imported")
	}
	mustExec(t, s.Writer(), "DELETE FROM imports")
	err := s.ExportObservations(context.Background(), schema.ExportFilter{}, func(*schema.ExportedObservation) error { return nil })
	if !errors.Is(err, sql.ErrNoRows) {
		t.Errorf("an import without its source: %v", err)
	}
}
