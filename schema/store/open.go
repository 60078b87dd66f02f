package store

import (
	"context"
	"errors"
	"io/fs"
	"time"

	"mtok/schema/migrations"
	"mtok/schema/store/db"
)

// Mode says what a database is opened for.
type Mode int

// The modes. All but ReadOnly migrate an older database.
const (
	ReadOnly  Mode = iota // must exist, is never changed
	ReadWrite             // must exist
	Create                // is made where there is none
)

// defaultBusyTimeout is longer than the longest write of a night and shorter
// than the patience of a person.
const defaultBusyTimeout = 10 * time.Second

// Config says which database to open: either Path or DSN.
type Config struct {
	Path string // of the SQLite file
	DSN  DSN    // of PostgreSQL
	Mode Mode
	// BusyTimeout is how long to wait for another process's write lock; 10 s
	// when zero.
	BusyTimeout time.Duration
}

// Open opens a database, migrating it where Config.Mode allows. A database that
// is foreign, newer or corrupt is refused and left as it is; see the errors
// ErrNoDatabase, ErrForeign, ErrNewer, ErrOlder and ErrCorrupt. An SQLite file of
// more than 32 MiB that is opened for reading is not searched for damage: there a
// query that meets it fails with ErrCorrupt.
func Open(ctx context.Context, c Config, now func() time.Time) (*Store, error) {
	return open(ctx, c, now, migrations.Files)
}

// open is Open with other migrations: the folders sqlite and postgres of files.
func open(ctx context.Context, c Config, now func() time.Time, files fs.FS) (*Store, error) {
	if (c.Path == "") == (c.DSN == "") {
		return nil, errors.New("open database: either a path or a DSN is needed")
	}
	if c.BusyTimeout == 0 {
		c.BusyTimeout = defaultBusyTimeout
	}
	var s *Store
	var err error
	if c.DSN != "" {
		s, err = openPostgres(ctx, c, files)
	} else {
		s, err = openSQLite(ctx, c, files)
	}
	if err != nil {
		return nil, err
	}
	s.queries = db.New(s.read)
	s.now = now
	return s, nil
}
