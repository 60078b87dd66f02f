package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"mtok/schema/store/db"
)

// Store is an open database. It is safe for concurrent use.
type Store struct {
	dialect dialect
	read    *sql.DB
	write   *sql.DB // nil when opened for reading
	queries *db.Queries
	now     func() time.Time
	version Version
	within  *tx // of a rehearsal, else nil
}

// dialect is what differs between the databases beyond the queries.
type dialect interface {
	// putObservations writes rows by key and returns how many it wrote; an
	// imported row in the way of an own one, or the reverse, is left alone.
	putObservations(ctx context.Context, t *tx, rows []db.Observation) (int64, error)
	// putOffers inserts offers that are not known yet, in order, and returns their
	// ids.
	putOffers(ctx context.Context, t *tx, rows []db.Offer) ([]int64, error)
	// putDailyPrices inserts the daily prices of days that have none.
	putDailyPrices(ctx context.Context, t *tx, rows []db.DailyPrice) error
	// fillDailyPrices runs what fills the empty table of daily prices. Until it ends
	// the table may lack its index by day.
	fillDailyPrices(ctx context.Context, t *tx, fill func() error) error
	// integrity lists what the database itself finds wrong with its files.
	integrity(ctx context.Context, pool *sql.DB) ([]string, error)
	// size returns the bytes of the database and of its write-ahead log.
	size(ctx context.Context, pool *sql.DB) (main, wal int64, err error)
	// lock makes t the only writer until it ends.
	lock(ctx context.Context, t *sql.Tx) error
	// classify wraps a driver's error in the sentinel that it stands for.
	classify(err error) error
}

// tx is a write transaction.
type tx struct {
	*db.Queries
	sql  *sql.Tx
	conn *sql.Conn // the connection of sql, for COPY
}

// Close closes all connections. The writer goes last: it folds the write-ahead
// log into the file.
func (s *Store) Close() error {
	err := s.read.Close()
	if s.write != nil && s.write != s.read {
		err = errors.Join(err, s.write.Close())
	}
	return err
}

// Version returns the schema's version.
func (s *Store) Version() Version { return s.version }

// update runs one write transaction: an error of do leaves nothing behind.
func (s *Store) update(ctx context.Context, op string, do func(*tx) error) error {
	if s.within != nil {
		return s.fault(op, do(s.within))
	}
	if s.write == nil {
		return fmt.Errorf("%s: %w", op, ErrReadOnly)
	}
	conn, err := s.write.Conn(ctx)
	if err != nil {
		return s.fault(op, err)
	}
	defer conn.Close()
	t, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return s.fault(op, err)
	}
	// After Commit this does nothing. After a full disk SQLite has rolled back
	// by itself, so that an error here says nothing new.
	defer t.Rollback()
	if err := s.dialect.lock(ctx, t); err != nil {
		return s.fault(op, err)
	}
	if err := do(&tx{Queries: db.New(newPrepared(t)), sql: t, conn: conn}); err != nil {
		return s.fault(op, interrupted(ctx, err))
	}
	return s.fault(op, interrupted(ctx, t.Commit()))
}

// interrupted names the interruption behind an error: database/sql rolls back
// by itself when the context ends, and then says only that the transaction is
// over.
func interrupted(ctx context.Context, err error) error {
	if err == nil || ctx.Err() == nil || errors.Is(err, ctx.Err()) {
		return err
	}
	return fmt.Errorf("%w: %w", ctx.Err(), err)
}

// fault adds what was being done and the sentinel; nil stays nil.
func (s *Store) fault(op string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", op, s.dialect.classify(err))
}
