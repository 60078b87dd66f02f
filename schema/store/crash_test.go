package store_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mtok/schema"
	"mtok/schema/store"
)

func sortedCopy(list []string) []string { return slices.Sorted(slices.Values(list)) }

// crashEnv makes the test binary the process that is killed: it names the
// database whose night it saves.
const crashEnv = "MTOK_TEST_CRASH_DATABASE"

// wide is a complete night with many offers, so that its transaction spills from
// memory into the write-ahead log before the commit.
func wide(run schema.Run, f schema.Fetch, offers int) schema.ProviderNight {
	n := nightOf(run, schema.StatusComplete)
	for i := range offers {
		n.Observations = append(n.Observations, h100(f, i+1, 1_990_000))
	}
	return n
}

// TestCrashProcess is no test of its own: it is the body of the process that
// TestKilledInTransaction starts.
func TestCrashProcess(t *testing.T) {
	path := os.Getenv(crashEnv)
	if path == "" {
		return
	}
	s := mustOpen(t, store.Config{Path: path}, store.ReadWrite)
	run := mustRun(t, s, firstNight)
	f := mustFetch(t, s, run)
	err := s.SaveNightThen(context.Background(), wide(run, f, 100_000), func() error {
		return syscall.Kill(os.Getpid(), syscall.SIGKILL)
	})
	t.Fatalf("survived: %v", err)
}

func TestKilledInTransaction(t *testing.T) {
	ctx := context.Background()
	c := sqliteConfig(t)
	s := mustOpen(t, c, store.Create)
	saveDay(t, s, firstNight, 3_990_000)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}

	child := exec.Command(os.Args[0], "-test.run=^TestCrashProcess$")
	child.Env = append(os.Environ(), crashEnv+"="+c.Path)
	output, err := child.CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
		t.Fatalf("the process was not killed: %v\n%s", err, output)
	}
	if wal, err := os.Stat(c.Path + "-wal"); err != nil || wal.Size() < 100_000 {
		t.Fatalf("nothing of the night was on disk: %v", err)
	}

	reader := mustOpen(t, c, store.ReadOnly) // with the log of the dead
	if diff := cmp.Diff([]string{"2026-08-22 1x 3.99"}, prices(t, reader, schema.ObservationFilter{})); diff != "" {
		t.Errorf("after the kill (-want +got):\n%s", diff)
	}
	s = mustOpen(t, c, store.ReadWrite)
	if problems, err := s.Check(ctx); err != nil || len(problems) != 0 {
		t.Errorf("check: %v, %v", problems, err)
	}
	_, err = s.StartRun(ctx, schema.Run{Job: schema.JobNightly, Day: firstNight})
	var running *store.RunningError
	if !errors.As(err, &running) {
		t.Fatalf("the dead run: got %v, want a RunningError", err)
	}
	if err := s.AbandonRun(ctx, running.Run.ID); err != nil {
		t.Fatal(err)
	}
	saveDay(t, s, firstNight, 2_990_000)
	if diff := cmp.Diff([]string{"2026-08-22 1x 2.99"}, prices(t, s, schema.ObservationFilter{})); diff != "" {
		t.Errorf("the next run (-want +got):\n%s", diff)
	}
}

// On a full disk SQLite rolls back by itself and goes on in autocommit: a writer
// that did not stop at the first error would keep half a night.
func TestFullDisk(t *testing.T) {
	ctx := context.Background()
	c := sqliteConfig(t)
	s := mustOpen(t, c, store.Create)
	saveDay(t, s, firstNight, 3_990_000)
	run := mustRun(t, s, firstNight)
	f := mustFetch(t, s, run)
	before, err := s.Stats(ctx)
	if err != nil {
		t.Fatal(err)
	}
	var pages int
	if err := s.Reader().QueryRow("PRAGMA page_count").Scan(&pages); err != nil {
		t.Fatal(err)
	}
	for _, spare := range []int{0, 3, 30, 100} { // full while at different tables
		mustExec(t, s.Writer(), fmt.Sprintf("PRAGMA max_page_count = %d", pages+spare))
		if err := s.SaveProviderNight(ctx, wide(run, f, 2_000)); !errors.Is(err, store.ErrFull) {
			t.Errorf("%d pages to spare: got %v, want ErrFull", spare, err)
		}
		after, err := s.Stats(ctx)
		if err != nil {
			t.Fatal(err)
		}
		before.Bytes, before.WALBytes = after.Bytes, after.WALBytes
		if diff := cmp.Diff(before, after); diff != "" {
			t.Errorf("%d pages to spare: rows were kept (-want +got):\n%s", spare, diff)
		}
	}
	if diff := cmp.Diff([]string{"2026-08-22 1x 3.99"}, prices(t, s, schema.ObservationFilter{})); diff != "" {
		t.Errorf("the last good night (-want +got):\n%s", diff)
	}

	mustExec(t, s.Writer(), "PRAGMA max_page_count = 1000000")
	mustSave(t, s, wide(run, f, 2_000))
	if after, err := s.Stats(ctx); err != nil || after.Observations != 2_000 {
		t.Errorf("with space again: got %+v, %v", after, err)
	}
	if problems, err := s.Check(ctx); err != nil || len(problems) != 0 {
		t.Errorf("check: %v, %v", problems, err)
	}
}

func TestCancelledWriteLeavesNothing(t *testing.T) {
	eachBackend(t, func(t *testing.T, c store.Config) {
		s := mustOpen(t, c, store.Create)
		saveDay(t, s, firstNight, 3_990_000)
		run := mustRun(t, s, firstNight)
		f := mustFetch(t, s, run)
		ctx, cancel := context.WithCancel(context.Background())
		err := s.SaveNightThen(ctx, nightOf(run, schema.StatusComplete, h100(f, 1, 1_000_000)), func() error {
			cancel()
			return nil
		})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want context.Canceled", err)
		}
		mustFinish(t, s, run) // the connection is usable
		if diff := cmp.Diff([]string{"2026-08-22 1x 3.99"}, prices(t, s, schema.ObservationFilter{})); diff != "" {
			t.Errorf("after the interruption (-want +got):\n%s", diff)
		}
	})
}
