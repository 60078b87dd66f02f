package pipeline_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mtok/pipeline"
	"mtok/schema"
	"mtok/scrapers"
	"mtok/scrapers/recorded"
)

// TestReparseKeepsAConfirmedNight: a night that lacks most of its offers is held,
// and published by a person. Read again, it lacks them still.
func TestReparseKeepsAConfirmedNight(t *testing.T) {
	few := func(price string) func(scrapers.Page, scrapers.Result) (scrapers.Result, error) {
		return func(page scrapers.Page, r scrapers.Result) (scrapers.Result, error) {
			r, err := priced(price)(page, r)
			for i, o := range r.Offers {
				if strings.Contains(o.SKU, "H200") {
					r.Offers = r.Offers[i : i+1]
					break
				}
			}
			return r, err
		}
	}
	h := newHouse(t)
	if got := h.crusoeNight(night, reading(1, few("4.29"))); got.Status != schema.StatusQuarantined {
		t.Fatalf("a night of one offer is %s", got.Status)
	}
	held, err := h.store.HeldQuarantines(t.Context())
	if err != nil || len(held) != 1 {
		t.Fatalf("held %v, %v", held, err)
	}
	if err := h.store.DecideQuarantine(t.Context(), held[0].ID, schema.QuarantineConfirmed, "ann"); err != nil {
		t.Fatal(err)
	}
	got := h.mustReparse(pipeline.Reparse{}, reading(2, few("4.19")))
	if got.Kept != 0 || got.Repriced != 1 || h.h200(night) != "4.19" {
		t.Errorf("%+v; want the one price mended", got)
	}
}

// TestReparseLeavesOutWhatTheNightDid: a recorded page of an older day was
// archived, but not taken.
func TestReparseLeavesOutWhatTheNightDid(t *testing.T) {
	h := newHouse(t)
	goodNight(t, h)
	pages := altered(t, "lambda/pricing-page.meta.toml", "2026-08-22T", "2026-08-20T")
	if _, err := h.run(t.Context(), setting{providers: []scrapers.Provider{scrapers.Lambda()}, fetcher: h.fetcher(pages), newest: night - 1}); err != nil {
		t.Fatal(err)
	}
	got := h.mustReparse(pipeline.Reparse{All: true}, scrapers.Lambda())
	if rows := h.rows(night - 2); len(rows) != 0 || got.Days != 1 {
		t.Errorf("%d rows of the older day; %+v, want the one good night", len(rows), got)
	}
}

// TestReparseOfAnUnchangedPage reads the page behind a 304 as the night did.
func TestReparseOfAnUnchangedPage(t *testing.T) {
	h := newHouse(t)
	whole := func(page scrapers.Page, r scrapers.Result) (scrapers.Result, error) {
		if page.Status != 200 || len(page.Body) == 0 || page.ContentType == "" {
			return scrapers.Result{}, errors.New("not a whole page")
		}
		return r, nil
	}
	h.crusoeNight(night-1, reading(1, whole))
	same := without(t, recorded.Night(), map[string]string{
		"crusoe/pricing-page.html": "", "crusoe/pricing-page.meta.toml": "status = 304\nfetched_at = 2026-08-22T18:00:00Z\n",
	})
	summary, err := h.run(t.Context(), setting{providers: []scrapers.Provider{reading(1, whole)}, fetcher: h.fetcher(same)})
	if err != nil || summary.Outcomes[0].Status != schema.StatusComplete {
		t.Fatalf("the night of the 304: %+v, %v", summary.Outcomes[0], err)
	}
	before := h.rows(night)
	if got := h.mustReparse(pipeline.Reparse{}, reading(2, whole)); got.Days != 2 || got.Kept != 0 || len(got.Told) != 0 {
		t.Errorf("%+v; want both days read", got)
	}
	if diff := cmp.Diff(before, h.rows(night), sameDecimals); diff != "" {
		t.Errorf("rows changed:\n%s", diff)
	}
}

// TestReparseWithoutASource: nothing reads one of the night's pages any more, so
// that the day can't be called complete.
func TestReparseWithoutASource(t *testing.T) {
	h := newHouse(t)
	two := scrapers.Crusoe()
	two.Sources = append(two.Sources, scrapers.Source{
		Name: "news-page",
		Requests: func(scrapers.Settings) ([]scrapers.Request, error) {
			return []scrapers.Request{{URL: "https://www.crusoe.ai/news"}}, nil
		},
		Parse: func(scrapers.Page) (scrapers.Result, error) {
			return scrapers.Result{Notices: []schema.Notice{{Kind: "news", Detail: "new prices soon"}}}, nil
		},
	})
	pages := without(t, recorded.Night(), map[string]string{"crusoe/news-page.html": "<p>new prices soon"})
	if _, err := h.run(t.Context(), setting{providers: []scrapers.Provider{two}, fetcher: h.fetcher(pages)}); err != nil {
		t.Fatal(err)
	}
	one := scrapers.Crusoe()
	one.Version++
	got := h.mustReparse(pipeline.Reparse{}, one)
	if got.Worse != 1 || len(got.Told) != 1 || !strings.Contains(got.Told[0], `"news-page"`) || len(h.rows(night)) != 6 {
		t.Errorf("%+v; want the day partial, and told", got)
	}
}
