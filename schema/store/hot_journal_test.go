package store_test

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"testing"

	"mtok/schema"
	"mtok/schema/store"
)

// TestDeadWritersJournalIsRolledBack opens a database beside which a process
// died with a rollback journal, as it does while it makes the file: a reader and
// a writer both find the last whole state.
func TestDeadWritersJournalIsRolledBack(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "mtok.db")
	s := mustOpen(t, store.Config{Path: path}, store.Create)
	saveDay(t, s, firstNight, 3_990_000)
	want := prices(t, s, schema.ObservationFilter{})
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for _, mode := range []store.Mode{store.ReadOnly, store.ReadWrite} {
		left := deadWriter(t, path)
		again, err := store.Open(ctx, store.Config{Path: left, Mode: mode}, clock)
		if err != nil {
			t.Fatalf("mode %d: %v", mode, err)
		}
		if got := prices(t, again, schema.ObservationFilter{}); len(got) != 1 || got[0] != want[0] {
			t.Errorf("mode %d: %v, want %v", mode, got, want)
		}
		if err := again.Close(); err != nil {
			t.Error(err)
		}
	}
}

// deadWriter copies a database in the middle of a transaction that has begun to
// overwrite it, with its journal: what a killed process leaves.
func deadWriter(t *testing.T, path string) string {
	t.Helper()
	pool, err := sql.Open("sqlite", "file:"+path+"?_pragma=journal_mode(DELETE)&_pragma=cache_size(1)&_pragma=cache_spill(1)")
	if err != nil {
		t.Fatal(err)
	}
	pool.SetMaxOpenConns(1)
	defer pool.Close()
	tx, err := pool.Begin()
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	mustExecTx(t, tx, "CREATE TABLE half (body BLOB)")
	for range 200 {
		mustExecTx(t, tx, "INSERT INTO half VALUES (randomblob(4000))")
	}
	mustExecTx(t, tx, "UPDATE observations SET usd_gpu_hour = 1")
	mustExecTx(t, tx, "DELETE FROM half")
	for range 200 {
		mustExecTx(t, tx, "INSERT INTO half VALUES (randomblob(4000))")
	}
	copied := filepath.Join(t.TempDir(), "left.db")
	for _, end := range []string{"", "-journal"} {
		data, err := os.ReadFile(path + end)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(copied+end, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return copied
}

func mustExecTx(t *testing.T, tx *sql.Tx, query string) {
	t.Helper()
	if _, err := tx.Exec(query); err != nil {
		t.Fatal(err)
	}
}
