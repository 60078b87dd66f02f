package store_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mtok/schema"
	"mtok/schema/store"
)

// twoPages is a partial night of Lambda whose rows came from two pages.
func twoPages(t *testing.T, s *store.Store) (first, second schema.Fetch) {
	t.Helper()
	run := mustRun(t, s, firstNight)
	first, second = mustFetch(t, s, run), mustFetch(t, s, run)
	mustSave(t, s, nightOf(run, schema.StatusPartial, h100(first, 1, 3_990_000), h100(first, 2, 3_890_000), h100(second, 8, 2_990_000)))
	mustFinish(t, s, run)
	return first, second
}

// reparsed is a partial night that reads pages again; an error says that it could
// not read one.
func reparsed(run schema.Run, parses map[int64]string, rows ...schema.Observation) schema.ProviderNight {
	n := nightOf(run, schema.StatusPartial, rows...)
	n.Reparsed = true
	for id, text := range parses {
		n.Parses = append(n.Parses, schema.Parse{FetchID: id, ParserVersion: 2, Error: text})
	}
	return n
}

func TestReparsedPagesMakeWay(t *testing.T) {
	for _, test := range []struct {
		name   string
		parses func(first, second schema.Fetch) map[int64]string
		want   []string
	}{
		{"both read", func(f, s schema.Fetch) map[int64]string { return map[int64]string{f.ID: "", s.ID: ""} },
			[]string{"2026-08-22 1x 4.29"}},
		{"one read", func(f, s schema.Fetch) map[int64]string {
			return map[int64]string{f.ID: "", s.ID: "unknown page layout"}
		},
			[]string{"2026-08-22 1x 4.29", "2026-08-22 8x 2.99"}},
		{"the other was not asked for", func(f, _ schema.Fetch) map[int64]string { return map[int64]string{f.ID: ""} },
			[]string{"2026-08-22 1x 4.29", "2026-08-22 8x 2.99"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			eachBackend(t, func(t *testing.T, c store.Config) {
				s := mustOpen(t, c, store.Create)
				first, second := twoPages(t, s)
				run := mustRun(t, s, firstNight)
				mustSave(t, s, reparsed(run, test.parses(first, second), h100(first, 1, 4_290_000)))
				if diff := cmp.Diff(test.want, prices(t, s, schema.ObservationFilter{})); diff != "" {
					t.Errorf("rows (-want +got):\n%s", diff)
				}
			})
		})
	}
}

// A price that is published stays when what takes its place is held.
func TestReparsedDoubtTakesNoPlace(t *testing.T) {
	eachBackend(t, func(t *testing.T, c store.Config) {
		s := mustOpen(t, c, store.Create)
		first, second := twoPages(t, s)
		run := mustRun(t, s, firstNight)
		doubted := h100(first, 1, 31_920_000)
		n := reparsed(run, map[int64]string{first.ID: "", second.ID: ""}, doubted, h100(first, 2, 3_790_000))
		n.Quarantine = &schema.Quarantine{Rule: "unit_ratio"}
		n.HeldOffers = []schema.OfferKey{doubted.Offer.OfferKey}
		mustSave(t, s, n)
		want := []string{"2026-08-22 1x 3.99", "2026-08-22 2x 3.79"}
		if diff := cmp.Diff(want, prices(t, s, schema.ObservationFilter{})); diff != "" {
			t.Errorf("published (-want +got):\n%s", diff)
		}
	})
}

// The class stands with the offer: a night that moves it moves all its past.
func TestMovedClassUnsettlesItsPast(t *testing.T) {
	eachBackend(t, func(t *testing.T, c store.Config) {
		s := mustOpen(t, c, store.Create)
		for day := range schema.Day(3) {
			saveDay(t, s, firstNight+day, 3_990_000)
			settle(t, s, firstNight+day)
		}
		unsettled(t, s, "three nights")
		run := mustRun(t, s, firstNight+4)
		f := mustFetch(t, s, run)
		mustSave(t, s, nightOf(run, schema.StatusComplete, h100(f, 2, 3_890_000)))
		settle(t, s, run.Day)
		unsettled(t, s, "another offer of the class")

		moved := h100(f, 1, 3_990_000)
		moved.Class = "h100-pcie-80gb"
		held := nightOf(run, schema.StatusQuarantined, moved)
		held.Result.Day = firstNight + 5
		held.Observations[0].Day, held.Observations[0].Slot = firstNight+5, (firstNight + 5).Slot()
		held.Quarantine = &schema.Quarantine{Rule: "class_changed"}
		mustSave(t, s, held)
		unsettled(t, s, "a night that is not believed", firstNight+5)
		settle(t, s, firstNight+5)

		mustSave(t, s, nightOf(run, schema.StatusComplete, moved))
		unsettled(t, s, "a moved class", firstNight, firstNight+1, firstNight+2, run.Day, firstNight+5)
	})
}

func TestFetchDaysAndDayParses(t *testing.T) {
	eachBackend(t, func(t *testing.T, c store.Config) {
		ctx := context.Background()
		s := mustOpen(t, c, store.Create)
		if days, err := s.FetchDays(ctx); err != nil || len(days) != 0 {
			t.Errorf("days of nothing: %v, %v", days, err)
		}
		var fetches []schema.Fetch
		for _, day := range []schema.Day{firstNight + 3, firstNight, firstNight} {
			run := mustRun(t, s, day)
			f := mustFetch(t, s, run)
			n := nightOf(run, schema.StatusComplete)
			n.Parses = []schema.Parse{{FetchID: f.ID, ParserVersion: 1, Offers: 2, ParsedAt: clock().UTC().Truncate(1e6)}}
			mustSave(t, s, n)
			mustFinish(t, s, run)
			fetches = append(fetches, f)
		}
		days, err := s.FetchDays(ctx)
		if diff := cmp.Diff([]schema.Day{firstNight, firstNight + 3}, days); diff != "" || err != nil {
			t.Errorf("days (-want +got), %v:\n%s", err, diff)
		}
		parses, err := s.DayParses(ctx, firstNight)
		if err != nil || len(parses) != 2 || parses[0].FetchID != fetches[1].ID || parses[1].FetchID != fetches[2].ID || parses[0].Offers != 2 {
			t.Errorf("parses of the first day: %+v, %v", parses, err)
		}
	})
}

func TestRehearseKeepsNothing(t *testing.T) {
	eachBackend(t, func(t *testing.T, c store.Config) {
		ctx := context.Background()
		s := mustOpen(t, c, store.Create)
		saveDay(t, s, firstNight, 3_990_000)
		settle(t, s, firstNight)
		broken := errors.New("broken")
		for _, end := range []error{nil, broken} {
			err := s.Rehearse(ctx, func(s *store.Store) error {
				saveDay(t, s, firstNight, 4_290_000)
				saveDay(t, s, firstNight+1, 4_390_000)
				want := []string{"2026-08-22 1x 4.29", "2026-08-23 1x 4.39"}
				if diff := cmp.Diff(want, prices(t, s, schema.ObservationFilter{})); diff != "" {
					t.Errorf("in the rehearsal (-want +got):\n%s", diff)
				}
				known, err := s.LastOffers(ctx, "lambda", firstNight+2, 14)
				if err != nil || len(known) != 1 || known[0].USDPerGPUHour != 4_390_000 {
					t.Errorf("last offers in the rehearsal: %+v, %v", known, err)
				}
				return end
			})
			if !errors.Is(err, end) || (err == nil) != (end == nil) {
				t.Errorf("got %v, want %v", err, end)
			}
			if diff := cmp.Diff([]string{"2026-08-22 1x 3.99"}, prices(t, s, schema.ObservationFilter{})); diff != "" {
				t.Errorf("after it (-want +got):\n%s", diff)
			}
			unsettled(t, s, "a rehearsal")
		}
		if runs, err := s.LastRuns(ctx, "", 10); err != nil || len(runs) != 1 {
			t.Errorf("runs %v, %v; want the one before", runs, err)
		}
	})
}
