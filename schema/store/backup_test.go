package store_test

import (
	"context"
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

// filesIn names what is in a directory.
func filesIn(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// TestBackupAndRestore copies a database in the middle of a night and makes a new
// one of the copy.
func TestBackupAndRestore(t *testing.T) {
	ctx := context.Background()
	c := sqliteConfig(t)
	s := mustOpen(t, c, store.Create)
	saveDay(t, s, firstNight, 3_990_000, 2_990_000)
	want := prices(t, s, schema.ObservationFilter{})
	run := mustRun(t, s, firstNight+1)
	mustFetch(t, s, run)

	dir := t.TempDir()
	backup := filepath.Join(dir, "backup.db")
	if err := s.Backup(ctx, backup, false); err != nil {
		t.Fatal(err)
	}
	mustFinish(t, s, run) // the writer goes on
	if diff := cmp.Diff([]string{"backup.db"}, filesIn(t, dir)); diff != "" {
		t.Errorf("files of the backup (-want +got):\n%s", diff)
	}

	target := filepath.Join(t.TempDir(), "new", "mtok.db")
	if err := store.Restore(ctx, backup, target, clock); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"mtok.db"}, filesIn(t, filepath.Dir(target))); diff != "" {
		t.Errorf("files of the database (-want +got):\n%s", diff)
	}
	restored := mustOpen(t, store.Config{Path: target}, store.ReadWrite)
	if diff := cmp.Diff(want, prices(t, restored, schema.ObservationFilter{})); diff != "" {
		t.Errorf("restored (-want +got):\n%s", diff)
	}
	if problems, err := restored.Check(ctx); err != nil || len(problems) > 0 {
		t.Errorf("check: %v, %v", problems, err)
	}
}

// TestBackupNeverOverwrites: neither what is there nor the database itself, nor a
// database in use even where an older backup may be replaced.
func TestBackupNeverOverwrites(t *testing.T) {
	ctx := context.Background()
	c := sqliteConfig(t)
	s := mustOpen(t, c, store.Create)
	saveDay(t, s, firstNight, 3_990_000)
	to := filepath.Join(t.TempDir(), "there")
	if err := os.WriteFile(to, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := s.Backup(ctx, to, false); !errors.Is(err, store.ErrExists) {
		t.Errorf("a file that is there: %v", err)
	}
	if data, err := os.ReadFile(to); err != nil || string(data) != "mine" {
		t.Errorf("the file is now %q, %v", data, err)
	}
	if err := s.Backup(ctx, to, true); err != nil {
		t.Errorf("replace: %v", err)
	}
	if got := prices(t, mustOpen(t, store.Config{Path: to}, store.ReadOnly), schema.ObservationFilter{}); len(got) != 1 {
		t.Errorf("replaced: %v", got)
	}
	for _, replace := range []bool{false, true} {
		if err := s.Backup(ctx, c.Path, replace); !errors.Is(err, store.ErrExists) {
			t.Errorf("the database itself, replace %t: %v", replace, err)
		}
	}
	other := sqliteConfig(t)
	used := mustOpen(t, other, store.Create)
	saveDay(t, used, firstNight, 1_000_000)
	if err := s.Backup(ctx, other.Path, true); !errors.Is(err, store.ErrExists) {
		t.Errorf("a database in use: %v", err)
	}
	if got := prices(t, used, schema.ObservationFilter{}); len(got) != 1 || !strings.HasSuffix(got[0], " 1.00") {
		t.Errorf("the database in use: %v", got)
	}
	if err := s.Backup(ctx, filepath.Join(t.TempDir(), "no", "such"), false); err == nil {
		t.Error("a directory that is not there")
	}
}

// TestRestoreRefuses leaves what is there as it is.
func TestRestoreRefuses(t *testing.T) {
	ctx := context.Background()
	c := sqliteConfig(t)
	s := mustOpen(t, c, store.Create)
	saveDay(t, s, firstNight, 3_990_000)
	dir := t.TempDir()
	backup := filepath.Join(dir, "backup.db")
	if err := s.Backup(ctx, backup, false); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(backup)
	if err != nil {
		t.Fatal(err)
	}
	write := func(name string, data []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, tt := range []struct {
		name, from string
		beside     string // the file that is there of the target
		want       error
	}{
		{"a database is there", backup, "", store.ErrExists},
		{"a log is left of one", backup, "-wal", store.ErrExists},
		{"a journal is left of one", backup, "-journal", store.ErrExists},
		{"no backup", filepath.Join(dir, "none.db"), "none", store.ErrNoDatabase},
		{"another file", write("text.db", []byte(strings.Repeat("text ", 1_000))), "none", store.ErrForeign},
		{"half a backup", write("half.db", data[:len(data)/2]), "none", store.ErrCorrupt},
	} {
		t.Run(tt.name, func(t *testing.T) {
			target := filepath.Join(t.TempDir(), "mtok.db")
			var want []string
			if tt.beside != "none" {
				want = []string{"mtok.db" + tt.beside}
				if err := os.WriteFile(target+tt.beside, []byte("mine"), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if err := store.Restore(ctx, tt.from, target, clock); !errors.Is(err, tt.want) {
				t.Errorf("got %v, want %v", err, tt.want)
			}
			if diff := cmp.Diff(want, filesIn(t, filepath.Dir(target))); diff != "" {
				t.Errorf("files (-want +got):\n%s", diff)
			}
		})
	}
}

// TestRestoreFindsWhatIsWrong: a file that SQLite finds sound may still hold a
// price without its page.
func TestRestoreFindsWhatIsWrong(t *testing.T) {
	ctx := context.Background()
	c := sqliteConfig(t)
	s := mustOpen(t, c, store.Create)
	saveDay(t, s, firstNight, 3_990_000)
	mustExec(t, s.Writer(), "UPDATE pages SET body = x''")
	backup := filepath.Join(t.TempDir(), "backup.db")
	if err := s.Backup(ctx, backup, false); err != nil {
		t.Fatal(err)
	}
	target := filepath.Join(t.TempDir(), "mtok.db")
	err := store.Restore(ctx, backup, target, clock)
	if !errors.Is(err, store.ErrCorrupt) || !strings.Contains(err.Error(), "was dropped") {
		t.Errorf("got %v", err)
	}
	if got := filesIn(t, filepath.Dir(target)); got != nil {
		t.Errorf("left: %v", got)
	}
}

// TestBackupClearsLeftovers removes what a process left that died, not what a
// living one writes.
func TestBackupClearsLeftovers(t *testing.T) {
	c := sqliteConfig(t)
	s := mustOpen(t, c, store.Create)
	saveDay(t, s, firstNight, 3_990_000)
	dir := t.TempDir()
	for name, age := range map[string]time.Duration{".b.db.partial-1": 2 * time.Hour, ".b.db.partial-2": time.Minute} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte("half"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, clock().Add(-age), clock().Add(-age)); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Backup(context.Background(), filepath.Join(dir, "b.db"), false); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{".b.db.partial-2", "b.db"}, filesIn(t, dir)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}

// TestInterruptedBackup leaves nothing.
func TestInterruptedBackup(t *testing.T) {
	c := sqliteConfig(t)
	s := mustOpen(t, c, store.Create)
	saveDay(t, s, firstNight, 3_990_000)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	dir := t.TempDir()
	if err := s.Backup(ctx, filepath.Join(dir, "b.db"), false); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
	if got := filesIn(t, dir); got != nil {
		t.Errorf("left: %v", got)
	}
}

func TestPostgresBacksItselfUp(t *testing.T) {
	s := mustOpen(t, postgresConfig(t), store.Create)
	err := s.Backup(context.Background(), filepath.Join(t.TempDir(), "b"), false)
	if !errors.Is(err, store.ErrPostgres) {
		t.Errorf("got %v, want ErrPostgres", err)
	}
}
