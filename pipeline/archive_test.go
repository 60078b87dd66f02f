package pipeline_test

import (
	"context"
	"io/fs"
	"testing"
	"testing/fstest"
	"time"

	"mtok/pipeline"
	"mtok/schema"
	"mtok/scrapers"
	"mtok/scrapers/recorded"
)

// beating is a Store of which only the ledger is used.
type beating struct {
	pipeline.Store
	beats int
}

func (b *beating) StartRun(_ context.Context, r schema.Run) (schema.Run, error) {
	r.ID = 1
	return r, nil
}
func (b *beating) BeatRun(context.Context, int64) error                     { b.beats++; return nil }
func (b *beating) FinishRun(context.Context, int64, schema.RunStatus) error { return nil }

// conditional is a live server in short: a page with an ETag, then 304 to it.
type conditional struct {
	page []byte
	now  func() time.Time
	got  []scrapers.Validators
}

func (c *conditional) Fetch(_ context.Context, _ scrapers.Target, r scrapers.Request, v scrapers.Validators) (scrapers.Fetched, error) {
	c.got = append(c.got, v)
	out := scrapers.Fetched{URL: r.URL, Status: 200, ContentType: "text/html; charset=utf-8", ETag: `"one"`, FetchedAt: c.now()}
	if v.ETag == `"one"` {
		out.Status, out.NotModified = 304, true
		return out, nil
	}
	out.Body = c.page
	return out, nil
}

func TestNotModifiedObservesTheStoredPageAgain(t *testing.T) {
	h := newHouse(t)
	page, err := fs.ReadFile(recorded.Night(), "crusoe/pricing-page.html")
	if err != nil {
		t.Fatal(err)
	}
	server := &conditional{page: page, now: h.clock}
	crusoe := []scrapers.Provider{scrapers.Crusoe()}
	for day := night; day < night+3; day++ {
		summary, err := h.run(t.Context(), setting{providers: crusoe, fetcher: server, day: day, live: true})
		if err != nil {
			t.Fatal(err)
		}
		if got := outcome(t, summary, "crusoe"); got.Status != schema.StatusComplete || got.Offers != 6 {
			t.Errorf("%s: %s, %d offers (%v); want complete, 6", day, got.Status, got.Offers, got.Err)
		}
		if got := len(h.rows(day)); got != 6 {
			t.Errorf("%s: %d rows, want 6", day, got)
		}
		h.now = h.now.Add(24 * time.Hour)
	}
	if server.got[0].ETag != "" || server.got[1].ETag != `"one"` || server.got[2].ETag != `"one"` {
		t.Errorf("validators sent: %+v; want none, then the ETag, also after a 304", server.got)
	}
	pages := map[string]bool{}
	for _, f := range h.fetches() {
		pages[f.PageSHA256] = true
	}
	if len(pages) != 1 {
		t.Errorf("%d pages for one body", len(pages))
	}
}

func TestRecordedNightSendsNoValidators(t *testing.T) {
	h := newHouse(t)
	page, err := fs.ReadFile(recorded.Night(), "crusoe/pricing-page.html")
	if err != nil {
		t.Fatal(err)
	}
	server := &conditional{page: page, now: h.clock}
	crusoe := []scrapers.Provider{scrapers.Crusoe()}
	if _, err := h.run(t.Context(), setting{providers: crusoe, fetcher: server, live: true}); err != nil {
		t.Fatal(err)
	}
	if _, err := h.run(t.Context(), setting{providers: crusoe, fetcher: server}); err != nil {
		t.Fatal(err)
	}
	if len(server.got) != 2 || server.got[1] != (scrapers.Validators{}) {
		t.Errorf("validators sent: %+v", server.got)
	}
}

func TestRecordedNotModified(t *testing.T) {
	unchanged := fstest.MapFS{"crusoe/pricing-page.meta.toml": {Data: []byte("status = 304\nfetched_at = 2026-08-23T18:00:00Z\n")}}
	crusoe := []scrapers.Provider{scrapers.Crusoe()}
	h := newHouse(t)
	summary, err := h.run(t.Context(), setting{providers: crusoe, fetcher: h.fetcher(unchanged), day: night + 1})
	if err != nil {
		t.Fatal(err)
	}
	if got := outcome(t, summary, "crusoe"); got.Status != schema.StatusFailed || got.ErrorKind != "status" {
		t.Errorf("a 304 to nothing: %s %q, want failed by status", got.Status, got.ErrorKind)
	}
	if _, err := h.run(t.Context(), setting{providers: crusoe, fetcher: h.fetcher(recorded.Night())}); err != nil {
		t.Fatal(err)
	}
	summary, err = h.run(t.Context(), setting{providers: crusoe, fetcher: h.fetcher(unchanged), day: night + 1})
	if err != nil {
		t.Fatal(err)
	}
	if got := outcome(t, summary, "crusoe"); got.Status != schema.StatusComplete || got.Offers != 6 {
		t.Errorf("%s, %d offers (%v); want complete, 6", got.Status, got.Offers, got.Err)
	}
	if got := len(h.rows(night + 1)); got != 6 {
		t.Errorf("%d rows on the day of the 304, want 6", got)
	}
}
