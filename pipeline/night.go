package pipeline

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"mtok/schema"
	"mtok/scrapers"
)

// Night is one ingest job with everything that it needs.
type Night struct {
	Providers []scrapers.Provider
	Settings  map[schema.ProviderID]scrapers.Settings
	Catalog   *schema.Catalog
	Fetcher   Fetcher
	Store     Store
	Progress  Progress // may be nil
	Log       *slog.Logger
	Now       func() time.Time
	Origin    schema.Origin
	// Redate makes every page of a recorded night belong to the run's day, as
	// the user asked with --day; otherwise a page belongs to the day on which
	// it was fetched.
	Redate bool
	// Recorded reports whether the recorded night has an answer; nil when live.
	Recorded func(scrapers.Target) bool
	// Shipped is what first nights are held against.
	Shipped Shipped
	// Newest is the newest published day before this night, where Published: a
	// recorded page of an older day is not taken unless Redate names its day.
	Newest    schema.Day
	Published bool
}

// Outcome is what became of one provider.
type Outcome struct {
	schema.ProviderRun
	Name       string
	StockNote  string
	LookAlikes int
	Rules      map[string]int // rejects by rule
	Machines   int            // of a market
	Floors     int            // offers that are floors of bids, no prices
	Nodes      []Node
	Notices    []schema.Notice
	Err        error // nil when the status is complete
}

// Node counts a class's listings by node size, for the night's summary.
type Node struct {
	Class    schema.ClassID
	GPUCount int
}

// Summary is what a run did.
type Summary struct {
	Run      schema.Run
	Outcomes []Outcome // in the order of Providers
	Touched  []schema.Day
}

// Status is the run's status: complete when each provider is, failed when none
// gave anything, else partial.
func (s Summary) Status() schema.RunStatus {
	complete, failed := 0, 0
	for _, o := range s.Outcomes {
		switch o.Status {
		case schema.StatusComplete:
			complete++
		case schema.StatusFailed:
			failed++
		}
	}
	switch {
	case complete == len(s.Outcomes):
		return schema.StatusComplete
	case failed == len(s.Outcomes):
		return schema.StatusFailed
	default:
		return schema.StatusPartial
	}
}

// Run ingests the logical day of run. One provider's failure or panic is that
// provider's alone; an error comes back only when the night as a whole could
// not be run or was interrupted. The ledger entry stays running: the caller
// ends it with Ledger.Finish when the later steps of the job are done too.
func (n *Night) Run(ctx context.Context, run schema.Run) (Summary, error) {
	outcomes := make([]Outcome, len(n.Providers))
	touched := make([][]schema.Day, len(n.Providers))
	var group errgroup.Group
	// One goroutine a provider: they wait for different hosts, and the store
	// takes one writer at a time.
	for i, p := range n.Providers {
		group.Go(func() error {
			if n.Progress != nil {
				n.Progress.ProviderStarted(p.ID)
			}
			outcomes[i], touched[i] = n.provider(ctx, run, p)
			if n.Progress != nil {
				n.Progress.ProviderEnded(outcomes[i])
			}
			return nil
		})
	}
	_ = group.Wait() // the goroutines return no error: each outcome carries its own
	if err := ctx.Err(); err != nil {
		return Summary{Run: run, Outcomes: outcomes}, fmt.Errorf("night of %s: %w", run.Day, context.Cause(ctx))
	}
	days := append(slices.Concat(touched...), run.Day)
	slices.Sort(days)
	return Summary{Run: run, Outcomes: outcomes, Touched: slices.Compact(days)}, nil
}

// lockedProgress serialises the calls of a Progress that is not safe for
// several goroutines.
type lockedProgress struct {
	mu   sync.Mutex
	next Progress
}

// Locked makes a Progress safe for calls from several goroutines.
func Locked(p Progress) Progress { return &lockedProgress{next: p} }

func (l *lockedProgress) ProviderStarted(p schema.ProviderID) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.next.ProviderStarted(p)
}

func (l *lockedProgress) ProviderEnded(o Outcome) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.next.ProviderEnded(o)
}
