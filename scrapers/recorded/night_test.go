package recorded_test

import (
	"testing"
	"time"

	"mtok/schema"
	"mtok/scrapers"
	"mtok/scrapers/recorded"
)

// TestNight parses the built-in night through its transport: every provider
// answers, and with what it listed on 2026-08-22.
func TestNight(t *testing.T) {
	d, err := recorded.Open(recorded.Night())
	if err != nil {
		t.Fatal(err)
	}
	if at, ok := d.LatestFetchedAt(); !ok || schema.DayOf(at).String() != "2026-08-22" {
		t.Errorf("latest fetched_at %v, %v", at, ok)
	}
	want := map[schema.ProviderID][3]int{ // offers, notices, look-alikes
		"lambda":     {28, 0, 0},
		"coreweave":  {32, 0, 2},
		"crusoe":     {6, 0, 31},
		"fluidstack": {0, 1, 0},
	}
	var known []schema.ProviderID
	for _, p := range scrapers.All() {
		known = append(known, p.ID)
		counts := [3]int{}
		for _, source := range p.Sources {
			got := parseRecorded(t, d, p, source)
			counts[0] += len(got.Offers)
			counts[1] += len(got.Notices)
			counts[2] += got.LookAlikes
		}
		if counts != want[p.ID] {
			t.Errorf("%s: offers, notices, look-alikes %v, want %v", p.ID, counts, want[p.ID])
		}
	}
	if unknown := d.Unknown(known); len(unknown) != 0 {
		t.Errorf("folders of unknown providers: %v", unknown)
	}
}

func parseRecorded(t *testing.T, d *recorded.Dir, p scrapers.Provider, source scrapers.Source) scrapers.Result {
	t.Helper()
	target := scrapers.Target{Provider: p.ID, Source: source.Name}
	resp, body, err := get(t.Context(), t, d, target)
	if err != nil {
		t.Fatal(err)
	}
	if at, err := time.Parse(time.RFC1123, resp.Header.Get("Date")); err != nil || at.Unix() != 1787421600 {
		t.Errorf("%s: Date %q, want 2026-08-22 18:00 UTC", p.ID, resp.Header.Get("Date"))
	}
	got, err := source.Parse(scrapers.Page{
		Source: source.Name, Status: resp.StatusCode, ContentType: resp.Header.Get("Content-Type"), Body: []byte(body),
	})
	if err != nil {
		t.Fatalf("%s %s: %v", p.ID, source.Name, err)
	}
	return got
}
