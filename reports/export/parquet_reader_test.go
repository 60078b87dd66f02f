package export_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"mtok/reports/export"
	"mtok/schema"
)

// TestParquetIndependentReader lets other implementations read what we wrote, each
// that the machine has: Apache Arrow's for Go (.ci/run installs it), pyarrow, DuckDB.
func TestParquetIndependentReader(t *testing.T) {
	path := filepath.Join(t.TempDir(), "observations.parquet")
	if err := os.WriteFile(path, tables(t, export.Parquet)["observations"], 0o600); err != nil {
		t.Fatal(err)
	}
	const want = "2026-08-22 instances/gpu_8x_h100_sxm/80 3.990000 None|2026-08-22 m/1,\"2\" 0.000001 False"
	readers := 0
	for name, read := range map[string]func(*testing.T, string) (string, bool){"parquet_reader": arrowGo, "pyarrow": pyArrow, "duckdb": duckDB} {
		got, found := read(t, path)
		if !found {
			continue
		}
		readers++
		if got != want {
			t.Errorf("%s reads %s, want %s", name, got, want)
		}
	}
	if readers == 0 {
		t.Skip("no other reader of Parquet: neither parquet_reader of arrow-go, nor pyarrow or duckdb for python3; TestParquet reads it by its own schema")
	}
}

// arrowGo prints a date as its number and a decimal without its point.
func arrowGo(t *testing.T, path string) (string, bool) {
	t.Helper()
	reader, err := exec.LookPath("parquet_reader")
	if err != nil {
		return "", false
	}
	out, err := exec.Command(reader, "--no-metadata", "--json", path).Output()
	if err != nil {
		t.Fatalf("parquet_reader: %v\n%s", err, out)
	}
	var rows []struct {
		Day       int64  `json:"day"`
		SKU       string `json:"sku"`
		USD       int64  `json:"usd_gpu_hour"`
		Available *bool  `json:"available"`
	}
	if err := json.Unmarshal(out, &rows); err != nil {
		t.Fatalf("parquet_reader: %v\n%s", err, out)
	}
	var text []string
	for _, r := range rows {
		available := "None"
		switch {
		case r.Available != nil && *r.Available:
			available = "True"
		case r.Available != nil:
			available = "False"
		}
		text = append(text, fmt.Sprintf("%s %s %d.%06d %s", schema.Day(r.Day), r.SKU, r.USD/1_000_000, r.USD%1_000_000, available))
	}
	return strings.Join(text, "|"), true
}

func pyArrow(t *testing.T, path string) (string, bool) {
	t.Helper()
	return python(t, "pyarrow", path, `import pyarrow.parquet as p, sys
print("|".join(f"{r['day']} {r['sku']} {r['usd_gpu_hour']} {r['available']}" for r in p.read_table(sys.argv[1]).to_pylist()))`)
}

func duckDB(t *testing.T, path string) (string, bool) {
	t.Helper()
	return python(t, "duckdb", path, `import duckdb, sys
print("|".join(" ".join(map(str, r)) for r in duckdb.sql(f"SELECT day, sku, usd_gpu_hour, available FROM '{sys.argv[1]}'").fetchall()))`)
}

// python runs a script, where python3 has the module.
func python(t *testing.T, module, path, script string) (string, bool) {
	t.Helper()
	if exec.Command("python3", "-c", "import "+module).Run() != nil {
		return "", false
	}
	out, err := exec.Command("python3", "-c", script, path).CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", module, err, out)
	}
	return strings.TrimSpace(string(out)), true
}
