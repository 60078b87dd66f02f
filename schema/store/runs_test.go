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
		if _, err := s.StartRun(ctx, schema.Run{Job: "reparse", Day: firstNight}); err != nil {
			t.Errorf("a run of another job: %v", err)
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
