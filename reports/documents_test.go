package reports_test

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mtok/reports"
	"mtok/reports/render"
	"mtok/schema"
)

func golden(t *testing.T, name string, doc reports.Document, format render.Format) {
	t.Helper()
	var got bytes.Buffer
	if err := render.Write(&got, doc, format); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Errorf("%s differs (-want +got):\n%s", path, diff)
	}
}

func build(t *testing.T, n reports.Night) map[string]reports.Document {
	t.Helper()
	catalog, settings := testCatalog(t), reports.DefaultSettings()
	daily, err := reports.Recompute(n.AsOf, n.Observations, catalog, settings)
	if err != nil {
		t.Fatal(err)
	}
	var ofClass []schema.DailyPrice
	for _, d := range daily.Prices {
		if d.Class == h100 {
			ofClass = append(ofClass, d)
		}
	}
	return map[string]reports.Document{
		"prices":  reports.Prices(n, catalog, settings, reports.Filter{}),
		"mtok":    reports.MTok(n, catalog, settings, reports.Filter{}),
		"explain": reports.Explain(n, ofClass, catalog, settings, reports.Filter{Class: h100}),
	}
}

func TestDocumentGoldens(t *testing.T) {
	for name, doc := range build(t, night()) {
		t.Run(name, func(t *testing.T) {
			golden(t, name+".txt", doc, render.Table)
			golden(t, name+".json", doc, render.JSON)
		})
	}
}

func TestDocumentsIgnoreOrder(t *testing.T) {
	want := build(t, night())
	random := rand.New(rand.NewPCG(5, 6))
	for range 20 {
		n := night()
		n.Observations = shuffled(n.Observations, random)
		if diff := cmp.Diff(want, build(t, n)); diff != "" {
			t.Fatalf("another order, another report:\n%s", diff)
		}
	}
}

func TestEmptyNight(t *testing.T) {
	n := reports.Night{Empty: true}
	doc := reports.MTok(n, testCatalog(t), reports.DefaultSettings(), reports.Filter{})
	golden(t, "empty.txt", doc, render.Table)
	golden(t, "empty.json", doc, render.JSON)
	before := reports.Filter{Day: tonight - 20, DayNamed: true}
	for first, want := range map[schema.Day]string{
		0: "No night up to 2026-08-02.", tonight: "No night up to 2026-08-02; the first is 2026-08-22.",
	} {
		n.First = first
		if doc := reports.Prices(n, testCatalog(t), reports.DefaultSettings(), before); len(doc.After) != 1 || doc.After[0] != want {
			t.Errorf("before the first night: %q, want %q", doc.After, want)
		}
	}
}
