package reports

import (
	"context"
	"fmt"
	"slices"

	"mtok/schema"
)

// Loader reads what a report needs and builds it: one method a report.
type Loader struct {
	Source   Source
	Catalog  *schema.Catalog
	Settings Settings
	// Contracts are those of the configuration, Kept those of the days before; nil
	// where none are kept.
	Contracts schema.Contracts
	Kept      ContractSource
	Tokens    TokenSource // of `report api` alone
	// History is of the reports over many days, Parsers the version of each provider's
	// parser of today, for `report quality`.
	History HistorySource
	Parsers map[schema.ProviderID]int
}

// Prices loads and builds `report prices`.
func (l Loader) Prices(ctx context.Context, f Filter) (Document, error) {
	night, err := LoadNight(ctx, l.Source, f, l.Settings.MaxAge)
	if err != nil {
		return Document{}, err
	}
	return l.withReferences(ctx, Prices(night, l.Catalog, l.Settings, f), f)
}

// Mtok loads and builds `report mtok`.
func (l Loader) Mtok(ctx context.Context, f Filter) (Document, error) {
	night, err := LoadNight(ctx, l.Source, f, l.Settings.MaxAge)
	if err != nil {
		return Document{}, err
	}
	return l.withReferences(ctx, MTok(night, l.Catalog, l.Settings, f), f)
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
	doc := Explain(night, daily, l.Catalog, l.Settings, f)
	costs, err := l.explainCosts(ctx, night, f)
	if err != nil {
		return doc, err
	}
	imported, err := l.importedLines(ctx, night, f)
	doc.After = slices.Concat(doc.After, costs, imported)
	return doc, err
}
