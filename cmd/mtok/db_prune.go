package main

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"mtok/schema"
	"mtok/schema/store"
)

// maxPagesDays is a thousand years: more is a slip of the pen.
const maxPagesDays = 365_000

func (a *app) dbPruneCommand() *cobra.Command {
	var dry bool
	var days int
	cmd := &cobra.Command{
		Use: "prune", Short: "drop old pages that no figure rests on, as a night does by [store] pages_days",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !cmd.Flags().Changed("days") {
				days = a.config.Store.PagesDays
			} else if days < 1 || days > maxPagesDays {
				return usagef("--days %d is not between 1 and %d", days, maxPagesDays)
			}
			return a.dbPrune(cmd.Context(), days, dry)
		},
	}
	cmd.Flags().BoolVar(&dry, "dry-run", false, "only say what would be dropped")
	cmd.Flags().IntVar(&days, "days", 0, "drop what is older than so many `DAYS` (default: [store] pages_days)")
	return cmd
}

func (a *app) dbPrune(ctx context.Context, days int, dry bool) error {
	if days == 0 {
		fmt.Fprintln(a.stdout, "all pages are kept: [store] pages_days is 0")
		return nil
	}
	mode, verb := store.ReadWrite, "dropped"
	if dry {
		mode, verb = store.ReadOnly, "would drop"
	}
	return a.withStore(ctx, mode, func(s *store.Store) error {
		before := a.pagesFrom(days)
		pruned, err := s.Prune(ctx, before, dry)
		if err != nil {
			return err
		}
		fmt.Fprintf(a.stdout, "%s %d pages of days before %s (%s); the pages of every price stay\n",
			verb, pruned.Pages, before, humanize.Bytes(uint64(pruned.Bytes)))
		return nil
	})
}

// pagesFrom is the first day of which all pages are kept.
func (a *app) pagesFrom(days int) schema.Day { return schema.DayOf(a.Now()) - schema.Day(days) }

// pruneAfterNight is the retention of [store] pages_days.
func (a *app) pruneAfterNight(ctx context.Context, s *store.Store) error {
	days := a.config.Store.PagesDays
	if days == 0 {
		return nil
	}
	pruned, err := s.Prune(ctx, a.pagesFrom(days), false)
	if err != nil {
		return fmt.Errorf("[store] pages_days: %w", err)
	}
	if pruned.Pages > 0 {
		a.log.Info("pages dropped", slog.Int("pages", pruned.Pages), slog.Int64("bytes", pruned.Bytes))
	}
	return nil
}
