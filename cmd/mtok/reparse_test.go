package main

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mtok/scrapers/recorded"
)

// TestReparseByTodaysParsers reads again what an older version of every parser
// read otherwise: first as a rehearsal, which changes nothing.
func TestReparseByTodaysParsers(t *testing.T) {
	t.Parallel()
	night, err := filepath.Abs("../../scrapers/recorded/night")
	if err != nil {
		t.Fatal(err)
	}
	db := filepath.Join(t.TempDir(), "mtok.db")
	command(t, exitOK, "ingest", "--db", db, "--recorded", night, "--provider", "lambda", "--provider", "crusoe")
	want := contents(t, db)
	misread(t, db)
	command(t, exitOK, "recompute", "--all", "--db", db)
	wrong := contents(t, db)
	for _, step := range []struct {
		args  []string
		shows []string
		after string
	}{
		{[]string{"--dry-run"}, []string{"2 provider days read again", "nothing was written", "-> 28 rows", "repriced", "$/GPU-h", "lambda: and "}, wrong},
		{[]string{"--provider", "crusoe"}, []string{"1 provider day read again", "-> 6 rows", "crusoe: 2026-08-22 NVIDIA H200/141GB 1x on_demand, 4.291 -> 4.29 $/GPU-h"}, ""},
		{nil, []string{"1 provider day read again, 1 current", "-> 28 rows"}, want},
		{nil, []string{"0 provider days read again, 2 current"}, want},
	} {
		out := command(t, exitOK, append([]string{"reparse", "--db", db}, step.args...)...)
		for _, text := range step.shows {
			if !strings.Contains(out, text) {
				t.Errorf("reparse %v does not show %q:\n%s", step.args, text, out)
			}
		}
		if got := contents(t, db); step.after != "" && got != step.after {
			t.Errorf("reparse %v left:\n%s", step.args, got)
		}
	}
}

// TestReparseOfAHeldNight leaves a night held whose page still breaks the rule.
func TestReparseOfAHeldNight(t *testing.T) {
	t.Parallel()
	page, err := fs.ReadFile(recorded.Night(), "crusoe/pricing-page.html")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	db, night := filepath.Join(dir, "mtok.db"), filepath.Join(dir, "night", "crusoe")
	if err := os.MkdirAll(night, 0o755); err != nil {
		t.Fatal(err)
	}
	// Three times the price: in the band of the class, not in Crusoe's.
	writeText(t, filepath.Join(night, "pricing-page.html"), string(bytes.ReplaceAll(page, []byte("$4.29"), []byte("$12.90"))))
	command(t, exitPartial, "ingest", "--db", db, "--recorded", filepath.Dir(night), "--provider", "crusoe")
	held := contents(t, db)
	out := command(t, exitOK, "reparse", "--all", "--db", db)
	if !strings.Contains(out, "crusoe: 2026-08-22: held: ") || !strings.Contains(out, "1 day held") {
		t.Errorf("the held night is not told:\n%s", out)
	}
	if got := contents(t, db); got != held {
		t.Errorf("the held night became\n%s", got)
	}
}
