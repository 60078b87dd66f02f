package pipeline_test

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"mtok/pipeline"
	"mtok/schema"
	"mtok/scrapers"
	"mtok/scrapers/recorded"
)

// listMeta dates a recorded list.
const listMeta = "url = \"https://openrouter.ai/api/v1/models\"\nstatus = 200\nfetched_at = %s\n"

// listNight is a recorded night of OpenRouter's list alone, with some texts
// replaced.
func listNight(t *testing.T, fetched string, replace ...string) fs.FS {
	t.Helper()
	body, err := fs.ReadFile(recorded.Night(), "openrouter/models-api.json")
	if err != nil {
		t.Fatal(err)
	}
	return fstest.MapFS{
		"openrouter/models-api.json":      {Data: []byte(strings.NewReplacer(replace...).Replace(string(body)))},
		"openrouter/models-api.meta.toml": {Data: fmt.Appendf(nil, listMeta, fetched)},
	}
}

// runList runs a night of OpenRouter.
func (h *house) runList(day schema.Day, pages fs.FS, redate bool) pipeline.Outcome {
	h.t.Helper()
	dir, err := recorded.Open(pages)
	if err != nil {
		h.t.Fatal(err)
	}
	summary, err := h.run(h.t.Context(), setting{
		providers: []scrapers.Provider{scrapers.OpenRouter()}, fetcher: h.fetcher(pages), day: day, redate: redate, newest: night, recorded: dir.Has,
	})
	if err != nil {
		h.t.Fatal(err)
	}
	return summary.Outcomes[0]
}

func (h *house) tokens(f schema.TokenPriceFilter) map[string]schema.TokenObservation {
	h.t.Helper()
	rows, err := h.store.TokenPrices(h.t.Context(), f)
	if err != nil {
		h.t.Fatal(err)
	}
	out := map[string]schema.TokenObservation{}
	for _, r := range rows {
		if r.MinPromptTokens == 0 {
			out[r.Model] = r
		}
	}
	return out
}

const llama = "meta-llama/llama-3.3-70b-instruct"

// TestTokenList saves the built-in list under its own day, twice: it is older than
// the newest published night, and stays what it is.
func TestTokenList(t *testing.T) {
	h := newHouse(t)
	for range 2 {
		out := h.runList(night, listNight(t, "2026-08-01T12:00:00Z"), false)
		if out.Status != schema.StatusComplete || out.Err != nil || out.Offers != 10 || out.Day.String() != "2026-08-01" {
			t.Fatalf("outcome %+v", out)
		}
	}
	got := h.tokens(schema.TokenPriceFilter{})
	if p := got[llama]; len(got) != 10 || p.In != 130_000 || p.Out != 400_000 || p.Day.String() != "2026-08-01" || p.Origin != schema.OriginRecorded {
		t.Errorf("%d models, %+v", len(got), p)
	}
	if got["openrouter/auto"].Model != "" || got["openai/gpt-oss-20b:free"].Model != "" {
		t.Error("a variable or free price was booked")
	}
	// A list older than the newest one is left alone, unless its day is named.
	if out := h.runList(night, listNight(t, "2026-07-01T12:00:00Z"), false); out.Status != schema.StatusFailed || out.ErrorKind != "older_day" {
		t.Errorf("an older list: %s %s", out.Status, out.ErrorKind)
	}
}

// TestTokenListHeld: a list in another unit is held by the band of one model, one
// that moved by the list before it, and the second of these is believed.
func TestTokenListHeld(t *testing.T) {
	h := newHouse(t)
	unit := listNight(t, "2026-08-01T12:00:00Z", `"0.00000013"`, `"0.00013"`, `"0.0000004"`, `"0.0004"`)
	if out := h.runList(night, unit, false); out.Status != schema.StatusQuarantined || out.ErrorKind != "canary_price_band" {
		t.Errorf("per thousand: %s %s", out.Status, out.ErrorKind)
	}
	if got := h.tokens(schema.TokenPriceFilter{}); len(got) != 0 {
		t.Errorf("a held list is published: %v", got)
	}
	if out := h.runList(night, listNight(t, "2026-08-02T12:00:00Z"), false); out.Status != schema.StatusComplete {
		t.Fatalf("good list: %+v", out)
	}
	moved := []string{`"0.0000004"`, `"0.000002"`, `"0.00000005"`, `"0.0000002"`, `"0.00000008"`, `"0.0000004"`, `"0.0000005"`, `"0.000002"`, `"0.0000008"`, `"0.000003"`}
	for day, want := range []schema.RunStatus{schema.StatusQuarantined, schema.StatusComplete} {
		fetched := fmt.Sprintf("2026-08-%02dT12:00:00Z", 3+day)
		if out := h.runList(night, listNight(t, fetched, moved...), false); out.Status != want {
			t.Errorf("moved, %s: %s %s %v, want %s", fetched, out.Status, out.ErrorKind, out.Err, want)
		}
	}
	day, err := schema.ParseDay("2026-08-03")
	if err != nil {
		t.Fatal(err)
	}
	if got := h.tokens(schema.TokenPriceFilter{FromDay: day, ToDay: day}); got[llama].Out != 2_000_000 {
		t.Errorf("the list that moved first is not published now: %+v", got[llama])
	}
}

// TestTokenListReparse reads the archived list again: nothing changes, and nothing
// is counted twice.
func TestTokenListReparse(t *testing.T) {
	h := newHouse(t)
	h.runList(night, listNight(t, "2026-08-01T12:00:00Z"), false)
	before := h.tokens(schema.TokenPriceFilter{})
	summary, err := h.reparse(t.Context(), pipeline.Reparse{All: true}, scrapers.OpenRouter())
	if err != nil || summary.Status() != schema.StatusComplete {
		t.Fatalf("%+v, %v", summary, err)
	}
	out := summary.Providers[0]
	if out.Days != 1 || out.Before != 13 || out.After != 13 || out.Added+out.Gone+out.Repriced != 0 {
		t.Errorf("reparse %+v", out)
	}
	if after := h.tokens(schema.TokenPriceFilter{}); len(after) != len(before) || after[llama].In != before[llama].In {
		t.Errorf("%d models, were %d", len(after), len(before))
	}
}
