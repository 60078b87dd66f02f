package pipeline_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"mtok/pipeline"
	"mtok/schema"
	"mtok/schema/store"
	"mtok/scrapers"
	"mtok/scrapers/recorded"
)

// subject is what is damaged: a provider, or one source of it alone, and its
// good night.
type subject struct {
	name     string
	provider scrapers.Provider
	pages    fstest.MapFS
	damages  []mutation
	parsed   map[string]parsed // of the pages, by path
}

// mutation is one damage of a good night: of its form, of a unit or of a place,
// never of a price to another believable one.
type mutation struct {
	mutator, site string
	files         map[string]string // of the night, by path
	// states are prices that the damaged answer itself states beside the true
	// ones, such as that of a machine that is new: publishing them is no fault.
	states []stated
	// drops says that the damage takes listings away, so that nothing of them
	// is left to be rejected.
	drops bool
}

// stated is a price of an offer.
type stated struct {
	key    schema.OfferKey
	perGPU string
}

func (m mutation) name() string { return m.mutator + "/" + m.site }

// damage adds mutations of one page.
func (s *subject) damage(mutator, site, path, text string) *mutation {
	s.damages = append(s.damages, mutation{mutator: mutator, site: site, files: map[string]string{path: text}})
	return &s.damages[len(s.damages)-1]
}

func (s *subject) page(t *testing.T, path string) string {
	t.Helper()
	f, ok := s.pages[path]
	if !ok {
		t.Fatalf("%s: the good night has no %s", s.name, path)
	}
	return string(f.Data)
}

// nightBefore is the state of the database in which a damaged night is met.
type nightBefore struct {
	name     string
	database []byte
}

// prepared are a subject's truth and the databases before the damaged night:
// one that is empty and one with good nights.
type prepared struct {
	truth   map[schema.OfferKey]schema.Observation
	rejects map[string]int // by rule
	first   nightBefore
	after   nightBefore
}

// goodNights is how many good nights stand before a damaged one, so that rules
// about a trailing baseline have one.
const goodNights = 3

func (s *subject) prepare(t *testing.T, catalog *schema.Catalog) prepared {
	t.Helper()
	path := filepath.Join(t.TempDir(), "mtok.db")
	out := prepared{first: nightBefore{name: "first"}, after: nightBefore{name: "after"}}
	out.first.database = s.fill(t, path, catalog, 0, nil)
	out.after.database = s.fill(t, path, catalog, goodNights, func(h *house, summary pipeline.Summary) {
		good := outcome(t, summary, s.provider.ID)
		if good.Status != schema.StatusComplete || good.Offers == 0 {
			t.Fatalf("%s: the good night is %s with %d offers: %v", s.name, good.Status, good.Offers, good.Err)
		}
		out.rejects = good.Rules
		out.truth = byKey(t, h.rows(summary.Run.Day))
	})
	return out
}

// fill runs good nights before the night of the test and returns the database.
func (s *subject) fill(t *testing.T, path string, catalog *schema.Catalog, nights int, each func(*house, pipeline.Summary)) []byte {
	t.Helper()
	h := openHouse(t, path)
	h.catalog, h.shipped = catalog, pipeline.Shipped{} // its good nights are believed
	for back := nights; back > 0; back-- {
		summary, err := h.run(t.Context(), setting{
			providers: []scrapers.Provider{s.provider}, fetcher: h.fetcher(s.pages), day: night - schema.Day(back), redate: true,
		})
		if err != nil {
			t.Fatal(err)
		}
		each(h, summary)
	}
	if err := h.store.Close(); err != nil {
		t.Fatal(err)
	}
	database, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return database
}

// openHouse is a house on a database that the caller closes.
func openHouse(t *testing.T, path string) *house {
	t.Helper()
	h := &house{t: t, now: time.Date(2026, 8, 22, 18, 30, 0, 0, time.UTC), host: "here", shipped: builtIn(t)}
	s, err := store.Open(t.Context(), store.Config{Path: path, Mode: store.Create}, h.clock)
	if err != nil {
		t.Fatal(err)
	}
	h.store = s
	return h
}

// damagedNight runs a mutation on top of what was before.
func (s *subject) damagedNight(t *testing.T, catalog *schema.Catalog, p prepared, before nightBefore, m mutation) finding {
	t.Helper()
	path := filepath.Join(t.TempDir(), "mtok.db")
	if err := os.WriteFile(path, before.database, 0o600); err != nil {
		t.Fatal(err)
	}
	h := openHouse(t, path)
	h.catalog = catalog
	defer func() {
		if err := h.store.Close(); err != nil {
			t.Error(err)
		}
		h.store, h.catalog = nil, nil // a test that has ended keeps its clean-ups, and by them the house
	}()
	summary, err := h.run(t.Context(), setting{
		providers: []scrapers.Provider{s.provider}, fetcher: h.fetcher(without(t, s.pages, m.files)), day: night, redate: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	return judgeNight(p, m, outcome(t, summary, s.provider.ID), h.rows(night))
}

func byKey(t *testing.T, rows []schema.Observation) map[schema.OfferKey]schema.Observation {
	t.Helper()
	out := make(map[schema.OfferKey]schema.Observation, len(rows))
	for _, o := range rows {
		if _, twice := out[o.Offer.OfferKey]; twice {
			t.Fatalf("%+v is published twice", o.Offer.OfferKey)
		}
		out[o.Offer.OfferKey] = o
	}
	return out
}

// nightOf is the recorded night with some of its pages replaced.
func nightOf(t *testing.T, provider string, change map[string]string) fstest.MapFS {
	t.Helper()
	pages := without(t, recorded.Night(), change)
	maps.DeleteFunc(pages, func(path string, _ *fstest.MapFile) bool { return !strings.HasPrefix(path, provider+"/") })
	return pages
}

// alone is a provider of which only one source is asked, without its key.
func alone(p scrapers.Provider, source string) scrapers.Provider {
	p.Sources = slices.DeleteFunc(slices.Clone(p.Sources), func(s scrapers.Source) bool { return s.Name != source })
	for i := range p.Sources {
		p.Sources[i].KeyEnv = ""
	}
	return p
}
