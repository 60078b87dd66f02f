package web_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus/testutil/promlint"

	"mtok/reports/web"
	"mtok/schema"
)

var update = flag.Bool("update", false, "write the golden files")

// textfile returns the metrics as written for node_exporter.
func textfile(t *testing.T, o web.Options) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "mtok.prom")
	if err := web.WriteTextfile(path, o); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestMetrics(t *testing.T) {
	o, logs := options(t, aNight(), at(7, 0))
	got := textfile(t, o)
	golden := filepath.Join("testdata", "metrics.prom")
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("metrics (-want +got):\n%s", diff)
	}
	problems, err := promlint.New(strings.NewReader(got)).Lint()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Errorf("%s: %s", p.Metric, p.Text)
	}
	if logs.Len() > 0 {
		t.Errorf("logged %s", logs)
	}
}

// A part that can't be read is missing as a whole, is said to be, and takes no
// other part with it.
func TestMetricsOfABrokenStore(t *testing.T) {
	for call, c := range map[string]struct{ missing, kept string }{
		"LatestDay":          {"mtok_price_usd", "mtok_provider_up"},
		"DailyPrices":        {"mtok_published_day", "mtok_provider_up"},
		"DailyTokenCosts":    {"mtok_price_usd", "mtok_offers"},
		"LatestProviderRuns": {"mtok_provider_up", "mtok_price_usd"},
		"FetchedBytes":       {"mtok_provider_up", "mtok_token_cost"},
		"Rejects":            {"mtok_provider_up", "mtok_last_run"},
		"LastCompleteDays":   {"mtok_provider_up", "mtok_last_run"},
		"ProviderRuns":       {"mtok_provider_up", "mtok_last_run"},
		"LastRuns":           {"mtok_last_run", "mtok_price_usd"},
		"Size":               {"mtok_database_bytes", "mtok_provider_up"},
	} {
		t.Run(call, func(t *testing.T) {
			l := aNight()
			l.broken = call
			o, logs := options(t, l, at(7, 0))
			got := textfile(t, o)
			if strings.Contains(got, "\n"+c.missing) || !strings.Contains(got, "\n"+c.kept) {
				t.Errorf("want no %s, but %s:\n%s", c.missing, c.kept, got)
			}
			if !strings.Contains(got, "\nmtok_scrape_error 1\n") || !strings.Contains(got, "\nmtok_build_info{version=\"1.2.3\"} 1\n") {
				t.Errorf("the error is not told:\n%s", got)
			}
			if !strings.Contains(logs.String(), errBroken.Error()) {
				t.Errorf("the log does not say why: %s", logs)
			}
			if strings.Contains(got, "secret-place") {
				t.Errorf("the metrics quote the error:\n%s", got)
			}
		})
	}
}

func TestMetricsOfAnEmptyStore(t *testing.T) {
	o, _ := options(t, &ledger{empty: true}, at(7, 0))
	got := textfile(t, o)
	for _, want := range []string{`mtok_provider_up{provider="vast"} 0`, "mtok_scrape_error 0", "mtok_database_bytes 4096"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
	for _, none := range []string{"mtok_price", "mtok_last_run", "last_success", "mtok_offers"} {
		if strings.Contains(got, none) {
			t.Errorf("%s of an empty store:\n%s", none, got)
		}
	}
}

// A name off a page can hold anything.
func TestMetricsLabelsAreEscaped(t *testing.T) {
	l := aNight()
	l.prices[0].Class = schema.ClassID("unmatched:\xff\"}\n# 1")
	o, _ := options(t, l, at(7, 0))
	want := `mtok_price_usd_per_gpu_hour{class="unmatched:` + "\uFFFD" + `\"}\n# 1",commitment_days="",provider="lambda",term="on_demand",tier=""} 3.99`
	if got := textfile(t, o); !strings.Contains(got, want+"\n") {
		t.Errorf("no %s in\n%s", want, got)
	}
}

func TestTextfileIsWrittenWhole(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "mtok.prom")
	o, _ := options(t, aNight(), at(7, 0))
	for range 2 { // the second replaces the first
		if err := web.WriteTextfile(path, o); err != nil {
			t.Fatal(err)
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o644 {
		t.Errorf("node_exporter can't read it: %v, %v", info.Mode(), err)
	}
	err = web.WriteTextfile(filepath.Join(dir, "absent", "mtok.prom"), o)
	if err == nil || !strings.Contains(err.Error(), "metrics textfile") {
		t.Errorf("into a directory that does not exist: %v", err)
	}
}
