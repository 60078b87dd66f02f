package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"mtok/schema/store"
	"mtok/scrapers/recorded"
)

// demoName is the demo's database in the directory for temporary files.
const demoName = "mtok-demo.db"

func (a *app) demoCommand() *cobra.Command {
	return &cobra.Command{
		Use: "demo", Short: "the whole nightly job on a recorded night, offline, in a fresh database",
		RunE: func(cmd *cobra.Command, _ []string) error { return a.runDemo(cmd.Context()) },
	}
}

// runDemo fills a fresh database and shows the night. It never touches a
// database of the user: one named by --db must not exist yet.
func (a *app) runDemo(ctx context.Context) error {
	named := a.dbPath != ""
	final := a.dbPath
	if !named {
		final = filepath.Join(os.TempDir(), demoName)
	} else if _, err := os.Stat(final); err == nil {
		return usagef("--db %s exists: the demo wants a fresh database", final)
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
	plan.trigger = "demo"
	err = a.withStore(ctx, store.Create, func(s *store.Store) error {
		summary, err := a.ingest(ctx, s, plan)
		if err != nil {
			return err
		}
		plan.title += ", database " + final
		plan.db = final
		if err := a.nightScreen(ctx, s, summary, plan); err != nil {
			return err
		}
		return nightResult(summary)
	})
	if err != nil && !errors.Is(err, errPartial) {
		return err
	}
	if err := os.Rename(a.config.Store.Path, final); err != nil {
		return errors.Join(err, fmt.Errorf("demo database not kept: %w", err))
	}
	return err
}
