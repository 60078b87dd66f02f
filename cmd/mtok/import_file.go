package main

import (
	"errors"
	"io"
	"os"
	"runtime"

	"golang.org/x/sync/errgroup"
)

// maxHistoryFile bounds a file: more than any record of prices has.
const maxHistoryFile = 1 << 30

// partOfFile is how much of a file is read at a time, at least.
const partOfFile = 1 << 20

// readImportFile reads a file, or what comes through a pipe.
func readImportFile(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, usagef("%w", err)
	}
	defer f.Close()
	var body []byte
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
		body, err = readParts(f, min(info.Size(), maxHistoryFile))
		if err == nil {
			_, err = f.Seek(int64(len(body)), io.SeekStart)
		}
		if err != nil {
			return nil, usagef("read %s: %w", name, err)
		}
	}
	more, err := io.ReadAll(io.LimitReader(f, int64(maxHistoryFile+1-len(body)))) // of a pipe, or of a file that grows
	if err != nil {
		return nil, usagef("read %s: %w", name, err)
	}
	if body = append(body, more...); len(body) > maxHistoryFile {
		return nil, usagef("%s is larger than 1 GiB", name)
	}
	return body, nil
}

// readParts reads so many bytes, some of them at a time: the most part of it is that
// the memory that they are read into is touched for the first time.
func readParts(f io.ReaderAt, size int64) ([]byte, error) {
	body := make([]byte, max(0, size))
	part := max(partOfFile, (len(body)+runtime.GOMAXPROCS(0)-1)/runtime.GOMAXPROCS(0))
	var all errgroup.Group
	for from := 0; from < len(body); from += part {
		to := min(from+part, len(body))
		all.Go(func() error {
			_, err := io.ReadFull(io.NewSectionReader(f, int64(from), int64(to-from)), body[from:to])
			if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
				return errors.New("it became shorter while it was read")
			}
			return err
		})
	}
	return body, all.Wait()
}
