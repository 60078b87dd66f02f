package main

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// TestArrows holds the direction of dependencies: who may import whom inside
// mtok, and which package alone may import a library.
func TestArrows(t *testing.T) {
	allowed := map[string][]string{
		"schema":               {},
		"schema/stat":          {"schema"},
		"schema/migrations":    {},
		"schema/store/db":      {},
		"schema/store":         {"schema", "schema/migrations", "schema/store/db"},
		"scrapers":             {"schema"},
		"scrapers/fetch":       {"schema", "scrapers"},
		"scrapers/recorded":    {"schema", "scrapers"},
		"pipeline/validate":    {"schema", "schema/stat", "scrapers"},
		"pipeline/history":     {"schema", "scrapers", "pipeline/validate"},
		"pipeline":             {"schema", "schema/stat", "scrapers", "pipeline/validate", "pipeline/history"},
		"reports/cost":         {"schema"},
		"reports":              {"schema", "schema/stat", "reports/cost"},
		"pipeline/schedule":    {"schema"},
		"reports/alert":        {"schema", "schema/stat"},
		"reports/render":       {"schema", "reports", "reports/render/chart"},
		"reports/render/chart": {"schema", "reports"},
		"reports/web":          {"schema", "reports"},
		"reports/export":       {"schema"},
		"reports/watch":        {"schema", "reports", "reports/alert", "reports/cost"},
		"reports/notify":       {"schema"},
		"cmd/mtok":             nil, // wires everything
	}
	// A module, with all its packages, belongs to one package of mtok.
	fences := map[string]string{
		"github.com/gocolly/colly":              "scrapers/fetch",
		"github.com/hashicorp/go-retryablehttp": "scrapers/fetch",
		"github.com/temoto/robotstxt":           "scrapers/fetch",
		"github.com/PuerkitoBio/goquery":        "scrapers",
		"modernc.org/sqlite":                    "schema/store",
		"github.com/jackc/pgx":                  "schema/store",
		"github.com/pressly/goose":              "schema/store",
		"github.com/klauspost/compress":         "schema/store",
		"github.com/jedib0t/go-pretty":          "reports/render",
		"github.com/go-analyze/charts":          "reports/render/chart",
		"github.com/nicholas-fedor/shoutrrr":    "reports/notify",
		"github.com/robfig/cron":                "pipeline/schedule",
		"github.com/parquet-go/parquet-go":      "reports/export",
		"github.com/prometheus/client_golang":   "reports/web",
		"github.com/spf13/cobra":                "cmd/mtok",
		"github.com/lmittmann/tint":             "cmd/mtok",
		"github.com/dustin/go-humanize":         "cmd/mtok",
	}
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "mtok/...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	seen := 0
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		name := strings.TrimPrefix(fields[0], "mtok/")
		may, known := allowed[name]
		if !known {
			t.Errorf("package %s stands in no arrow: add it to the house on purpose", name)
		}
		seen++
		for _, imported := range fields[1:] {
			inner, ours := strings.CutPrefix(imported, "mtok/")
			if ours && may != nil && !slices.Contains(may, inner) {
				t.Errorf("%s imports %s", name, inner)
			}
			for module, home := range fences {
				if home != name && (imported == module || strings.HasPrefix(imported, module+"/")) {
					t.Errorf("%s imports %s, which only %s may", name, imported, home)
				}
			}
		}
	}
	if seen < 10 {
		t.Fatalf("go list named %d packages", seen)
	}
}
