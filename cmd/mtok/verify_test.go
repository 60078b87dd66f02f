package main

import (
	"bytes"
	"database/sql"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func runOn(t *testing.T, args ...string) (int, string) {
	t.Helper()
	var out bytes.Buffer
	d := deps{Env: func(string) string { return "" }, Transport: noNetwork{},
		Now: func() time.Time { return time.Date(2026, 8, 22, 20, 0, 0, 0, time.UTC) }}
	return run(t.Context(), args, &out, &out, d), out.String()
}

// Whatever is changed behind mtok's back, verify finds it and exits 1; undone, all
// matches again.
func TestVerifyFindsWhatWasChanged(t *testing.T) {
	t.Parallel()
	db := demoDatabase(t)
	for name, c := range map[string]struct{ change, undo, want string }{
		"a daily price": {"UPDATE daily_prices SET usd_min = usd_min - 1 WHERE gpu_class = 'h100-sxm-80gb' AND provider = 'crusoe' AND gpu_count = 0 AND origin <> 'import'",
			"UPDATE daily_prices SET usd_min = usd_min + 1 WHERE gpu_class = 'h100-sxm-80gb' AND provider = 'crusoe' AND gpu_count = 0 AND origin <> 'import'", "daily price 2026-08-22 h100-sxm-80gb crusoe"},
		"a market": {"UPDATE daily_market SET usd_median = usd_median + 1 WHERE gpu_class = 'h100-sxm-80gb' AND term = 'spot' AND origin <> 'import'",
			"UPDATE daily_market SET usd_median = usd_median - 1 WHERE gpu_class = 'h100-sxm-80gb' AND term = 'spot' AND origin <> 'import'", "market 2026-08-22 h100-sxm-80gb spot"},
		"a token cost": {"UPDATE daily_token_costs SET usd_raw = usd_raw + 1 WHERE gpu_class = 'gh200-96gb' AND workload = 'chat-70b' AND statistic = 'cheapest' AND origin <> 'import'",
			"UPDATE daily_token_costs SET usd_raw = usd_raw - 1 WHERE gpu_class = 'gh200-96gb' AND workload = 'chat-70b' AND statistic = 'cheapest' AND origin <> 'import'", "token cost 2026-08-22 gh200-96gb"},
		"an API price": {"UPDATE daily_api_prices SET usd_out = usd_out + 1 WHERE model = 'meta-llama/llama-3.3-70b-instruct' AND origin <> 'import'",
			"UPDATE daily_api_prices SET usd_out = usd_out - 1 WHERE model = 'meta-llama/llama-3.3-70b-instruct' AND origin <> 'import'", "API price 2026-08-01 openrouter"},
		"an observation": {"UPDATE observations SET usd_gpu_hour = usd_gpu_hour + 10 WHERE origin <> 'import' AND offer_id = (SELECT id FROM offers WHERE provider = 'crusoe' AND gpu_class = 'h200-sxm-141gb' AND sku NOT LIKE '%:%')",
			"UPDATE observations SET usd_gpu_hour = usd_gpu_hour - 10 WHERE origin <> 'import' AND offer_id = (SELECT id FROM offers WHERE provider = 'crusoe' AND gpu_class = 'h200-sxm-141gb' AND sku NOT LIKE '%:%')", "stored 4.29001 $/GPU-h, its page gives 4.29"},
		"a figure that is gone": {"UPDATE daily_market SET day = 1 WHERE gpu_class = 'l4-24gb' AND origin <> 'import'",
			"UPDATE daily_market SET day = 20687 WHERE gpu_class = 'l4-24gb' AND day = 1", "nothing is published"},
	} {
		t.Run(name, func(t *testing.T) {
			touch(t, db, c.change)
			if code, out := runOn(t, "verify", "--db", db, "--since", "2026-08-01"); code != exitError || !strings.Contains(out, c.want) {
				t.Errorf("exit %d, want 1 and %q:\n%s", code, c.want, out)
			}
			touch(t, db, c.undo)
		})
	}
	if code, out := runOn(t, "verify", "--db", db); code != exitOK || !strings.Contains(out, " match.") {
		t.Errorf("all undone: exit %d\n%s", code, out)
	}
}

// A damaged page proves nothing: its hash is told, and each price that stood on it.
func TestVerifyFindsADamagedPage(t *testing.T) {
	t.Parallel()
	db := demoDatabase(t)
	touch(t, db, "UPDATE pages SET body = substr(body, 1, length(body) - 8) WHERE sha256 = (SELECT page_sha256 FROM fetches WHERE provider = 'crusoe' AND source = 'pricing-page')")
	code, out := runOn(t, "verify", "--db", db, "--day", "2026-08-22")
	if code != exitError || !strings.Contains(out, "page sha256:") || strings.Count(out, "crusoe") < 6 {
		t.Errorf("exit %d:\n%s", code, out)
	}
}

// What our own export put back can't be traced, yet a figure that its prices do not
// give is found; a page that a night of this database lost is no such case.
func TestVerifyWithoutPages(t *testing.T) {
	t.Parallel()
	db, export, back := demoDatabase(t), filepath.Join(t.TempDir(), "export"), filepath.Join(t.TempDir(), "back.db")
	for _, args := range [][]string{{"export", "observations", "--db", db, "--to", export, "--format", "jsonl"}, {"import", "mtok", export, "--db", back}} {
		if code, out := runOn(t, args...); code != exitOK {
			t.Fatalf("%q: %d\n%s", args, code, out)
		}
	}
	verify := func(db string) (int, string) { return runOn(t, "verify", "--db", db, "--day", "2026-08-22") }
	if code, out := verify(back); code != exitOK || !strings.Contains(out, "can't be traced to a page here") {
		t.Fatalf("put back: exit %d\n%s", code, out)
	}
	touch(t, back, "UPDATE observations SET usd_gpu_hour = usd_gpu_hour + 10 WHERE origin <> 'import' AND offer_id = (SELECT id FROM offers WHERE provider = 'crusoe' AND gpu_class = 'h200-sxm-141gb' AND sku NOT LIKE '%:%')")
	if code, out := verify(back); code != exitError || !strings.Contains(out, "daily price 2026-08-22 h200-sxm-141gb crusoe") || !strings.Contains(out, "can't be traced to a page here") {
		t.Errorf("a changed price that was put back: exit %d\n%s", code, out)
	}
	touch(t, db, "UPDATE pages SET body = x'' WHERE sha256 = (SELECT page_sha256 FROM fetches WHERE provider = 'crusoe' AND source = 'pricing-page')")
	if code, out := verify(db); code != exitError || strings.Contains(out, "can't be traced") || !strings.Contains(out, "its page gives no such price") {
		t.Errorf("a lost page: exit %d\n%s", code, out)
	}
}

// touch changes a database behind mtok's back, by the driver that the store brings.
func touch(t *testing.T, path, statement string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	result, err := db.ExecContext(t.Context(), statement)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := result.RowsAffected(); err != nil || n == 0 {
		t.Fatalf("%d rows changed, %v: %s", n, err, statement)
	}
}
