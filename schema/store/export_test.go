package store

import (
	"context"
	"database/sql"
	"io/fs"
	"time"

	"mtok/schema"
)

// ApplicationID is applicationID.
const ApplicationID = applicationID

// OpenWith is Open with other migrations.
func OpenWith(ctx context.Context, c Config, now func() time.Time, files fs.FS) (*Store, error) {
	return open(ctx, c, now, files)
}

// Writer returns the pool that writes, Reader the one that reads.
func (s *Store) Writer() *sql.DB { return s.write }
func (s *Store) Reader() *sql.DB { return s.read }

// SaveNightThen is SaveProviderNight with a last step before the commit.
func (s *Store) SaveNightThen(ctx context.Context, n schema.ProviderNight, last func() error) error {
	return s.update(ctx, "save", func(t *tx) error {
		if err := s.saveNight(ctx, t, n); err != nil {
			return err
		}
		return last()
	})
}
