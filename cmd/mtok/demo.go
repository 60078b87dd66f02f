package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"mtok/pipeline"
	"mtok/schema/store"
	"mtok/scrapers/recorded"
)

// demoName is the demo's database in the directory for temporary files.
const demoName = "mtok-demo.db"

func (a *app) demoCommand() *cobra.Command {
	return &cobra.Command{
		Use: "demo", Short: "the whole nightly job on a recorded night, offline, in a fresh database",
		Long: `The whole nightly job on a recorded night, beside the bundled history of list
prices (see NOTICE): no network, nothing is delivered.

The database is made afresh: mtok-demo.db in the directory for temporary files,
or the file named by --db, which must not exist yet.`,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.runDemo(cmd.Context()) },
	}
}

// runDemo fills a fresh database and shows the night. It never touches a
// database of the user: one named by --db must not exist yet.
func (a *app) runDemo(ctx context.Context) error {
	final, err := a.demoPath()
	if err != nil {
		return err
	}
	// The file is built beside its final name and renamed, so that two demos at
	// once never share one, and a reader of the old one keeps it.
	work, err := os.MkdirTemp(filepath.Dir(final), ".mtok-demo-*")
	if err != nil {
		return fmt.Errorf("demo database: %w", err)
	}
	defer os.RemoveAll(work)
	a.config.Store = StoreConfig{Path: filepath.Join(work, demoName)}
	a.config.Providers = defaultConfig().Providers
	plan, err := a.planNight(nightOptions{}, recorded.Night())
	if err != nil {
		return err
	}
	defer plan.fetcher.Close()
	plan.trigger, plan.db, plan.settings = "demo", final, recorded.NightSettings()
	plan.alerts = judgedOnly
	plan.title += ", database " + final + ", bundled list-price history imported"
	var summary pipeline.Summary
	// The screen names the database, so it is shown once that stands there.
	var screen bytes.Buffer
	stdout := a.stdout
	a.stdout = &screen
	err = a.withStore(ctx, store.Create, func(s *store.Store) error {
		err := a.importBundled(ctx, s)
		if err != nil {
			return err
		}
		if summary, err = a.ingest(ctx, s, plan); err != nil {
			return err
		}
		if err := a.nightScreen(ctx, s, summary, plan); err != nil {
			return err
		}
		return a.showAlerts(ctx, s, summary.Run)
	})
	a.stdout = stdout
	if err != nil {
		return err
	}
	// What an earlier database of this name left beside it must not be taken
	// for part of this one.
	for _, rest := range []string{final + "-wal", final + "-shm"} {
		if err := os.Remove(rest); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("demo database: %w", err)
		}
	}
	if err := os.Rename(a.config.Store.Path, final); err != nil {
		return fmt.Errorf("demo database: %w", err)
	}
	if _, err := screen.WriteTo(a.stdout); err != nil {
		return err
	}
	return nightResult(summary)
}

// demoPath is where the demo's database is to stand: as named by --db, else in
// the directory for temporary files, under another name where the usual one is
// somebody else's.
func (a *app) demoPath() (string, error) {
	if a.dbPath != "" {
		if _, err := os.Lstat(a.dbPath); err == nil {
			return "", usagef("--db %s exists: the demo wants a fresh database", a.dbPath)
		}
		return a.dbPath, nil
	}
	path := filepath.Join(os.TempDir(), demoName)
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		if err == nil {
			return path, f.Close()
		}
		return path, nil
	}
	dir, err := os.MkdirTemp("", "mtok-demo-*")
	if err != nil {
		return "", fmt.Errorf("demo database: %w", err)
	}
	return filepath.Join(dir, demoName), nil
}
