package schedule

import (
	"context"
	"time"

	"mtok/schema"
)

// The triggers of a run that the schedule starts, as kept in the ledger.
const (
	TriggerSchedule = "schedule" // at its slot
	TriggerCatchUp  = "catch-up" // late, or a second attempt
)

const (
	// onTime is how long after its slot a start still counts as on time.
	onTime = time.Minute
	// attempts is how often a day that gave nothing is tried, and retryAfter how
	// long after the last try: a laptop that wakes before its network must not
	// lose the day, and a provider that refuses must not be asked in a tight loop.
	attempts   = 2
	retryAfter = time.Hour
	// silentAfter is when a run without a sign of life is given up, as the run
	// lock does.
	silentAfter = 2 * time.Minute
)

// Due is a night that is to be run now.
type Due struct {
	Day     schema.Day
	Slot    time.Time
	Trigger string
}

// Ledger knows what was run.
type Ledger interface {
	// Attempts returns the runs that were to give the whole night of a day, in
	// whatever state: those of the schedule, and others that asked no less.
	Attempts(ctx context.Context, day schema.Day) ([]schema.Run, error)
}

// judge decides about a day whose slot has come from its attempts: those of the
// ledger, and the tries of this process, some of which may have left no entry.
func judge(now, slot time.Time, runs []schema.Run, tries []time.Time) (Due, bool) {
	failed, last := 0, time.Time{}
	for _, r := range runs {
		switch r.Status {
		case schema.StatusFailed, schema.StatusAbandoned:
			failed++
			last = later(last, r.FinishedAt)
		case schema.StatusRunning:
			if now.Sub(r.BeatAt) <= silentAfter {
				return Due{}, false
			}
			failed++
			last = later(last, r.BeatAt)
		default:
			return Due{}, false
		}
	}
	for _, t := range tries {
		last = later(last, t)
	}
	failed = max(failed, len(tries))
	if failed >= attempts || failed > 0 && now.Sub(last) < retryAfter {
		return Due{}, false
	}
	due := Due{Day: schema.DayOf(slot), Slot: slot, Trigger: TriggerSchedule}
	if failed > 0 || now.Sub(slot) > onTime {
		due.Trigger = TriggerCatchUp
	}
	return due, true
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
