package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"mtok/schema"
	"mtok/schema/store"
)

// logBuffer is a log that is read while it is written.
type logBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (l *logBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(p)
}

func (l *logBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.String()
}

// field finds a field of the first record with a message.
func (l *logBuffer) field(message, key string) string {
	for line := range strings.Lines(l.String()) {
		var record map[string]any
		if json.Unmarshal([]byte(line), &record) == nil && record["msg"] == message {
			text, _ := record[key].(string)
			return text
		}
	}
	return ""
}

// served is a running `mtok serve`.
type served struct {
	logs *logBuffer
	stop func()
	code chan int
}

func startServe(t *testing.T, d deps, args ...string) served {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	s := served{logs: &logBuffer{}, stop: cancel, code: make(chan int, 1)}
	go func() {
		s.code <- run(ctx, append([]string{"serve", "--log-format", "json"}, args...), io.Discard, s.logs, d)
	}()
	return s
}

// exits stops it and checks the exit code.
func (s served) exits(t *testing.T, want int) {
	t.Helper()
	s.stop()
	if got := <-s.code; got != want {
		t.Errorf("exit %d, want %d\n%s", got, want, s.logs)
	}
}

// eventually waits for what another goroutine does.
func eventually(t *testing.T, what string, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !done(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("never: %s", what)
		}
	}
}

func get(t *testing.T, url string) (int, string) {
	t.Helper()
	client := http.Client{Timeout: 20 * time.Second}
	defer client.CloseIdleConnections()
	r, err := client.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r.StatusCode, string(body)
}

// starts are the runs of a database, oldest first.
func starts(t *testing.T, db string) []string {
	t.Helper()
	s, err := store.Open(t.Context(), store.Config{Path: db, Mode: store.ReadOnly}, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	runs, err := s.LastRuns(t.Context(), schema.JobNightly, 99)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, r := range runs {
		out = append([]string{r.Trigger + " of " + r.Day.String() + ": " + string(r.Status)}, out...)
	}
	return out
}

// withoutMarket spares the pauses between the queries to Vast.ai.
const withoutMarket = "[providers.vast]\nenabled = false\n"

func TestServe(t *testing.T) {
	before := runtime.NumGoroutine()
	dir := t.TempDir()
	db, config, prom := filepath.Join(dir, "mtok.db"), filepath.Join(dir, "config.toml"), filepath.Join(dir, "mtok.prom")
	writeText(t, config, withoutMarket+"[metrics]\ntextfile = \""+prom+"\"\n")
	const canary = "canary-5f1d8c"
	now := time.Date(2026, 8, 23, 9, 0, 0, 0, time.UTC) // the slot has passed
	d := deps{
		Env: func(name string) string {
			if name == "LAMBDA_API_KEY" || name == "RUNPOD_API_KEY" {
				return canary
			}
			return ""
		},
		Now: func() time.Time { return now }, Transport: &internet{},
	}
	s := startServe(t, d, "--config", config, "--db", db, "--listen", "127.0.0.1:0")
	eventually(t, "listening", func() bool { return s.logs.field("listening", "addr") != "" })
	url := "http://" + s.logs.field("listening", "addr")
	if code, body := get(t, url+"/healthz"); code != http.StatusOK {
		t.Errorf("/healthz: %d %s", code, body)
	}
	eventually(t, "the night is over", func() bool {
		return s.logs.field("night done", "day")+s.logs.field("night failed", "day") != ""
	})
	// Lambda's keyed API is not answered here: its part is partial, never stale.
	code, body := get(t, url+"/readyz")
	if code != http.StatusServiceUnavailable || !strings.Contains(body, "lambda: no complete night yet") || strings.Contains(body, "crusoe") {
		t.Errorf("/readyz: %d %s", code, body)
	}
	code, metrics := get(t, url+"/metrics")
	for _, want := range []string{
		`mtok_price_usd_per_gpu_hour{class="h100-sxm-80gb",commitment_days="",provider="crusoe",term="on_demand",tier=""} 3.9`,
		`mtok_provider_up{provider="crusoe"} 1`, `mtok_provider_up{provider="lambda"} 0`,
		`mtok_token_cost_usd_per_mtok{class="h100-sxm-80gb",kind="raw",statistic="cheapest",term="on_demand",`,
		`mtok_fetch_bytes{provider="crusoe"} `, "mtok_scrape_error 0", `mtok_build_info{version="` + version + `"} 1`,
	} {
		if code != http.StatusOK || !strings.Contains(metrics, want) {
			t.Errorf("/metrics: %d, no %s in\n%s", code, want, metrics)
		}
	}
	pages := ""
	for path, want := range map[string]string{"/": `href="mtok.html"`, "/mtok.html": "crusoe", "/mtok.json": `"report": "mtok"`, "/trend-h100-sxm-80gb.html": "3.29 on 2026-08-23"} {
		code, page := get(t, url+path)
		if code != http.StatusOK || !strings.Contains(page, want) {
			t.Errorf("%s: %d, no %s in %d bytes", path, code, want, len(page))
		}
		pages += page
	}
	s.exits(t, exitOK)
	if want := []string{"catch-up of 2026-08-23: partial"}; !cmp.Equal(want, starts(t, db)) {
		t.Errorf("runs %v, want %v", starts(t, db), want)
	}
	if text := readText(t, prom); !strings.Contains(text, `mtok_provider_up{provider="crusoe"} 1`) || strings.Contains(text, "go_goroutines") {
		t.Errorf("textfile:\n%s", text)
	}
	for where, text := range map[string]string{"log": s.logs.String(), "metrics": metrics, "readyz": body, "pages": pages, "textfile": readText(t, prom)} {
		if strings.Contains(text, canary) {
			t.Errorf("the key stands in the %s", where)
		}
	}
	http.DefaultClient.CloseIdleConnections()
	eventually(t, "every goroutine ends", func() bool { return runtime.NumGoroutine() <= before })
}

// TestServeForDays runs the whole of serve on a clock that does not wait: one
// night a day, also over a restart.
func TestServeForDays(t *testing.T) {
	t.Parallel()
	db := filepath.Join(t.TempDir(), "mtok.db")
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Until(time.Date(2026, 8, 23, 6, 0, 0, 0, time.UTC)))
		d := deps{Env: func(string) string { return "" }, Now: time.Now, Transport: &internet{}}
		for range 2 {
			s := startServe(t, d, "--db", db, "--listen", "")
			time.Sleep(30 * time.Hour)
			s.exits(t, exitOK)
		}
	})
	var want []string
	for _, day := range []string{"2026-08-23", "2026-08-24", "2026-08-25"} {
		want = append(want, "schedule of "+day+": partial") // the market answers for one model
	}
	if diff := cmp.Diff(want, starts(t, db)); diff != "" {
		t.Errorf("runs (-want +got):\n%s", diff)
	}
}

// slowNet answers nothing for a while.
type slowNet struct{ takes time.Duration }

func (n slowNet) RoundTrip(r *http.Request) (*http.Response, error) {
	select {
	case <-r.Context().Done():
		return nil, context.Cause(r.Context())
	case <-time.After(n.takes):
		return nil, errNoNetwork
	}
}

func TestServeStopsDuringANight(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		takes, least, most time.Duration
		code               int
	}{
		"which ends in time": {5 * time.Second, time.Second, 29 * time.Second, exitOK},
		"which is cancelled": {time.Hour, 30 * time.Second, 31 * time.Second, exitInterrupted},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			db, config := filepath.Join(dir, "mtok.db"), filepath.Join(dir, "config.toml")
			writeText(t, config, withoutMarket)
			synctest.Test(t, func(t *testing.T) {
				time.Sleep(time.Until(time.Date(2026, 8, 23, 6, 10, 0, 0, time.UTC)))
				s := startServe(t, deps{Env: func(string) string { return "" }, Now: time.Now, Transport: slowNet{c.takes}},
					"--config", config, "--db", db, "--listen", "")
				time.Sleep(time.Second)
				stopped := time.Now()
				s.exits(t, c.code)
				if took := time.Since(stopped); took < c.least || took > c.most {
					t.Errorf("the stop took %s, want %s to %s", took, c.least, c.most)
				}
			})
			if want := []string{"schedule of 2026-08-23: failed"}; !cmp.Equal(want, starts(t, db)) {
				t.Errorf("runs %v, want %v", starts(t, db), want)
			}
		})
	}
}

func TestServeAddress(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	db := filepath.Join(t.TempDir(), "mtok.db")
	d := deps{Env: func(string) string { return "" }, Now: time.Now, Transport: noNetwork{}}
	s := startServe(t, d, "--db", db, "--listen", taken.Addr().String())
	if code := <-s.code; code != exitError || !strings.Contains(s.logs.String(), "address already in use") {
		t.Errorf("exit %d: %s", code, s.logs)
	}
	for _, addr := range []string{"8080", "localhost", "127.0.0.1:http", "127.0.0.1:65536", "[::1", ":-1"} {
		s := startServe(t, d, "--db", db, "--listen", addr)
		if code := <-s.code; code != exitUsage || !strings.Contains(s.logs.String(), "--listen") {
			t.Errorf("--listen %s: exit %d: %s", addr, code, s.logs)
		}
	}
}

func TestListeningToOthersIsSaid(t *testing.T) {
	for addr, warned := range map[string]bool{
		"127.0.0.1:80": false, "127.9.9.9:80": false, "[::1]:80": false, "[::ffff:127.0.0.1]:80": false,
		"0.0.0.0:80": true, "[::]:80": true, "192.168.1.2:80": true,
	} {
		at, err := net.ResolveTCPAddr("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		var logs bytes.Buffer
		a := &app{stderr: &logs, logFormat: "json"}
		a.Env, a.Now = func(string) string { return "" }, time.Now
		if err := a.setUp(); err != nil {
			t.Fatal(err)
		}
		a.sayListening(at)
		if got := strings.Contains(logs.String(), "no authentication"); got != warned {
			t.Errorf("%s: warned %t: %s", addr, got, &logs)
		}
	}
}
