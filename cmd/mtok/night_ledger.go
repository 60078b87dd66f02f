package main

import (
	"context"

	"mtok/pipeline/schedule"
	"mtok/schema"
	"mtok/schema/store"
)

// triggerManual is the trigger of a live night that a person, a timer or cron
// started.
const triggerManual = "manual"

// nightLedger is the ledger as the schedule reads it.
type nightLedger struct {
	store     *store.Store
	providers []schema.ProviderID
}

// Attempts are the runs that were to give the whole night of a day: those of the
// schedule, those that hold the lock, and live ones by hand that asked every
// provider. A recorded night, or one of a single provider, takes no day from the
// schedule.
func (l nightLedger) Attempts(ctx context.Context, day schema.Day) ([]schema.Run, error) {
	runs, err := l.store.RunsOnDay(ctx, schema.JobNightly, day)
	if err != nil {
		return nil, err
	}
	parts, err := l.store.ProviderRuns(ctx, day, day)
	if err != nil {
		return nil, err
	}
	asked := map[int64]map[schema.ProviderID]bool{}
	for _, p := range parts {
		if asked[p.RunID] == nil {
			asked[p.RunID] = map[schema.ProviderID]bool{}
		}
		asked[p.RunID][p.Provider] = true
	}
	var out []schema.Run
	for _, r := range runs {
		whole := r.Trigger == schedule.TriggerSchedule || r.Trigger == schedule.TriggerCatchUp || r.Status == schema.StatusRunning
		if r.Trigger == triggerManual {
			whole = whole || l.all(asked[r.ID])
		}
		if whole {
			out = append(out, r)
		}
	}
	return out, nil
}

// all reports whether every provider was asked.
func (l nightLedger) all(asked map[schema.ProviderID]bool) bool {
	for _, id := range l.providers {
		if !asked[id] {
			return false
		}
	}
	return true
}
