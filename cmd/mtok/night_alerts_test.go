package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"mtok/schema"
	"mtok/schema/store"
)

// receiver is a webhook on loopback that keeps what it gets.
type receiver struct {
	*httptest.Server
	mu     sync.Mutex
	status int
	ids    []string
	bodies []string
	beats  int
}

func newReceiver(t *testing.T) *receiver {
	r := &receiver{status: http.StatusOK}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		body, _ := io.ReadAll(q.Body)
		r.mu.Lock()
		defer r.mu.Unlock()
		if q.URL.Path == "/beat" {
			r.beats++
			return
		}
		r.ids, r.bodies = append(r.ids, q.Header.Get("X-Mtok-Delivery")), append(r.bodies, string(body))
		w.WriteHeader(r.status)
	}))
	t.Cleanup(r.Close)
	return r
}

// alerted is a database whose nights read RunPod's prices from a directory.
type alerted struct {
	t               *testing.T
	db, dir, config string
	page            string
	hook            *receiver
	env             map[string]string
	out, logs       string
}

const alertedConfig = `
[[channel]]
name = "hook"
url_env = "HOOK_URL"

[heartbeat]
url_env = "BEAT_URL"
`

func newAlerted(t *testing.T, config string) *alerted {
	dir := t.TempDir()
	a := &alerted{t: t, db: filepath.Join(dir, "mtok.db"), dir: filepath.Join(dir, "night"), config: filepath.Join(dir, "config.toml"), hook: newReceiver(t)}
	if err := os.MkdirAll(filepath.Join(a.dir, "runpod"), 0o755); err != nil {
		t.Fatal(err)
	}
	writeText(t, a.config, config)
	a.page = readText(t, filepath.Join("..", "..", "scrapers", "recorded", "night", "runpod", "graphql.json"))
	a.env = map[string]string{"HOOK_URL": "generic+" + a.hook.URL + "/in/s3cr3t", "BEAT_URL": a.hook.URL + "/beat"}
	return a
}

// runpodAlone switches the other providers off.
func runpodAlone() string {
	off := ""
	for _, id := range providerIDs() {
		if id != "runpod" {
			off += fmt.Sprintf("[providers.%s]\nenabled = false\n", id)
		}
	}
	return off
}

// cmd runs a command in the evening of a day.
func (a *alerted) cmd(day schema.Day, want int, args ...string) string {
	a.t.Helper()
	var out, logs bytes.Buffer
	d := deps{
		Env: func(name string) string { return a.env[name] }, Transport: noNetwork{},
		Now:  func() time.Time { return day.Time().Add(20 * time.Hour) },
		Wait: func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
	}
	code := run(a.t.Context(), append(args, "--db", a.db, "--config", a.config), &out, &logs, d)
	a.out, a.logs = out.String(), logs.String()
	if code != want {
		a.t.Fatalf("%s: mtok %s: exit %d, want %d\n%s%s", day, strings.Join(args, " "), code, want, a.out, a.logs)
	}
	if strings.Contains(a.out+a.logs, "s3cr3t") {
		a.t.Errorf("the URL is in the output:\n%s%s", a.out, a.logs)
	}
	return a.out
}

const h100Listed = `"displayName": "H100 SXM", "memoryInGb": 80, "secureCloud": true, "communityCloud": true, "securePrice": 3.29`

// night is one on which RunPod asks so much for its secure H100 SXM.
func (a *alerted) night(day schema.Day, price string) string {
	a.t.Helper()
	page := strings.Replace(a.page, h100Listed, strings.Replace(h100Listed, "3.29", price, 1), 1)
	writeText(a.t, filepath.Join(a.dir, "runpod", "graphql.json"), page)
	return a.cmd(day, exitOK, "nightly", "--provider", "runpod", "--recorded", a.dir, "--day", day.String())
}

func july(t *testing.T, day int) schema.Day {
	t.Helper()
	d, err := schema.ParseDay(fmt.Sprintf("2026-07-%02d", day))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestACutIsToldOnce: a cut that stands on its second night goes to the channel, with
// its whole text; the night again, or the next ones, tell nothing more.
func TestACutIsToldOnce(t *testing.T) {
	t.Parallel()
	a := newAlerted(t, alertedConfig)
	for i, price := range []string{"3.29", "3.29", "3.29", "2.99"} {
		a.night(july(t, 4+i), price)
	}
	if len(a.hook.ids) != 0 {
		t.Fatalf("told before it was sure:\n%s", a.hook.bodies)
	}
	held := a.cmd(july(t, 7), exitOK, "alerts", "list")
	if !strings.Contains(held, "held") || !strings.Contains(held, "runpod/h100-sxm-80gb/on_demand/secure") {
		t.Errorf("what waits is not listed:\n%s", held)
	}
	screen := a.night(july(t, 8), "2.99")
	if len(a.hook.ids) != 1 || !strings.Contains(screen, "[mtok] CUT RunPod secure") || !strings.Contains(screen, "1 message delivered") {
		t.Fatalf("%d messages:\n%s", len(a.hook.ids), screen)
	}
	for _, want := range []string{
		"[mtok] CUT RunPod secure, H100 SXM 80GB, on-demand: 3.29 -> 2.99 $/GPU-h (-0.30, -9.1 %)", "First seen 2026-07-07.",
		"Effect, Llama-3.3-70B FP8 on 2x: 0.414 -> 0.376 $/MTok flat out, 0.636 -> 0.578 at 65 %",
		"8 GPUs around the clock: -$1,752/month", "Rule list-price-any.", "Stock for 2 GPUs: unknown.",
	} {
		if !strings.Contains(a.hook.bodies[0], want) {
			t.Errorf("%q is not in\n%s", want, a.hook.bodies[0])
		}
	}
	a.cmd(july(t, 8), exitFiring, "alerts", "check", "--exit-code")
	for _, day := range []int{8, 8, 9, 10} {
		a.night(july(t, day), "2.99")
	}
	if len(a.hook.ids) != 1 {
		t.Errorf("told again:\n%s", strings.Join(a.hook.bodies, "\n\n"))
	}
	a.cmd(july(t, 10), exitOK, "alerts", "check", "--exit-code")
}

// TestPrintedCommandsWork: what an alert says to run reads the same configuration and
// database, with a rule that only that file has.
func TestPrintedCommandsWork(t *testing.T) {
	t.Parallel()
	a := newAlerted(t, runpodAlone()+alertedConfig+"[[alert]]\nname = \"my-rule\"\nmetric = \"price\"\n")
	for i, price := range []string{"3.29", "3.29", "2.99", "2.99"} {
		a.night(july(t, 5+i), price)
	}
	if len(a.hook.bodies) != 1 {
		t.Fatalf("%d messages", len(a.hook.bodies))
	}
	for _, word := range []string{"Proof: mtok ", "Quiet: mtok "} {
		_, line, _ := strings.Cut(a.hook.bodies[0], word)
		line, _, _ = strings.Cut(line, ". ")
		var out, logs bytes.Buffer
		d := deps{Env: func(string) string { return "" }, Transport: noNetwork{}, Now: func() time.Time { return july(t, 8).Time() }}
		if code := run(t.Context(), strings.Fields(line), &out, &logs, d); code != exitOK {
			t.Errorf("mtok %s: exit %d\n%s%s", line, code, &out, &logs)
		}
	}
}

// TestDeadChannel: the night is fine, the dead letter is shown, status is not green,
// and a retry sends it under its id.
func TestDeadChannel(t *testing.T) {
	t.Parallel()
	a := newAlerted(t, runpodAlone()+alertedConfig)
	for i, price := range []string{"3.29", "3.29", "2.99"} {
		a.night(july(t, 5+i), price)
	}
	a.cmd(july(t, 7), exitOK, "status")
	a.hook.status = http.StatusBadGateway
	a.night(july(t, 8), "2.99")
	if len(a.hook.ids) != 4 || !strings.Contains(a.out, "waiting") {
		t.Errorf("%d tries:\n%s", len(a.hook.ids), a.out)
	}
	a.cmd(july(t, 8), exitPartial, "status")
	a.night(july(t, 9), "2.99")
	a.night(july(t, 11), "2.99")
	if len(a.hook.ids) != 6 {
		t.Errorf("%d tries, want 6", len(a.hook.ids))
	}
	status := a.cmd(july(t, 11), exitPartial, "status", "--format", "table")
	if !strings.Contains(status, "Not delivered: 1 alert of 2026-07-08 to channel hook, given up after 6 tries: HTTP 502 Bad Gateway") {
		t.Errorf("status:\n%s", status)
	}
	a.cmd(july(t, 11), exitPartial, "alerts", "retry")
	a.hook.status = http.StatusOK
	a.cmd(july(t, 11), exitOK, "alerts", "retry")
	if ids := slices.Compact(slices.Clone(a.hook.ids)); len(ids) != 1 || ids[0] == "" {
		t.Errorf("ids %q", a.hook.ids)
	}
	a.cmd(july(t, 11), exitOK, "status")
	if out := a.cmd(july(t, 11), exitOK, "alerts", "retry"); !strings.Contains(out, "nothing waits") {
		t.Errorf("retry: %s", out)
	}
	inStore(t, a.db, func(ctx context.Context, s *store.Store) error {
		sent, err := s.OutboxMessages(ctx, schema.OutboxSent)
		if len(sent) != 1 {
			t.Errorf("sent: %+v", sent)
		}
		return err
	})
}

// TestThirtyNightsOfFlapping tell once a cooldown at most.
func TestThirtyNightsOfFlapping(t *testing.T) {
	t.Parallel()
	a := newAlerted(t, alertedConfig)
	first := july(t, 1)
	for i := range schema.Day(36) {
		price := "3.29"
		if i >= 6 && i/2%2 == 1 { // every price stands for two nights
			price = "2.99"
		}
		a.night(first+i, price)
	}
	inStore(t, a.db, func(ctx context.Context, s *store.Store) error {
		events, err := s.LastAlertEvents(ctx, 100)
		var days []schema.Day
		for _, e := range events {
			if strings.HasPrefix(e.Series, "runpod/h100-sxm-80gb") {
				days = append(days, e.Day)
			}
		}
		slices.Sort(days)
		for i := 1; i < len(days); i++ {
			if days[i]-days[i-1] < 7 {
				t.Errorf("told on %s and on %s", days[i-1], days[i])
			}
		}
		if len(days) == 0 || len(days) > 5 {
			t.Errorf("told %d times in 30 nights: %v", len(days), days)
		}
		if len(a.hook.ids) != len(events) {
			t.Errorf("%d messages of %d events", len(a.hook.ids), len(events))
		}
		return err
	})
}

// TestSilenceAndHeartbeat: what is silenced is listed and goes to nobody; a complete
// night of all providers of today beats, a night of one does not.
func TestSilenceAndHeartbeat(t *testing.T) {
	t.Parallel()
	a := newAlerted(t, runpodAlone()+alertedConfig)
	for i, price := range []string{"3.29", "3.29", "2.99"} {
		a.night(july(t, 5+i), price)
	}
	if a.hook.beats != 3 {
		t.Errorf("%d heartbeats of 3 complete nights", a.hook.beats)
	}
	a.cmd(july(t, 7), exitOK, "alerts", "silence", "list-price-any", "--series", "runpod/h100-sxm-80gb/on_demand/secure", "--for", "2d", "--comment", "known")
	a.night(july(t, 8), "2.99")
	list := a.cmd(july(t, 8), exitOK, "alerts", "list")
	if len(a.hook.ids) != 0 || !strings.Contains(list, "CUT RunPod secure") || !strings.Contains(list, "Silenced: list-price-any") {
		t.Errorf("%d messages:\n%s", len(a.hook.ids), list)
	}
	a.cmd(july(t, 8), exitOK, "alerts", "check", "--exit-code")
	a.cmd(july(t, 8), exitOK, "alerts", "test")
	if len(a.hook.ids) != 1 || !strings.Contains(a.hook.bodies[0], "TEST of channel hook") {
		t.Errorf("test message: %q", a.hook.bodies)
	}
	beats := a.hook.beats
	writeText(t, filepath.Join(a.dir, "runpod", "graphql.json"), "{}")
	a.cmd(july(t, 9), exitPartial, "nightly", "--recorded", a.dir, "--day", "2026-07-09")
	if a.hook.beats != beats {
		t.Error("a failed night beats")
	}
	if !strings.Contains(a.out, "[mtok] STALE RunPod") || len(a.hook.ids) != 2 {
		t.Errorf("a dead source is not told:\n%s%s", a.out, a.logs)
	}
}

// TestAPersonConfirms: a price that is held is told as soon as a person says that it
// is right.
func TestAPersonConfirms(t *testing.T) {
	t.Parallel()
	a := newAlerted(t, alertedConfig)
	for i, price := range []string{"3.29", "3.29", "3.29"} {
		a.night(july(t, 4+i), price)
	}
	page := strings.Replace(a.page, h100Listed, strings.Replace(h100Listed, "3.29", "6.58", 1), 1)
	writeText(t, filepath.Join(a.dir, "runpod", "graphql.json"), page)
	a.cmd(july(t, 7), exitPartial, "nightly", "--provider", "runpod", "--recorded", a.dir, "--day", "2026-07-07")
	before := len(a.hook.ids)
	a.cmd(july(t, 7), exitOK, "quarantine", "confirm", "runpod")
	if len(a.hook.ids) != before+1 || !strings.Contains(a.hook.bodies[before], "RISE RunPod secure, H100 SXM 80GB, on-demand: 3.29 -> 6.58") {
		t.Errorf("%d messages:\n%s", len(a.hook.ids), strings.Join(a.hook.bodies, "\n\n"))
	}
}

// TestAPersonConfirmsAMove: a return to an old price is held by itself; the list names
// the command that has it told, once, after which it waits no more.
func TestAPersonConfirmsAMove(t *testing.T) {
	t.Parallel()
	a := newAlerted(t, alertedConfig)
	for i, price := range []string{"3.29", "3.29", "3.29", "2.99", "2.99", "3.29", "3.29"} {
		a.night(july(t, 4+i), price)
	}
	before := len(a.hook.ids)
	list := a.cmd(july(t, 10), exitOK, "alerts", "list")
	found := regexp.MustCompile(`held .*a return to 3\.29 of 2026-07-06.*tell it: mtok alerts confirm ([0-9a-f]{12}) `).FindStringSubmatch(list)
	if found == nil {
		t.Fatalf("the list names no command:\n%s", list)
	}
	a.cmd(july(t, 10), exitUsage, "alerts", "confirm", "x"+found[1])
	if !strings.Contains(a.logs, `did you mean "`+found[1]+`"?`) {
		t.Errorf("a wrong id:\n%s", a.logs)
	}
	if len(a.hook.ids) != before {
		t.Fatalf("told unasked:\n%s", strings.Join(a.hook.bodies[before:], "\n\n"))
	}
	screen := a.cmd(july(t, 10), exitOK, "alerts", "confirm", found[1])
	const told = "RISE RunPod secure, H100 SXM 80GB, on-demand: 2.99 -> 3.29"
	if len(a.hook.ids) != before+1 || !strings.Contains(a.hook.bodies[before], told) || !strings.Contains(screen, told) {
		t.Errorf("%d messages:\n%s\n%s", len(a.hook.ids), strings.Join(a.hook.bodies, "\n\n"), screen)
	}
	if list = a.cmd(july(t, 10), exitOK, "alerts", "list"); strings.Contains(list, found[1]) {
		t.Errorf("it waits still:\n%s", list)
	}
	a.cmd(july(t, 10), exitUsage, "alerts", "confirm", found[1])
	if !strings.Contains(a.logs, "no move waits as") {
		t.Errorf("confirmed twice:\n%s", a.logs)
	}
	a.night(july(t, 11), "3.29")
	if len(a.hook.ids) != before+1 {
		t.Errorf("told again:\n%s", strings.Join(a.hook.bodies[before:], "\n\n"))
	}
}

// TestTenThousandMoves in one night are one bounded message a channel.
func TestTenThousandMoves(t *testing.T) {
	t.Parallel()
	hook := newReceiver(t)
	env := map[string]string{"A": "generic+" + hook.URL + "/a", "B": "generic+" + hook.URL + "/b"}
	a := &app{deps: deps{
		Env: func(name string) string { return env[name] }, Now: func() time.Time { return july(t, 7).Time() },
		Wait: func(context.Context, time.Duration) error { return nil },
	}, config: defaultConfig(), log: slog.New(slog.DiscardHandler)}
	a.config.Channels = []ChannelConfig{{Name: "a", URLEnv: "A"}, {Name: "b", URLEnv: "B"}}
	var night schema.AlertNight
	for i := range 10_000 {
		night.Events = append(night.Events, schema.AlertEvent{
			Event: fmt.Sprintf("%d", i), Rule: "list-price-any", Series: fmt.Sprintf("lambda/%d", i), Day: july(t, 7), Kind: "move", Severity: "info",
			Detail: fmt.Sprintf("[mtok] CUT number %d\n%s", i, strings.Repeat("word ", 100)), Channels: []string{"a", "b"},
		})
	}
	s, err := store.Open(t.Context(), store.Config{Path: filepath.Join(t.TempDir(), "mtok.db"), Mode: store.Create}, a.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := s.SaveAlerts(t.Context(), night); err != nil {
		t.Fatal(err)
	}
	r, err := a.deliver(t.Context(), s, 0)
	if err != nil || r.Sent != 2 || len(hook.bodies) != 2 || hook.ids[0] == hook.ids[1] {
		t.Fatalf("%+v, %v, ids %q", r, err, hook.ids)
	}
	for _, body := range hook.bodies {
		if len(body) > 4096 || !strings.Contains(body, "more: mtok alerts list") {
			t.Errorf("%d bytes:\n%s", len(body), body)
		}
	}
}
