package pipeline_test

import (
	"errors"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"mtok/pipeline"
	"mtok/schema"
)

func TestLedgerJudgesTheHolder(t *testing.T) {
	const here, there = "here", "there"
	cases := []struct {
		name   string
		holder pipeline.Owner
		silent time.Duration
		alive  bool
		taken  bool
	}{
		{"a living process of this host", pipeline.Owner{Host: here, PID: 42, Start: "a"}, 0, true, false},
		{"a dead process of this host", pipeline.Owner{Host: here, PID: 42, Start: "a"}, 0, false, true},
		{"our own number, an earlier life", pipeline.Owner{Host: here, PID: 7, Start: "earlier"}, 0, true, true},
		{"ourselves", pipeline.Owner{Host: here, PID: 7, Start: "now"}, 0, true, false},
		{"another host, heard of lately", pipeline.Owner{Host: there, PID: 42, Start: "a"}, time.Minute, false, false},
		{"another host, silent for long", pipeline.Owner{Host: there, PID: 42, Start: "a"}, time.Hour, true, true},
		{"this host, hung for long", pipeline.Owner{Host: here, PID: 42, Start: "a"}, time.Hour, true, true},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			h := newHouse(t)
			run := schema.Run{Job: schema.JobNightly, Day: night, Slot: night.Slot(), Trigger: "test"}
			first := pipeline.Ledger{Store: h.store, Owner: c.holder, Now: h.clock, Log: slog.New(slog.DiscardHandler)}
			lease, err := first.Begin(t.Context(), run)
			if err != nil {
				t.Fatal(err)
			}
			h.now = h.now.Add(c.silent)
			second := pipeline.Ledger{
				Store: h.store, Now: h.clock, Log: slog.New(slog.DiscardHandler),
				Owner: pipeline.Owner{Host: here, PID: 7, Start: "now", Alive: func(pid int) bool { return c.alive }},
			}
			taken, err := second.Begin(t.Context(), run)
			if !c.taken {
				if !errors.Is(err, pipeline.ErrRunning) {
					t.Errorf("error %v, want ErrRunning", err)
				}
				if err := lease.Finish(t.Context(), schema.StatusComplete); err != nil {
					t.Error(err)
				}
				return
			}
			if err != nil {
				t.Fatalf("the lock of a dead holder is not taken over: %v", err)
			}
			if err := taken.Finish(t.Context(), schema.StatusComplete); err != nil {
				t.Error(err)
			}
			if err := lease.Finish(t.Context(), schema.StatusComplete); err == nil {
				t.Error("the run that was taken over could still be ended as complete")
			}
			runs, err := h.store.LastRuns(t.Context(), schema.JobNightly, 2)
			if err != nil || len(runs) != 2 || runs[1].Status != schema.StatusAbandoned {
				t.Errorf("runs %+v, %v; want the first abandoned", runs, err)
			}
		})
	}
}

// TestLeaseShowsLife counts the signs of life over ten minutes of a long night.
func TestLeaseShowsLife(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &beating{}
		ledger := pipeline.Ledger{Store: s, Owner: pipeline.Owner{Host: "here"}, Now: time.Now, Log: slog.New(slog.DiscardHandler)}
		lease, err := ledger.Begin(t.Context(), schema.Run{Job: schema.JobNightly, Day: night})
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(10*time.Minute + time.Second)
		if err := lease.Finish(t.Context(), schema.StatusComplete); err != nil {
			t.Fatal(err)
		}
		if s.beats != 20 {
			t.Errorf("%d signs of life in ten minutes, want 20", s.beats)
		}
		time.Sleep(time.Hour)
		if s.beats != 20 {
			t.Error("signs of life after the end")
		}
	})
}
