package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestReadImportFile reads files of no part, of one and of several, and what has no
// size: a pipe.
func TestReadImportFile(t *testing.T) {
	for _, size := range []int{0, 1, partOfFile, 3*partOfFile + 7} {
		want := bytes.Repeat([]byte("day,price\n"), size/10+1)[:size]
		file := filepath.Join(t.TempDir(), "record.csv")
		if err := os.WriteFile(file, want, 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := readImportFile(file)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%d bytes: got %d, %v", size, len(got), err)
		}
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	go func() {
		_, _ = w.WriteString("through a pipe")
		_ = w.Close()
	}()
	pipe := fmt.Sprintf("/dev/fd/%d", r.Fd())
	if _, err := os.Stat(pipe); err != nil {
		t.Logf("pipes are not files here: %v", err)
		return
	}
	if got, err := readImportFile(pipe); err != nil || string(got) != "through a pipe" {
		t.Errorf("a pipe: %q, %v", got, err)
	}
}

// TestReadPartsOfCutFile fails on a file that has become shorter.
func TestReadPartsOfCutFile(t *testing.T) {
	if _, err := readParts(strings.NewReader("short"), 4*partOfFile); err == nil || !strings.Contains(err.Error(), "became shorter") {
		t.Errorf("got %v", err)
	}
	broken := errors.New("broken")
	if _, err := readParts(brokenFile{broken}, 10); !errors.Is(err, broken) {
		t.Errorf("got %v, want %v", err, broken)
	}
}

type brokenFile struct{ err error }

func (f brokenFile) ReadAt([]byte, int64) (int, error) { return 0, f.err }
