package store_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"mtok/schema"
	"mtok/schema/store"
)

func anyContains(list []string, part string) bool {
	for _, s := range list {
		if strings.Contains(s, part) {
			return true
		}
	}
	return false
}

func sqliteConfig(t *testing.T) store.Config {
	return store.Config{Path: filepath.Join(t.TempDir(), "mtok.db")}
}

// A pragma holds for one connection: each of the pool must have them all.
func TestPragmasOnEveryConnection(t *testing.T) {
	ctx := context.Background()
	s := mustOpen(t, sqliteConfig(t), store.Create)
	second, err := s.Reader().Conn(ctx) // held, so that the next is another one
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	third, err := s.Reader().Conn(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer third.Close()
	writer, err := s.Writer().Conn(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer writer.Close()
	want := map[string]string{
		"journal_mode": "wal", "foreign_keys": "1", "synchronous": "2", "busy_timeout": "10000",
		"application_id": "1836347243",
	}
	for name, conn := range map[string]*sql.Conn{"reader": second, "other reader": third, "writer": writer} {
		got := map[string]string{}
		for pragma := range want {
			var value string
			if err := conn.QueryRowContext(ctx, "PRAGMA "+pragma).Scan(&value); err != nil {
				t.Fatal(err)
			}
			got[pragma] = value
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	if _, err := second.ExecContext(ctx, "DELETE FROM runs"); err == nil {
		t.Error("a reader can write")
	}
}

// A transaction that reads first and asks for the write lock later can fail
// without any wait, so that it must have the lock from the start.
func TestTransactionsBeginWithTheLock(t *testing.T) {
	c := sqliteConfig(t)
	c.BusyTimeout = 50 * time.Millisecond
	holder, waiter := mustOpen(t, c, store.Create), mustOpen(t, c, store.ReadWrite)
	begun, err := holder.Writer().Begin()
	if err != nil {
		t.Fatal(err)
	}
	defer begun.Rollback()
	_, err = waiter.StartRun(context.Background(), schema.Run{Job: schema.JobNightly})
	if !errors.Is(err, store.ErrBusy) {
		t.Errorf("got %v, want ErrBusy", err)
	}
}

func TestTablesAreStrict(t *testing.T) {
	s := mustOpen(t, sqliteConfig(t), store.Create)
	rows, err := s.Reader().Query("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND NOT strict")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var loose []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			t.Fatal(err)
		}
		loose = append(loose, name)
	}
	// SQLite's own and goose's.
	if diff := cmp.Diff([]string{"goose_db_version", "sqlite_schema", "sqlite_sequence"}, loose,
		cmp.Transformer("sort", sortedCopy)); diff != "" {
		t.Errorf("tables that are not STRICT (-want +got):\n%s", diff)
	}
}

func TestOddPaths(t *testing.T) {
	for _, name := range []string{
		"with space.db", "a?mode=memory.db", "a#b.db", "100%41.db", "ü&=+;.db", "new/folders/mtok.db", "'q\"uote.db",
	} {
		t.Run(name, func(t *testing.T) {
			c := store.Config{Path: filepath.Join(t.TempDir(), name)}
			s := mustOpen(t, c, store.Create)
			saveDay(t, s, firstNight, 3_990_000)
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			if _, err := os.Stat(c.Path); err != nil {
				t.Errorf("the file is elsewhere: %v", err)
			}
			entries, err := os.ReadDir(filepath.Dir(c.Path))
			if err != nil || len(entries) != 1 {
				t.Errorf("got files %v (%v), want one", entries, err)
			}
			if got := prices(t, mustOpen(t, c, store.ReadOnly), schema.ObservationFilter{}); len(got) != 1 {
				t.Errorf("got %v, want one price", got)
			}
		})
	}
}

// What is refused is left byte for byte as it was.
func TestRefusedFiles(t *testing.T) {
	sound := soundFile(t)
	for _, test := range []struct {
		name    string
		content []byte
		want    error
	}{
		{"text", []byte("gpu,price\nh100,3.99\n"), store.ErrForeign},
		{"long text", bytes.Repeat([]byte("not a database\n"), 1000), store.ErrForeign},
		{"one byte", []byte("S"), store.ErrForeign},
		{"other program", foreignFile(t), store.ErrForeign},
		{"other program in WAL mode", foreignFile(t, "PRAGMA journal_mode = WAL"), store.ErrForeign},
		{"other program without tables", foreignFile(t, "PRAGMA application_id = 7", "DROP TABLE notes"), store.ErrForeign},
		{"truncated", sound[:len(sound)/2], store.ErrCorrupt},
		{"flipped pages", flip(sound, 3*4096, 12*4096), store.ErrCorrupt},
		{"flipped schema page", flip(sound, 100, 4096), store.ErrCorrupt},
	} {
		for _, mode := range []store.Mode{store.ReadOnly, store.ReadWrite, store.Create} {
			c := sqliteConfig(t)
			c.Mode = mode
			if err := os.WriteFile(c.Path, test.content, 0o600); err != nil {
				t.Fatal(err)
			}
			s, err := store.Open(context.Background(), c, clock)
			if err == nil {
				s.Close()
			}
			if !errors.Is(err, test.want) || !strings.Contains(err.Error(), c.Path) {
				t.Errorf("%s, mode %d: got %v, want %v with the path", test.name, mode, err, test.want)
			}
			after, err := os.ReadFile(c.Path)
			if err != nil || !bytes.Equal(after, test.content) {
				t.Errorf("%s, mode %d: the file was changed (%v)", test.name, mode, err)
			}
		}
	}
}

func TestEmptyFileAndFolder(t *testing.T) {
	c := sqliteConfig(t)
	if err := os.WriteFile(c.Path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Open(context.Background(), c, clock); !errors.Is(err, store.ErrNoDatabase) {
		t.Errorf("reading an empty file: got %v, want ErrNoDatabase", err)
	}
	saveDay(t, mustOpen(t, c, store.Create), firstNight, 3_990_000)

	folder := store.Config{Path: t.TempDir(), Mode: store.Create}
	if _, err := store.Open(context.Background(), folder, clock); !errors.Is(err, store.ErrForeign) {
		t.Errorf("a folder: got %v, want ErrForeign", err)
	}
}

// soundFile is the bytes of a database of ours.
func soundFile(t *testing.T) []byte {
	t.Helper()
	c := sqliteConfig(t)
	s := mustOpen(t, c, store.Create)
	for day := range schema.Day(20) {
		saveDay(t, s, firstNight+day, 3_990_000, 3_890_000, 3_790_000)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(c.Path)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// foreignFile is the bytes of another program's database.
func foreignFile(t *testing.T, statements ...string) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "other.db")
	pool, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	pool.SetMaxOpenConns(1)
	mustExec(t, pool, "CREATE TABLE notes (body TEXT)")
	for _, s := range statements {
		mustExec(t, pool, s)
	}
	if err := pool.Close(); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// flip inverts the bytes from one offset to another.
func flip(content []byte, from, to int) []byte {
	damaged := bytes.Clone(content)
	for i := from; i < to; i++ {
		damaged[i] ^= 0xff
	}
	return damaged
}
