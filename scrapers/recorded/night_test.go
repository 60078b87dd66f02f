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
		"runpod":     {42, 0, 0},
		"vast":       {20, 0, 0}, // ten asks, each with its lowest bid
		"fluidstack": {0, 1, 0},
	}
	var known []schema.ProviderID
	for _, p := range scrapers.All() {
		known = append(known, p.ID)
		counts := [3]int{}
		for _, source := range p.Sources {
			for _, target := range sourceTargets(t, p.ID, source) {
				got := parseRecorded(t, d, source, target)
				counts[0] += len(got.Offers)
				counts[1] += len(got.Notices)
				counts[2] += got.LookAlikes
			}
		}
		if counts != want[p.ID] {
			t.Errorf("%s: offers, notices, look-alikes %v, want %v", p.ID, counts, want[p.ID])
		}
	}
	for _, p := range scrapers.APIs() {
		known = append(known, p.ID)
	}
	if unknown := d.Unknown(known); len(unknown) != 0 {
		t.Errorf("folders of unknown providers: %v", unknown)
	}
}

// nightTargets are the requests that the built-in night answers.
func nightTargets(t *testing.T) []scrapers.Target {
	t.Helper()
	var targets []scrapers.Target
	for _, p := range scrapers.All() {
		for _, source := range p.Sources {
			targets = append(targets, sourceTargets(t, p.ID, source)...)
		}
	}
	return targets
}

func sourceTargets(t *testing.T, p schema.ProviderID, source scrapers.Source) []scrapers.Target {
	t.Helper()
	if source.KeyEnv != "" {
		return nil // the night was recorded without keys
	}
	requests, err := source.Requests(recorded.NightSettings()[p])
	if err != nil {
		t.Fatal(err)
	}
	var targets []scrapers.Target
	for _, r := range requests {
		targets = append(targets, scrapers.Target{Provider: p, Source: source.Name, Key: r.Key})
	}
	return targets
}

func parseRecorded(t *testing.T, d *recorded.Dir, source scrapers.Source, target scrapers.Target) scrapers.Result {
	t.Helper()
	resp, body, err := get(t.Context(), t, d, target)
	if err != nil {
		t.Fatal(err)
	}
	if at, err := time.Parse(time.RFC1123, resp.Header.Get("Date")); err != nil || at.Unix() != 1787421600 {
		t.Errorf("%+v: Date %q, want 2026-08-22 18:00 UTC", target, resp.Header.Get("Date"))
	}
	got, err := source.Parse(scrapers.Page{
		Source: source.Name, Key: target.Key, Status: resp.StatusCode, ContentType: resp.Header.Get("Content-Type"), Body: []byte(body),
	})
	if err != nil {
		t.Fatalf("%+v: %v", target, err)
	}
	return got
}
