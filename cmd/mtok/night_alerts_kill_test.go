package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestKilledAfterSending kills the night while the receiver has the message and the
// database does not know it yet. The next night sends it again, under the same id, and
// a third one nothing.
func TestKilledAfterSending(t *testing.T) {
	t.Parallel()
	a := newAlerted(t, alertedConfig)
	for i, price := range []string{"3.29", "3.29", "2.99"} {
		a.night(july(t, 5+i), price)
	}
	day := july(t, 8)
	var mu sync.Mutex
	var ids []string
	var victim *exec.Cmd
	hook := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		ids = append(ids, r.Header.Get("X-Mtok-Delivery"))
		if len(ids) == 1 {
			if err := victim.Process.Kill(); err != nil {
				t.Error(err)
			}
		}
	}))
	defer hook.Close()
	a.env["HOOK_URL"] = "generic+" + hook.URL + "/in/s3cr3t"
	args := []string{"nightly", "--provider", "runpod", "--recorded", a.dir, "--day", day.String(), "--db", a.db, "--config", a.config}
	victim = exec.Command(os.Args[0], args...)
	victim.Env = append(os.Environ(), "MTOK_TEST_AS_MTOK=1", "MTOK_TEST_NOW="+day.Time().Add(20*time.Hour).Format(time.RFC3339), "HOOK_URL="+a.env["HOOK_URL"], "GORACE="+raceOptions())
	mu.Lock() // until the process is known
	err := victim.Start()
	mu.Unlock()
	if err != nil {
		t.Fatal(err)
	}
	if victim.Wait() == nil {
		t.Fatal("it was not killed")
	}
	for range 2 {
		a.cmd(day, exitOK, args[:len(args)-4]...)
	}
	mu.Lock()
	defer mu.Unlock()
	if len(ids) != 2 || ids[0] == "" || ids[0] != ids[1] {
		t.Errorf("ids %q, want one of them twice", ids)
	}
}

// TestChannelFile: a URL may stand in a file; one that is not to be had makes its
// messages wait, and the night goes on.
func TestChannelFile(t *testing.T) {
	t.Parallel()
	a := newAlerted(t, "[[channel]]\nname = \"hook\"\nurl_file = \"hook.url\"\n")
	path := filepath.Join(t.TempDir(), "hook.url")
	writeText(t, a.config, strings.ReplaceAll(readText(t, a.config), "hook.url", path))
	for i, price := range []string{"3.29", "3.29", "2.99", "2.99"} {
		a.night(july(t, 5+i), price)
	}
	if status := a.cmd(july(t, 8), exitPartial, "status"); !strings.Contains(status, "Waiting: 1 alert of 2026-07-08 to channel hook") {
		t.Errorf("status:\n%s", status)
	}
	writeText(t, path, a.env["HOOK_URL"]+"\n")
	a.cmd(july(t, 9), exitOK, "alerts", "retry", "hook")
	if len(a.hook.ids) != 1 || slices.Contains(a.hook.ids, "") {
		t.Errorf("ids %q", a.hook.ids)
	}
}
