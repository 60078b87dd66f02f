package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
)

// TestOlderDatabases reads no database of an earlier mtok, but says what brings it up to
// date, and does so: the older file stays beside it, and nights go on.
func TestOlderDatabases(t *testing.T) {
	files, err := filepath.Glob("../../schema/store/testdata/upgrade/*.db.zst")
	if err != nil || len(files) == 0 {
		t.Fatalf("no older database: %v", err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".db.zst")
		t.Run(name, func(t *testing.T) {
			db := filepath.Join(t.TempDir(), "mtok.db")
			unpackTo(t, file, db)
			mtok := func(want int, says string, args ...string) {
				t.Helper()
				var screen, logs bytes.Buffer
				d := deps{Env: func(string) string { return "" }, Now: time.Now, Transport: noNetwork{}}
				if code := run(t.Context(), append(args, "--db", db), &screen, &logs, d); code != want {
					t.Fatalf("%v: exit %d, want %d: %s", args, code, want, logs.String())
				}
				if all := screen.String() + logs.String(); !strings.Contains(all, says) {
					t.Errorf("%v says %q, not %q", args, all, says)
				}
			}
			mtok(exitError, "mtok db migrate", "report", "prices")
			mtok(exitOK, "tables of version 2", "db", "migrate")
			if _, err := os.Stat(db + "." + name + ".bak"); err != nil {
				t.Error(err)
			}
			mtok(exitOK, "ok: ", "db", "check")
			mtok(exitOK, "lambda", "report", "prices")
			mtok(exitPartial, "lambda", "nightly", "--recorded", "../../scrapers/recorded/night", "--day", "2026-08-30")
			mtok(exitOK, "ok: ", "db", "check")
		})
	}
}

func unpackTo(t *testing.T, packed, path string) {
	t.Helper()
	body, err := os.ReadFile(packed)
	if err != nil {
		t.Fatal(err)
	}
	decoder, err := zstd.NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer decoder.Close()
	if body, err = decoder.DecodeAll(body, nil); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, body, 0o600); err != nil {
		t.Fatal(err)
	}
}
