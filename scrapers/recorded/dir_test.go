package recorded_test

import (
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"mtok/schema"
	"mtok/scrapers"
	"mtok/scrapers/recorded"
)

// files makes a directory in memory.
func files(content map[string]string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for name, text := range content {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return fsys
}

func mustOpen(t *testing.T, content map[string]string) *recorded.Dir {
	t.Helper()
	d, err := recorded.Open(files(content))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestOpenLooksOver(t *testing.T) {
	d := mustOpen(t, map[string]string{
		"expected.csv":                       "of no concern",
		".git/config":                        "of no concern",
		"crusoe/pricing-page.html":           "<html>",
		"crusoe/notes.md":                    "of no concern",
		"crusoe/.draft.html":                 "of no concern",
		"vast/bundles-api.h100-sxm.asc.json": "{}",
		"acme/prices.html":                   "<html>",
	})
	if diff := cmp.Diff([]schema.ProviderID{"acme", "crusoe", "vast"}, d.Providers()); diff != "" {
		t.Errorf("providers (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"acme"}, d.Unknown([]schema.ProviderID{"vast", "crusoe", "lambda"})); diff != "" {
		t.Errorf("unknown (-want +got):\n%s", diff)
	}
	for target, want := range map[[3]string]bool{
		{"crusoe", "pricing-page", ""}:            true,
		{"crusoe", "pricing-page", "h100-sxm"}:    false,
		{"crusoe", ".draft", ""}:                  false,
		{"crusoe", "notes", ""}:                   false,
		{"crusoe", "robots.txt", ""}:              false,
		{"vast", "bundles-api", "h100-sxm.asc"}:   true,
		{"vast", "bundles-api.h100-sxm.asc", ""}:  false, // a source has no dot
		{"crusoe", "../vast/bundles-api", ""}:     false,
		{"lambda", "pricing-page", ""}:            false,
		{"vast", "bundles-api", "H100-SXM.asc"}:   false,
		{"vast", "bundles-api", "h100-sxm..asc"}:  false,
		{"vast", "bundles-api", "h100-sxm.asc/."}: false,
	} {
		got := d.Has(scrapers.Target{Provider: schema.ProviderID(target[0]), Source: target[1], Key: target[2]})
		if got != want {
			t.Errorf("Has(%q) = %v, want %v", target, got, want)
		}
	}
}

func TestOpenErrors(t *testing.T) {
	page := "lambda/pricing-page.html"
	const name = "lambda/pricing-page.meta.toml"
	for _, tt := range []struct {
		name    string
		content map[string]string
		want    []string
	}{
		{"nothing in it", map[string]string{"readme.md": ""}, []string{"no provider folder"}},
		{"unknown key", map[string]string{page: "", name: "status = 200\nstate = 404\n"}, []string{name, "line 2", `"state"`}},
		{"not TOML", map[string]string{page: "", name: "status = 200\nurl = \n"}, []string{name, "line 2"}},
		{"wrong type", map[string]string{page: "", name: "status = \"404\"\n"}, []string{name, "line 1"}},
		{"time without offset", map[string]string{page: "", name: "fetched_at = 2026-08-22T18:00:00\n"}, []string{name, "fetched_at"}},
		{"a day is no time", map[string]string{page: "", name: "fetched_at = 2026-08-22\n"}, []string{name, "fetched_at"}},
		{"redirect", map[string]string{page: "", name: "status = 301\n"}, []string{name, "301"}},
		{"no status at all", map[string]string{page: "", name: "status = 0\n"}, []string{name, "status 0"}},
		{"method", map[string]string{page: "", name: "method = \"DELETE\"\n"}, []string{name, "DELETE"}},
		{"header of its own", map[string]string{page: "", name: "[headers]\ncontent-encoding = \"gzip\"\n"}, []string{name, "content-encoding"}},
		{"header of two lines", map[string]string{page: "", name: "[headers]\nx = \"a\\nb\"\n"}, []string{name, "one line"}},
		{"meta without page", map[string]string{name: "status = 404\n"}, []string{name, "no page"}},
		{"two pages", map[string]string{page: "", "lambda/pricing-page.json": ""}, []string{"pricing-page.json", "which one"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := recorded.Open(files(tt.content))
			if err == nil {
				t.Fatal("opened")
			}
			for _, want := range tt.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("error %q does not say %q", err, want)
				}
			}
		})
	}
}

func TestLatestFetchedAt(t *testing.T) {
	d := mustOpen(t, map[string]string{
		"crusoe/pricing-page.html":      "",
		"crusoe/pricing-page.meta.toml": "fetched_at = 2026-08-22T23:30:00-02:00\n",
		"lambda/pricing-page.html":      "",
		"lambda/pricing-page.meta.toml": "fetched_at = 2026-08-22 18:00:00Z\n",
		"vast/bundles-api.json":         "",
		"acme/prices.html":              "",
		"acme/prices.meta.toml":         "fetched_at = 2026-09-30T00:00:00Z\n",
	})
	for _, tt := range []struct {
		providers []schema.ProviderID
		want      string
	}{
		{nil, "2026-09-30T00:00:00Z"},
		{[]schema.ProviderID{"lambda"}, "2026-08-22T18:00:00Z"},
		{[]schema.ProviderID{"lambda", "crusoe", "vast"}, "2026-08-23T01:30:00Z"},
		{[]schema.ProviderID{"vast"}, ""},
	} {
		got, ok := d.LatestFetchedAt(tt.providers...)
		if text := got.Format(time.RFC3339); ok != (tt.want != "") || (ok && text != tt.want) {
			t.Errorf("LatestFetchedAt(%v) = %s, %v; want %s", tt.providers, text, ok, tt.want)
		}
	}
}
