package reports

import (
	"context"
	"fmt"

	"mtok/schema"
)

// Source is what reports ask of a store. Days are inclusive.
type Source interface {
	// LatestDay is the newest published day, false where nothing is published.
	LatestDay(ctx context.Context) (schema.Day, bool, error)
	// Observations are the published ones that a filter selects.
	Observations(ctx context.Context, f schema.ObservationFilter) ([]schema.Observation, error)
	ProviderRuns(ctx context.Context, from, to schema.Day) ([]schema.ProviderRun, error)
	DailyPrices(ctx context.Context, from, to schema.Day, class schema.ClassID) ([]schema.DailyPrice, error)
	Notices(ctx context.Context) ([]schema.Notice, error)
}

// Night is what is known on one day: its observations, and those of the days
// before from which a price may be carried.
type Night struct {
	AsOf         schema.Day
	Empty        bool // nothing was ever published
	Observations []schema.Observation
	Runs         []schema.ProviderRun
	Notices      []schema.Notice
}

// LoadNight reads the night of the day that the filter names, else of the newest
// published day. The rest of the filter is for the builders.
func LoadNight(ctx context.Context, src Source, f Filter, maxAge int) (Night, error) {
	var night Night
	if f.DayNamed {
		night.AsOf = f.Day
	} else {
		newest, ok, err := src.LatestDay(ctx)
		if err != nil {
			return Night{}, fmt.Errorf("newest published day: %w", err)
		}
		night.AsOf, night.Empty = newest, !ok
	}
	var err error
	if night.Notices, err = src.Notices(ctx); err != nil {
		return Night{}, fmt.Errorf("notices: %w", err)
	}
	if night.Empty {
		return night, nil
	}
	from := night.AsOf - schema.Day(maxAge)
	if night.Observations, err = src.Observations(ctx, schema.ObservationFilter{FromDay: from, ToDay: night.AsOf}); err != nil {
		return Night{}, fmt.Errorf("observations %s to %s: %w", from, night.AsOf, err)
	}
	if night.Runs, err = src.ProviderRuns(ctx, from, night.AsOf); err != nil {
		return Night{}, fmt.Errorf("provider runs %s to %s: %w", from, night.AsOf, err)
	}
	return night, nil
}
