package store_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"mtok/schema"
	"mtok/schema/migrations"
	"mtok/schema/store"
)

func TestOpenNeedsADatabase(t *testing.T) {
	eachBackend(t, func(t *testing.T, c store.Config) {
		for _, mode := range []store.Mode{store.ReadOnly, store.ReadWrite} {
			c.Mode = mode
			if _, err := store.Open(context.Background(), c, clock); !errors.Is(err, store.ErrNoDatabase) {
				t.Errorf("mode %d: got %v, want ErrNoDatabase", mode, err)
			}
		}
		first := mustOpen(t, c, store.Create)
		if got, want := first.Version(), (store.Version{Found: 0, Now: 2}); got != want {
			t.Errorf("made: got %+v, want %+v", got, want)
		}
		for _, mode := range []store.Mode{store.ReadOnly, store.ReadWrite, store.Create} {
			s := mustOpen(t, c, mode)
			if got, want := s.Version(), (store.Version{Found: 2, Now: 2}); got != want {
				t.Errorf("mode %d: got %+v, want %+v", mode, got, want)
			}
		}
	})
	if _, err := store.Open(context.Background(), store.Config{}, clock); err == nil {
		t.Error("opened neither a path nor a DSN")
	}
}

func TestReadOnly(t *testing.T) {
	eachBackend(t, func(t *testing.T, c store.Config) {
		ctx := context.Background()
		writer := mustOpen(t, c, store.Create)
		reader := mustOpen(t, c, store.ReadOnly)
		saveDay(t, writer, firstNight, 3_990_000) // seen through the write-ahead log
		if diff := cmp.Diff([]string{"2026-08-22 1x 3.99"}, prices(t, reader, schema.ObservationFilter{})); diff != "" {
			t.Errorf("read beside a writer (-want +got):\n%s", diff)
		}
		for name, write := range map[string]func() error{
			"run":   func() error { _, err := reader.StartRun(ctx, schema.Run{Job: "nightly"}); return err },
			"daily": func() error { return reader.Recompute(ctx, firstNight, figures(schema.Daily{})) },
		} {
			if err := write(); !errors.Is(err, store.ErrReadOnly) {
				t.Errorf("%s: got %v, want ErrReadOnly", name, err)
			}
		}
		if _, err := reader.Reader().Exec("DELETE FROM observations"); err == nil {
			t.Error("the connection itself can write")
		}
	})
}

func TestForeignIsRefused(t *testing.T) {
	eachBackend(t, func(t *testing.T, c store.Config) {
		s := mustOpen(t, c, store.Create)
		// Another program that also uses goose.
		for _, table := range []string{
			"unsettled_days", "deliveries", "silences", "alert_events", "alerts", "quotes", "fleets", "daily_token_costs", "cost_inputs",
			"daily_api_prices", "token_prices", "daily_market", "daily_prices", "observations",
		} {
			mustExec(t, s.Writer(), "DROP TABLE "+table)
		}
		if c.Path != "" {
			mustExec(t, s.Writer(), "PRAGMA application_id = 1")
		}
		for _, mode := range []store.Mode{store.ReadOnly, store.ReadWrite, store.Create} {
			c.Mode = mode
			if _, err := store.Open(context.Background(), c, clock); !errors.Is(err, store.ErrForeign) {
				t.Errorf("mode %d: got %v, want ErrForeign", mode, err)
			}
		}
		mustExec(t, s.Writer(), "DROP TABLE goose_db_version")
		if _, err := store.Open(context.Background(), c, clock); !errors.Is(err, store.ErrForeign) {
			t.Errorf("without goose: got %v, want ErrForeign", err)
		}
	})
}

// withOneMore are the migrations and one more, and the version of the last of ours.
func withOneMore(t *testing.T, statement string) (files fstest.MapFS, last int64) {
	t.Helper()
	files = fstest.MapFS{}
	for _, dialect := range []string{"sqlite", "postgres"} {
		ours, err := fs.ReadDir(migrations.Files, dialect)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range ours {
			name := path.Join(dialect, file.Name())
			content, err := migrations.Files.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			files[name] = &fstest.MapFile{Data: content}
		}
		last = int64(len(ours))
		files[fmt.Sprintf("%s/%05d_more.sql", dialect, last+1)] = &fstest.MapFile{Data: []byte("-- +goose Up\n" + statement)}
	}
	return files, last
}

func TestUpgradeAndDowngrade(t *testing.T) {
	eachBackend(t, func(t *testing.T, c store.Config) {
		ctx := context.Background()
		s := mustOpen(t, c, store.Create)
		saveDay(t, s, firstNight, 3_990_000)
		next, ours := withOneMore(t, "ALTER TABLE runs ADD COLUMN note text;")

		c.Mode = store.ReadOnly
		if _, err := store.OpenWith(ctx, c, clock, next); !errors.Is(err, store.ErrOlder) {
			t.Errorf("reading an older one: got %v, want ErrOlder", err)
		}
		c.Mode = store.ReadWrite
		broken, _ := withOneMore(t, "ALTER TABLE runs ADD COLUMN note text; INSERT INTO nowhere VALUES (1);")
		if _, err := store.OpenWith(ctx, c, clock, broken); err == nil {
			t.Error("a broken migration was accepted")
		}
		mustOpen(t, c, store.ReadOnly) // still of our version, for the old program

		upgraded, err := store.OpenWith(ctx, c, clock, next)
		if err != nil {
			t.Fatal(err)
		}
		defer upgraded.Close()
		if got, want := upgraded.Version(), (store.Version{Found: ours, Now: ours + 1}); got != want {
			t.Errorf("upgraded: got %+v, want %+v", got, want)
		}
		mustExec(t, upgraded.Writer(), "UPDATE runs SET note = 'x'")

		for _, mode := range []store.Mode{store.ReadOnly, store.ReadWrite, store.Create} {
			c.Mode = mode
			if _, err := store.Open(ctx, c, clock); !errors.Is(err, store.ErrNewer) {
				t.Errorf("mode %d on a newer one: got %v, want ErrNewer", mode, err)
			}
		}
		if c.Path != "" {
			backup := mustOpen(t, store.Config{Path: fmt.Sprintf("%s.v%d.bak", c.Path, ours)}, store.ReadOnly)
			if diff := cmp.Diff([]string{"2026-08-22 1x 3.99"}, prices(t, backup, schema.ObservationFilter{})); diff != "" {
				t.Errorf("backup (-want +got):\n%s", diff)
			}
		}
	})
}

func TestOpenTogether(t *testing.T) {
	eachBackend(t, func(t *testing.T, c store.Config) {
		c.Mode = store.Create
		const processes = 6
		results := make(chan error, processes)
		for range processes {
			go func() {
				s, err := store.Open(context.Background(), c, clock)
				if err == nil {
					err = s.Close()
				}
				results <- err
			}()
		}
		for range processes {
			if err := <-results; err != nil {
				t.Errorf("made at the same time: %v", err)
			}
		}
	})
}

// A writer in another process is waited for, then the write fails and leaves
// nothing.
func TestBusy(t *testing.T) {
	eachBackend(t, func(t *testing.T, c store.Config) {
		ctx := context.Background()
		c.BusyTimeout = 200 * time.Millisecond
		holder, waiter := mustOpen(t, c, store.Create), mustOpen(t, c, store.ReadWrite)
		run := mustRun(t, holder, firstNight)
		var blocked error
		var waited time.Duration
		err := holder.SaveNightThen(ctx, nightOf(run, schema.StatusComplete), func() error {
			start := time.Now()
			blocked = waiter.BeatRun(ctx, run.ID)
			waited = time.Since(start)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if !errors.Is(blocked, store.ErrBusy) {
			t.Errorf("got %v, want ErrBusy", blocked)
		}
		if waited < c.BusyTimeout || waited > 20*c.BusyTimeout {
			t.Errorf("waited %s, want about %s", waited, c.BusyTimeout)
		}
		if err := waiter.BeatRun(ctx, run.ID); err != nil {
			t.Errorf("after the lock is free: %v", err)
		}
	})
}

func TestCheck(t *testing.T) {
	eachBackend(t, func(t *testing.T, c store.Config) {
		ctx := context.Background()
		s := mustOpen(t, c, store.Create)
		saveDay(t, s, firstNight, 3_990_000)
		if err := s.Recompute(ctx, firstNight, figures(dailyOf(firstNight, 1, 3_990_000))); err != nil {
			t.Fatal(err)
		}
		if problems, err := s.Check(ctx); err != nil || len(problems) != 0 {
			t.Fatalf("a sound database: %v, %v", problems, err)
		}
		hash := newPage(fmt.Sprintf("<html>prices of %s</html>", firstNight)).SHA256
		for _, test := range []struct {
			name, statement, want string
		}{
			{"body", "UPDATE pages SET body = '\\x00'", "page " + hash},
			{"evidence", "UPDATE fetches SET page_sha256 = NULL", "fetch 1 has no page"},
			{"origin", "UPDATE observations SET origin = 'recorded'", "another provider or origin"},
			{"ledger", "DELETE FROM provider_runs", "complete without any provider"},
			{"daily", "UPDATE daily_prices SET min_offer_id = 4711", "daily price of h100-sxm-80gb on 2026-08-22: offer 4711 is missing"},
		} {
			if c.Path != "" && test.name == "body" {
				test.statement = "UPDATE pages SET body = x'00'"
			}
			mustExec(t, s.Writer(), test.statement)
			problems, err := s.Check(ctx)
			if err != nil {
				t.Fatal(err)
			}
			if !anyContains(problems, test.want) {
				t.Errorf("%s: got %q, want %q among them", test.name, problems, test.want)
			}
		}
	})
}
