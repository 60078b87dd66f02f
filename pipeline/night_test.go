package pipeline_test

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mtok/pipeline"
	"mtok/schema"
	"mtok/scrapers"
	"mtok/scrapers/recorded"
)

// allRows is how many prices the recorded night has.
const allRows = 28 + 32 + 6 + 42 + 20

func TestNightOnRecordedPages(t *testing.T) {
	h := newHouse(t)
	summary, err := h.run(t.Context(), setting{providers: scrapers.All(), fetcher: h.fetcher(recorded.Night())})
	if err != nil {
		t.Fatal(err)
	}
	if summary.Status() != schema.StatusComplete {
		t.Errorf("status %s, want complete", summary.Status())
	}
	for id, want := range map[schema.ProviderID]int{"lambda": 28, "coreweave": 32, "crusoe": 6, "fluidstack": 0, "runpod": 42, "vast": 20} {
		if got := outcome(t, summary, id); got.Offers != want || got.Status != schema.StatusComplete {
			t.Errorf("%s: %d offers, %s; want %d, complete (%v)", id, got.Offers, got.Status, want, got.Err)
		}
	}
	notices := outcome(t, summary, "fluidstack").Notices
	if len(notices) != 1 || notices[0].Kind != schema.NoticeNoPublicPrice {
		t.Errorf("notices of fluidstack: %+v", notices)
	}
	for _, f := range h.fetches() {
		if f.Provider == "fluidstack" && f.Source == "pricing-page" && (f.Status != 404 || f.PageSHA256 == "") {
			t.Errorf("the 404 is not archived: %+v", f)
		}
	}
}

func TestNightTwiceLeavesTheSameRows(t *testing.T) {
	h := newHouse(t)
	once := setting{providers: scrapers.All(), fetcher: h.fetcher(recorded.Night())}
	if _, err := h.run(t.Context(), once); err != nil {
		t.Fatal(err)
	}
	first, fetches := h.rows(night), len(h.fetches())
	once.fetcher = h.fetcher(recorded.Night())
	if _, err := h.run(t.Context(), once); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(first, h.rows(night), cmp.AllowUnexported(schema.Decimal{})); diff != "" {
		t.Errorf("the second night changed rows:\n%s", diff)
	}
	if len(first) != allRows {
		t.Errorf("%d rows, want %d", len(first), allRows)
	}
	if got := len(h.fetches()); got != 2*fetches {
		t.Errorf("%d fetches after two nights of %d: every fetch must stay", got, fetches)
	}
}

func TestOneProvidersFaultIsItsOwn(t *testing.T) {
	tableGone := strings.Repeat("<p>Our prices are now in the console.</p>", 3)
	panics := scrapers.Provider{ID: "crusoe", Name: "Crusoe", Homepage: "https://www.crusoe.ai", Version: 1, Sources: []scrapers.Source{{
		Name:     "pricing-page",
		Requests: scrapers.Crusoe().Sources[0].Requests,
		Parse:    func(scrapers.Page) (scrapers.Result, error) { panic("nil map in a row") },
	}}}
	cases := []struct {
		name      string
		providers []scrapers.Provider
		change    map[string]string
		failed    schema.ProviderID
		kind      string
	}{
		{"table gone", scrapers.All(), map[string]string{"coreweave/pricing-page.html": tableGone}, "coreweave", "layout"},
		{"empty page", scrapers.All(), map[string]string{"lambda/pricing-page.html": " "}, "lambda", "layout"},
		{"not recorded", scrapers.All(), map[string]string{"lambda/pricing-page.html": "", "lambda/pricing-page.meta.toml": ""}, "lambda", "not_recorded"},
		{"panic", []scrapers.Provider{scrapers.Lambda(), panics}, nil, "crusoe", "panic"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			h := newHouse(t)
			// A good night first: it must stay when the next one fails.
			day := night - 1
			good := setting{providers: scrapers.All(), fetcher: h.fetcher(recorded.Night()), day: day, redate: true}
			if _, err := h.run(t.Context(), good); err != nil {
				t.Fatal(err)
			}
			summary, err := h.run(t.Context(), setting{providers: c.providers, fetcher: h.fetcher(without(t, recorded.Night(), c.change))})
			if err != nil {
				t.Fatal(err)
			}
			got := outcome(t, summary, c.failed)
			if got.Status != schema.StatusFailed || got.ErrorKind != c.kind || got.Err == nil {
				t.Errorf("%s: %s %q %v; want failed, %q", c.failed, got.Status, got.ErrorKind, got.Err, c.kind)
			}
			if summary.Status() != schema.StatusPartial {
				t.Errorf("run is %s, want partial", summary.Status())
			}
			for _, o := range h.rows(night) {
				if o.Offer.Provider == c.failed {
					t.Fatalf("a price of the failed provider: %+v", o)
				}
			}
			if len(h.rows(night)) == 0 {
				t.Error("the other providers published nothing")
			}
			if len(h.rows(day)) != allRows {
				t.Errorf("%d rows of the good night before, want %d", len(h.rows(day)), allRows)
			}
		})
	}
}

func TestFailedRerunKeepsTheGoodRows(t *testing.T) {
	h := newHouse(t)
	if _, err := h.run(t.Context(), setting{providers: scrapers.All(), fetcher: h.fetcher(recorded.Night())}); err != nil {
		t.Fatal(err)
	}
	before := h.rows(night)
	broken := without(t, recorded.Night(), map[string]string{"lambda/pricing-page.html": "<html>maintenance</html>"})
	if _, err := h.run(t.Context(), setting{providers: []scrapers.Provider{scrapers.Lambda()}, fetcher: h.fetcher(broken)}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, h.rows(night), cmp.AllowUnexported(schema.Decimal{})); diff != "" {
		t.Errorf("a failed rerun changed rows:\n%s", diff)
	}
}

func TestCanaryHoldsTheNight(t *testing.T) {
	h := newHouse(t)
	p := scrapers.Crusoe()
	p.Expect.MinOffers = 7
	summary, err := h.run(t.Context(), setting{providers: []scrapers.Provider{p}, fetcher: h.fetcher(recorded.Night())})
	if err != nil {
		t.Fatal(err)
	}
	if got := outcome(t, summary, "crusoe"); got.Status != schema.StatusQuarantined || got.ErrorKind != "canary_min_offers" {
		t.Errorf("outcome %s %q, want quarantined by canary_min_offers", got.Status, got.ErrorKind)
	}
	if rows := h.rows(night); len(rows) != 0 {
		t.Errorf("%d rows of a held night are published", len(rows))
	}
	held, err := h.store.HeldQuarantines(t.Context())
	if err != nil || len(held) != 1 || !strings.Contains(held[0].Evidence, "6 priced offers") {
		t.Errorf("held: %+v, %v", held, err)
	}
	kept, err := h.store.Observations(t.Context(), schema.ObservationFilter{FromDay: night, ToDay: night, IncludeHeld: true})
	if err != nil || len(kept) != 6 {
		t.Errorf("%d rows kept, %v; want 6", len(kept), err)
	}
}

func TestPageBelongsToItsDay(t *testing.T) {
	for _, c := range []struct {
		name   string
		redate bool
		want   schema.Day
	}{{"its own day", false, night}, {"re-dated by the user", true, night + 5}} {
		t.Run(c.name, func(t *testing.T) {
			h := newHouse(t)
			s := setting{providers: []scrapers.Provider{scrapers.Crusoe()}, fetcher: h.fetcher(recorded.Night()), day: night + 5, redate: c.redate}
			summary, err := h.run(t.Context(), s)
			if err != nil {
				t.Fatal(err)
			}
			if got := len(h.rows(c.want)); got != 6 {
				t.Errorf("%d rows on %s, want 6", got, c.want)
			}
			if !cmp.Equal(summary.Touched[0], c.want) {
				t.Errorf("touched %v, want %s first", summary.Touched, c.want)
			}
		})
	}
}

func TestInterruptedNightPublishesNothing(t *testing.T) {
	h := newHouse(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	lease, err := h.ledger().Begin(t.Context(), schema.Run{Job: schema.JobNightly, Day: night, Slot: night.Slot(), Trigger: "test"})
	if err != nil {
		t.Fatal(err)
	}
	if err := lease.Finish(ctx, schema.StatusFailed); err != nil {
		t.Errorf("a cancelled run cannot give back its lock: %v", err)
	}
	fetcher := cancelling{next: h.fetcher(recorded.Night())}
	runCtx, stop := context.WithCancel(t.Context())
	fetcher.stop = stop
	if _, err := h.run(runCtx, setting{providers: scrapers.All(), fetcher: fetcher}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want canceled", err)
	}
	if rows := h.rows(night); len(rows) != 0 {
		t.Errorf("%d rows of an interrupted night", len(rows))
	}
	runs, err := h.store.LastRuns(t.Context(), schema.JobNightly, 1)
	if err != nil || len(runs) != 1 || runs[0].Status != schema.StatusFailed {
		t.Errorf("run %+v, %v; want failed, with the lock given back", runs, err)
	}
}

// cancelling interrupts the run at its first fetch.
type cancelling struct {
	next pipeline.Fetcher
	stop context.CancelFunc
}

func (c cancelling) Fetch(ctx context.Context, t scrapers.Target, r scrapers.Request, v scrapers.Validators) (scrapers.Fetched, error) {
	c.stop()
	return c.next.Fetch(ctx, t, r, v)
}

func TestIncompletePageMakesAPartialNight(t *testing.T) {
	h := newHouse(t)
	day := night - 1
	if _, err := h.run(t.Context(), setting{providers: scrapers.All(), fetcher: h.fetcher(recorded.Night()), day: day, redate: true}); err != nil {
		t.Fatal(err)
	}
	page, err := fs.ReadFile(recorded.Night(), "lambda/pricing-page.html")
	if err != nil {
		t.Fatal(err)
	}
	renamed := strings.ReplaceAll(string(page), "1-Click Clusters<br>", "Superclusters<br>")
	if renamed == string(page) {
		t.Fatal("the recorded page has no clusters heading")
	}
	pages := without(t, recorded.Night(), map[string]string{"lambda/pricing-page.html": renamed})
	summary, err := h.run(t.Context(), setting{providers: []scrapers.Provider{scrapers.Lambda()}, fetcher: h.fetcher(pages)})
	if err != nil {
		t.Fatal(err)
	}
	got := outcome(t, summary, "lambda")
	if got.Status != schema.StatusPartial || got.ErrorKind != "incomplete" || got.Offers != 22 {
		t.Errorf("%s %q, %d offers (%v); want partial, incomplete, 22", got.Status, got.ErrorKind, got.Offers, got.Err)
	}
}
