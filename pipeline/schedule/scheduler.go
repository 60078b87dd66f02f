package schedule

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/robfig/cron/v3"

	"mtok/schema"
)

// checkEvery is how often ledger and clock are compared: a timer that slept with
// the machine, or a clock that was set, is noticed within that time.
const checkEvery = 30 * time.Second

// ErrBusy is wrapped by the error of a Job that could not begin since another
// process has the run lock: it is no attempt.
var ErrBusy = errors.New("the run lock is held")

// Job runs one night. Its context ends when a Stop has waited long enough.
type Job func(ctx context.Context, due Due) error

// Options are what a Scheduler is made of.
type Options struct {
	Spec   Spec
	Ledger Ledger
	Job    Job
	Now    func() time.Time
	Log    *slog.Logger
	// CheckEvery is 30 seconds where it is 0.
	CheckEvery time.Duration
}

// Scheduler starts the night when it is due.
type Scheduler struct {
	Options
	cron   *cron.Cron
	ctx    context.Context
	cancel context.CancelFunc
	// tries are the starts of this process, by day. Only the guarded job touches
	// them.
	day   schema.Day
	tries []time.Time
}

// New returns a scheduler that is not yet started. The values of ctx reach the
// job; its end does not, see Stop.
func New(ctx context.Context, o Options) *Scheduler {
	if o.CheckEvery == 0 {
		o.CheckEvery = checkEvery
	}
	s := &Scheduler{Options: o, cron: cron.New(cron.WithLocation(time.UTC), cron.WithLogger(cron.DiscardLogger))}
	s.ctx, s.cancel = context.WithCancel(context.WithoutCancel(ctx))
	// Skip stands outside Recover: the other way round a panic keeps the slot of
	// SkipIfStillRunning taken for ever. One guard for both entries, so that the
	// slot and a check never run two nights at once.
	guarded := cron.NewChain(cron.SkipIfStillRunning(cronLog{o.Log}), cron.Recover(cronLog{o.Log})).Then(cron.FuncJob(s.check))
	s.cron.Schedule(slots{s.Spec}, guarded)
	s.cron.Schedule(&checks{every: o.CheckEvery}, guarded)
	return s
}

// Start begins with a first check, which catches up a slot that has passed.
func (s *Scheduler) Start() { s.cron.Start() }

// Stop starts no more nights and waits for the one that is running. When ctx
// ends first, the night is cancelled, waited for, and the context's error
// returned.
func (s *Scheduler) Stop(ctx context.Context) error {
	defer s.cancel()
	idle := s.cron.Stop().Done()
	select {
	case <-idle:
		return nil
	case <-ctx.Done():
		s.cancel()
		<-idle
		return context.Cause(ctx)
	}
}

// check compares ledger and clock, and runs the night that is due.
func (s *Scheduler) check() {
	now := s.Now()
	today := schema.DayOf(now)
	if today != s.day {
		s.day, s.tries = today, nil
	}
	slot, ok := s.Spec.On(today)
	if !ok || now.Before(slot) {
		return
	}
	runs, err := s.Ledger.Attempts(s.ctx, today)
	if err != nil {
		s.Log.Error("the ledger can't be read: no night is started", slog.Any("error", err))
		return
	}
	due, ok := judge(now, slot, runs, s.tries)
	if !ok {
		return
	}
	// Noted first: a panic is an attempt too.
	s.tries = append(s.tries, now)
	s.run(due)
}

func (s *Scheduler) run(due Due) {
	// What the job started ends with it, also after a panic.
	ctx, cancel := context.WithCancel(s.ctx)
	defer cancel()
	day := slog.String("day", due.Day.String())
	s.Log.Info("night", day, slog.String("trigger", due.Trigger), slog.Time("slot", due.Slot))
	err := s.Job(ctx, due)
	switch {
	case errors.Is(err, ErrBusy):
		s.tries = s.tries[:len(s.tries)-1]
		s.Log.Info("night not started", day, slog.Any("error", err))
	case err != nil:
		s.Log.Error("night failed", day, slog.Any("error", err), slog.Time("next", s.Spec.Next(s.Now())))
	default:
		s.Log.Info("night done", day, slog.Time("next", s.Spec.Next(s.Now())))
	}
}

// slots are the slots of a Spec in the library's terms.
type slots struct{ spec Spec }

// Next returns the next slot.
func (s slots) Next(now time.Time) time.Time { return s.spec.Next(now) }

// checks are now, then one every so often. They keep the monotonic reading of
// now, so that a clock that is set back does not put them off.
type checks struct {
	every time.Duration
	begun bool
}

// Next returns the next check.
func (c *checks) Next(now time.Time) time.Time {
	if !c.begun {
		c.begun = true
		return now
	}
	return now.Add(c.every)
}

// cronLog writes what the library has to say. Its skips are the checks during a
// night, which is nothing to tell.
type cronLog struct{ log *slog.Logger }

func (c cronLog) Info(message string, details ...any) { c.log.Debug("schedule: "+message, details...) }

func (c cronLog) Error(err error, message string, details ...any) {
	c.log.Error("schedule: "+message, append(details, slog.Any("error", err))...)
}
