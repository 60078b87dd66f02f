package store

import (
	"context"
	"database/sql"
	_ "embed" // the SQL beside this file
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
)

// maxPostgresConns bounds the pool: one writer, migrations' lock, a few readers.
const maxPostgresConns = 6

var (
	//go:embed lock_postgres.sql
	lockPostgres string
	//go:embed size_postgres.sql
	sizePostgres string
)

// postgresDialect is PostgreSQL, used like SQLite: one writer at a time, by an
// advisory lock, so that both give the same guarantees.
type postgresDialect struct{}

// postgresPool opens connections. No error of it repeats the DSN.
func postgresPool(c Config) (*sql.DB, error) {
	config, err := pgx.ParseConfig(string(c.DSN))
	if err != nil {
		// pgx quotes the string, and finds the password in it only mostly.
		return nil, errors.New("the DSN is not one of PostgreSQL")
	}
	config.RuntimeParams["lock_timeout"] = fmt.Sprint(c.BusyTimeout.Milliseconds())
	if config.RuntimeParams["application_name"] == "" {
		config.RuntimeParams["application_name"] = "mtok"
	}
	if c.Mode == ReadOnly {
		config.RuntimeParams["default_transaction_read_only"] = "on"
	}
	pool := stdlib.OpenDB(*config)
	pool.SetMaxOpenConns(maxPostgresConns)
	return pool, nil
}

func (postgresDialect) lock(ctx context.Context, t *sql.Tx) error {
	_, err := t.ExecContext(ctx, lockPostgres)
	return err
}

func (postgresDialect) size(ctx context.Context, pool *sql.DB) (main, wal int64, err error) {
	err = pool.QueryRowContext(ctx, sizePostgres).Scan(&main)
	return main, 0, err
}

// integrity has nothing to ask: PostgreSQL checks its pages as it reads them.
func (postgresDialect) integrity(context.Context, *sql.DB) ([]string, error) { return nil, nil }

func (postgresDialect) classify(err error) error {
	// The connect error carries the whole configuration, the cause does not.
	if connect := (*pgconn.ConnectError)(nil); errors.As(err, &connect) {
		err = fmt.Errorf("connect to PostgreSQL: %w", connect.Unwrap())
	}
	var e *pgconn.PgError
	if !errors.As(err, &e) {
		return err
	}
	sentinels := map[string]error{
		"3D000": ErrNoDatabase, // no such database
		"25006": ErrReadOnly,   // read-only transaction
		"42501": ErrReadOnly,   // insufficient privilege
		"53100": ErrFull,       // disk full
		"55P03": ErrBusy,       // lock timeout
		"XX001": ErrCorrupt,    // data corrupted
		"XX002": ErrCorrupt,    // index corrupted
	}
	if sentinel := sentinels[e.Code]; sentinel != nil {
		return fmt.Errorf("%w: %w", sentinel, err)
	}
	return err
}
