package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	_ "embed" // the SQL beside this file
	"errors"
	"fmt"
	"io"

	"modernc.org/sqlite"
)

//go:embed export_rows.sql
var exportRows string

//go:embed export_rows_sqlite.sql
var exportRowsSQLite string

// exportBatch is how many rows export_rows.sql reads at a time, so that a day of any
// size fits.
const exportBatch = 10_000

// rowReader hands the rows of a part of a day to take, each valid until it returns.
type rowReader func(ctx context.Context, conn *sql.Conn, take func(rawRow), args ...any) error

// rowsReader returns a pool of connections for an export and how rows are read through them.
func (s *Store) rowsReader() (pool *sql.DB, read rowReader, done func() error, err error) {
	d, ok := s.dialect.(sqliteDialect)
	if !ok {
		return s.read, scanRows, func() error { return nil }, nil
	}
	// A driver of its own, so that no other connection has the function. It stays
	// registered for good: what it holds on to must be small.
	taker := &rowTaker{}
	var own sqlite.Driver
	err = own.RegisterFunction("take_row", &sqlite.FunctionImpl{
		NArgs: rowWidth, VolatileArgs: true,
		Scalar: func(_ *sqlite.FunctionContext, row []driver.Value) (driver.Value, error) {
			if taker.take == nil {
				return nil, errors.New("no row was asked for")
			}
			taker.take(row)
			return nil, nil
		},
	})
	if err != nil {
		return nil, nil, nil, err
	}
	location, err := d.location(Config{BusyTimeout: defaultBusyTimeout}, "ro", false)
	if err != nil {
		return nil, nil, nil, err
	}
	pool = sql.OpenDB(connector{&own, location})
	pool.SetMaxOpenConns(1)
	return pool, taker.read, pool.Close, nil
}

// connector opens connections of a driver that has no name.
type connector struct {
	driver *sqlite.Driver
	dsn    string
}

func (c connector) Connect(context.Context) (driver.Conn, error) { return c.driver.Open(c.dsn) }
func (c connector) Driver() driver.Driver                        { return c.driver }

// rowTaker reads rows as the arguments of an SQL function, one query at a time.
type rowTaker struct{ take func(rawRow) }

// read speaks to the driver itself: database/sql would convert and copy each row.
func (t *rowTaker) read(ctx context.Context, conn *sql.Conn, take func(rawRow), args ...any) error {
	t.take = take
	defer func() { t.take = nil }()
	return conn.Raw(func(raw any) (err error) {
		queryer, ok := raw.(driver.QueryerContext)
		if !ok {
			return fmt.Errorf("%T takes no query", raw)
		}
		named := make([]driver.NamedValue, len(args))
		for i, arg := range args {
			named[i] = driver.NamedValue{Ordinal: i + 1, Value: arg}
		}
		rows, err := queryer.QueryContext(ctx, exportRowsSQLite, named)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, rows.Close()) }()
		for null := make([]driver.Value, 1); ; {
			if err := rows.Next(null); errors.Is(err, io.EOF) {
				return nil
			} else if err != nil {
				return err
			}
		}
	})
}

// scanRows reads rows as the driver gives them.
func scanRows(ctx context.Context, conn *sql.Conn, take func(rawRow), args ...any) error {
	return eachRow(ctx, conn, rowWidth, func(r rawRow) error {
		take(r)
		return nil
	}, exportRows, args...)
}
