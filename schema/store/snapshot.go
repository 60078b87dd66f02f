package store

import (
	"context"
	"database/sql"
	"errors"

	"mtok/schema/store/db"
)

// snapshot lets read see one moment of the database, however long it takes.
func (s *Store) snapshot(ctx context.Context, op string, read func(*db.Queries, *sql.Conn) error) error {
	return s.snapshotOf(ctx, s.read, op, read)
}

// snapshotOf is snapshot through another pool.
func (s *Store) snapshotOf(
	ctx context.Context, pool *sql.DB, op string, read func(*db.Queries, *sql.Conn) error,
) (err error) {
	conn, err := pool.Conn(ctx)
	if err != nil {
		return s.fault(op, err)
	}
	defer conn.Close()
	begin := "BEGIN"
	if _, ok := s.dialect.(sqliteDialect); !ok {
		begin = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
	}
	if _, err := conn.ExecContext(ctx, begin); err != nil {
		return s.fault(op, err)
	}
	defer func() {
		// An interrupted export must leave the connection as it was.
		_, end := conn.ExecContext(context.WithoutCancel(ctx), "ROLLBACK")
		err = errors.Join(err, s.fault(op, end))
	}()
	return s.fault(op, read(db.New(conn), conn))
}
