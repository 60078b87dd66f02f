package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestKilledPutBackHeals kills imports of our own export: all of it is there or
// nothing, and the next import makes up the rest, daily figures included.
func TestKilledPutBackHeals(t *testing.T) {
	t.Parallel()
	v := newVictim(t)
	v.run(t)
	export := filepath.Join(t.TempDir(), "out")
	night := v.args
	v.args = []string{"export", "observations", "--format", "jsonl", "--to", export}
	v.run(t)
	v.db = filepath.Join(t.TempDir(), "new.db")
	v.args, v.healEvery = []string{"import", "mtok", export}, 3
	calm := v
	calm.db = filepath.Join(t.TempDir(), "calm.db")
	calm.timed(t)
	want := contents(t, calm.db)
	if !strings.Contains(want, "lambda") {
		t.Fatalf("nothing was put back of the night %v", night)
	}
	v.whole = calm.whole
	v.killOften(t, want, func() { v.remove(t) })
}
