package pipeline_test

import (
	"context"
	"log/slog"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mtok/pipeline"
	"mtok/schema"
	"mtok/scrapers"
	"mtok/scrapers/recorded"
)

// dying is a fetcher whose night ends, by a cancelled context, after some pages
// of a source.
type dying struct {
	pipeline.Fetcher
	pages int
	die   context.CancelFunc
}

func (d *dying) Fetch(ctx context.Context, t scrapers.Target, req scrapers.Request, v scrapers.Validators) (scrapers.Fetched, error) {
	if d.pages == 0 {
		d.die()
	}
	d.pages--
	return d.Fetcher.Fetch(ctx, t, req, v)
}

// market is a night of Vast's recorded book.
func (h *house) market(ctx context.Context, fetcher pipeline.Fetcher) (pipeline.Summary, error) {
	return h.run(ctx, setting{providers: []scrapers.Provider{scrapers.Vast()}, fetcher: fetcher})
}

func TestReparsePublishesANightThatDied(t *testing.T) {
	h := newHouse(t)
	ctx, cancel := context.WithCancel(t.Context())
	if _, err := h.market(ctx, &dying{h.fetcher(recorded.Night()), 1, cancel}); err == nil {
		t.Fatal("the night lived")
	}
	if len(h.rows(night)) != 0 {
		t.Fatal("the night that died published something")
	}
	got := h.mustReparse(pipeline.Reparse{}, scrapers.Vast())
	first := len(h.rows(night))
	if got.Days != 1 || got.Added == 0 || first != got.Added {
		t.Errorf("%+v, %d rows; want what the one page gave", got, first)
	}
	latest, err := h.store.LatestProviderRuns(t.Context())
	if err != nil || latest[0].Status != schema.StatusPartial || latest[0].ErrorKind != "incomplete" {
		t.Errorf("the ledger says %+v, %v; want a partial night", latest, err)
	}
	// A whole night of the day puts it out of account.
	if _, err := h.market(t.Context(), h.fetcher(recorded.Night())); err != nil {
		t.Fatal(err)
	}
	want := h.rows(night)
	if len(want) <= first {
		t.Fatalf("%d rows of the whole night, %d of its first page", len(want), first)
	}
	h.mustReparse(pipeline.Reparse{All: true}, scrapers.Vast())
	if diff := cmp.Diff(want, h.rows(night), sameDecimals); diff != "" {
		t.Errorf("rows changed:\n%s", diff)
	}
	latest, err = h.store.LatestProviderRuns(t.Context())
	if err != nil || latest[0].Status != schema.StatusComplete {
		t.Errorf("the ledger says %+v, %v; want complete", latest, err)
	}
}

func TestReparseReadsWhatTheNightWentBy(t *testing.T) {
	h := newHouse(t)
	if _, err := h.market(t.Context(), h.fetcher(recorded.Night())); err != nil {
		t.Fatal(err)
	}
	whole := h.rows(night)
	// Then a complete night of one model alone: the others are gone by it.
	lease, err := h.ledger().Begin(t.Context(), schema.Run{Job: schema.JobNightly, Day: night, Slot: night.Slot()})
	if err != nil {
		t.Fatal(err)
	}
	one := &pipeline.Night{
		Providers: []scrapers.Provider{scrapers.Vast()}, Catalog: h.catalog, Store: h.store, Now: h.clock, Log: slog.New(slog.DiscardHandler),
		Fetcher: h.fetcher(recorded.Night()), Origin: schema.OriginRecorded,
		Settings: map[schema.ProviderID]scrapers.Settings{"vast": {Models: []string{"H100 SXM"}}},
	}
	if _, err := one.Run(t.Context(), lease.Run); err != nil {
		t.Fatal(err)
	}
	if err := lease.Finish(t.Context(), schema.StatusComplete); err != nil {
		t.Fatal(err)
	}
	want := h.rows(night)
	if len(want) == 0 || len(want) >= len(whole) {
		t.Fatalf("%d rows of one model, %d of all", len(want), len(whole))
	}
	h.mustReparse(pipeline.Reparse{All: true}, scrapers.Vast())
	if diff := cmp.Diff(want, h.rows(night), sameDecimals); diff != "" {
		t.Errorf("rows changed:\n%s", diff)
	}
}

func TestReparseOfAPartialNight(t *testing.T) {
	h := newHouse(t)
	fetcher := h.fetcher(without(t, recorded.Night(), map[string]string{"vast/bundles-api.a100-sxm4.asc.json": "", "vast/bundles-api.a100-sxm4.asc.meta.toml": ""}))
	if _, err := h.market(t.Context(), fetcher); err != nil {
		t.Fatal(err)
	}
	rows := len(h.rows(night))
	// A version that names its offers otherwise: the rows under the old names go.
	renamed := scrapers.Vast()
	renamed.Version++
	parse := renamed.Sources[0].Parse
	renamed.Sources = []scrapers.Source{renamed.Sources[0]}
	renamed.Sources[0].Parse = func(page scrapers.Page) (scrapers.Result, error) {
		result, err := parse(page)
		for i := range result.Offers {
			result.Offers[i].SKU = "machine " + result.Offers[i].SKU
		}
		return result, err
	}
	got := h.mustReparse(pipeline.Reparse{}, renamed)
	if got.Added != rows || got.Gone != rows || got.After != rows {
		t.Errorf("%+v; want all %d rows under new names", got, rows)
	}
	for _, o := range h.rows(night) {
		if !strings.HasPrefix(o.Offer.SKU, "machine ") {
			t.Errorf("%s stands under its old name", o.Offer.SKU)
		}
	}
	latest, err := h.store.LatestProviderRuns(t.Context())
	if err != nil || latest[0].Status != schema.StatusPartial || latest[0].ErrorKind != "not_recorded" {
		t.Errorf("the ledger says %+v, %v; want partial, as the night was", latest, err)
	}
}

func TestReparseFollowsPaging(t *testing.T) {
	p := scrapers.Crusoe()
	page := p.Sources[0]
	paged := func(version int) scrapers.Provider {
		s := page
		s.Parse = func(page scrapers.Page) (scrapers.Result, error) {
			result, err := scrapers.Crusoe().Sources[0].Parse(page)
			if page.Key == "" {
				result.Next = []scrapers.Request{{Key: "2", URL: page.URL + "?page=2"}}
			}
			return result, err
		}
		p.Version, p.Sources = version, []scrapers.Source{s}
		return p
	}
	h := newHouse(t)
	h.crusoeNight(night, scrapers.Crusoe()) // its parser asked for no second page
	p = paged(2)
	got := h.mustReparse(pipeline.Reparse{}, p)
	if got.Worse != 1 || len(got.Told) != 1 || !strings.Contains(got.Told[0], `"2" was never fetched`) || len(h.rows(night)) != 6 {
		t.Errorf("%+v; want the day partial, and told", got)
	}
}

func TestReparseByTheCatalogOfToday(t *testing.T) {
	h := newHouse(t)
	for day := night - 1; day <= night; day++ {
		h.crusoeNight(day, scrapers.Crusoe())
		if err := h.store.Recompute(t.Context(), day, func([]schema.Observation) (schema.Daily, error) { return schema.Daily{Day: day}, nil }); err != nil {
			t.Fatal(err)
		}
	}
	// A catalog of before that alias: the stored classes are not today's.
	const class = schema.ClassID("h200-sxm-141gb")
	for i, g := range h.catalog.GPUs {
		if g.ID == class {
			h.catalog.GPUs[i].ID = "h200-renamed"
		}
	}
	got := h.mustReparse(pipeline.Reparse{}, scrapers.Crusoe())
	if got.Days == 0 || got.Reclassified == 0 {
		t.Errorf("%+v; want the days of another class", got)
	}
	for day := night - 1; day <= night; day++ {
		for _, o := range h.rows(day) {
			if o.Class == class {
				t.Errorf("%s is of the old class on %s", o.Offer.SKU, day)
			}
		}
	}
	days, err := h.store.UnsettledDays(t.Context())
	if err != nil || len(days) != 2 {
		t.Errorf("unsettled %v, %v; want both days", days, err)
	}
	if again := h.mustReparse(pipeline.Reparse{}, scrapers.Crusoe()); again.Days != 0 {
		t.Errorf("%+v; want nothing left", again)
	}
}
