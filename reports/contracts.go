package reports

import (
	"context"
	"fmt"

	"mtok/schema"
)

// ContractSource gives the user's contracts as they were kept. Days are inclusive.
type ContractSource interface {
	Fleets(ctx context.Context, from, to schema.Day) ([]schema.Fleet, error)
	Quotes(ctx context.Context, from, to schema.Day) ([]schema.Quote, error)
}

// Fleet loads and builds `report fleet`. Where the filter names a day, the fleets
// are those that were kept for it, if any were.
func (l Loader) Fleet(ctx context.Context, f Filter) (Document, error) {
	night, err := LoadNight(ctx, l.Source, f, l.Settings.MaxAge)
	if err != nil {
		return Document{}, err
	}
	contracts := l.Contracts
	if f.DayNamed && !night.Empty && l.Kept != nil {
		kept, err := l.keptOn(ctx, night.AsOf)
		if err != nil {
			return Document{}, err
		}
		if len(kept.Fleets)+len(kept.Quotes) > 0 {
			contracts = kept
		}
	}
	return Fleets(night, contracts, l.Catalog, l.Settings, f), nil
}

func (l Loader) keptOn(ctx context.Context, day schema.Day) (schema.Contracts, error) {
	var out schema.Contracts
	var err error
	if out.Fleets, err = l.Kept.Fleets(ctx, day, day); err != nil {
		return out, fmt.Errorf("fleets of %s: %w", day, err)
	}
	if out.Quotes, err = l.Kept.Quotes(ctx, day, day); err != nil {
		return out, fmt.Errorf("quotes of %s: %w", day, err)
	}
	return out, nil
}

// MonthReport loads and builds `report month` for the month of the filter.
func (l Loader) MonthReport(ctx context.Context, f Filter) (Document, error) {
	newest, any, err := l.Source.LatestDay(ctx)
	if err != nil {
		return Document{}, fmt.Errorf("newest published day: %w", err)
	}
	var kept []schema.Fleet
	if f.Month.Named() && l.Kept != nil {
		if kept, err = l.Kept.Fleets(ctx, 0, max(f.Month.Last(), newest)); err != nil {
			return Document{}, fmt.Errorf("fleets up to %s: %w", f.Month.Last(), err)
		}
	}
	doc := MonthOfFleets(f.Month, kept, l.Contracts.Fleets, l.Catalog, l.Settings)
	doc.AsOf, doc.Empty = newest, !any
	return doc, nil
}
