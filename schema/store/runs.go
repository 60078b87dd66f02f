package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"mtok/schema"
	"mtok/schema/store/db"
)

// StartRun takes the run lock and returns r with its ID, status and times. There
// is one lock for all jobs, since each of them writes observations: while any run
// is running it returns a *RunningError with that run. A caller that finds its
// owner dead may AbandonRun it and start again.
func (s *Store) StartRun(ctx context.Context, r schema.Run) (schema.Run, error) {
	started := s.now()
	err := s.update(ctx, "start run", func(t *tx) error {
		holder, err := t.RunningRun(ctx)
		if err == nil {
			return &RunningError{Run: toRun(holder)}
		}
		if !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		r.ID, err = t.StartRun(ctx, db.StartRunParams{
			Job:       r.Job,
			Day:       int64(r.Day),
			Slot:      r.Slot,
			Trigger:   clean(r.Trigger),
			Version:   r.Version,
			Owner:     clean(r.Owner),
			StartedAt: started.UnixMilli(),
			BeatAt:    started.UnixMilli(),
		})
		return err
	})
	if err != nil {
		return schema.Run{}, err
	}
	r.Status = schema.StatusRunning
	r.StartedAt = toTime(started.UnixMilli())
	r.BeatAt = r.StartedAt
	return r, nil
}

// BeatRun records a sign of life. ErrRunOver tells a process that it was taken
// for dead and must stop writing.
func (s *Store) BeatRun(ctx context.Context, id int64) error {
	return s.update(ctx, "beat run", func(t *tx) error { return s.beat(ctx, t, id) })
}

// beat also fences: a transaction that begins with it can only commit while the
// run is the holder of its lock.
func (s *Store) beat(ctx context.Context, t *tx, id int64) error {
	n, err := t.BeatRun(ctx, db.BeatRunParams{BeatAt: s.now().UnixMilli(), ID: id})
	return oneRun(n, err, id)
}

// FinishRun ends a run and frees the lock.
func (s *Store) FinishRun(ctx context.Context, id int64, status schema.RunStatus) error {
	return s.update(ctx, "finish run", func(t *tx) error {
		n, err := t.EndRun(ctx, db.EndRunParams{
			ID: id, Status: string(status), FinishedAt: s.now().UnixMilli(),
		})
		return oneRun(n, err, id)
	})
}

// AbandonRun ends a run whose process died. Of two callers one gets ErrRunOver.
func (s *Store) AbandonRun(ctx context.Context, id int64) error {
	return s.FinishRun(ctx, id, schema.StatusAbandoned)
}

func oneRun(n int64, err error, id int64) error {
	if err == nil && n == 0 {
		return fmt.Errorf("%w: %d", ErrRunOver, id)
	}
	return err
}

// LastRuns returns the newest n runs of a job, of every job when it is empty,
// newest first.
func (s *Store) LastRuns(ctx context.Context, job string, n int) ([]schema.Run, error) {
	rows, err := s.queries.LastRuns(ctx, db.LastRunsParams{Job: optional(job), N: int32(n)})
	return mapRows(rows, toRun), s.fault("list runs", err)
}

// RunsOnDay returns the runs of a logical day, oldest first; of every job when
// job is empty.
func (s *Store) RunsOnDay(ctx context.Context, job string, day schema.Day) ([]schema.Run, error) {
	rows, err := s.queries.RunsOnDay(ctx, db.RunsOnDayParams{Job: optional(job), Day: int64(day)})
	return mapRows(rows, toRun), s.fault("list runs", err)
}

// ProviderRuns returns the providers' parts in the runs of these days.
func (s *Store) ProviderRuns(ctx context.Context, from, to schema.Day) ([]schema.ProviderRun, error) {
	rows, err := s.queries.ProviderRuns(ctx, db.ProviderRunsParams{FromDay: int64(from), ToDay: int64(to)})
	return mapRows(rows, toProviderRun), s.fault("list provider runs", err)
}

// LatestProviderRuns returns each provider's part in the newest run of its newest
// day: a rerun of an older day is none of these.
func (s *Store) LatestProviderRuns(ctx context.Context) ([]schema.ProviderRun, error) {
	rows, err := s.queries.LatestProviderRuns(ctx)
	return mapRows(rows, toProviderRun), s.fault("list provider runs", err)
}

// LastCompleteDays returns the newest day of which each provider has a complete
// night; a provider without one is missing.
func (s *Store) LastCompleteDays(ctx context.Context) (map[schema.ProviderID]schema.Day, error) {
	rows, err := s.queries.LastCompleteDays(ctx)
	days := make(map[schema.ProviderID]schema.Day, len(rows))
	for _, r := range rows {
		days[schema.ProviderID(r.Provider)] = schema.Day(r.Day)
	}
	return days, s.fault("list complete days", err)
}

func toRun(r db.Run) schema.Run {
	return schema.Run{
		ID:         r.ID,
		Job:        r.Job,
		Day:        schema.Day(r.Day),
		Slot:       r.Slot,
		Trigger:    r.Trigger,
		Status:     schema.RunStatus(r.Status),
		Version:    r.Version,
		Owner:      r.Owner,
		StartedAt:  toTime(r.StartedAt),
		BeatAt:     toTime(r.BeatAt),
		FinishedAt: toOptionalTime(r.FinishedAt),
	}
}

func toProviderRun(r db.ProviderRun) schema.ProviderRun {
	return schema.ProviderRun{
		RunID:     r.RunID,
		Provider:  schema.ProviderID(r.Provider),
		Day:       schema.Day(r.Day),
		Status:    schema.RunStatus(r.Status),
		Offers:    int(r.Offers),
		Rejects:   int(r.Rejects),
		ErrorKind: r.ErrorKind,
		Detail:    r.Detail,
		EndedAt:   toTime(r.EndedAt),
	}
}
