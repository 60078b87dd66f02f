package reports

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"mtok/schema"
)

// Source is what reports ask of a store. Days are inclusive.
type Source interface {
	// LatestDay is the newest published day, false where nothing is published.
	LatestDay(ctx context.Context) (schema.Day, bool, error)
	// LatestDayUpTo is the newest published day that is not after the given one.
	LatestDayUpTo(ctx context.Context, day schema.Day) (schema.Day, bool, error)
	// Observations are the published ones that a filter selects.
	Observations(ctx context.Context, f schema.ObservationFilter) ([]schema.Observation, error)
	ProviderRuns(ctx context.Context, from, to schema.Day) ([]schema.ProviderRun, error)
	// LatestProviderRuns is each provider's part in the newest run of its newest day.
	LatestProviderRuns(ctx context.Context) ([]schema.ProviderRun, error)
	HeldQuarantines(ctx context.Context) ([]schema.Quarantine, error)
	DailyPrices(ctx context.Context, from, to schema.Day, class schema.ClassID) ([]schema.DailyPrice, error)
	Notices(ctx context.Context) ([]schema.Notice, error)
}

// Night is what is known on one day: its observations, and those of the days
// before from which a price may be carried.
type Night struct {
	AsOf schema.Day
	// Empty is set where nothing was published up to the day asked for; First is
	// then the first published day after it, 0 where that is not known.
	Empty bool
	First schema.Day
	// FirstList is the first day of which an API's price list is published, where none
	// is up to the day asked for; 0 where there is none, or one is.
	FirstList    schema.Day
	Observations []schema.Observation
	Runs         []schema.ProviderRun
	Notices      []schema.Notice
	// Latest are each provider's newest part and Held the nights held, up to the
	// day asked for: what is newer than AsOf is a night that was not published.
	Latest []schema.ProviderRun
	Held   []schema.Quarantine
}

// LoadNight reads the newest published night, up to the day that the filter
// names where it does. The rest of the filter is for the builders.
func LoadNight(ctx context.Context, src Source, f Filter, maxAge int) (Night, error) {
	return loadNight(ctx, src, f, schema.ObservationFilter{}, maxAge)
}

// loadNight is LoadNight of some of the prices alone.
func loadNight(ctx context.Context, src Source, f Filter, only schema.ObservationFilter, maxAge int) (Night, error) {
	var night Night
	newest, ok, err := newestDay(ctx, src, f)
	if err != nil {
		return Night{}, fmt.Errorf("newest published day: %w", err)
	}
	night.AsOf, night.Empty = newest, !ok
	if night.Notices, err = src.Notices(ctx); err != nil {
		return Night{}, fmt.Errorf("notices: %w", err)
	}
	if err := night.loadRuns(ctx, src, f, maxAge); err != nil {
		return Night{}, err
	}
	if night.Empty {
		night.First, err = firstDay(ctx, src, f)
		return night, err
	}
	if err := night.loadPrices(ctx, src, only, maxAge); err != nil {
		return Night{}, err
	}
	return night, nil
}

// loadPrices reads the prices of the day and, of each provider that had no
// complete run on it, those since its last complete one, where a price may be
// carried from: what is older is gone.
func (n *Night) loadPrices(ctx context.Context, src Source, only schema.ObservationFilter, maxAge int) error {
	complete := lastComplete(n.AsOf, n.Runs)
	since := map[schema.ProviderID]schema.Day{}
	for _, r := range n.Runs {
		if from := max(complete[r.Provider], n.AsOf-schema.Day(maxAge)); from < n.AsOf {
			since[r.Provider] = from
		}
	}
	load := func() error {
		seen, err := src.Observations(ctx, only)
		if err != nil {
			return fmt.Errorf("observations %s to %s: %w", only.FromDay, only.ToDay, err)
		}
		n.Observations = append(n.Observations, seen...)
		return nil
	}
	for _, provider := range slices.Sorted(maps.Keys(since)) {
		only.Provider, only.FromDay, only.ToDay = provider, since[provider], n.AsOf-1
		if err := load(); err != nil {
			return err
		}
	}
	only.Provider, only.FromDay, only.ToDay = "", n.AsOf, n.AsOf
	return load()
}

func newestDay(ctx context.Context, src Source, f Filter) (schema.Day, bool, error) {
	if f.DayNamed {
		return src.LatestDayUpTo(ctx, f.Day)
	}
	return src.LatestDay(ctx)
}

// loadRuns reads who answered when, and which nights are held.
func (n *Night) loadRuns(ctx context.Context, src Source, f Filter, maxAge int) error {
	to := n.AsOf
	if f.DayNamed {
		to = f.Day
	}
	from := to - schema.Day(maxAge)
	if !n.Empty {
		from = n.AsOf - schema.Day(maxAge)
	}
	var err error
	if n.Runs, err = src.ProviderRuns(ctx, from, to); err != nil {
		return fmt.Errorf("provider runs %s to %s: %w", from, to, err)
	}
	n.Runs = rentalRuns(n.Runs)
	held, err := src.HeldQuarantines(ctx)
	if err != nil {
		return fmt.Errorf("held nights: %w", err)
	}
	if f.DayNamed {
		n.Latest = newestParts(n.Runs)
	} else if n.Latest, err = src.LatestProviderRuns(ctx); err != nil {
		return fmt.Errorf("newest provider runs: %w", err)
	}
	n.Latest = rentalRuns(n.Latest)
	for _, q := range held {
		if q.Provider.ListsTokens() {
			continue
		}
		if !f.DayNamed || q.Day <= f.Day {
			n.Held = append(n.Held, q)
		}
	}
	return nil
}

// rentalRuns leaves out the price lists of APIs: a report of GPU prices says
// nothing of them.
func rentalRuns(runs []schema.ProviderRun) []schema.ProviderRun {
	return slices.DeleteFunc(slices.Clone(runs), func(r schema.ProviderRun) bool { return r.Provider.ListsTokens() })
}

// newestParts is each provider's part in the newest run of its newest day.
func newestParts(runs []schema.ProviderRun) []schema.ProviderRun {
	newest := map[schema.ProviderID]schema.ProviderRun{}
	for _, r := range runs {
		old, ok := newest[r.Provider]
		if !ok || cmp.Or(cmp.Compare(r.Day, old.Day), cmp.Compare(r.RunID, old.RunID)) > 0 {
			newest[r.Provider] = r
		}
	}
	return slices.Collect(maps.Values(newest))
}

// firstDay is the first day after the one asked for on which a provider gave
// prices, 0 where there is none.
func firstDay(ctx context.Context, src Source, f Filter) (schema.Day, error) {
	newest, ok, err := src.LatestDay(ctx)
	if err != nil {
		return 0, fmt.Errorf("newest published day: %w", err)
	}
	if !f.DayNamed || !ok || newest <= f.Day {
		return 0, nil
	}
	runs, err := src.ProviderRuns(ctx, f.Day+1, newest)
	if err != nil {
		return 0, fmt.Errorf("provider runs up to %s: %w", newest, err)
	}
	first := newest
	for _, r := range rentalRuns(runs) {
		if gavePrices(r) {
			first = min(first, r.Day)
		}
	}
	return first, nil
}

// gavePrices reports whether a part of a night has prices that nobody holds.
func gavePrices(r schema.ProviderRun) bool {
	return r.Offers > 0 && (r.Status == schema.StatusComplete || r.Status == schema.StatusPartial)
}
