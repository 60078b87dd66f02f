package schedule_test

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"mtok/pipeline/schedule"
	"mtok/schema"
)

func TestStop(t *testing.T) {
	// long is a night that takes an hour, unless it is cancelled.
	long := func(ctx context.Context, _ schedule.Due) schema.RunStatus {
		select {
		case <-time.After(time.Hour):
			return schema.StatusComplete
		case <-ctx.Done():
			time.Sleep(time.Second) // it puts its things in order
			return schema.StatusFailed
		}
	}
	for name, c := range map[string]struct {
		running, patience, took time.Duration
		status                  schema.RunStatus
		err                     error
	}{
		"finishes in time": {50 * time.Minute, 30 * time.Minute, 10 * time.Minute, schema.StatusComplete, nil},
		"is cancelled":     {10 * time.Minute, 30 * time.Second, 31 * time.Second, schema.StatusFailed, context.DeadlineExceeded},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := start(t, "2026-08-22 06:10:00", schedule.Options{}, long)
				time.Sleep(c.running)
				began := time.Now()
				ctx, cancel := context.WithTimeout(t.Context(), c.patience)
				defer cancel()
				if err := h.Stop(ctx); !errors.Is(err, c.err) {
					t.Errorf("Stop: %v, want %v", err, c.err)
				}
				if took := time.Since(began); took != c.took {
					t.Errorf("Stop took %s, want %s", took, c.took)
				}
				if len(h.runs) != 1 || h.runs[0].Status != c.status {
					t.Errorf("runs %+v, want one that is %s", h.runs, c.status)
				}
				time.Sleep(48 * time.Hour)
				if len(h.runs) != 1 {
					t.Errorf("%d runs after the stop", len(h.runs))
				}
			})
		})
	}
}

// The end of the context that New was given is not that of a running night.
func TestParentContextDoesNotCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		ended := false
		s := schedule.New(ctx, schedule.Options{
			Spec: mustParse(t, "0 0 * * *"), Ledger: &house{}, Now: time.Now, Log: slog.New(slog.DiscardHandler),
			Job: func(ctx context.Context, _ schedule.Due) error {
				cancel()
				time.Sleep(time.Minute)
				ended = ctx.Err() == nil
				return nil
			},
		})
		s.Start()
		time.Sleep(time.Second)
		if err := s.Stop(t.Context()); err != nil || !ended {
			t.Errorf("Stop: %v, the night ended by itself: %t", err, ended)
		}
	})
}

func TestStopWithoutStart(t *testing.T) {
	s := schedule.New(t.Context(), schedule.Options{Spec: mustParse(t, "0 0 * * *"), Now: time.Now, Log: slog.New(slog.DiscardHandler)})
	if err := s.Stop(t.Context()); err != nil {
		t.Error(err)
	}
}
