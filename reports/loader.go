package reports

import (
	"context"
	"fmt"

	"mtok/schema"
)

// Loader reads what a report needs and builds it: one method a report.
type Loader struct {
	Source   Source
	Catalog  *schema.Catalog
	Settings Settings
}

// Prices loads and builds `report prices`.
func (l Loader) Prices(ctx context.Context, f Filter) (Document, error) {
	night, err := LoadNight(ctx, l.Source, f, l.Settings.MaxAge)
	if err != nil {
		return Document{}, err
	}
	return Prices(night, l.Catalog, l.Settings, f), nil
}

// Mtok loads and builds `report mtok`.
func (l Loader) Mtok(ctx context.Context, f Filter) (Document, error) {
	night, err := LoadNight(ctx, l.Source, f, l.Settings.MaxAge)
	if err != nil {
		return Document{}, err
	}
	return MTok(night, l.Catalog, l.Settings, f), nil
}

// Market loads and builds `report market`.
func (l Loader) Market(ctx context.Context, f Filter) (Document, error) {
	night, err := LoadNight(ctx, l.Source, f, l.Settings.MaxAge)
	if err != nil {
		return Document{}, err
	}
	return Market(night, l.Catalog, l.Settings, f), nil
}

// Explain loads and builds `explain CLASS` for the class of the filter.
func (l Loader) Explain(ctx context.Context, f Filter) (Document, error) {
	night, err := LoadNight(ctx, l.Source, f, l.Settings.MaxAge)
	if err != nil {
		return Document{}, err
	}
	var daily []schema.DailyPrice
	if !night.Empty {
		if daily, err = l.Source.DailyPrices(ctx, night.AsOf, night.AsOf, f.Class); err != nil {
			return Document{}, fmt.Errorf("daily prices of %s: %w", f.Class, err)
		}
	}
	return Explain(night, daily, l.Catalog, l.Settings, f), nil
}
