package web_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus/testutil/promlint"

	"mtok/reports/web"
	"mtok/schema"
)

// serve answers on a loopback port until the test ends.
func serve(t *testing.T, o web.Options) string {
	t.Helper()
	s := httptest.NewUnstartedServer(nil)
	s.Config = web.Server(o)
	s.Start()
	t.Cleanup(s.Close)
	return s.URL
}

func get(t *testing.T, url string) (*http.Response, string) {
	t.Helper()
	client := http.Client{Timeout: 10 * time.Second}
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
	return r, string(body)
}

func TestServer(t *testing.T) {
	o, _ := options(t, aNight(), at(7, 0))
	url := serve(t, o)
	r, body := get(t, url+"/healthz")
	if r.StatusCode != http.StatusOK || body != "ok\n" || r.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("/healthz: %s %q %v", r.Status, body, r.Header)
	}
	r, body = get(t, url+"/metrics")
	if r.StatusCode != http.StatusOK || !strings.HasPrefix(r.Header.Get("Content-Type"), "text/plain") {
		t.Errorf("/metrics: %s %v", r.Status, r.Header)
	}
	for _, want := range []string{
		`mtok_price_usd_per_gpu_hour{class="h100-sxm-80gb",commitment_days="",provider="lambda",term="on_demand",tier=""} 3.99`,
		"go_goroutines", "process_start_time_seconds",
	} {
		if !strings.Contains(body, want) {
			t.Errorf("/metrics has no %s", want)
		}
	}
	if problems, err := promlint.New(strings.NewReader(body)).Lint(); err != nil || len(problems) > 0 {
		t.Errorf("/metrics: %v, %v", problems, err)
	}
	for _, path := range []string{"/", "/metrics/", "/healthzz"} {
		if r, _ := get(t, url+path); r.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %s", path, r.Status)
		}
	}
	post, err := http.Post(url+"/metrics", "text/plain", strings.NewReader("x"))
	if err != nil {
		t.Fatal(err)
	}
	post.Body.Close()
	if post.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("POST: %s", post.Status)
	}
}

func TestServerHasLimits(t *testing.T) {
	o, _ := options(t, aNight(), at(7, 0))
	s := web.Server(o)
	if s.ReadHeaderTimeout <= 0 || s.ReadTimeout <= 0 || s.WriteTimeout <= 0 || s.IdleTimeout <= 0 || s.MaxHeaderBytes <= 0 {
		t.Errorf("no limit: %+v", s)
	}
}

func TestReady(t *testing.T) {
	fresh := func() *ledger {
		l := aNight()
		l.complete = map[schema.ProviderID]schema.Day{"lambda": tonight, "vast": tonight, "crusoe": tonight}
		return l
	}
	for name, c := range map[string]struct {
		change func(*ledger)
		now    time.Time
		want   []string // reasons; none is ready
	}{
		"all is well":                 {func(*ledger) {}, at(7, 0), []string{}},
		"tomorrow, before the night":  {func(*ledger) {}, at(30, 0), []string{}},
		"yesterday's will do":         {func(l *ledger) { l.complete["vast"] = tonight - 1 }, at(23, 59), []string{}},
		"partial is no failure":       {func(l *ledger) { l.runs[1].Status = schema.StatusPartial }, at(7, 0), []string{}},
		"a running night is none yet": {func(l *ledger) { l.runs = l.runs[:2] }, at(7, 0), []string{}},
		"the clock makes stale": {func(*ledger) {}, at(48, 0), []string{
			"crusoe: stale: last complete night 2026-08-22, 2 days ago",
			"lambda: stale: last complete night 2026-08-22, 2 days ago",
			"vast: stale: last complete night 2026-08-22, 2 days ago",
		}},
		"one is stale": {func(l *ledger) { l.complete["vast"] = tonight - 2 }, at(7, 0), []string{
			"vast: stale: last complete night 2026-08-20, 2 days ago",
		}},
		"one never came": {func(l *ledger) { delete(l.complete, "vast") }, at(7, 0), []string{"vast: no complete night yet"}},
		"the last night failed": {func(l *ledger) { l.runs[1].Status = schema.StatusFailed }, at(7, 0), []string{
			"the last night, of 2026-08-22: failed",
		}},
		"its process died": {func(l *ledger) { l.runs[1].Status = schema.StatusAbandoned }, at(7, 0), []string{
			"the last night, of 2026-08-22: abandoned",
		}},
		"nothing ran":        {func(l *ledger) { *l = ledger{} }, at(7, 0), []string{"no night was run yet"}},
		"no runs to be read": {func(l *ledger) { l.broken = "LastRuns" }, at(7, 0), []string{"the database can't be read"}},
		"no days to be read": {func(l *ledger) { l.broken = "LastCompleteDays" }, at(7, 0), []string{"the database can't be read"}},
	} {
		t.Run(name, func(t *testing.T) {
			l := fresh()
			c.change(l)
			o, logs := options(t, l, c.now)
			r, body := get(t, serve(t, o)+"/readyz")
			var got web.Readiness
			if err := json.Unmarshal([]byte(body), &got); err != nil {
				t.Fatalf("%s: %v", body, err)
			}
			want := web.Readiness{Ready: len(c.want) == 0, Reasons: c.want}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("body (-want +got):\n%s", diff)
			}
			status := http.StatusServiceUnavailable
			if want.Ready {
				status = http.StatusOK
			}
			if r.StatusCode != status || r.Header.Get("Content-Type") != "application/json" {
				t.Errorf("%s %v, want %d", r.Status, r.Header, status)
			}
			if broken := l.broken != ""; broken != strings.Contains(logs.String(), errBroken.Error()) {
				t.Errorf("log: %s", logs)
			}
		})
	}
}
