package store_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"mtok/schema"
	"mtok/schema/store"
)

func TestRunLock(t *testing.T) {
	eachBackend(t, func(t *testing.T, c store.Config) {
		ctx := context.Background()
		s := mustOpen(t, c, store.Create)
		first := mustRun(t, s, firstNight)

		_, err := s.StartRun(ctx, schema.Run{Job: schema.JobNightly, Day: firstNight})
		var running *store.RunningError
		if !errors.As(err, &running) || !errors.Is(err, store.ErrRunning) {
			t.Fatalf("second run: got %v, want a RunningError", err)
		}
		if diff := cmp.Diff(first, running.Run); diff != "" {
			t.Errorf("the running run (-want +got):\n%s", diff)
		}
		if _, err := s.StartRun(ctx, schema.Run{Job: schema.JobReparse, Day: firstNight}); !errors.Is(err, store.ErrRunning) {
			t.Errorf("a run of another job: got %v, want ErrRunning", err)
		}

		if err := s.AbandonRun(ctx, first.ID); err != nil {
			t.Fatal(err)
		}
		second := mustRun(t, s, firstNight)
		for name, write := range map[string]func() error{
			"abandon twice": func() error { return s.AbandonRun(ctx, first.ID) },
			"beat":          func() error { return s.BeatRun(ctx, first.ID) },
			"finish":        func() error { return s.FinishRun(ctx, first.ID, schema.StatusComplete) },
			"save fetch": func() error {
				_, err := s.SaveFetch(ctx, newFetch(first), newPage("late"))
				return err
			},
			"save night": func() error {
				return s.SaveProviderNight(ctx, nightOf(first, schema.StatusComplete))
			},
		} {
			if err := write(); !errors.Is(err, store.ErrRunOver) {
				t.Errorf("%s of an abandoned run: got %v, want ErrRunOver", name, err)
			}
		}
		if err := s.BeatRun(ctx, second.ID); err != nil {
			t.Errorf("beat of the running run: %v", err)
		}
	})
}

func TestRunLockAcrossConnections(t *testing.T) {
	eachBackend(t, func(t *testing.T, c store.Config) {
		stores := []*store.Store{mustOpen(t, c, store.Create), mustOpen(t, c, store.ReadWrite)}
		var wg sync.WaitGroup
		results := make([]error, 16)
		for i := range results {
			wg.Go(func() {
				_, results[i] = stores[i%2].StartRun(context.Background(), schema.Run{Job: "nightly", Day: firstNight})
			})
		}
		wg.Wait()
		won := 0
		for _, err := range results {
			if err == nil {
				won++
			} else if !errors.Is(err, store.ErrRunning) {
				t.Errorf("a loser got %v, want ErrRunning", err)
			}
		}
		if won != 1 {
			t.Errorf("%d runs started, want 1", won)
		}
	})
}

func TestRunLedger(t *testing.T) {
	eachBackend(t, func(t *testing.T, c store.Config) {
		ctx := context.Background()
		s := mustOpen(t, c, store.Create)
		var want []schema.Run
		for i := range schema.Day(3) {
			run := mustRun(t, s, firstNight+i/2) // two on the first day
			mustFinish(t, s, run)
			run.Status = schema.StatusComplete
			run.FinishedAt = clock().Truncate(time.Millisecond)
			want = append(want, run)
		}

		got, err := s.LastRuns(ctx, schema.JobNightly, 2)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]schema.Run{want[2], want[1]}, got); diff != "" {
			t.Errorf("last runs (-want +got):\n%s", diff)
		}
		got, err = s.RunsOnDay(ctx, "", firstNight)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want[:2], got); diff != "" {
			t.Errorf("runs on the day (-want +got):\n%s", diff)
		}
		if got, err := s.LastRuns(ctx, "reparse", 5); err != nil || len(got) != 0 {
			t.Errorf("runs of another job: got %v, %v", got, err)
		}
	})
}

// mustEntry writes a provider's entry of the ledger.
func mustEntry(t *testing.T, s *store.Store, run schema.Run, p schema.ProviderID, day schema.Day, status schema.RunStatus) schema.ProviderRun {
	t.Helper()
	n := nightOf(run, status)
	n.Result.Provider, n.Result.Day = p, day
	mustSave(t, s, n)
	return n.Result
}

func TestProviderLedger(t *testing.T) {
	eachBackend(t, func(t *testing.T, c store.Config) {
		ctx := context.Background()
		s := mustOpen(t, c, store.Create)
		if got, err := s.LatestProviderRuns(ctx); err != nil || len(got) != 0 {
			t.Errorf("latest of nothing: %v, %v", got, err)
		}
		if got, err := s.LastCompleteDays(ctx); err != nil || len(got) != 0 {
			t.Errorf("complete days of nothing: %v, %v", got, err)
		}

		first := mustRun(t, s, firstNight+1) // its pages are of two days
		dayBefore := mustEntry(t, s, first, "lambda", firstNight, schema.StatusComplete)
		mustEntry(t, s, first, "lambda", firstNight+1, schema.StatusFailed)
		failed := mustEntry(t, s, first, "lambda", firstNight+1, schema.StatusPartial) // the same entry again
		crusoe := mustEntry(t, s, first, "crusoe", firstNight+1, schema.StatusComplete)
		mustFinish(t, s, first)
		second := mustRun(t, s, firstNight+1)
		newest := mustEntry(t, s, second, "lambda", firstNight+1, schema.StatusQuarantined)
		mustFinish(t, s, second)
		third := mustRun(t, s, firstNight) // an older day again
		again := mustEntry(t, s, third, "lambda", firstNight, schema.StatusComplete)

		all, err := s.ProviderRuns(ctx, firstNight, firstNight+1)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]schema.ProviderRun{dayBefore, again, crusoe, failed, newest}, all); diff != "" {
			t.Errorf("all (-want +got):\n%s", diff)
		}
		latest, err := s.LatestProviderRuns(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]schema.ProviderRun{crusoe, newest}, latest); diff != "" {
			t.Errorf("latest (-want +got):\n%s", diff)
		}
		days, err := s.LastCompleteDays(ctx)
		if err != nil {
			t.Fatal(err)
		}
		want := map[schema.ProviderID]schema.Day{"lambda": firstNight, "crusoe": firstNight + 1}
		if diff := cmp.Diff(want, days); diff != "" {
			t.Errorf("complete days (-want +got):\n%s", diff)
		}
	})
}
