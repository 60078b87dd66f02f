package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// applicationID marks an SQLite file as ours: "mtok" in ASCII.
const applicationID = 0x6d746f6b

// maxReaders bounds the read connections: reports are single-threaded, the
// dashboard serves a few people.
const maxReaders = 4

// walLimit is to what the write-ahead log is cut back after a checkpoint.
const walLimit = 64 << 20

// writerCache holds what one night of a market changes, so that no page of it is
// written to the log twice.
const writerCache = 16 << 20

// sqliteDialect is SQLite in WAL mode: one writer connection, a few readers.
type sqliteDialect struct{ path string }

// pool opens connections that all carry the same settings. Path characters that
// mean something in a URI are escaped.
func (d sqliteDialect) pool(c Config, mode string, conns int) (*sql.DB, error) {
	return d.connect(c, mode, mode != "ro", conns)
}

// connect is pool with the choice of turning on WAL: a file that may be somebody
// else's is not changed so.
func (d sqliteDialect) connect(c Config, mode string, wal bool, conns int) (*sql.DB, error) {
	location, err := d.location(c, mode, wal)
	if err != nil {
		return nil, err
	}
	pool, err := sql.Open("sqlite", location)
	if err != nil {
		return nil, err
	}
	pool.SetMaxOpenConns(conns)
	pool.SetMaxIdleConns(conns)
	return pool, nil
}

// location is the file with the settings of its connections, as a URI.
func (d sqliteDialect) location(c Config, mode string, wal bool) (string, error) {
	abs, err := filepath.Abs(d.path)
	if err != nil {
		return "", err
	}
	slashed := filepath.ToSlash(abs)
	if !strings.HasPrefix(slashed, "/") { // a drive letter
		slashed = "/" + slashed
	}
	q := url.Values{
		"mode":          {mode},
		"_txlock":       {"immediate"},
		"_busy_timeout": {strconv.FormatInt(c.BusyTimeout.Milliseconds(), 10)},
		"_foreign_keys": {"1"},
		"_synchronous":  {"FULL"},
		"_dqs":          {"0"},
		"_error_rc":     {"1"},
	}
	if wal {
		q.Set("_journal_mode", "WAL")
		q["_pragma"] = []string{
			fmt.Sprintf("journal_size_limit(%d)", walLimit), fmt.Sprintf("cache_size(-%d)", writerCache>>10),
		}
	}
	location := url.URL{Scheme: "file", Path: slashed, RawQuery: q.Encode()}
	return location.String(), nil
}

// checkPragmas fails where a setting did not hold: the driver ignores unknown
// keys, and some file systems have no WAL.
func checkPragmas(ctx context.Context, pool *sql.DB) error {
	for _, want := range [][2]string{{"journal_mode", "wal"}, {"foreign_keys", "1"}, {"synchronous", "2"}} {
		var got string
		if err := pool.QueryRowContext(ctx, "PRAGMA "+want[0]).Scan(&got); err != nil {
			return err
		}
		if got != want[1] {
			return fmt.Errorf("setting %s is %s, not %s", want[0], got, want[1])
		}
	}
	return nil
}

// pragmaLines returns what a checking pragma complains about.
func pragmaLines(ctx context.Context, pool *sql.DB, pragma string) ([]string, error) {
	rows, err := pool.QueryContext(ctx, "PRAGMA "+pragma)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var lines []string
	for rows.Next() {
		var line string
		if err := rows.Scan(&line); err != nil {
			return nil, err
		}
		if line != "ok" {
			lines = append(lines, line)
		}
	}
	return lines, rows.Err()
}

func (d sqliteDialect) size(context.Context, *sql.DB) (main, wal int64, err error) {
	info, err := os.Stat(d.path)
	if err != nil {
		return 0, 0, err
	}
	if log, err := os.Stat(d.path + "-wal"); err == nil {
		wal = log.Size()
	}
	return info.Size(), wal, nil
}

// lock does nothing: BEGIN IMMEDIATE has taken the write lock.
func (d sqliteDialect) lock(context.Context, *sql.Tx) error { return nil }

func (d sqliteDialect) classify(err error) error {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return err
	}
	sentinels := map[int]error{
		sqlite3.SQLITE_NOTADB:   ErrForeign,
		sqlite3.SQLITE_CORRUPT:  ErrCorrupt,
		sqlite3.SQLITE_BUSY:     ErrBusy,
		sqlite3.SQLITE_FULL:     ErrFull,
		sqlite3.SQLITE_READONLY: ErrReadOnly,
	}
	const primary = 0xff // the rest of a code says more precisely why
	if sentinel := sentinels[e.Code()&primary]; sentinel != nil {
		return fmt.Errorf("%w: %w", sentinel, err)
	}
	return err
}
