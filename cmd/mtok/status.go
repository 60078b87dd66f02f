package main

import (
	"context"
	"fmt"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"mtok/reports"
	"mtok/schema"
	"mtok/schema/store"
)

// statusRuns is how many runs status looks back on.
const statusRuns = 1

func (a *app) statusCommand() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use: "status", Short: "what is known and how old it is; exit 3 when a provider failed, is stale or is held, or an alert is undelivered",
		RunE: func(cmd *cobra.Command, _ []string) error { return a.runStatus(cmd.Context(), format) },
	}
	a.formatFlag(cmd, &format)
	return cmd
}

func (a *app) runStatus(ctx context.Context, format string) error {
	providers, err := a.config.enabled(nil)
	if err != nil {
		return err
	}
	degraded := false
	err = a.withStore(ctx, store.ReadOnly, func(s *store.Store) error {
		state, err := loadStatus(ctx, s)
		if err != nil {
			return err
		}
		state.Database, state.Now = a.databaseName(), a.Now()
		state.Providers, state.Again = ids(providers), "mtok recompute --owed"+a.hereFlags()
		doc := reports.Status(state)
		degraded = doc.Degraded
		return a.write(doc.Document, format)
	})
	if err == nil && degraded {
		return errPartial
	}
	return err
}

func loadStatus(ctx context.Context, s *store.Store) (reports.StatusInput, error) {
	var in reports.StatusInput
	var err error
	if in.Newest, in.Published, err = s.LatestDay(ctx); err != nil {
		return in, err
	}
	runs, err := s.LastRuns(ctx, schema.JobNightly, statusRuns)
	if err != nil {
		return in, err
	}
	if len(runs) > 0 {
		in.LastRun = &runs[0]
	}
	if in.Latest, err = s.LatestProviderRuns(ctx); err != nil {
		return in, err
	}
	if in.Complete, err = s.LastCompleteDays(ctx); err != nil {
		return in, err
	}
	if in.Notices, err = s.Notices(ctx); err != nil {
		return in, err
	}
	if in.Held, err = s.HeldQuarantines(ctx); err != nil {
		return in, err
	}
	owed, err := s.UnsettledDays(ctx)
	if err != nil {
		return in, err
	}
	in.Owed = len(owed)
	if in.Waiting, err = s.OutboxMessages(ctx, schema.OutboxPending); err != nil {
		return in, err
	}
	if in.Dead, err = s.OutboxMessages(ctx, schema.OutboxDead); err != nil {
		return in, err
	}
	stats, err := s.Stats(ctx)
	if err != nil {
		return in, err
	}
	in.Sizes = fmt.Sprintf("%s of %s, %s (%s, %s compressed), database %s",
		counted(stats.Observations, "observation"), counted(stats.Offers, "offer"), counted(stats.Pages, "page"), humanize.IBytes(uint64(stats.PageBytes)), humanize.IBytes(uint64(stats.StoredBytes)), humanize.IBytes(uint64(stats.Bytes+stats.WALBytes)))
	return in, nil
}
