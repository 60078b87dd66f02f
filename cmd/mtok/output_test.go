package main

import (
	"bytes"
	"errors"
	"io"
	"testing"
	"time"
)

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

// TestLostOutputIsAnError: a report that could not be written is no success.
func TestLostOutputIsAnError(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	d := deps{Env: func(string) string { return "" }, Now: time.Now, Transport: noNetwork{}}
	for _, args := range [][]string{{"demo"}, {"config", "show"}, {"cost", "--hourly", "2.50", "--tokens-per-second", "10"}} {
		var logs bytes.Buffer
		if code := run(t.Context(), args, fullDisk{}, &logs, d); code != exitError {
			t.Errorf("%v: exit %d, want %d\n%s", args, code, exitError, &logs)
		}
	}
	if code := run(t.Context(), []string{"config", "show"}, io.Discard, io.Discard, d); code != exitOK {
		t.Errorf("exit %d on a working output", code)
	}
}
