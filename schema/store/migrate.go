package store

import (
	"context"
	"database/sql"
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/database"
)

// versionTable is goose's own, the one table that is not in the migrations.
const versionTable = goose.DefaultTablename

// Version is how far the schema is migrated.
type Version struct {
	Found int64 // when it was opened; 0 for a new database
	Now   int64
}

// migrator is the numbered migrations of one dialect.
type migrator struct {
	*goose.Provider
	versions database.Store
	latest   int64
}

// newMigrator reads the migrations for pool. Options may add a lock.
func newMigrator(dialect goose.Dialect, pool *sql.DB, files fs.FS, options ...goose.ProviderOption) (*migrator, error) {
	options = append(options, goose.WithDisableGlobalRegistry(true))
	provider, err := goose.NewProvider(dialect, pool, files, options...)
	if err != nil {
		return nil, fmt.Errorf("read migrations: %w", err)
	}
	versions, err := database.NewStore(dialect, versionTable)
	if err != nil {
		return nil, err
	}
	sources := provider.ListSources()
	return &migrator{Provider: provider, versions: versions, latest: sources[len(sources)-1].Version}, nil
}

// found reads the version without creating goose's table: the database may be
// open for reading only.
func (m *migrator) found(ctx context.Context, pool *sql.DB) (int64, error) {
	version, err := m.versions.GetLatestVersion(ctx, pool)
	if err != nil {
		return 0, fmt.Errorf("read schema version: %w", err)
	}
	if version > m.latest {
		return 0, fmt.Errorf("%w: its schema is version %d, this mtok knows %d", ErrNewer, version, m.latest)
	}
	return version, nil
}

// up applies what is pending, each migration in one transaction. When another
// process did so at the same moment, its work is accepted, and what it has not come
// to yet is tried again.
func (m *migrator) up(ctx context.Context, pool *sql.DB) error {
	const none = -1 // no table of versions yet
	for {
		before, err := m.found(ctx, pool)
		if err != nil {
			before = none
		}
		if _, err = m.Up(ctx); err == nil {
			return nil
		}
		version, again := m.found(ctx, pool)
		switch {
		case again == nil && version == m.latest:
			return nil
		case again != nil || version <= before:
			return fmt.Errorf("migrate: %w", err)
		}
	}
}
