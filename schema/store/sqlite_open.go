package store

import (
	"context"
	"database/sql"
	_ "embed" // the SQL beside this file
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/pressly/goose/v3"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

//go:embed probe_sqlite.sql
var probeSQLite string

// smallestFile is the least that SQLite writes, one page. It would take a shorter
// file for an empty database and overwrite it.
const smallestFile = 512

// quickCheckLimit bounds the file of which a reader checks every page first: a
// second of work. A writer does so whatever the size.
const quickCheckLimit = 32 << 20

// sqliteState is what a file turned out to be.
type sqliteState struct {
	fresh   bool  // no table yet
	version int64 // of the schema
}

// openSQLite looks at the file through a read-only connection before anything
// could change it.
func openSQLite(ctx context.Context, c Config, files fs.FS) (*Store, error) {
	d := sqliteDialect{path: c.Path}
	s, err := d.open(ctx, c, files)
	if err != nil {
		return nil, fmt.Errorf("open database %s: %w", c.Path, d.classify(err))
	}
	return s, nil
}

func (d sqliteDialect) open(ctx context.Context, c Config, files fs.FS) (*Store, error) {
	folder, err := fs.Sub(files, "sqlite")
	if err != nil {
		return nil, err
	}
	size, err := d.stat(c.Mode)
	if err != nil {
		return nil, err
	}
	state := sqliteState{fresh: true}
	if size > 0 {
		readers, err := d.pool(c, "ro", maxReaders)
		if err != nil {
			return nil, err
		}
		m, err := newMigrator(goose.DialectSQLite3, readers, folder)
		if err == nil {
			state, err = d.probe(ctx, c.Mode, size, readers, m)
		}
		if needsRollback(err) {
			// A process died while it made the file. SQLite rolls back what it left
			// by itself, but only through a connection that may write.
			if err = d.rollBack(ctx, c); err == nil {
				state, err = d.probe(ctx, c.Mode, size, readers, m)
			}
		}
		if err == nil && c.Mode == ReadOnly && state.version < m.latest {
			err = fmt.Errorf("%w: its schema is version %d, this mtok needs %d", ErrOlder, state.version, m.latest)
		}
		if err == nil && c.Mode == ReadOnly {
			return &Store{dialect: d, read: readers, version: Version{state.version, m.latest}}, nil
		}
		readers.Close()
		if err != nil {
			return nil, err
		}
	}
	return d.openWriter(ctx, c, folder, state)
}

// needsRollback reports whether a reader met the journal or log of a process
// that died, which it may not put in order.
func needsRollback(err error) bool {
	var failed *sqlite.Error
	return errors.As(err, &failed) &&
		(failed.Code() == sqlite3.SQLITE_READONLY_ROLLBACK || failed.Code() == sqlite3.SQLITE_READONLY_RECOVERY)
}

// rollBack lets SQLite put the file in order, by reading it once through a
// connection that may write.
func (d sqliteDialect) rollBack(ctx context.Context, c Config) error {
	writer, err := d.connect(c, "rw", false, 1)
	if err != nil {
		return err
	}
	defer writer.Close()
	_, err = writer.ExecContext(ctx, "PRAGMA schema_version")
	return err
}

func (d sqliteDialect) openWriter(ctx context.Context, c Config, folder fs.FS, state sqliteState) (*Store, error) {
	mode := "rw"
	if c.Mode == Create {
		mode = "rwc"
	}
	writer, err := d.pool(c, mode, 1)
	if err != nil {
		return nil, err
	}
	m, err := newMigrator(goose.DialectSQLite3, writer, folder)
	if err == nil {
		err = d.prepare(ctx, writer, m, state, c.BusyTimeout)
	}
	if err != nil {
		writer.Close()
		return nil, err
	}
	readers, err := d.pool(c, "ro", maxReaders)
	if err != nil {
		writer.Close()
		return nil, err
	}
	return &Store{dialect: d, read: readers, write: writer, version: Version{state.version, m.latest}}, nil
}

// prepare marks a fresh file as ours before the first table, so that a process
// that dies in between leaves a file that is still known, and migrates.
func (d sqliteDialect) prepare(
	ctx context.Context, writer *sql.DB, m *migrator, state sqliteState, patience time.Duration,
) error {
	// Of two processes that turn on WAL at one moment one is told at once that
	// the file is busy: SQLite does not wait there.
	err := d.whileBusy(ctx, patience, func() error { return checkPragmas(ctx, writer) })
	if err != nil {
		return err
	}
	if state.fresh {
		if _, err := writer.ExecContext(ctx, "PRAGMA application_id = "+strconv.Itoa(applicationID)); err != nil {
			return err
		}
	}
	if state.version == m.latest {
		return nil
	}
	if state.version > 0 {
		if err := d.backUp(ctx, writer, state.version); err != nil {
			return fmt.Errorf("back up before migrating: %w", err)
		}
	}
	return m.up(ctx, writer)
}

// whileBusy tries again until the file is free or patience ends.
func (d sqliteDialect) whileBusy(ctx context.Context, patience time.Duration, try func() error) error {
	const pause = 20 * time.Millisecond
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		err := try()
		if err == nil || !errors.Is(d.classify(err), ErrBusy) {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(pause):
		}
	}
}

// stat returns the bytes of the file, 0 where there is none. The file is never
// opened but by SQLite: closing a second descriptor drops its locks.
func (d sqliteDialect) stat(mode Mode) (int64, error) {
	info, err := os.Stat(d.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if mode != Create {
			return 0, fmt.Errorf("%w: no such file", ErrNoDatabase)
		}
		return 0, os.MkdirAll(filepath.Dir(d.path), 0o755)
	case err != nil:
		return 0, err
	case info.IsDir():
		return 0, fmt.Errorf("%w: it is a directory", ErrForeign)
	case info.Size() == 0 && mode != Create:
		return 0, fmt.Errorf("%w: the file is empty", ErrNoDatabase)
	}
	if info.Size() > 0 && info.Size() < smallestFile {
		return 0, fmt.Errorf("%w: its %d bytes are no SQLite database", ErrForeign, info.Size())
	}
	return info.Size(), nil
}

// probe tells whether the file is ours, sound as far as it is checked, and of a
// version that we know.
func (d sqliteDialect) probe(
	ctx context.Context, mode Mode, size int64, pool *sql.DB, m *migrator,
) (sqliteState, error) {
	var id, tables, versioned int64
	if err := pool.QueryRowContext(ctx, probeSQLite).Scan(&id, &tables, &versioned); err != nil {
		return sqliteState{}, err
	}
	if id != applicationID && (id != 0 || tables > 0) {
		return sqliteState{}, fmt.Errorf("%w: its application id is %#x", ErrForeign, id)
	}
	if id == 0 && mode != Create {
		return sqliteState{}, fmt.Errorf("%w: the file has no tables", ErrNoDatabase)
	}
	if mode != ReadOnly || size <= quickCheckLimit {
		if err := quickCheck(ctx, pool); err != nil {
			return sqliteState{}, err
		}
	}
	state := sqliteState{fresh: tables == 0}
	if versioned == 0 {
		return state, nil
	}
	var err error
	state.version, err = m.found(ctx, pool)
	return state, err
}

// quickCheck reads every page but does not compare indices with their tables.
func quickCheck(ctx context.Context, pool *sql.DB) error {
	problems, err := pragmaLines(ctx, pool, "quick_check(5)")
	if err == nil && len(problems) > 0 {
		err = fmt.Errorf("%w: %s", ErrCorrupt, strings.Join(problems, "; "))
	}
	return err
}

// backUp copies the database as it is to PATH.vN.bak.
func (d sqliteDialect) backUp(ctx context.Context, writer *sql.DB, version int64) error {
	target := fmt.Sprintf("%s.v%d.bak", d.path, version)
	partial := target + ".partial"
	if err := os.Remove(partial); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if _, err := writer.ExecContext(ctx, "VACUUM INTO ?", partial); err != nil {
		return err
	}
	if err := syncFile(partial); err != nil { // VACUUM INTO does not
		return err
	}
	return os.Rename(partial, target)
}

func syncFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
