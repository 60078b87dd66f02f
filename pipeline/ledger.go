package pipeline

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strconv"
	"strings"
	"time"

	"mtok/schema"
)

const (
	// beatInterval is how often the holder of the run lock gives a sign of life.
	beatInterval = 30 * time.Second
	// deadAfter is when a silent holder counts as dead, wherever it runs.
	deadAfter = 4 * beatInterval
)

// ErrRunning means that another process holds the run lock.
var ErrRunning = errors.New("another run is in progress")

// Ledger takes and gives back the run lock.
type Ledger struct {
	Store Store
	Owner Owner
	Now   func() time.Time
	Log   *slog.Logger
}

// Owner names the holder of the lock: host, process and one start of it.
type Owner struct {
	// Host stands for where process numbers mean the same: see hostIdentity.
	Host  string
	PID   int
	Start string
	// Alive reports whether a process of this host exists.
	Alive func(pid int) bool
}

// ThisProcess is the Owner for the running process.
func ThisProcess() (Owner, error) {
	host, err := hostIdentity()
	if err != nil {
		return Owner{}, fmt.Errorf("name of this host: %w", err)
	}
	return Owner{Host: host, PID: os.Getpid(), Start: rand.Text(), Alive: processAlive}, nil
}

// String is the form kept in the ledger.
func (o Owner) String() string { return fmt.Sprintf("%s/%d/%s", o.Host, o.PID, o.Start) }

// Begin takes the lock for a run and keeps it alive until Finish. A lock whose
// process is gone is taken over, so that a killed night heals by itself.
func (l Ledger) Begin(ctx context.Context, run schema.Run) (*Lease, error) {
	run.Owner, run.StartedAt, run.BeatAt = l.Owner.String(), l.Now(), l.Now()
	run.Status = schema.StatusRunning
	started, err := l.Store.StartRun(ctx, run)
	var held Holder
	if errors.As(err, &held) {
		holder := held.Holder()
		if !l.dead(holder) {
			return nil, fmt.Errorf("%w: run %d for %s by %s since %s", ErrRunning, holder.ID, holder.Day,
				holder.Owner, holder.StartedAt.UTC().Format(time.RFC3339))
		}
		l.Log.Warn("the process of an earlier run is gone: its lock is taken over",
			slog.Int64("run", holder.ID), slog.String("owner", holder.Owner))
		abandonErr := l.Store.AbandonRun(ctx, holder.ID)
		// Somebody else may have been quicker: then there is nothing to abandon,
		// and the lock is held again.
		started, err = l.Store.StartRun(ctx, run)
		if errors.As(err, &held) {
			return nil, errors.Join(fmt.Errorf("%w: run %d for %s by %s", ErrRunning, held.Holder().ID, held.Holder().Day,
				held.Holder().Owner), abandonErr)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("start run for %s: %w", run.Day, err)
	}
	beatCtx, stop := context.WithCancel(ctx)
	lease := &Lease{Run: started, store: l.Store, stop: stop, done: make(chan struct{})}
	go lease.beat(beatCtx, l.Log)
	return lease, nil
}

// dead judges the holder of a lock: where process numbers mean the same, by its
// process, elsewhere by its silence. Our own number with another start is an
// earlier process that had it.
func (l Ledger) dead(r schema.Run) bool {
	parts := strings.Split(r.Owner, "/")
	if len(parts) == 3 && parts[0] == l.Owner.Host {
		pid, err := strconv.Atoi(parts[1])
		if err == nil && pid == l.Owner.PID {
			return parts[2] != l.Owner.Start
		}
		if err == nil && !l.Owner.Alive(pid) {
			return true
		}
	}
	return l.Now().Sub(r.BeatAt) > deadAfter
}

// Lease is a held run lock.
type Lease struct {
	Run   schema.Run
	store Store
	stop  context.CancelFunc
	done  chan struct{}
}

func (l *Lease) beat(ctx context.Context, log *slog.Logger) {
	defer close(l.done)
	ticker := time.NewTicker(beatInterval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			if err := l.store.BeatRun(ctx, l.Run.ID); err != nil && ctx.Err() == nil {
				log.Warn("sign of life of the run not written", slog.Int64("run", l.Run.ID), slog.Any("error", err))
			}
		}
	}
}

// Finish ends the run with its status and frees the lock, also after the
// context was cancelled.
func (l *Lease) Finish(ctx context.Context, status schema.RunStatus) error {
	l.stop()
	<-l.done
	if err := l.store.FinishRun(context.WithoutCancel(ctx), l.Run.ID, status); err != nil {
		return fmt.Errorf("finish run %d: %w", l.Run.ID, err)
	}
	return nil
}
