package pipeline_test

import (
	"context"
	"io/fs"
	"log/slog"
	"path/filepath"
	"testing"
	"testing/fstest"
	"time"

	"mtok/pipeline"
	"mtok/schema"
	"mtok/schema/store"
	"mtok/scrapers"
	"mtok/scrapers/fetch"
	"mtok/scrapers/recorded"
)

// house is a pipeline on a real store in a temporary file.
type house struct {
	t       *testing.T
	store   *store.Store
	catalog *schema.Catalog
	now     time.Time
	host    string
	shipped pipeline.Shipped
}

// builtIn is the night that ships with the program.
func builtIn(t *testing.T) pipeline.Shipped {
	t.Helper()
	n, err := recorded.Open(recorded.Night())
	if err != nil {
		t.Fatal(err)
	}
	return pipeline.Shipped{Night: n, Providers: scrapers.All(), Settings: recorded.NightSettings()}
}

const night = schema.Day(20687) // 2026-08-22

func newHouse(t *testing.T) *house {
	t.Helper()
	h := &house{t: t, now: time.Date(2026, 8, 22, 18, 30, 0, 0, time.UTC), host: "here", shipped: builtIn(t)}
	s, err := store.Open(t.Context(), store.Config{Path: filepath.Join(t.TempDir(), "mtok.db"), Mode: store.Create}, h.clock)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	h.store = s
	if h.catalog, err = schema.LoadCatalog(); err != nil {
		t.Fatal(err)
	}
	return h
}

func (h *house) clock() time.Time { return h.now }

func (h *house) ledger() pipeline.Ledger {
	owner := pipeline.Owner{Host: h.host, PID: 1, Start: h.t.Name(), Alive: func(int) bool { return true }}
	return pipeline.Ledger{Store: h.store, Owner: owner, Now: h.clock, Log: slog.New(slog.DiscardHandler)}
}

// fetcher serves a recorded night.
func (h *house) fetcher(pages fs.FS) pipeline.Fetcher {
	h.t.Helper()
	dir, err := recorded.Open(pages)
	if err != nil {
		h.t.Fatal(err)
	}
	f := fetch.New(fetch.Options{Transport: dir, Recorded: true, Now: h.clock})
	h.t.Cleanup(f.Close)
	return f
}

// setting are the parts of a Night that a test may choose.
type setting struct {
	providers []scrapers.Provider
	fetcher   pipeline.Fetcher
	day       schema.Day
	redate    bool
	live      bool
	newest    schema.Day // newest published day before, 0 for none
	recorded  func(scrapers.Target) bool
}

// run runs one night to its end and returns what it did.
func (h *house) run(ctx context.Context, s setting) (pipeline.Summary, error) {
	h.t.Helper()
	if s.day == 0 {
		s.day = night
	}
	origin := schema.OriginRecorded
	if s.live {
		origin = schema.OriginLive
	}
	lease, err := h.ledger().Begin(ctx, schema.Run{Job: schema.JobNightly, Day: s.day, Slot: s.day.Slot(), Trigger: "test", Version: "test"})
	if err != nil {
		h.t.Fatal(err)
	}
	n := &pipeline.Night{
		Providers: s.providers, Catalog: h.catalog, Fetcher: s.fetcher, Store: h.store, Log: slog.New(slog.DiscardHandler),
		Settings: recorded.NightSettings(), Now: h.clock, Origin: origin, Redate: s.redate, Newest: s.newest, Published: s.newest != 0,
		Recorded: s.recorded, Shipped: h.shipped,
	}
	summary, err := n.Run(ctx, lease.Run)
	status := schema.StatusFailed
	if err == nil {
		status = summary.Status()
	}
	if err := lease.Finish(ctx, status); err != nil {
		h.t.Fatal(err)
	}
	return summary, err
}

// rows are the published observations of a day, without the fetch that a rerun
// changes.
func (h *house) rows(day schema.Day) []schema.Observation {
	h.t.Helper()
	seen, err := h.store.Observations(h.t.Context(), schema.ObservationFilter{FromDay: day, ToDay: day})
	if err != nil {
		h.t.Fatal(err)
	}
	for i := range seen {
		seen[i].FetchID = 0
	}
	return seen
}

func (h *house) fetches() []schema.Fetch {
	h.t.Helper()
	fetches, err := h.store.Fetches(h.t.Context(), schema.FetchFilter{})
	if err != nil {
		h.t.Fatal(err)
	}
	return fetches
}

// without copies a recorded night, leaving out or replacing files.
func without(t *testing.T, pages fs.FS, change map[string]string) fstest.MapFS {
	t.Helper()
	out := fstest.MapFS{}
	err := fs.WalkDir(pages, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(pages, path)
		out[path] = &fstest.MapFile{Data: data}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for path, text := range change {
		if text == "" {
			delete(out, path)
			continue
		}
		out[path] = &fstest.MapFile{Data: []byte(text)}
	}
	return out
}

func outcome(t *testing.T, s pipeline.Summary, id schema.ProviderID) pipeline.Outcome {
	t.Helper()
	for _, o := range s.Outcomes {
		if o.Provider == id {
			return o
		}
	}
	t.Fatalf("no outcome of %s", id)
	return pipeline.Outcome{}
}
