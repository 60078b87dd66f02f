package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"mtok/pipeline"
	"mtok/reports/render"
	"mtok/schema"
	"mtok/schema/store"
	"mtok/scrapers"
)

const reparseHelp = `Reads archived pages again, by the parsers, the catalog and the rules of today,
and replaces the observations that they gave. Nothing is fetched.

A provider's day is read when the parser of today has not read its pages yet, or
when the catalog of today puts one of its offers into another class; --all reads
every page. Each provider's day is one transaction, so that a reparse that was
interrupted, or killed, goes on where it was when it is started again. It takes
the lock of the nightly run: neither runs beside the other. The daily figures of
the days that were touched are derived at the end; a killed reparse leaves that
to the next run.

The newest answer to each request of a day's nights is read. A night that was
killed after its pages were archived is published now, as a partial one. Each day
is judged by what the days before it have become: after a parser was mended, read
all days that it misread, not only the last of them.

Quarantine: a held day stays held while its pages break a rule, and is published
when they no longer do. A day that somebody confirmed stays published when it
breaks that rule in that very way. A discarded day is left alone.

What today's parser can't read, or what is not believed, replaces nothing: the
rows there stay, which is told, with exit code 3. The code is the same where a day
was complete and is read, or believed, only in part now.`

type reparseOptions struct {
	providers   []string
	since       string
	sinceNamed  bool
	all, dryRun bool
}

func (a *app) reparseCommand() *cobra.Command {
	var o reparseOptions
	cmd := &cobra.Command{
		Use: "reparse", Short: "derive observations again from the archived pages", Long: reparseHelp,
		RunE: func(cmd *cobra.Command, _ []string) error {
			o.sinceNamed = cmd.Flags().Changed("since")
			return a.runReparse(cmd.Context(), o)
		},
	}
	f := cmd.Flags()
	f.StringArrayVar(&o.providers, "provider", nil, "only this provider `ID` (repeatable)")
	f.StringVar(&o.since, "since", "", "only days from `YYYY-MM-DD` on")
	f.BoolVar(&o.all, "all", false, "also what the parsers and the catalog of today have read already")
	f.BoolVar(&o.dryRun, "dry-run", false, "keep nothing, show what would change; the database takes no other write meanwhile")
	return cmd
}

func (a *app) runReparse(ctx context.Context, o reparseOptions) error {
	job := &pipeline.Reparse{Log: a.log, Now: a.Now, All: o.all}
	for _, id := range o.providers {
		if !slices.Contains(providerIDs(), id) {
			return usagef("unknown provider %q; %s", id, nearHint(id, providerIDs()))
		}
	}
	for _, p := range scrapers.Registry() { // those switched off too: their pages are there
		if len(o.providers) == 0 || slices.Contains(o.providers, string(p.ID)) {
			job.Providers = append(job.Providers, p)
		}
	}
	if o.sinceNamed {
		var err error
		if job.Since, err = schema.ParseDay(o.since); err != nil {
			return usagef("--since: %w", err)
		}
	}
	var err error
	if job.Catalog, err = a.catalog(); err != nil {
		return err
	}
	if job.Shipped, err = shipped(); err != nil {
		return err
	}
	if o.dryRun { // an older database is refused by this, not migrated
		if err := a.withStore(ctx, store.ReadOnly, func(*store.Store) error { return nil }); err != nil {
			return err
		}
	}
	return a.withStore(ctx, store.ReadWrite, func(s *store.Store) error {
		reparse := a.reparse
		if o.dryRun {
			reparse = a.rehearse
		}
		summary, err := reparse(ctx, s, job, o.run(schema.DayOf(a.Now())))
		if err != nil {
			return err
		}
		a.reparseScreen(summary, o)
		if summary.Status() != schema.StatusComplete {
			return errPartial
		}
		return nil
	})
}

// run is the entry of the ledger, with what was asked.
func (o reparseOptions) run(today schema.Day) schema.Run {
	parts := []string{triggerManual}
	for _, p := range o.providers {
		parts = append(parts, "--provider "+p)
	}
	if o.sinceNamed {
		parts = append(parts, "--since "+o.since)
	}
	if o.all {
		parts = append(parts, "--all")
	}
	return schema.Run{
		Job: schema.JobReparse, Day: today, Slot: today.Slot(), Trigger: strings.Join(parts, " "), Version: version,
	}
}

// reparse runs the job under the run lock, and derives the daily figures of the
// days that it touched.
func (a *app) reparse(
	ctx context.Context, s *store.Store, job *pipeline.Reparse, run schema.Run,
) (pipeline.ReparseSummary, error) {
	owner, err := pipeline.ThisProcess()
	if err != nil {
		return pipeline.ReparseSummary{}, err
	}
	ledger := pipeline.Ledger{Store: s, Owner: owner, Now: a.Now, Log: a.log}
	lease, err := ledger.Begin(ctx, run)
	if err != nil {
		return pipeline.ReparseSummary{}, err
	}
	summary, err := a.watched(ctx, s, job, lease.Run)
	if ctx.Err() == nil {
		err = errors.Join(err, a.settle(ctx, s, job.Catalog))
	}
	status := schema.StatusFailed
	if err == nil {
		status = summary.Status()
	}
	return summary, errors.Join(err, lease.Finish(ctx, status))
}

// rehearse runs the job so that every day is judged by what the days before it
// would become, and keeps nothing.
func (a *app) rehearse(
	ctx context.Context, s *store.Store, job *pipeline.Reparse, run schema.Run,
) (summary pipeline.ReparseSummary, err error) {
	err = s.Rehearse(ctx, func(s *store.Store) error {
		started, err := s.StartRun(ctx, run)
		var held *store.RunningError
		if errors.As(err, &held) { // as good as ended, since none of this is kept
			if err := s.AbandonRun(ctx, held.Run.ID); err != nil {
				return err
			}
			started, err = s.StartRun(ctx, run)
		}
		if err != nil {
			return err
		}
		summary, err = a.watched(ctx, s, job, started)
		return err
	})
	return summary, err
}

// watched runs the job and shows how far it is.
func (a *app) watched(
	ctx context.Context, s *store.Store, job *pipeline.Reparse, run schema.Run,
) (pipeline.ReparseSummary, error) {
	advanced, done := a.watch("reading archived pages", "reparse")
	defer done()
	job.Store, job.Advanced = s, advanced
	return job.Run(ctx, run)
}

// reparseScreen writes what changed, a provider a line.
func (a *app) reparseScreen(s pipeline.ReparseSummary, o reparseOptions) {
	read, current := 0, 0
	for _, p := range s.Providers {
		read += p.Days
		current += p.Current
	}
	title := fmt.Sprintf("Reparse: %s read again, %s current", counted(read, "provider day"), marked(current))
	if current > 0 && !o.all {
		title += " (--all reads them too)"
	}
	if o.dryRun {
		title += "; dry run, nothing was written"
	}
	fmt.Fprintln(a.stdout, title)
	table := newColumns(a.stdout)
	for _, p := range s.Providers {
		if p.Days > 0 {
			table.row("  "+string(p.Provider), counted(p.Days, "day"), fmt.Sprintf("%d -> %d rows", p.Before, p.After),
				fmt.Sprintf("+%d -%d", p.Added, p.Gone), fmt.Sprintf("rejects %d -> %d", p.RejectsBefore, p.RejectsAfter), changedText(p))
		}
	}
	table.flush()
	for _, p := range s.Providers {
		for _, line := range p.Changes {
			fmt.Fprintf(a.stdout, "  %s: %s\n", p.Provider, render.Clean(line))
		}
		if p.Others > 0 {
			fmt.Fprintf(a.stdout, "  %s: and %s\n", p.Provider, counted(p.Others, "more row"))
		}
		for _, line := range p.Told {
			fmt.Fprintf(a.stdout, "  %s: %s\n", p.Provider, render.Clean(line))
		}
		if p.Untold > 0 {
			fmt.Fprintf(a.stdout, "  %s: and %s to be told of\n", p.Provider, counted(p.Untold, "more day"))
		}
	}
}

// changedText counts the rows that changed, and the days whose state did.
func changedText(p pipeline.ReparseOutcome) string {
	days := func(n int) string { return strings.TrimPrefix(counted(n, "day"), marked(n)+" ") }
	var parts []string
	for _, c := range []struct {
		n    int
		what string
	}{
		{p.Repriced, "repriced"}, {p.Reclassified, "of another class"}, {p.Excluded, "excluded otherwise"}, {p.Restocked, "of other stock"},
		{p.Held, days(p.Held) + " held"}, {p.Released, days(p.Released) + " published, held before"}, {p.Kept, days(p.Kept) + " kept unchanged"}, {p.Worse, days(p.Worse) + " read in part"},
	} {
		if c.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", c.n, c.what))
		}
	}
	if len(parts) == 0 {
		return "nothing changed"
	}
	return strings.Join(parts, ", ")
}
