package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// The reasons why a copy is not made.
var (
	// ErrExists means that a file is there already, which is never overwritten.
	ErrExists = errors.New("it is there already")
	// ErrPostgres means that PostgreSQL's own tools do it.
	ErrPostgres = errors.New("PostgreSQL does that itself: pg_dump, pg_restore")
)

// leftoverAge is how old the unfinished copy of a process must be to be taken for
// one that died: a living one writes all the time.
const leftoverAge = time.Hour

// Backup copies the whole database, as it is at one moment, to a file of its own.
// Others may write meanwhile. The copy is checked and appears under its name when
// it is complete and on disk. What is there already is ErrExists, but where it may
// be replaced.
func (s *Store) Backup(ctx context.Context, to string, replace bool) error {
	d, ok := s.dialect.(sqliteDialect)
	if !ok {
		return fmt.Errorf("back up: %w", ErrPostgres)
	}
	if err := d.copyTo(ctx, s, to, replace); err != nil {
		return fmt.Errorf("back up to %s: %w", to, err)
	}
	return nil
}

func (d sqliteDialect) copyTo(ctx context.Context, s *Store, to string, replace bool) error {
	same, err := sameFile(d.path, to)
	switch {
	case err != nil:
		return err
	case same:
		return fmt.Errorf("%w: it is the database itself", ErrExists)
	case !replace:
		if err := absent(to); err != nil {
			return err
		}
	}
	// Beside a log lies a database in use: the log is no part of the new one.
	for _, end := range databaseEnds()[1:] {
		if err := absent(to + end); err != nil {
			return err
		}
	}
	partial, err := partialOf(to, s.now())
	if err != nil {
		return err
	}
	defer removeDatabase(partial)
	if err := d.vacuumInto(ctx, s.read, partial); err != nil {
		return err
	}
	copied, err := Open(ctx, Config{Path: partial, Mode: ReadOnly}, s.now)
	if err != nil {
		return err
	}
	// Opening looks for damage in a small file alone.
	if err := errors.Join(quickCheck(ctx, copied.read), copied.Close()); err != nil {
		return d.classify(err)
	}
	return publish(partial, to, replace)
}

// vacuumInto copies what pool reads at one moment to an empty file.
func (d sqliteDialect) vacuumInto(ctx context.Context, pool *sql.DB, to string) error {
	_, err := pool.ExecContext(ctx, "VACUUM INTO ?", to)
	return d.classify(interrupted(ctx, err))
}

// Restore makes the database at path to from a backup, checked first, and migrates
// one of an older mtok. A database that is there, or what is left of one, is
// ErrExists: nothing is ever overwritten.
func Restore(ctx context.Context, from, to string, now func() time.Time) error {
	if err := (sqliteDialect{path: from}).restoreTo(ctx, to, now); err != nil {
		return fmt.Errorf("restore %s to %s: %w", from, to, err)
	}
	return nil
}

func (d sqliteDialect) restoreTo(ctx context.Context, to string, now func() time.Time) error {
	// A log left beside would be replayed into the restored file.
	for _, end := range databaseEnds() {
		if err := absent(to + end); err != nil {
			return err
		}
	}
	backup, err := Open(ctx, Config{Path: d.path, Mode: ReadOnly}, now)
	if err != nil && !errors.Is(err, ErrOlder) {
		return err
	}
	if err == nil {
		if err := backup.Close(); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	partial, err := partialOf(to, now())
	if err != nil {
		return err
	}
	defer removeDatabase(partial)
	reader, err := d.pool(Config{BusyTimeout: defaultBusyTimeout}, "ro", 1)
	if err != nil {
		return err
	}
	if err := errors.Join(d.vacuumInto(ctx, reader, partial), reader.Close()); err != nil {
		return err
	}
	if err := checkRestored(ctx, partial, now); err != nil {
		return err
	}
	return publish(partial, to, false)
}

// checkRestored migrates the copy and looks for damage, all of Check.
func checkRestored(ctx context.Context, partial string, now func() time.Time) error {
	s, err := Open(ctx, Config{Path: partial, Mode: ReadWrite}, now)
	if err != nil {
		return err
	}
	problems, err := s.Check(ctx)
	if err := errors.Join(err, s.Close()); err != nil {
		return err
	}
	if len(problems) > 0 {
		return fmt.Errorf("%w: %s", ErrCorrupt, strings.Join(problems, "; "))
	}
	return nil
}

// databaseEnds are the files of one database.
func databaseEnds() []string { return []string{"", "-wal", "-shm", "-journal"} }

func absent(path string) error {
	_, err := os.Lstat(path)
	switch {
	case err == nil:
		return fmt.Errorf("%w: %s", ErrExists, path)
	case errors.Is(err, fs.ErrNotExist):
		return nil
	}
	return err
}

func sameFile(a, b string) (bool, error) {
	x, err := os.Stat(a)
	if err != nil {
		return false, err
	}
	y, err := os.Stat(b)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil && os.SameFile(x, y), err
}

// partialOf returns a new name beside a file, and removes what processes left
// there that died.
func partialOf(path string, now time.Time) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	prefix := "." + filepath.Base(abs) + ".partial-"
	entries, err := os.ReadDir(filepath.Dir(abs))
	if err != nil {
		return "", err
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), prefix) {
			continue
		}
		info, err := e.Info()
		if err == nil && now.Sub(info.ModTime()) > leftoverAge {
			err = os.Remove(filepath.Join(filepath.Dir(abs), e.Name()))
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	f, err := os.CreateTemp(filepath.Dir(abs), prefix+"*") // empty: VACUUM INTO takes it
	if err != nil {
		return "", err
	}
	return f.Name(), f.Close()
}

// removeDatabase removes an unfinished copy; after publish there is none.
func removeDatabase(path string) {
	old, _ := filepath.Glob(path + ".v*.bak*") // that a migration made; the name is ours
	for _, file := range old {
		os.Remove(file)
	}
	for _, end := range databaseEnds() {
		os.Remove(path + end)
	}
}

// publish gives a complete file its name. Without replace the name must be free up
// to the last moment.
func publish(partial, to string, replace bool) error {
	if err := syncFile(partial); err != nil { // VACUUM INTO does not
		return err
	}
	var err error
	if replace {
		err = os.Rename(partial, to)
	} else if err = os.Link(partial, to); errors.Is(err, fs.ErrExist) {
		err = fmt.Errorf("%w: %s", ErrExists, to)
	} else if err != nil { // a file system without links
		if err = absent(to); err == nil {
			err = os.Rename(partial, to)
		}
	}
	if err != nil {
		return err
	}
	return syncDirectory(filepath.Dir(to))
}

// syncDirectory puts a new name on disk; a system that can't says so and keeps it
// all the same.
func syncDirectory(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	f.Sync()
	return f.Close()
}
