package web

import (
	"context"
	"log/slog"
	"time"

	"mtok/schema"
)

// Source is what the package asks of a store. Days are inclusive.
type Source interface {
	// LatestDay is the newest published day, false where nothing is published.
	LatestDay(ctx context.Context) (schema.Day, bool, error)
	DailyPrices(ctx context.Context, from, to schema.Day, class schema.ClassID) ([]schema.DailyPrice, error)
	DailyTokenCosts(ctx context.Context, from, to schema.Day, class schema.ClassID) ([]schema.DailyTokenCost, error)
	// LastRuns are the newest n runs of a job, newest first.
	LastRuns(ctx context.Context, job string, n int) ([]schema.Run, error)
	ProviderRuns(ctx context.Context, from, to schema.Day) ([]schema.ProviderRun, error)
	// LatestProviderRuns is each provider's part in the newest run of its newest day.
	LatestProviderRuns(ctx context.Context) ([]schema.ProviderRun, error)
	// LastCompleteDays is the newest day with a complete night, by provider.
	LastCompleteDays(ctx context.Context) (map[schema.ProviderID]schema.Day, error)
	Rejects(ctx context.Context, f schema.FetchFilter) ([]schema.Rejected, error)
	// FetchedBytes are the bodies that a run fetched, by provider.
	FetchedBytes(ctx context.Context, runID int64) (map[schema.ProviderID]int64, error)
	// Size is that of the database and of its write-ahead log, in bytes.
	Size(ctx context.Context) (database, log int64, err error)
}

// Options are what the answers are made of.
type Options struct {
	Source    Source
	Providers []schema.ProviderID // those that the night asks
	Version   string              // of mtok
	Now       func() time.Time
	Log       *slog.Logger
	Pages     Pages // nil for none
}
