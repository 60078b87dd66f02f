package store

import (
	"context"
	"database/sql"
	_ "embed" // the SQL beside this file
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

//go:embed probe_postgres.sql
var probePostgres string

// ownTables is how many tables the probe looks for to know a schema as ours.
const ownTables = 5

// openPostgres opens the current schema of a database that exists.
func openPostgres(ctx context.Context, c Config, files fs.FS) (*Store, error) {
	d := postgresDialect{}
	pool, err := postgresPool(c)
	if err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	version, err := d.open(ctx, c, pool, files)
	if err != nil {
		pool.Close()
		return nil, fmt.Errorf("open database: %w", d.classify(err))
	}
	s := &Store{dialect: d, read: pool, version: version}
	if c.Mode != ReadOnly {
		s.write = pool
	}
	return s, nil
}

func (d postgresDialect) open(ctx context.Context, c Config, pool *sql.DB, files fs.FS) (Version, error) {
	folder, err := fs.Sub(files, "postgres")
	if err != nil {
		return Version{}, err
	}
	// Try each second for a minute; goose's own default would be five minutes.
	locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(1, 60))
	if err != nil {
		return Version{}, err
	}
	m, err := newMigrator(goose.DialectPostgres, pool, folder, goose.WithSessionLocker(locker))
	if err != nil {
		return Version{}, err
	}
	found, err := d.probe(ctx, c.Mode, pool, m)
	if err != nil {
		return Version{}, err
	}
	if found < m.latest {
		if c.Mode == ReadOnly {
			return Version{}, fmt.Errorf("%w: its schema is version %d, this mtok needs %d", ErrOlder, found, m.latest)
		}
		if err := m.up(ctx, pool); err != nil {
			return Version{}, err
		}
	}
	return Version{Found: found, Now: m.latest}, nil
}

// probe returns the version of our tables in the current schema, 0 for none.
func (d postgresDialect) probe(ctx context.Context, mode Mode, pool *sql.DB, m *migrator) (int64, error) {
	var schema string
	var tables, versioned, own int64
	if err := pool.QueryRowContext(ctx, probePostgres).Scan(&schema, &tables, &versioned, &own); err != nil {
		return 0, err
	}
	switch {
	case schema == "":
		return 0, fmt.Errorf("%w: the search path names no schema", ErrNoDatabase)
	case tables == 0 && mode != Create:
		return 0, fmt.Errorf("%w: schema %q has no tables", ErrNoDatabase, schema)
	case tables == 0:
		return 0, nil
	case versioned == 0:
		return 0, fmt.Errorf("%w: schema %q holds other tables", ErrForeign, schema)
	}
	version, err := m.found(ctx, pool)
	if err == nil && version > 0 && own != ownTables {
		err = fmt.Errorf("%w: schema %q holds other tables", ErrForeign, schema)
	}
	return version, err
}
