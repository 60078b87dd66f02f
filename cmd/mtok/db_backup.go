package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"mtok/schema/store"
)

func (a *app) dbBackupCommand() *cobra.Command {
	var replace bool
	cmd := &cobra.Command{
		Use: "backup FILE", Short: "copy the database to FILE, complete or not at all; nights may run meanwhile",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return a.dbBackup(cmd.Context(), args[0], replace) },
	}
	cmd.Flags().BoolVar(&replace, "replace", false, "take the place of an older backup, once the new one is complete")
	return cmd
}

func (a *app) dbBackup(ctx context.Context, to string, replace bool) error {
	if a.config.Store.DSNEnv != "" {
		return postgresTools("pg_dump --format=custom --file=FILE")
	}
	return a.withStore(ctx, store.ReadOnly, func(s *store.Store) error {
		if err := s.Backup(ctx, to, replace); err != nil {
			if errors.Is(err, store.ErrExists) {
				return usagef("%w; name another file (--replace takes the place of an older backup)", err)
			}
			return err
		}
		info, err := os.Stat(to)
		if err != nil {
			return err
		}
		fmt.Fprintf(a.stdout, "%s: backed up to %s (%s)\n", a.databaseName(), to, humanize.Bytes(uint64(info.Size())))
		return nil
	})
}

func (a *app) dbRestoreCommand() *cobra.Command {
	return &cobra.Command{
		Use: "restore FILE", Short: "make the database from a backup, checked first; one that is there is never overwritten",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return a.dbRestore(cmd.Context(), args[0]) },
	}
}

func (a *app) dbRestore(ctx context.Context, from string) error {
	if a.config.Store.DSNEnv != "" {
		return postgresTools("pg_restore --dbname=DSN FILE")
	}
	path := a.config.Store.Path
	if err := store.Restore(ctx, from, path, a.Now); err != nil {
		switch {
		case errors.Is(err, store.ErrExists):
			return usagef("%w; move it away, or name another place with --db", err)
		case errors.Is(err, store.ErrNoDatabase), errors.Is(err, store.ErrForeign):
			return usagef("%w", err)
		}
		return err
	}
	fmt.Fprintf(a.stdout, "%s: restored to %s\n", from, path)
	return nil
}

// postgresTools says what does the work where the database is PostgreSQL.
func postgresTools(command string) error {
	return usagef("[store] dsn_env is set, and %w: %s", store.ErrPostgres, command)
}
