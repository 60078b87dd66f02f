package store_test

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mtok/schema/store"
)

// postgresEnv names the variable with the DSN of a PostgreSQL that the tests
// may make schemas in.
const postgresEnv = "MTOK_TEST_POSTGRES_DSN"

// clock is a fixed time in the middle of a millisecond, so that a test sees what
// is cut off.
func clock() time.Time { return time.Date(2026, 8, 22, 6, 10, 0, 123_456_789, time.UTC) }

// backend is a database to run the suite on.
type backend struct {
	name string
	// config names a place without a database, removed after the test.
	config func(t *testing.T) store.Config
}

func backends() []backend {
	return []backend{
		{"sqlite", func(t *testing.T) store.Config {
			return store.Config{Path: filepath.Join(t.TempDir(), "mtok.db")}
		}},
		{"postgres", postgresConfig},
	}
}

// eachBackend runs a test on a fresh database of every kind.
func eachBackend(t *testing.T, test func(t *testing.T, c store.Config)) {
	for _, b := range backends() {
		t.Run(b.name, func(t *testing.T) { test(t, b.config(t)) })
	}
}

// postgresConfig makes a schema of its own.
func postgresConfig(t *testing.T) store.Config {
	dsn := os.Getenv(postgresEnv)
	if dsn == "" {
		t.Skip(postgresEnv + " is not set")
	}
	admin, err := sql.Open("pgx", dsn)
	if err != nil {
		t.Fatal(err)
	}
	name := fmt.Sprintf("mtok_test_%d_%d", os.Getpid(), time.Now().UnixNano())
	if _, err := admin.Exec("CREATE SCHEMA " + name); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if _, err := admin.Exec("DROP SCHEMA " + name + " CASCADE"); err != nil {
			t.Error(err)
		}
		admin.Close()
	})
	return store.Config{DSN: store.DSN(withSearchPath(t, dsn, name))}
}

func withSearchPath(t *testing.T, dsn, schema string) string {
	if !strings.Contains(dsn, "://") {
		return dsn + " search_path=" + schema
	}
	u, err := url.Parse(dsn)
	if err != nil {
		t.Fatal(err)
	}
	q := u.Query()
	q.Set("search_path", schema)
	u.RawQuery = q.Encode()
	return u.String()
}

// mustOpen opens a database for a test and closes it after.
func mustOpen(t *testing.T, c store.Config, mode store.Mode) *store.Store {
	t.Helper()
	c.Mode = mode
	s, err := store.Open(context.Background(), c, clock)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// mustExec runs a statement behind the store's back.
func mustExec(t *testing.T, pool *sql.DB, statement string, args ...any) {
	t.Helper()
	if _, err := pool.Exec(statement, args...); err != nil {
		t.Fatal(err)
	}
}
