package store

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

// numbered is a row of a table that is made for the test.
type numbered struct {
	n    int64
	word string
}

func numberedValues(into []value, r *numbered) []value {
	return append(into, number(r.n), text(r.word))
}

func putNumbered(ctx context.Context, s *Store, rows []numbered) (written, count, sum int64, err error) {
	err = s.update(ctx, "test", func(t *tx) error {
		if _, err := t.sql.ExecContext(ctx, "CREATE TEMP TABLE IF NOT EXISTS numbered (n INTEGER CHECK (n >= 0), word TEXT NOT NULL) STRICT"); err != nil {
			return err
		}
		if _, err := t.sql.ExecContext(ctx, "DELETE FROM numbered"); err != nil {
			return err
		}
		var err error
		if written, err = bulkSQLiteRows(ctx, t, "INSERT INTO numbered (n, word) VALUES (?, ?)", "(?, ?)", rows, numberedValues); err != nil {
			return err
		}
		return t.sql.QueryRowContext(ctx, "SELECT count(*), coalesce(sum(n * length(word)), 0) FROM numbered").Scan(&count, &sum)
	})
	return written, count, sum, err
}

// TestBulkBatches writes rows below, at and above each number of rows that are taken
// together: a statement, a batch, and what is looked through for constant columns.
func TestBulkBatches(t *testing.T) {
	s := bulkStore(t)
	const most = rowsPerBulk + rowsPerBatch + rowsPerStatement + 34
	kinds := map[string]func(i int) numbered{
		"distinct":        func(i int) numbered { return numbered{int64(i), fmt.Sprint(i)} },
		"constant word":   func(i int) numbered { return numbered{int64(i), "it's ?"} },
		"changes at once": func(i int) numbered { return numbered{int64(i), fmt.Sprint(i / rowsPerBulk)} },
		"all constant":    func(int) numbered { return numbered{7, "same"} },
	}
	before := runtime.NumGoroutine()
	for name, make := range kinds {
		for _, size := range []int{0, 1, rowsPerStatement, rowsPerStatement + 1, rowsPerBatch, rowsPerBatch + 1, most} {
			var rows []numbered
			want := int64(0)
			for i := range size {
				r := make(i)
				rows, want = append(rows, r), want+r.n*int64(len(r.word))
			}
			written, count, sum, err := putNumbered(t.Context(), s, rows)
			if err != nil || written != int64(size) || count != int64(size) || sum != want {
				t.Errorf("%s, %d rows: wrote %d, there are %d of sum %d, want %d; %v", name, size, written, count, sum, want, err)
			}
		}
	}
	rows := make([]numbered, most)
	rows[most*2/3].n = -1
	if _, _, _, err := putNumbered(t.Context(), s, rows); err == nil {
		t.Error("a row that the table refuses was written")
	}
	ended, cancel := context.WithCancelCause(t.Context())
	why := errors.New("no more")
	late := &lateCancel{Context: ended, after: 50, cancel: func() { cancel(why) }}
	if _, _, _, err := putNumbered(late, s, rows[:most/2]); !errors.Is(err, context.Canceled) {
		t.Errorf("ended halfway: %v", err)
	}
	for wait := 0; runtime.NumGoroutine() > before && wait < 100; wait++ {
		time.Sleep(10 * time.Millisecond)
	}
	if after := runtime.NumGoroutine(); after > before {
		t.Errorf("%d goroutines, %d before", after, before)
	}
}

// lateCancel ends when it was asked for its error so many times, as it is before
// every statement.
type lateCancel struct {
	context.Context
	after  int
	cancel func()
}

func (c *lateCancel) Err() error {
	if c.after--; c.after == 0 {
		c.cancel()
	}
	return c.Context.Err()
}

func bulkStore(t *testing.T) *Store {
	t.Helper()
	s, err := Open(t.Context(), Config{Path: filepath.Join(t.TempDir(), "mtok.db"), Mode: Create}, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}
