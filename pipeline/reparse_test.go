package pipeline_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mtok/pipeline"
	"mtok/schema"
	"mtok/scrapers"
	"mtok/scrapers/recorded"
)

var sameDecimals = cmp.AllowUnexported(schema.Decimal{})

// reparse reads the archive again, under a run of its own.
func (h *house) reparse(ctx context.Context, job pipeline.Reparse, providers ...scrapers.Provider) (pipeline.ReparseSummary, error) {
	h.t.Helper()
	lease, err := h.ledger().Begin(ctx, schema.Run{Job: schema.JobReparse, Day: night + 5, Trigger: "test", Version: "test"})
	if err != nil {
		h.t.Fatal(err)
	}
	job.Providers, job.Catalog, job.Store, job.Now, job.Log = providers, h.catalog, h.store, h.clock, slog.New(slog.DiscardHandler)
	summary, err := job.Run(ctx, lease.Run)
	if err := lease.Finish(ctx, schema.StatusComplete); err != nil {
		h.t.Fatal(err)
	}
	return summary, err
}

// mustReparse returns what became of the first provider.
func (h *house) mustReparse(job pipeline.Reparse, providers ...scrapers.Provider) pipeline.ReparseOutcome {
	h.t.Helper()
	summary, err := h.reparse(h.t.Context(), job, providers...)
	if err != nil {
		h.t.Fatal(err)
	}
	return summary.Providers[0]
}

// reading is Crusoe's provider of another version, whose parser changes what it
// read.
func reading(version int, change func(scrapers.Page, scrapers.Result) (scrapers.Result, error)) scrapers.Provider {
	return otherwise(scrapers.Crusoe(), version, change)
}

func otherwise(
	p scrapers.Provider, version int, change func(scrapers.Page, scrapers.Result) (scrapers.Result, error),
) scrapers.Provider {
	p.Version = version
	parse := p.Sources[0].Parse
	p.Sources = []scrapers.Source{p.Sources[0]}
	p.Sources[0].Parse = func(page scrapers.Page) (scrapers.Result, error) {
		result, err := parse(page)
		if err != nil {
			return result, err
		}
		return change(page, result)
	}
	return p
}

// priced sets every H200 price.
func priced(amount string) func(scrapers.Page, scrapers.Result) (scrapers.Result, error) {
	return func(_ scrapers.Page, r scrapers.Result) (scrapers.Result, error) {
		for i := range r.Offers {
			if strings.Contains(r.Offers[i].SKU, "H200") {
				r.Offers[i].Amount, r.Offers[i].PriceText = schema.MustDecimal(amount), "$"+amount
			}
		}
		return r, nil
	}
}

func unreadable(scrapers.Page, scrapers.Result) (scrapers.Result, error) {
	return scrapers.Result{}, scrapers.ErrLayout
}

// crusoeNight runs a night of Crusoe's recorded page by a parser.
func (h *house) crusoeNight(day schema.Day, p scrapers.Provider) pipeline.Outcome {
	h.t.Helper()
	summary, err := h.run(h.t.Context(), setting{
		providers: []scrapers.Provider{p}, fetcher: h.fetcher(recorded.Night()), day: day, redate: true,
	})
	if err != nil {
		h.t.Fatal(err)
	}
	return summary.Outcomes[0]
}

// h200 is the published price of the H200 on a day; empty for none.
func (h *house) h200(day schema.Day) string {
	h.t.Helper()
	for _, o := range h.rows(day) {
		if strings.Contains(o.Offer.SKU, "H200") {
			return o.USDPerGPUHour.String()
		}
	}
	return ""
}

func TestReparseOfTheSameParsersChangesNothing(t *testing.T) {
	h := newHouse(t)
	if _, err := h.run(t.Context(), setting{providers: scrapers.All(), fetcher: h.fetcher(recorded.Night())}); err != nil {
		t.Fatal(err)
	}
	filter := schema.ObservationFilter{FromDay: night, ToDay: night, IncludeHeld: true}
	before, err := h.store.Observations(t.Context(), filter)
	if err != nil {
		t.Fatal(err)
	}
	if got := h.mustReparse(pipeline.Reparse{}, scrapers.All()...); got.Days != 0 || got.Current != 1 {
		t.Errorf("read %d days that are current, passed over %d", got.Days, got.Current)
	}
	summary, err := h.reparse(t.Context(), pipeline.Reparse{All: true}, scrapers.All()...)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range summary.Providers {
		if p.Days != 1 || p.Added+p.Gone+p.Repriced+p.Reclassified+p.Excluded+p.Restocked != 0 || p.RejectsBefore != p.RejectsAfter || len(p.Told) != 0 {
			t.Errorf("%s changed: %+v", p.Provider, p)
		}
	}
	after, err := h.store.Observations(t.Context(), filter)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, after, sameDecimals); diff != "" || len(after) != allRows {
		t.Errorf("%d rows; changed:\n%s", len(after), diff)
	}
	if problems, err := h.store.Check(t.Context()); err != nil || len(problems) != 0 {
		t.Errorf("check: %v, %v", problems, err)
	}
}

func TestReparseByAMendedParser(t *testing.T) {
	h := newHouse(t)
	for day := night - 2; day <= night; day++ {
		if got := h.crusoeNight(day, reading(1, priced("5.29"))); got.Status != schema.StatusComplete {
			t.Fatalf("%s: %s", day, got.Detail)
		}
	}
	mended := reading(2, priced("4.29"))
	got := h.mustReparse(pipeline.Reparse{Since: night - 1}, mended)
	if got.Days != 2 || got.Repriced == 0 || got.Added+got.Gone != 0 || len(got.Changes) == 0 || !strings.Contains(got.Changes[0], "5.29 -> 4.29") {
		t.Errorf("%+v; want two days repriced from 5.29 to 4.29", got)
	}
	if a, b := h.h200(night-2), h.h200(night); a != "5.29" || b != "4.29" {
		t.Errorf("%s before --since, %s after; want 5.29 and 4.29", a, b)
	}
	// What it read is not read again; the rest is.
	if got = h.mustReparse(pipeline.Reparse{}, mended); got.Days != 1 || got.Current != 2 || h.h200(night-2) != "4.29" {
		t.Errorf("%+v; want the one day that was left out", got)
	}
	parses, err := h.store.DayParses(t.Context(), night)
	if err != nil || len(parses) != 2 || parses[0].ParserVersion != 1 || parses[1].ParserVersion != 2 {
		t.Errorf("parses %+v, %v; want one of each version", parses, err)
	}
	days, err := h.store.UnsettledDays(t.Context())
	if err != nil || len(days) != 3 {
		t.Errorf("unsettled %v, %v; want all three days", days, err)
	}
}

func TestReparseGoesOnWhereItWasInterrupted(t *testing.T) {
	h := newHouse(t)
	for day := night - 3; day <= night; day++ {
		h.crusoeNight(day, reading(1, priced("5.29")))
	}
	mended := reading(2, priced("4.29"))
	ctx, cancel := context.WithCancel(t.Context())
	_, err := h.reparse(ctx, pipeline.Reparse{Advanced: func(done, all int) {
		if all != 4 {
			t.Errorf("of %d provider days, want 4", all)
		}
		if done == 2 {
			cancel()
		}
	}}, mended)
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v, want the interruption", err)
	}
	if a, b := h.h200(night-2), h.h200(night-1); a != "4.29" || b != "5.29" {
		t.Errorf("%s before the interruption, %s after; want 4.29 and 5.29", a, b)
	}
	if got := h.mustReparse(pipeline.Reparse{}, mended); got.Days != 2 || got.Current != 2 || h.h200(night) != "4.29" {
		t.Errorf("%+v; want the two days that were left", got)
	}
}

func TestReparseByAWorseParserKeepsTheRows(t *testing.T) {
	for name, change := range map[string]func(scrapers.Page, scrapers.Result) (scrapers.Result, error){
		"unreadable": unreadable,
		"panic":      func(scrapers.Page, scrapers.Result) (scrapers.Result, error) { panic("index out of range") },
		"held":       priced("12.90"), // three times the price: outside the provider's own band
	} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t)
			h.crusoeNight(night, scrapers.Crusoe())
			before := h.rows(night)
			for range 2 { // the second time too: it was not done
				summary, err := h.reparse(t.Context(), pipeline.Reparse{}, reading(2, change))
				if err != nil {
					t.Fatal(err)
				}
				got := summary.Providers[0]
				if got.Kept != 1 || len(got.Told) != 1 || summary.Status() != schema.StatusPartial {
					t.Errorf("%s, %+v; want the day kept, and told", summary.Status(), got)
				}
			}
			if diff := cmp.Diff(before, h.rows(night), sameDecimals); diff != "" {
				t.Errorf("rows changed:\n%s", diff)
			}
			latest, err := h.store.LatestProviderRuns(t.Context())
			if err != nil || latest[0].Status != schema.StatusComplete {
				t.Errorf("the ledger says %+v, %v; want the complete night", latest, err)
			}
		})
	}
}

func TestReparseOfHeldDays(t *testing.T) {
	wrong := reading(1, priced("12.90"))
	cases := []struct {
		name   string
		decide string
		parser scrapers.Provider
		want   string // price that is published after
		held   int
		told   string
	}{
		{"mended", "", reading(2, priced("4.29")), "4.29", 0, "was held, is published"},
		{"still wrong", "", reading(2, priced("12.90")), "", 1, "held: "},
		{"confirmed", schema.QuarantineConfirmed, reading(2, priced("12.90")), "12.90", 0, ""},
		{"confirmed, but wrong otherwise", schema.QuarantineConfirmed, reading(2, priced("1.50")), "12.90", 0, "stays"},
		{"confirmed, then mended", schema.QuarantineConfirmed, reading(2, priced("4.29")), "4.29", 0, ""},
		{"discarded", schema.QuarantineDiscarded, reading(2, priced("12.90")), "", 0, "discarded by ann"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			h := newHouse(t)
			if got := h.crusoeNight(night, wrong); got.Status != schema.StatusQuarantined {
				t.Fatalf("the wrong night is %s", got.Status)
			}
			held, err := h.store.HeldQuarantines(t.Context())
			if err != nil || len(held) != 1 {
				t.Fatalf("held %v, %v", held, err)
			}
			if c.decide != "" {
				if err := h.store.DecideQuarantine(t.Context(), held[0].ID, c.decide, "ann"); err != nil {
					t.Fatal(err)
				}
			}
			got := h.mustReparse(pipeline.Reparse{}, c.parser)
			if price := h.h200(night); price != c.want {
				t.Errorf("published %q, want %q (%+v)", price, c.want, got)
			}
			held, err = h.store.HeldQuarantines(t.Context())
			if err != nil || len(held) != c.held {
				t.Errorf("held %+v, %v; want %d", held, err, c.held)
			}
			if told := strings.Join(got.Told, "; "); !strings.Contains(told, c.told) || (c.told == "") != (told == "") {
				t.Errorf("told %q, want %q", told, c.told)
			}
		})
	}
}

func TestReparseMendsAFailedNight(t *testing.T) {
	h := newHouse(t)
	if got := h.crusoeNight(night, reading(1, unreadable)); got.Status != schema.StatusFailed {
		t.Fatalf("the night is %s", got.Status)
	}
	// As unreadable as before is nothing new.
	summary, err := h.reparse(t.Context(), pipeline.Reparse{}, reading(2, unreadable))
	if err != nil || summary.Status() != schema.StatusComplete || summary.Providers[0].Days != 1 {
		t.Errorf("%+v, %v; want it read and nothing to be told", summary, err)
	}
	if got := h.mustReparse(pipeline.Reparse{}, reading(2, unreadable)); got.Days != 0 || got.Current != 1 {
		t.Errorf("%+v; want it passed over", got)
	}
	if got := h.mustReparse(pipeline.Reparse{}, reading(3, priced("4.29"))); got.Added != 6 || h.h200(night) != "4.29" {
		t.Errorf("%+v; want six rows", got)
	}
	latest, err := h.store.LatestProviderRuns(t.Context())
	if err != nil || latest[0].Status != schema.StatusComplete {
		t.Errorf("the ledger says %+v, %v; want complete", latest, err)
	}
}

// TestReparseHoldsOneOffer mends one price of a long list and misreads another:
// the one is published, of the other the published price stays.
func TestReparseHoldsOneOffer(t *testing.T) {
	h := newHouse(t)
	lambda := setting{providers: []scrapers.Provider{scrapers.Lambda()}, fetcher: h.fetcher(recorded.Night())}
	if _, err := h.run(t.Context(), lambda); err != nil {
		t.Fatal(err)
	}
	before := h.rows(night)
	mended, misread := before[0].Offer.OfferKey, before[len(before)-1].Offer.OfferKey
	changed := otherwise(scrapers.Lambda(), 2, func(_ scrapers.Page, r scrapers.Result) (scrapers.Result, error) {
		for i := range r.Offers {
			o := &r.Offers[i]
			switch o.OfferKey {
			case mended:
				o.Amount = schema.MustDecimal((before[0].USDPerGPUHour + 10_000).String())
			case misread:
				o.Amount = schema.MustDecimal((before[len(before)-1].USDPerGPUHour * 3).String())
			default:
				continue
			}
			o.PriceText = "$" + o.Amount.String()
		}
		return r, nil
	})
	summary, err := h.reparse(t.Context(), pipeline.Reparse{}, changed)
	if err != nil {
		t.Fatal(err)
	}
	got := summary.Providers[0]
	if summary.Status() != schema.StatusPartial || got.Held != 1 || got.Repriced != 1 || got.After != len(before) || got.Gone != 0 {
		t.Errorf("%s, %+v; want one price mended, one held, and told", summary.Status(), got)
	}
	after := h.rows(night)
	if len(after) != len(before) {
		t.Fatalf("%d rows, want %d", len(after), len(before))
	}
	if after[0].USDPerGPUHour == before[0].USDPerGPUHour || after[len(after)-1].USDPerGPUHour != before[len(before)-1].USDPerGPUHour {
		t.Errorf("mended %s -> %s, misread %s -> %s", before[0].USDPerGPUHour, after[0].USDPerGPUHour,
			before[len(before)-1].USDPerGPUHour, after[len(after)-1].USDPerGPUHour)
	}
}
