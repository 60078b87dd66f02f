package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"mtok/schema"
	"mtok/schema/store"
)

func (a *app) recomputeCommand() *cobra.Command {
	var all, owed bool
	var day string
	cmd := &cobra.Command{
		Use: "recompute", Short: "derive daily prices and token costs again from the observations",
		RunE: func(cmd *cobra.Command, _ []string) error {
			named := cmd.Flags().Changed("day")
			if all && named {
				return usagef("--all and --day exclude each other")
			}
			if owed && (all || named) {
				return usagef("--owed excludes --all and --day")
			}
			if owed {
				return a.runOwed(cmd.Context())
			}
			return a.runRecompute(cmd.Context(), all, named, day)
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "every day (default: the newest published day)")
	cmd.Flags().BoolVar(&owed, "owed", false, "the days that import --figures later left, and others not made yet")
	cmd.Flags().StringVar(&day, "day", "", "only `YYYY-MM-DD`")
	return cmd
}

// runOwed derives the figures of the days that changed since theirs were made.
func (a *app) runOwed(ctx context.Context) error {
	catalog, err := a.catalog()
	if err != nil {
		return err
	}
	return a.withStore(ctx, store.ReadWrite, func(s *store.Store) error {
		days, err := s.UnsettledDays(ctx)
		if err != nil {
			return err
		}
		if err := a.settleTogether(ctx, s, catalog, a.watch); err != nil {
			return err
		}
		fmt.Fprintf(a.stdout, "recomputed %s\n", counted(len(days), "day"))
		return nil
	})
}

func (a *app) runRecompute(ctx context.Context, all, isNamed bool, text string) error {
	catalog, err := a.catalog()
	if err != nil {
		return err
	}
	var named schema.Day
	if isNamed {
		if named, err = pastDay(text, a.Now()); err != nil {
			return err
		}
	}
	return a.withStore(ctx, store.ReadWrite, func(s *store.Store) error {
		days, err := daysToDerive(ctx, s, all, isNamed, named)
		if err != nil {
			return err
		}
		if err := a.deriveDays(ctx, s, catalog, days, nil); err != nil {
			return err
		}
		fmt.Fprintf(a.stdout, "recomputed %s\n", counted(len(days), "day"))
		return nil
	})
}

// daysToDerive lists the days to derive again, in order; days without any
// observation are none.
func daysToDerive(ctx context.Context, s *store.Store, all, isNamed bool, named schema.Day) ([]schema.Day, error) {
	days, err := s.ObservationDays(ctx)
	if err != nil {
		return nil, err
	}
	lists, err := s.TokenPriceDays(ctx)
	days = slices.Compact(slices.Sorted(slices.Values(append(days, lists...))))
	if err != nil || all || len(days) == 0 {
		return days, err
	}
	if !isNamed {
		return days[len(days)-1:], nil
	}
	if !slices.Contains(days, named) {
		return nil, usagef("--day %s: nothing was observed; the newest day is %s", named, days[len(days)-1])
	}
	return []schema.Day{named}, nil
}
