//go:build guards

package pipeline_test

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// guard is a condition in the source without which something wrong would pass.
type guard struct {
	name string
	file string // from the root of the module
	// cond is the source of the condition, which stands once in the file; with is
	// what it is replaced by, "false && (cond)" where empty.
	cond, with string
	// pkg and run are the tests of which one must fail without it.
	pkg, run string
}

// TestGuards takes out one guard after the other, by an overlay, and wants a test
// to fail each time: a guard that no test misses may be lost unseen.
func TestGuards(t *testing.T) {
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range guards() {
		t.Run(g.name, func(t *testing.T) {
			t.Parallel()
			overlay := g.overlay(t, root)
			ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
			defer cancel()
			cmd := exec.CommandContext(ctx, "go", "test", "-count=1", "-vet=off", "-failfast", "-overlay="+overlay, "-run="+g.run, "./"+g.pkg)
			cmd.Dir = root
			out, err := cmd.CombinedOutput()
			text := string(out)
			switch {
			case err == nil:
				t.Errorf("%s: no test of %s -run %q misses it", g.file, g.pkg, g.run)
			case strings.Contains(text, "no tests to run"), !strings.Contains(text, "--- FAIL") && !strings.Contains(text, "panic:"):
				t.Errorf("%s: no test failed, but: %s", g.file, text)
			}
		})
	}
}

// overlay writes the file without the guard and returns the overlay that puts it
// in the place of the real one.
func (g guard) overlay(t *testing.T, root string) string {
	t.Helper()
	path := filepath.Join(root, filepath.FromSlash(g.file))
	source, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(source), g.cond); n != 1 {
		t.Fatalf("%s: the guard %q stands %d times", g.file, g.cond, n)
	}
	with := g.with
	if with == "" {
		with = "false && (" + g.cond + ")"
	}
	dir := t.TempDir()
	without := filepath.Join(dir, "without.go")
	if err := os.WriteFile(without, []byte(strings.Replace(string(source), g.cond, with, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(map[string]map[string]string{"Replace": {path: without}})
	if err != nil {
		t.Fatal(err)
	}
	overlay := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(overlay, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return overlay
}
