package schedule_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"mtok/pipeline/schedule"
	"mtok/schema"
)

// What stands in the ledger decides, whoever wrote it.
func TestLedgerDecides(t *testing.T) {
	day := schema.Day(20687) // 2026-08-22
	at := func(clock string) time.Time {
		d, err := time.ParseDuration(clock)
		if err != nil {
			t.Fatal(err)
		}
		return day.Time().Add(d)
	}
	entry := func(status schema.RunStatus, begun, ended string) schema.Run {
		return schema.Run{Day: day, Trigger: "other", Status: status, StartedAt: at(begun), BeatAt: at(ended), FinishedAt: at(ended)}
	}
	for name, c := range map[string]struct {
		entries []schema.Run
		want    []string // starts up to noon
	}{
		"nothing":           {nil, []string{"schedule 06:10"}},
		"of the day before": {[]schema.Run{{Day: day - 1, Trigger: "other", Status: schema.StatusComplete}}, []string{"schedule 06:10"}},
		"complete":          {[]schema.Run{entry(schema.StatusComplete, "5h", "5h1m")}, nil},
		"partial":           {[]schema.Run{entry(schema.StatusPartial, "5h", "5h1m")}, nil},
		"failed, then complete": {[]schema.Run{
			entry(schema.StatusFailed, "4h", "4h1m"), entry(schema.StatusComplete, "5h", "5h1m"),
		}, nil},
		"failed long ago":  {[]schema.Run{entry(schema.StatusFailed, "5h", "5h1m")}, []string{"catch-up 06:10"}},
		"failed just now":  {[]schema.Run{entry(schema.StatusFailed, "5h58m", "5h59m")}, []string{"catch-up 06:59"}},
		"its process died": {[]schema.Run{entry(schema.StatusAbandoned, "5h58m", "5h59m")}, []string{"catch-up 06:59"}},
		"failed twice": {[]schema.Run{
			entry(schema.StatusFailed, "1h", "1h"), entry(schema.StatusAbandoned, "2h", "2h"),
		}, nil},
		"running":              {[]schema.Run{entry(schema.StatusRunning, "5h58m", "12h")}, nil},
		"running, silent":      {[]schema.Run{entry(schema.StatusRunning, "5h40m", "5h50m")}, []string{"catch-up 06:50"}},
		"running, just silent": {[]schema.Run{entry(schema.StatusRunning, "4h", "6h9m")}, []string{"catch-up 07:09"}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := &house{night: complete, runs: c.entries}
				time.Sleep(time.Until(at("6h")))
				s := schedule.New(t.Context(), schedule.Options{
					Spec: mustParse(t, "10 6 * * *"), Ledger: h, Job: h.run, Now: h.clock, Log: slog.New(slog.DiscardHandler),
				})
				s.Start()
				time.Sleep(6 * time.Hour)
				if err := s.Stop(t.Context()); err != nil {
					t.Error(err)
				}
				var got []string
				for _, r := range h.runs[len(c.entries):] {
					got = append(got, r.Trigger+" "+r.StartedAt.UTC().Format("15:04"))
				}
				if diff := cmp.Diff(c.want, got); diff != "" {
					t.Errorf("starts (-want +got):\n%s", diff)
				}
			})
		})
	}
}

func TestFailedNightIsTriedOnceMore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := start(t, "2026-08-22 06:00:00", schedule.Options{}, func(context.Context, schedule.Due) schema.RunStatus {
			return schema.StatusFailed
		})
		time.Sleep(30 * time.Hour)
		h.stop()
		h.expect("schedule 08-22 06:10", "catch-up 08-22 07:10", "schedule 08-23 06:10", "catch-up 08-23 07:10")
	})
}

// A night that is refused before it enters the ledger must not be tried at every
// check.
func TestRefusedNight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := start(t, "2026-08-22 06:00:00", schedule.Options{}, complete)
		h.set(func() { h.unasked = true })
		time.Sleep(20 * time.Hour)
		h.stop()
		h.expect("refused 08-22 06:10", "refused 08-22 07:10")
	})
}

// A lock that another process holds is no attempt.
func TestLockIsHeld(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := start(t, "2026-08-22 06:09:45", schedule.Options{}, complete)
		h.set(func() { h.busy = 5 })
		time.Sleep(2 * time.Hour)
		h.stop()
		h.expect("refused 08-22 06:10", "refused 08-22 06:10", "refused 08-22 06:10", "refused 08-22 06:11",
			"refused 08-22 06:11", "catch-up 08-22 06:12")
	})
}

func TestLedgerThatCannotBeRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := start(t, "2026-08-22 06:00:00", schedule.Options{}, complete)
		h.set(func() { h.broken = errors.New("database is locked") })
		time.Sleep(15*time.Minute - time.Second)
		synctest.Wait()
		h.expect()
		if !strings.Contains(h.logs.String(), "database is locked") {
			t.Error("nothing is told of it")
		}
		h.set(func() { h.broken = nil })
		time.Sleep(time.Minute)
		h.stop()
		h.expect("catch-up 08-22 06:15")
	})
}
