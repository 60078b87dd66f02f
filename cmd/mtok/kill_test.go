package main

import (
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// kills is how many nights are killed at a random moment.
const kills = 12

// TestKilledNightHeals kills a night with SIGKILL at random moments and runs it
// again on the same database: the next run takes over the lock without help,
// and the rows are those of a night that nobody disturbed.
func TestKilledNightHeals(t *testing.T) {
	night, err := filepath.Abs("../../scrapers/recorded/night")
	if err != nil {
		t.Fatal(err)
	}
	config := filepath.Join(t.TempDir(), "night.toml")
	writeText(t, config, nightConfig)
	calm := filepath.Join(t.TempDir(), "calm.db")
	started := time.Now()
	mustExit(t, nightProcess(config, calm, night).Run(), 0)
	whole := time.Since(started)
	want := command(t, exitOK, "report", "prices", "--db", calm, "--format", "csv")
	wantCosts := command(t, exitOK, "report", "mtok", "--db", calm, "--format", "csv")

	seed := rand.Uint64()
	t.Logf("seed %d, a whole night takes %s", seed, whole)
	random := rand.New(rand.NewPCG(seed, 0))
	db := filepath.Join(t.TempDir(), "killed.db")
	killed := 0
	for range kills {
		p := nightProcess(config, db, night)
		if err := p.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(random.Int64N(int64(whole))))
		if err := p.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
			t.Fatal(err)
		}
		if err := p.Wait(); err != nil {
			killed++
		}
	}
	if killed == 0 {
		t.Error("no night was killed in time")
	}
	mustExit(t, nightProcess(config, db, night).Run(), 0)
	if got := command(t, exitOK, "report", "prices", "--db", db, "--format", "csv"); got != want {
		t.Errorf("prices after %d kills differ:\n%s\nwant\n%s", killed, got, want)
	}
	if got := command(t, exitOK, "report", "mtok", "--db", db, "--format", "csv"); got != wantCosts {
		t.Errorf("costs after %d kills differ", killed)
	}
	command(t, exitOK, "db", "check", "--db", db)
}

// nightProcess is a night in a process of its own: this test binary as mtok.
func nightProcess(config, db, night string) *exec.Cmd {
	p := exec.Command(os.Args[0], "nightly", "--config", config, "--db", db, "--recorded", night)
	p.Args[0] = "mtok"
	p.Env = append(os.Environ(), "MTOK_TEST_AS_MTOK=1", "MTOK_TEST_NOW=2026-08-22T20:00:00Z")
	return p
}

func mustExit(t *testing.T, err error, want int) {
	t.Helper()
	code := 0
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		code = exit.ExitCode()
	} else if err != nil {
		t.Fatal(err)
	}
	if code != want {
		t.Fatalf("exit code %d, want %d", code, want)
	}
}
