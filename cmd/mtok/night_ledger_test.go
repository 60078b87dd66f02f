package main

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"mtok/schema"
	"mtok/schema/store"
)

// A night by hand takes the day from the schedule only if it asked every provider.
func TestAttempts(t *testing.T) {
	ctx := t.Context()
	now := time.Date(2026, 8, 23, 9, 0, 0, 0, time.UTC)
	day := schema.DayOf(now)
	s, err := store.Open(ctx, store.Config{Path: filepath.Join(t.TempDir(), "mtok.db"), Mode: store.Create}, func() time.Time { return now })
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, c := range []struct {
		trigger   string
		day       schema.Day
		providers []schema.ProviderID
		status    schema.RunStatus
	}{
		{"manual", day, []schema.ProviderID{"lambda"}, schema.StatusComplete},
		{"manual", day, nil, schema.StatusFailed},
		{"recorded", day, []schema.ProviderID{"crusoe", "lambda"}, schema.StatusComplete},
		{"demo", day, []schema.ProviderID{"crusoe", "lambda"}, schema.StatusComplete},
		{"manual", day - 1, []schema.ProviderID{"crusoe", "lambda"}, schema.StatusComplete},
		{"manual", day, []schema.ProviderID{"crusoe", "lambda", "gone"}, schema.StatusPartial},
		{"schedule", day, nil, schema.StatusFailed},
		{"catch-up", day, []schema.ProviderID{"lambda"}, schema.StatusAbandoned},
		{"recorded, dated 2026-08-23 by --day", day, nil, schema.StatusRunning},
	} {
		run, err := s.StartRun(ctx, schema.Run{Job: schema.JobNightly, Day: c.day, Slot: c.day.Slot(), Trigger: c.trigger, Owner: "here/1/x"})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range c.providers {
			night := schema.ProviderNight{Run: run, Result: schema.ProviderRun{
				RunID: run.ID, Provider: p, Day: c.day, Status: schema.StatusFailed, EndedAt: now,
			}}
			if err := s.SaveProviderNight(ctx, night); err != nil {
				t.Fatal(err)
			}
		}
		if c.status == schema.StatusRunning {
			break // it holds the lock
		}
		if err := s.FinishRun(ctx, run.ID, c.status); err != nil {
			t.Fatal(err)
		}
	}
	runs, err := nightLedger{s, []schema.ProviderID{"lambda", "crusoe"}}.Attempts(ctx, day)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range runs {
		got = append(got, r.Trigger+" "+string(r.Status))
	}
	want := []string{"manual partial", "schedule failed", "catch-up abandoned", "recorded, dated 2026-08-23 by --day running"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("attempts (-want +got):\n%s", diff)
	}
}
