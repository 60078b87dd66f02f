package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// madeDemo is what `mtok demo --db demo.db` leaves and prints. The same for all
// tests that are not about making it, it is made once.
type madeDemo struct {
	database, screen []byte
	err              error
}

var makeDemo = sync.OnceValue(func() (made madeDemo) {
	dir, err := os.MkdirTemp("", "mtok-demo-test-*")
	if err != nil {
		return madeDemo{err: err}
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "demo.db")
	d := deps{
		Env: func(string) string { return "" }, Transport: noNetwork{},
		Now: func() time.Time { return time.Date(2026, 8, 22, 20, 0, 0, 0, time.UTC) },
	}
	var screen, logs bytes.Buffer
	if code := run(context.Background(), []string{"demo", "--db", path}, &screen, &logs, d); code != exitOK {
		return madeDemo{err: fmt.Errorf("demo: exit %d\n%s%s", code, &screen, &logs)}
	}
	made.database, made.err = os.ReadFile(path)
	made.screen = bytes.ReplaceAll(screen.Bytes(), []byte(path), []byte("demo.db"))
	return made
})

// demoDatabase is a database of the demo's.
func demoDatabase(t *testing.T) string {
	t.Helper()
	demo := makeDemo()
	if demo.err != nil {
		t.Fatal(demo.err)
	}
	path := filepath.Join(t.TempDir(), "demo.db")
	if err := os.WriteFile(path, demo.database, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// madeDemoHere stands for `exec mtok demo --db demo.db` in scripts that are not
// about making it: the database and what the command printed.
func madeDemoHere(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 0 {
		ts.Fatalf("usage: demo")
	}
	demo := makeDemo()
	ts.Check(demo.err)
	ts.Check(os.WriteFile(ts.MkAbs("demo.db"), demo.database, 0o600))
	_, err := ts.Stdout().Write(demo.screen)
	ts.Check(err)
}
