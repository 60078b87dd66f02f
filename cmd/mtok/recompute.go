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
	var all bool
	var day string
	cmd := &cobra.Command{
		Use: "recompute", Short: "derive daily prices and token costs again from the observations",
		RunE: func(cmd *cobra.Command, _ []string) error { return a.runRecompute(cmd.Context(), all, day) },
	}
	cmd.Flags().BoolVar(&all, "all", false, "every day (default: the newest published day)")
	cmd.Flags().StringVar(&day, "day", "", "only `YYYY-MM-DD`")
	cmd.MarkFlagsMutuallyExclusive("all", "day")
	return cmd
}

func (a *app) runRecompute(ctx context.Context, all bool, text string) error {
	catalog, err := schema.LoadCatalog()
	if err != nil {
		return err
	}
	var named schema.Day
	if text != "" {
		if named, err = schema.ParseDay(text); err != nil {
			return usagef("--day: %w", err)
		}
	}
	return a.withStore(ctx, store.ReadWrite, func(s *store.Store) error {
		days, err := recomputeDays(ctx, s, all, text != "", named)
		if err != nil {
			return err
		}
		if err := a.recomputeDays(ctx, s, catalog, days); err != nil {
			return err
		}
		fmt.Fprintf(a.stdout, "recomputed %d day(s)\n", len(days))
		return nil
	})
}

// recomputeDays lists the days to derive again, in order.
func recomputeDays(ctx context.Context, s *store.Store, all, isNamed bool, named schema.Day) ([]schema.Day, error) {
	if isNamed {
		return []schema.Day{named}, nil
	}
	newest, any, err := s.LatestDay(ctx)
	if err != nil || !all {
		if !any {
			return nil, err
		}
		return []schema.Day{newest}, err
	}
	seen, err := s.Observations(ctx, schema.ObservationFilter{IncludeHeld: true})
	if err != nil {
		return nil, err
	}
	days := []schema.Day{}
	for _, o := range seen {
		days = append(days, o.Day)
	}
	slices.Sort(days)
	return slices.Compact(days), nil
}
