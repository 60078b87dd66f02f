package store

import (
	"errors"
	"fmt"
	"time"

	"mtok/schema"
)

// The reasons why a database is not opened. None is ever repaired.
var (
	// ErrNoDatabase means that there is none where it was looked for.
	ErrNoDatabase = errors.New("no database")
	// ErrForeign means that the file or schema is another program's, or that
	// the file is no SQLite database at all.
	ErrForeign = errors.New("not a database of mtok")
	// ErrNewer means that a newer mtok migrated it.
	ErrNewer = errors.New("database is of a newer mtok")
	// ErrOlder means that it must be migrated first, which reading cannot do.
	ErrOlder = errors.New("database needs to be migrated")
	// ErrCorrupt means that the database is damaged.
	ErrCorrupt = errors.New("database is corrupt")
)

// The reasons why an operation failed.
var (
	// ErrBusy means that another process held the write lock for too long.
	ErrBusy = errors.New("database is locked by another process")
	// ErrFull means that the disk or the database is full.
	ErrFull = errors.New("no space left for the database")
	// ErrReadOnly means that a write was tried on a database that is open, or
	// only can be opened, for reading.
	ErrReadOnly = errors.New("database is read-only")
	// ErrNotFound means that there is no such row.
	ErrNotFound = errors.New("not found")
	// ErrHash means that a body is not the one that its hash names.
	ErrHash = errors.New("content does not match its hash")
	// ErrNotHeld means that a page is known by its hash alone: retention dropped
	// its body, or it came with the export of another database.
	ErrNotHeld = errors.New("the page is not held any more")
	// ErrRunning means that the job's lock is held, see RunningError.
	ErrRunning = errors.New("already running")
	// ErrRunOver means that the run is not running any more: it was finished,
	// or another process took it for dead.
	ErrRunOver = errors.New("run is over")
	// ErrCollision means that two rows claim one key: an offer observed twice
	// in one night, or an own observation where an imported one stands.
	ErrCollision = errors.New("two rows for one key")
)

// RunningError carries the run that holds the lock, so that the caller can judge
// whether its owner is still alive.
type RunningError struct{ Run schema.Run }

// Error names the run, its owner and its last sign of life.
func (e *RunningError) Error() string {
	return fmt.Sprintf("%s run %d of %s is already running (owner %s, started %s, last sign of life %s)",
		e.Run.Job, e.Run.ID, e.Run.Day, e.Run.Owner,
		e.Run.StartedAt.Format(time.RFC3339), e.Run.BeatAt.Format(time.RFC3339))
}

// Unwrap returns ErrRunning.
func (e *RunningError) Unwrap() error { return ErrRunning }

// Holder returns the run that holds the lock.
func (e *RunningError) Holder() schema.Run { return e.Run }
