package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"mtok/schema/store"
)

func (a *app) dbCommand() *cobra.Command {
	db := &cobra.Command{
		Use: "db", Short: "check, migrate, back up, restore or prune the database",
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	db.AddCommand(
		&cobra.Command{
			Use: "check", Short: "integrity, foreign keys, page hashes and mtok's own invariants; exit 1 names what is wrong",
			RunE: func(cmd *cobra.Command, _ []string) error { return a.dbCheck(cmd.Context()) },
		},
		&cobra.Command{
			Use: "migrate", Short: "bring an older database to this version's tables",
			RunE: func(cmd *cobra.Command, _ []string) error { return a.dbMigrate(cmd.Context()) },
		},
		a.dbBackupCommand(), a.dbRestoreCommand(), a.dbPruneCommand(),
	)
	return db
}

func (a *app) dbCheck(ctx context.Context) error {
	return a.withStore(ctx, store.ReadOnly, func(s *store.Store) error {
		problems, err := s.Check(ctx)
		if err != nil {
			return err
		}
		for _, p := range problems {
			fmt.Fprintln(a.stdout, p)
		}
		if len(problems) > 0 {
			return fmt.Errorf("%s: %s", a.databaseName(), counted(len(problems), "problem"))
		}
		stats, err := s.Stats(ctx)
		if err != nil {
			return err
		}
		fmt.Fprintf(a.stdout, "%s: ok: %s, %s, %s\n",
			a.databaseName(), counted(stats.Pages, "page"), counted(stats.Fetches, "fetch"), counted(stats.Observations, "observation"))
		return nil
	})
}

// dbMigrate migrates by opening: every opening for writing does.
func (a *app) dbMigrate(ctx context.Context) error {
	return a.withStore(ctx, store.ReadWrite, func(s *store.Store) error {
		v := s.Version()
		fmt.Fprintf(a.stdout, "%s: tables of version %d\n", a.databaseName(), v.Now)
		return nil
	})
}
