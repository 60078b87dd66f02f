package pipeline_test

import (
	"slices"
	"strings"
	"testing"

	"mtok/pipeline"
	"mtok/pipeline/history"
	"mtok/schema"
	"mtok/scrapers"
	"mtok/scrapers/recorded"
)

// verify holds one day to its pages, by some parsers.
func (h *house) verify(day schema.Day, providers ...scrapers.Provider) pipeline.DayEvidence {
	h.t.Helper()
	v := &pipeline.Verify{Providers: providers, Catalog: h.catalog, Store: h.store, Now: h.clock}
	days, err := v.Begin(h.t.Context())
	if err != nil {
		h.t.Fatal(err)
	}
	if !slices.Contains(days, day) {
		h.t.Fatalf("days %v, without %s", days, day)
	}
	evidence, err := v.Day(h.t.Context(), day)
	if err != nil {
		h.t.Fatal(err)
	}
	return evidence
}

// published are the prices that figures of a day are made of, in one order.
func published(seen []schema.Observation) []string {
	var out []string
	for _, o := range seen {
		out = append(out, strings.Join([]string{string(o.Offer.Provider), o.Source, o.Offer.SKU, o.Offer.Region, string(o.Offer.Term), string(o.Offer.Tier),
			o.Offer.PriceText, o.USDPerGPUHour.String(), string(o.Class), o.Excluded}, "|"))
	}
	slices.Sort(out)
	return out
}

func TestVerifyTheRecordedNight(t *testing.T) {
	h := newHouse(t)
	for range 2 { // a rerun of the day leaves the pages of both
		if _, err := h.run(t.Context(), setting{providers: scrapers.All(), fetcher: h.fetcher(recorded.Night())}); err != nil {
			t.Fatal(err)
		}
		got := h.verify(night, scrapers.Registry()...)
		stored := h.rows(night)
		if len(got.Faults) > 0 || got.Checked != got.Matching || got.Checked != len(stored) || len(stored) < 100 || len(got.Versions) > 0 {
			t.Fatalf("%d of %d match, %d stored: %q %q", got.Matching, got.Checked, len(stored), got.Faults, got.Versions)
		}
		if !slices.Equal(published(stored), published(got.Observations)) {
			t.Error("the pages give other prices than those that are stored")
		}
	}
}

func TestVerifyTellsWhatItsPageDoesNotGive(t *testing.T) {
	h := newHouse(t)
	h.crusoeNight(night, scrapers.Crusoe())
	for name, c := range map[string]struct {
		change func(scrapers.Page, scrapers.Result) (scrapers.Result, error)
		fault  string
		missed int // stored prices that do not match
	}{
		"another price": {priced("4.30"), "stored 4.29 $/GPU-h, its page gives 4.30", 1},
		"unreadable":    {unreadable, "its page gives no such price", 6},
		"one more": {func(_ scrapers.Page, r scrapers.Result) (scrapers.Result, error) {
			more := r.Offers[0]
			more.SKU += " more"
			r.Offers = append(slices.Clone(r.Offers), more)
			return r, nil
		}, "not in the database", 1},
		"one less": {func(_ scrapers.Page, r scrapers.Result) (scrapers.Result, error) {
			r.Offers = r.Offers[1:]
			return r, nil
		}, "its page gives no such price", 1},
	} {
		t.Run(name, func(t *testing.T) {
			got := h.verify(night, reading(scrapers.Crusoe().Version+1, c.change))
			if got.Checked-got.Matching != c.missed || len(got.Faults) != c.missed || !strings.Contains(strings.Join(got.Faults, "\n"), c.fault) {
				t.Errorf("%d of %d match: %q, want %q", got.Matching, got.Checked, got.Faults, c.fault)
			}
			if len(got.Versions) != 1 || !strings.HasPrefix(got.Versions[0], "crusoe: read by parser version ") {
				t.Errorf("versions %q", got.Versions)
			}
		})
	}
}

// A held night is in no figure, and nobody misses it.
func TestVerifyLeavesHeldNightsAlone(t *testing.T) {
	h := newHouse(t)
	h.crusoeNight(night, scrapers.Crusoe())
	h.crusoeNight(night+1, reading(scrapers.Crusoe().Version, priced("8.58")))
	if held, err := h.store.HeldQuarantines(t.Context()); err != nil || len(held) != 1 {
		t.Fatalf("%v, %d held", err, len(held))
	}
	got := h.verify(night+1, scrapers.Crusoe())
	if got.Checked != 0 || len(got.Observations) != 0 {
		t.Errorf("%d checked, %d prices of a held night", got.Checked, len(got.Observations))
	}
}

func TestVerifyImports(t *testing.T) {
	h := newHouse(t)
	if _, err := h.run(t.Context(), setting{providers: scrapers.All(), fetcher: h.fetcher(recorded.Night())}); err != nil {
		t.Fatal(err)
	}
	bundles, err := history.Bundles()
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range bundles {
		h.importBundle(b)
	}
	checked := 0
	v := &pipeline.Verify{Providers: scrapers.Registry(), Catalog: h.catalog, Store: h.store, Now: h.clock}
	days, err := v.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, day := range days {
		got, err := v.Day(t.Context(), day)
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Faults) > 0 || got.Checked != got.Matching {
			t.Fatalf("%s: %d of %d match: %q", day, got.Matching, got.Checked, got.Faults[:min(3, len(got.Faults))])
		}
		checked += got.Checked
	}
	if checked < 5_000 {
		t.Errorf("%d prices checked: too few to tell", checked)
	}
}

// importBundle imports a record that comes with the program.
func (h *house) importBundle(b history.Bundle) {
	h.t.Helper()
	job := &pipeline.Import{Format: b.Format, Providers: scrapers.All(), Catalog: h.catalog, Store: h.store, Now: h.clock}
	read, err := job.Read(h.t.Context(), []pipeline.File{{Name: b.Name, Body: b.Body}})
	if err != nil {
		h.t.Fatal(err)
	}
	lease, err := h.ledger().Begin(h.t.Context(), schema.Run{Job: schema.JobImport, Day: night, Slot: night.Slot(), Trigger: "test", Version: "test"})
	if err != nil {
		h.t.Fatal(err)
	}
	if _, err := job.Save(h.t.Context(), lease.Run, read[0]); err != nil {
		h.t.Fatal(err)
	}
	if err := lease.Finish(h.t.Context(), schema.StatusComplete); err != nil {
		h.t.Fatal(err)
	}
}
