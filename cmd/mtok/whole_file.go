package main

import (
	"bufio"
	"errors"
	"io"
	"os"
	"path/filepath"
)

// ownerWrites is the mode of a file that anybody may read.
const ownerWrites os.FileMode = 0o644

// wholeFile writes a file beside its final name, takes it to the disk and renames it:
// a reader never sees half of it, and a machine that dies leaves the old one.
func wholeFile(path string, mode os.FileMode, write func(io.Writer) error) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}()
	const buffer = 1 << 18
	w := bufio.NewWriterSize(f, buffer)
	err = write(w)
	if err := errors.Join(err, w.Flush(), f.Chmod(mode), f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// replaceFile is wholeFile of a file that somebody else made: where its name leads
// elsewhere that one is replaced, and it keeps its mode.
func replaceFile(path, text string) error {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	mode := ownerWrites
	if info, err := os.Stat(path); err == nil {
		mode = info.Mode().Perm()
	}
	return wholeFile(path, mode, func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	})
}
