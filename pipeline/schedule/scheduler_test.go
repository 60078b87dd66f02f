package schedule_test

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	_ "time/tzdata" // the zones of the test, on a machine without them

	"mtok/pipeline/schedule"
	"mtok/schema"
)

// In each zone the spec is one that its change of clocks skips or repeats.
func TestOneRunADayInEveryZone(t *testing.T) {
	local := time.Local
	t.Cleanup(func() { time.Local = local })
	for _, c := range []struct{ zone, spec string }{
		{"America/New_York", "30 2 * * *"},
		{"America/New_York", "30 1 * * *"},
		{"Europe/Berlin", "30 2 * * *"},
		{"America/Santiago", "0 0 * * *"},
		{"Australia/Lord_Howe", "45 1 * * *"},
	} {
		t.Run(c.zone+" "+c.spec, func(t *testing.T) {
			zone, err := time.LoadLocation(c.zone)
			if err != nil {
				t.Fatal(err)
			}
			time.Local = zone
			synctest.Test(t, func(t *testing.T) {
				h := start(t, "2026-01-01 00:00:00", schedule.Options{Spec: mustParse(t, c.spec), CheckEvery: 20 * time.Minute}, complete)
				time.Sleep(366*24*time.Hour - time.Second)
				h.stop()
				if len(h.runs) != 366 {
					t.Fatalf("%d runs in 366 days", len(h.runs))
				}
				for i, r := range h.runs {
					if want := schema.DayOf(h.runs[0].StartedAt) + schema.Day(i); r.Day != want || schema.DayOf(r.StartedAt) != want || r.Trigger != "schedule" {
						t.Fatalf("run %d: of %s at %s (%s), want %s", i, r.Day, r.StartedAt, r.Trigger, want)
					}
				}
			})
		})
	}
}

func TestPanicIsOneNight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := start(t, "2026-08-22 06:00:00", schedule.Options{}, func(_ context.Context, due schedule.Due) schema.RunStatus {
			if due.Day == 20687 { // 2026-08-22
				panic("a night went wrong")
			}
			return schema.StatusComplete
		})
		time.Sleep(72 * time.Hour)
		h.stop()
		// Its entry is still running, but without a sign of life.
		h.expect("schedule 08-22 06:10", "catch-up 08-22 07:10", "schedule 08-23 06:10", "schedule 08-24 06:10")
		if got := h.logs.String(); strings.Count(got, "a night went wrong") != 2 || !strings.Contains(got, "stack=") {
			t.Errorf("logs do not tell of both panics:\n%s", got)
		}
	})
}

func TestJobContextEndsWithIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var left context.Context
		h := start(t, "2026-08-22 06:00:00", schedule.Options{}, func(ctx context.Context, _ schedule.Due) schema.RunStatus {
			left = ctx
			panic("gone")
		})
		time.Sleep(30 * time.Minute)
		synctest.Wait()
		if left.Err() == nil {
			t.Error("what a panicking night started goes on")
		}
		h.stop()
	})
}

func TestLongRunOverTheNextSlot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := start(t, "2026-08-22 06:00:00", schedule.Options{}, func(_ context.Context, due schedule.Due) schema.RunStatus {
			if due.Day == 20687 {
				time.Sleep(26 * time.Hour)
			}
			return schema.StatusComplete
		})
		time.Sleep(72 * time.Hour)
		h.stop()
		h.expect("schedule 08-22 06:10", "catch-up 08-23 08:10", "schedule 08-24 06:10")
	})
}

func TestSleepOverTheSlot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := start(t, "2026-08-22 22:00:00", schedule.Options{}, complete)
		time.Sleep(time.Minute)
		synctest.Wait()
		h.expect("catch-up 08-22 22:00") // missed before the start: caught up at once
		h.jump(15 * time.Hour)           // timers slept with the machine
		time.Sleep(31 * time.Second)
		synctest.Wait()
		h.expect("catch-up 08-22 22:00", "catch-up 08-23 13:01")
		time.Sleep(time.Hour)
		h.jump(5 * 24 * time.Hour) // days that are over stay gaps
		time.Sleep(time.Hour)
		h.stop()
		h.expect("catch-up 08-22 22:00", "catch-up 08-23 13:01", "catch-up 08-28 14:02")
	})
}

func TestClockSetBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := start(t, "2026-08-22 06:00:00", schedule.Options{}, complete)
		time.Sleep(30 * time.Minute)
		h.jump(-time.Hour) // the slot comes again
		time.Sleep(12 * time.Hour)
		h.jump(-48 * time.Hour) // a day before the first
		time.Sleep(time.Minute)
		h.stop()
		h.expect("schedule 08-22 06:10", "catch-up 08-20 17:30")
	})
}

func TestRestartKeepsToTheLedger(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := start(t, "2026-08-22 06:00:00", schedule.Options{}, complete)
		time.Sleep(time.Hour)
		h.stop()
		again := schedule.New(t.Context(), schedule.Options{
			Spec: h.Spec, Ledger: h, Job: h.run, Now: h.clock, Log: slog.New(slog.DiscardHandler),
		})
		again.Start()
		time.Sleep(4 * time.Hour)
		if err := again.Stop(t.Context()); err != nil {
			t.Error(err)
		}
		h.expect("schedule 08-22 06:10")
	})
}
