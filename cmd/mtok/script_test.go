package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// The scripts run this test binary as mtok. What they may choose that a user
// may not is read from the environment here, never in the program.
func TestMain(m *testing.M) {
	if os.Getenv("MTOK_TEST_AS_MTOK") != "" {
		os.Exit(runAsMtok())
	}
	testscript.Main(m, map[string]func(){"mtok": func() { os.Exit(runAsMtok()) }})
}

func runAsMtok() int {
	now := time.Now
	if text := os.Getenv("MTOK_TEST_NOW"); text != "" {
		fixed, err := time.Parse(time.RFC3339, text)
		if err != nil {
			panic(err)
		}
		now = func() time.Time { return fixed }
	}
	d := deps{Env: os.Getenv, Now: now, Terminal: os.Getenv("MTOK_TEST_TERMINAL") != "", Transport: noNetwork{}}
	d.Wait = func(ctx context.Context, _ time.Duration) error { return ctx.Err() }
	return run(context.Background(), os.Args[1:], os.Stdout, os.Stderr, d)
}

// TestScripts runs testdata/script: whole commands, their output and exit codes.
func TestScripts(t *testing.T) {
	t.Parallel()
	night, err := filepath.Abs("../../scrapers/recorded/night")
	if err != nil {
		t.Fatal(err)
	}
	config, err := filepath.Abs("../../config.toml")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(e *testscript.Env) error {
			// The recorded night holds these models of the market.
			models := filepath.Join(e.WorkDir, "night.toml")
			if err := os.WriteFile(models, []byte(nightConfig), 0o600); err != nil {
				return err
			}
			e.Setenv("NIGHTCONFIG", models)
			e.Setenv("NIGHT", night)
			e.Setenv("CONFIG", config)
			e.Setenv("TMPDIR", e.WorkDir)
			e.Setenv("XDG_CONFIG_HOME", filepath.Join(e.WorkDir, "xdg"))
			e.Setenv("MTOK_TEST_NOW", "2026-08-22T20:00:00Z")
			e.Setenv("GORACE", raceOptions())
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"code": code, "demo": madeDemoHere},
	})
}

// raceOptions are those of a process under the race detector: by itself it sleeps
// for a second before each exit, in case a goroutine that is left has a race still
// to come, which is most of what a short command takes.
func raceOptions() string { return os.Getenv("GORACE") + " atexit_sleep_ms=20" }

// nightConfig asks the market for what the recorded night holds of it.
const nightConfig = "[providers.vast]\nmodels = [\"H100 SXM\", \"A100 SXM4\", \"MI300X\"]\n"

// code runs a command and checks its exit code: code 2 mtok report nosuch.
func code(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: code N command args...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

var errNoNetwork = fmt.Errorf("tests have no network")
