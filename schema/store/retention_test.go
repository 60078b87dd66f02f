package store_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mtok/schema"
	"mtok/schema/store"
)

// archive keeps a page of a target as of a run.
func archive(t *testing.T, s *store.Store, run schema.Run, body string, change func(*schema.Fetch)) schema.Fetch {
	t.Helper()
	f := newFetch(run)
	if change != nil {
		change(&f)
	}
	page := newPage(body)
	id, err := s.SaveFetch(context.Background(), f, page)
	if err != nil {
		t.Fatal(err)
	}
	f.ID, f.PageSHA256 = id, page.SHA256
	return f
}

// mustPart ends a run of which no provider's part was saved.
func mustPart(t *testing.T, s *store.Store, run schema.Run) {
	t.Helper()
	if err := s.FinishRun(context.Background(), run.ID, schema.StatusPartial); err != nil {
		t.Fatal(err)
	}
}

// retained is which of the named pages are held.
func retained(t *testing.T, s *store.Store, bodies ...string) (held []string) {
	t.Helper()
	for _, body := range bodies {
		_, err := s.Page(context.Background(), newPage(body).SHA256)
		if err == nil {
			held = append(held, body)
		} else if !errors.Is(err, store.ErrNotHeld) {
			t.Fatal(err)
		}
	}
	return held
}

// TestPrune drops what was fetched again with another outcome, and nothing that
// anything rests on.
func TestPrune(t *testing.T) {
	eachBackend(t, func(t *testing.T, c store.Config) {
		ctx := context.Background()
		s := mustOpen(t, c, store.Create)
		first := mustRun(t, s, firstNight)
		archive(t, s, first, "superseded", nil)
		priced := archive(t, s, first, "priced", func(f *schema.Fetch) { f.Key = "other" })
		mustSave(t, s, nightOf(first, schema.StatusPartial, h100(priced, 1, 3_990_000)))
		told := archive(t, s, first, "notice", func(f *schema.Fetch) { f.Key = "told" })
		night := nightOf(first, schema.StatusPartial)
		night.Notices = []schema.Notice{{Provider: "lambda", Kind: "k", Detail: "d", Since: firstNight, Last: firstNight, FetchID: told.ID}}
		mustSave(t, s, night)
		doubted := archive(t, s, first, "doubted", func(f *schema.Fetch) { f.Provider = "runpod" })
		archive(t, s, first, "also of that night", func(f *schema.Fetch) { f.Provider, f.Key = "runpod", "graphql" })
		held := schema.ProviderNight{
			Run: first, Quarantine: &schema.Quarantine{Rule: "r", Evidence: "e"},
			Result: schema.ProviderRun{RunID: first.ID, Provider: "runpod", Day: firstNight, Status: schema.StatusQuarantined, EndedAt: clock()},
		}
		o := h100(doubted, 1, 1_000_000)
		o.Offer.Provider = "runpod"
		held.Observations = []schema.Observation{o}
		mustSave(t, s, held)
		archive(t, s, first, "came again later", func(f *schema.Fetch) { f.Key = "again" })
		archive(t, s, first, "never read", func(f *schema.Fetch) { f.Key = "broken" })
		mustFinish(t, s, first)

		second := mustRun(t, s, firstNight) // the same day
		archive(t, s, second, "last", nil)
		for _, key := range []string{"other", "told", "again"} {
			archive(t, s, second, "last "+key, func(f *schema.Fetch) { f.Key = key })
		}
		for _, key := range []string{"", "graphql"} {
			archive(t, s, second, "last of runpod "+key, func(f *schema.Fetch) { f.Provider, f.Key = "runpod", key })
		}
		archive(t, s, second, "forbidden", func(f *schema.Fetch) { f.Key, f.Status, f.ErrorKind = "broken", 403, "status" })
		mustPart(t, s, second)
		third := mustRun(t, s, firstNight+30)
		archive(t, s, third, "came again later", nil)
		mustPart(t, s, third)

		all := []string{"superseded", "priced", "notice", "doubted", "also of that night", "came again later", "never read",
			"last", "last other", "last told", "last again", "forbidden"}
		prune := func(before schema.Day, dry bool) store.Pruned {
			t.Helper()
			pruned, err := s.Prune(ctx, before, dry)
			if err != nil {
				t.Fatal(err)
			}
			return pruned
		}
		if got := prune(firstNight, false); got.Pages != 0 {
			t.Errorf("nothing is that old: %+v", got)
		}
		if got := prune(firstNight+1, true); got.Pages != 1 || got.Bytes == 0 {
			t.Errorf("dry: %+v", got)
		}
		if diff := cmp.Diff(all, retained(t, s, all...)); diff != "" {
			t.Errorf("after a dry run (-want +got):\n%s", diff)
		}
		if got := prune(firstNight+1, false); got.Pages != 1 {
			t.Errorf("pruned: %+v", got)
		}
		if diff := cmp.Diff(all[1:], retained(t, s, all...)); diff != "" {
			t.Errorf("held (-want +got):\n%s", diff)
		}
		if got := prune(firstNight+1, false); got.Pages != 0 {
			t.Errorf("again: %+v", got)
		}
		if problems, err := s.Check(ctx); err != nil || len(problems) > 0 {
			t.Errorf("check: %v, %v", problems, err)
		}
		fourth := mustRun(t, s, firstNight+31)
		archive(t, s, fourth, "superseded", nil)
		if diff := cmp.Diff(all, retained(t, s, all...)); diff != "" {
			t.Errorf("the page came again (-want +got):\n%s", diff)
		}
	})
}

// TestPruneSparesPricesOfAnotherDay: a price keeps its page whatever day it is of.
func TestPruneSparesPricesOfAnotherDay(t *testing.T) {
	ctx := context.Background()
	s := mustOpen(t, sqliteConfig(t), store.Create)
	run := mustRun(t, s, firstNight)
	f := archive(t, s, run, "priced", nil)
	mustSave(t, s, nightOf(run, schema.StatusComplete, h100(f, 1, 3_990_000)))
	archive(t, s, run, "last", nil)
	mustExec(t, s.Writer(), "UPDATE observations SET day = day + 1, slot = slot + 86400")
	if got, err := s.Prune(ctx, firstNight+30, false); err != nil || got.Pages != 0 {
		t.Errorf("pruned %+v, %v", got, err)
	}
}

// TestCheckFindsDroppedEvidence, and what else the tables must agree on.
func TestCheckFindsDroppedEvidence(t *testing.T) {
	for name, tt := range map[string]struct{ damage, want string }{
		"dropped body": {"UPDATE pages SET body = x''", "observation of offer 1 on 2026-08-22: the body of its page"},
		"other night": {"INSERT INTO quarantines (id, run_id, provider, day, rule, evidence, state, decided_by, created_at) VALUES (9, 1, 'vast', 1, '', '', 'held', '', 1); " +
			"UPDATE observations SET quarantine_id = 9", "observation of offer 1 on 2026-08-22: quarantine 9 is of another provider or day"},
		"import": {"UPDATE fetches SET origin = 'import'; UPDATE observations SET origin = 'import'", "import 1 of pricing-page on 2026-08-22 has neither file nor licence"},
	} {
		t.Run(name, func(t *testing.T) {
			s := mustOpen(t, sqliteConfig(t), store.Create)
			saveDay(t, s, firstNight, 3_990_000)
			mustExec(t, s.Writer(), tt.damage)
			problems, err := s.Check(context.Background())
			if err != nil || len(problems) != 1 || len(problems[0]) < len(tt.want) || problems[0][:len(tt.want)] != tt.want {
				t.Errorf("got %q, %v, want %s", problems, err, tt.want)
			}
		})
	}
}
