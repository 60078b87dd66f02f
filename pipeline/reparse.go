package pipeline

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"mtok/schema"
	"mtok/scrapers"
)

// Archive is the Store of a reparse, which also reads what nights left.
type Archive interface {
	Store
	// FetchDays are the days that have fetches, in order.
	FetchDays(ctx context.Context) ([]schema.Day, error)
	Fetches(ctx context.Context, f schema.FetchFilter) ([]schema.Fetch, error)
	// DayParses are what every parser version made of a day's fetches.
	DayParses(ctx context.Context, day schema.Day) ([]schema.Parse, error)
	Rejects(ctx context.Context, f schema.FetchFilter) ([]schema.Rejected, error)
	LastRuns(ctx context.Context, job string, n int) ([]schema.Run, error)
	// DayQuarantines are all quarantines of a provider's day, oldest first.
	DayQuarantines(ctx context.Context, p schema.ProviderID, day schema.Day) ([]schema.Quarantine, error)
}

// Reparse derives observations again, from the archived pages of own nights, by
// the parsers, the catalog and the rules of today: day by day, so that each is
// judged by what the days before it have become.
type Reparse struct {
	Providers []scrapers.Provider
	Catalog   *schema.Catalog
	Store     Archive
	Log       *slog.Logger
	Now       func() time.Time
	Since     schema.Day // the first day
	Shipped   Shipped    // what first nights are held against
	// All reads every page again. Otherwise a provider's day is passed over when
	// the parser of today has read its pages and the catalog of today gives its
	// offers the classes that they have: so a reparse that was interrupted goes
	// on where it was.
	All bool
	// Advanced hears how many of all provider days are done; it may be nil.
	Advanced func(done, all int)
}

// Run works through the days. Each provider's day is written in a transaction of
// its own; run is the ledger entry that they are written under. An error comes
// back when the whole could not be done or was interrupted, with the summary of
// what was.
func (r *Reparse) Run(ctx context.Context, run schema.Run) (ReparseSummary, error) {
	var summary ReparseSummary
	for _, p := range r.Providers {
		summary.Providers = append(summary.Providers, ReparseOutcome{Provider: p.ID})
	}
	night := &Night{Catalog: r.Catalog, Store: r.Store, Log: r.Log, Now: r.Now, Shipped: r.Shipped}
	past, err := r.readLedger(ctx)
	if err != nil {
		return summary, err
	}
	days, err := r.Store.FetchDays(ctx)
	if err != nil {
		return summary, err
	}
	days = slices.DeleteFunc(days, func(d schema.Day) bool { return d < r.Since })
	for i, day := range days {
		archived, err := r.readDay(ctx, past, day)
		if err != nil {
			return summary, err
		}
		for j := range archived {
			if err := ctx.Err(); err != nil {
				return summary, fmt.Errorf("reparse of %s: %w", day, context.Cause(ctx))
			}
			if err := r.provider(ctx, night, run, &archived[j], &summary.Providers[j]); err != nil {
				return summary, fmt.Errorf("reparse %s of %s: %w", archived[j].provider.ID, day, err)
			}
			if r.Advanced != nil {
				r.Advanced(i*len(archived)+j+1, len(days)*len(archived))
			}
		}
	}
	return summary, nil
}

// provider reads the pages of one provider's day again, and writes what they
// give now, unless that is worth less than what is there.
func (r *Reparse) provider(ctx context.Context, n *Night, run schema.Run, a *archivedDay, out *ReparseOutcome) error {
	switch {
	case !a.readable():
		return nil
	case !r.All && a.current(n.begin(run, a.provider)):
		out.Current++
		return nil
	}
	quarantines, err := r.Store.DayQuarantines(ctx, a.provider.ID, a.day)
	if err != nil {
		return err
	}
	if by, discarded := a.discarded(quarantines); discarded {
		out.tell(a.day, "discarded by %s: left as it is", by)
		out.Current++
		return nil
	}
	night, err := r.derive(ctx, n, run, a, quarantines)
	if err != nil {
		return err
	}
	before, err := r.Store.Rejects(ctx, schema.FetchFilter{FromDay: a.day, ToDay: a.day, Provider: a.provider.ID})
	if err != nil {
		return err
	}
	out.Days++
	if a.keeps(night.Result.Status) {
		out.Kept++
		out.tell(a.day, "%s by today's parser, what was published or held stays: %s", night.Result.Status, night.Result.Detail)
		return nil
	}
	out.compare(a, night, before)
	return r.Store.SaveProviderNight(ctx, night)
}
