package schedule_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"mtok/pipeline/schedule"
	"mtok/schema"
)

// house is a scheduler on a ledger in memory and a clock that can be set apart
// from the one that timers run by, as sleep and a set clock do.
type house struct {
	t       *testing.T
	mu      sync.Mutex
	runs    []schema.Run
	ahead   time.Duration // of the clock over the timers
	broken  error         // of the ledger
	now     int           // nights running
	most    int           // nights running at once
	logs    bytes.Buffer
	night   func(ctx context.Context, due schedule.Due) schema.RunStatus
	unasked bool // the job fails before it enters the ledger
	busy    int  // so often another process has the lock

	*schedule.Scheduler
}

// start runs a scheduler from a time on. Zero fields of o get their defaults.
func start(t *testing.T, from string, o schedule.Options, night func(context.Context, schedule.Due) schema.RunStatus) *house {
	t.Helper()
	begin, err := time.Parse(time.DateTime, from)
	if err != nil {
		t.Fatal(err)
	}
	time.Sleep(time.Until(begin)) // the bubble's clock begins in 2000
	h := &house{t: t, night: night}
	if o.Spec.String() == "" {
		o.Spec = mustParse(t, "10 6 * * *")
	}
	o.Ledger, o.Job, o.Now = h, h.run, h.clock
	o.Log = slog.New(slog.NewTextHandler(&h.logs, nil))
	h.Scheduler = schedule.New(t.Context(), o)
	h.Start()
	return h
}

func complete(context.Context, schedule.Due) schema.RunStatus { return schema.StatusComplete }

func (h *house) clock() time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	return time.Now().Add(h.ahead)
}

// set changes how things stand.
func (h *house) set(change func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	change()
}

// jump sets the clock without the timers.
func (h *house) jump(by time.Duration) {
	h.set(func() { h.ahead += by })
}

func (h *house) Attempts(_ context.Context, day schema.Day) ([]schema.Run, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	var out []schema.Run
	for _, r := range h.runs {
		if r.Day == day {
			out = append(out, r)
		}
	}
	return out, h.broken
}

// run is a night: an entry in the ledger, running and then ended. After a panic
// it stays running, as that of a killed process does.
func (h *house) run(ctx context.Context, due schedule.Due) error {
	now := h.clock()
	h.mu.Lock()
	if h.unasked || h.busy > 0 {
		defer h.mu.Unlock()
		h.runs = append(h.runs, schema.Run{Trigger: "refused", StartedAt: now})
		if h.busy--; h.busy >= 0 {
			return errors.Join(schedule.ErrBusy, errors.New("held by run 7"))
		}
		return errors.New("no such night")
	}
	i := len(h.runs)
	h.runs = append(h.runs, schema.Run{Day: due.Day, Trigger: due.Trigger, StartedAt: now, BeatAt: now, Status: schema.StatusRunning})
	h.now++
	h.most = max(h.most, h.now)
	h.mu.Unlock()
	defer func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.now--
	}()
	status := h.night(ctx, due)
	finished := h.clock()
	h.mu.Lock()
	defer h.mu.Unlock()
	h.runs[i].Status, h.runs[i].FinishedAt = status, finished
	if status == schema.StatusFailed {
		return errors.New("no provider could be read")
	}
	return nil
}

// stop ends the scheduler.
func (h *house) stop() {
	h.t.Helper()
	if err := h.Stop(context.Background()); err != nil {
		h.t.Error(err)
	}
	if h.most > 1 {
		h.t.Errorf("%d nights at once", h.most)
	}
}

// expect compares the starts, as "trigger day hh:mm".
func (h *house) expect(want ...string) {
	h.t.Helper()
	h.mu.Lock()
	defer h.mu.Unlock()
	var got []string
	for _, r := range h.runs {
		got = append(got, r.Trigger+" "+r.StartedAt.UTC().Format("01-02 15:04"))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		h.t.Errorf("starts (-want +got):\n%s\n%s", diff, h.logs.String())
	}
}
