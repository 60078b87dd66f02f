package main

import (
	"bytes"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"mtok/schema"
	"mtok/schema/store"
)

// killEach kills the command many times; after each, look must find the state
// before it or the one after it.
func (v victim) killEach(t *testing.T, look func()) {
	t.Helper()
	seed := rand.Uint64()
	t.Logf("seed %d, the whole command takes %s", seed, v.whole)
	random := rand.New(rand.NewPCG(seed, 0))
	killed, tries := 0, 0
	for ; killed < *kills; tries++ {
		if tries == 10**kills {
			t.Fatalf("only %d of %d were killed in time", killed, tries)
		}
		// Some come too late: what a whole command leaves is looked at too.
		if v.kill(t, time.Duration(random.Int64N(int64(v.whole*6/5)))) {
			killed++
		}
		look()
	}
	t.Logf("%d of %d were killed in time", killed, tries)
}

// exists reports whether there is a file.
func exists(t *testing.T, path string) bool {
	t.Helper()
	_, err := os.Lstat(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return err == nil
}

// isWhole fails the test unless a copy is sound and says what the original does.
func (v victim) isWhole(t *testing.T, want string) {
	t.Helper()
	v.check(t)
	if diff := cmp.Diff(lines(want), lines(contents(t, v.db))); diff != "" {
		t.Fatalf("%s (-want +got):\n%s", v.db, diff)
	}
}

// TestKilledBackup kills backups: there is none, or a whole one, and the database
// is as it was.
func TestKilledBackup(t *testing.T) {
	t.Parallel()
	v := newVictim(t)
	v.run(t)
	want := contents(t, v.db)
	copied := v
	copied.db = filepath.Join(t.TempDir(), "backup.db")
	v.args = []string{"db", "backup", copied.db}
	v.timed(t)
	made := 0
	copied.remove(t)
	v.killEach(t, func() {
		v.isWhole(t, want)
		if exists(t, copied.db) {
			made++
			copied.isWhole(t, want)
			copied.remove(t)
		}
	})
	t.Logf("%d backups were made", made)
	v.run(t) // what the killed ones left is in nobody's way
	copied.isWhole(t, want)
}

// TestKilledReplacement kills backups that take the place of an older one: it is
// the older or the new one, never none.
func TestKilledReplacement(t *testing.T) {
	t.Parallel()
	v := newVictim(t)
	v.on(reparsedDay).run(t)
	older := contents(t, v.db)
	copied := v
	copied.db = filepath.Join(t.TempDir(), "backup.db")
	backup := func(db string, to string) victim {
		b := v
		b.db, b.args = db, []string{"db", "backup", "--replace", to}
		return b
	}
	kept := filepath.Join(t.TempDir(), "older.db")
	backup(v.db, kept).run(t)
	v.on(reparsedDay + 1).run(t)
	newer := contents(t, v.db)
	killed := backup(v.db, copied.db)
	killed.now = (reparsedDay + 1).Time().Add(20 * time.Hour).Format(time.RFC3339)
	killed.timed(t)
	put := func() {
		data, err := os.ReadFile(kept)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(copied.db, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put()
	killed.killEach(t, func() {
		copied.check(t)
		if got := contents(t, copied.db); got == newer {
			put()
		} else if got != older {
			t.Fatal("neither the older backup nor the new one")
		}
	})
}

// TestKilledRestore kills restores: there is no database, or a whole one, and the
// backup is as it was.
func TestKilledRestore(t *testing.T) {
	t.Parallel()
	v := newVictim(t)
	v.run(t)
	want := contents(t, v.db)
	backup := filepath.Join(t.TempDir(), "backup.db")
	made := v
	made.args = []string{"db", "backup", backup}
	made.run(t)
	before, err := os.ReadFile(backup)
	if err != nil {
		t.Fatal(err)
	}
	restored := v
	restored.db = filepath.Join(t.TempDir(), "mtok.db")
	restored.args = []string{"db", "restore", backup}
	restored.timed(t)
	restored.remove(t)
	restored.killEach(t, func() {
		if after, err := os.ReadFile(backup); err != nil || !bytes.Equal(before, after) {
			t.Fatalf("the backup has changed: %v", err)
		}
		if exists(t, restored.db) {
			restored.isWhole(t, want)
			restored.remove(t)
		}
	})
	restored.run(t)
	restored.isWhole(t, want)
}

// TestKilledRetention kills retention: all pages are held, or all that it keeps,
// and every price has its page.
func TestKilledRetention(t *testing.T) {
	t.Parallel()
	v := newVictim(t)
	for i := range 4 { // the same night over and over, its pages each time in other words
		night := reworded(t, i)
		v.args = []string{"nightly", "--recorded", night, "--day", reparsedDay.String()}
		v.run(t)
	}
	want, all := contents(t, v.db), heldPages(t, v.db)
	old, err := os.ReadFile(v.db)
	if err != nil {
		t.Fatal(err)
	}
	restore := func() {
		v.remove(t)
		if err := os.WriteFile(v.db, old, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	v = v.on(reparsedDay + 60)
	v.args = []string{"db", "prune", "--days", "30"}
	v.timed(t)
	kept := heldPages(t, v.db)
	if kept >= all || kept == 0 {
		t.Fatalf("of %d pages %d are kept", all, kept)
	}
	restore()
	v.killEach(t, func() {
		v.isWhole(t, want)
		switch held := heldPages(t, v.db); held {
		case all:
		case kept:
			restore()
		default:
			t.Fatalf("%d pages are held, neither %d nor %d", held, all, kept)
		}
	})
}

// reworded is the recorded night with a remark at the end of its HTML pages.
func reworded(t *testing.T, number int) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("../../scrapers/recorded/night")); err != nil {
		t.Fatal(err)
	}
	pages, err := filepath.Glob(filepath.Join(dir, "*", "*.html"))
	if err != nil || len(pages) == 0 {
		t.Fatalf("no pages: %v", err)
	}
	for _, page := range pages {
		data, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		data = append(data, strings.Repeat("<!-- again -->\n", number)...)
		if err := os.WriteFile(page, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// heldPages counts the pages whose bodies are held.
func heldPages(t *testing.T, db string) int {
	t.Helper()
	s, err := store.Open(t.Context(), store.Config{Path: db, Mode: store.ReadOnly}, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	fetches, err := s.Fetches(t.Context(), schema.FetchFilter{})
	if err != nil {
		t.Fatal(err)
	}
	held := map[string]bool{}
	for _, f := range fetches {
		if f.PageSHA256 == "" {
			continue
		}
		_, err := s.Page(t.Context(), f.PageSHA256)
		if err != nil && !errors.Is(err, store.ErrNotHeld) {
			t.Fatal(err)
		}
		if err == nil {
			held[f.PageSHA256] = true
		}
	}
	return len(held)
}
