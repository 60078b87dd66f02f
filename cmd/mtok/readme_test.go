package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mtok/scrapers/recorded"
)

// The screen in the README is what mtok demo prints.
func TestReadmeShowsTheDemo(t *testing.T) {
	page, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, shown, found := strings.Cut(string(page), "$ go run ./cmd/mtok demo\n")
	shown, _, closed := strings.Cut(shown, "```")
	if !found || !closed {
		t.Fatal("the README shows no demo")
	}
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	d := deps{Env: func(string) string { return "" }, Transport: noNetwork{},
		Now: func() time.Time { return time.Date(2026, 8, 22, 20, 0, 0, 0, time.UTC) }}
	var out, logs bytes.Buffer
	if code := run(t.Context(), []string{"demo"}, &out, &logs, d); code != exitOK {
		t.Fatalf("exit %d\n%s", code, &logs)
	}
	got := strings.ReplaceAll(out.String(), filepath.Join(dir, "mtok-demo.db"), "<temp>/mtok-demo.db")
	if got != shown {
		t.Errorf("mtok demo prints\n%s\nthe README shows\n%s", got, shown)
	}
}

// What the README says of the pages of the demo is what the demo asks for.
func TestReadmeNamesTheModelsOfTheDemo(t *testing.T) {
	page, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	models := `["` + strings.Join(recorded.NightSettings()["vast"].Models, `", "`) + `"]`
	if !strings.Contains(string(page), "the demo asks for `"+models+"` alone") {
		t.Errorf("the README does not say that the demo asks for %s", models)
	}
}
