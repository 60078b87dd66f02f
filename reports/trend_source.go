package reports

import (
	"context"
	"fmt"
	"slices"

	"mtok/schema"
)

// HistorySource is what reports over many days ask of a store. Days are inclusive
// and come in order.
type HistorySource interface {
	// NewestMarketDay is the newest day that has a price, imported ones included.
	NewestMarketDay(ctx context.Context) (schema.Day, bool, error)
	DailyMarkets(ctx context.Context, from, to schema.Day, class schema.ClassID) ([]schema.DailyMarket, error)
	ClassMarkets(ctx context.Context, class schema.ClassID, from, to schema.Day) ([]schema.DailyMarket, error)
	ClassPrices(ctx context.Context, class schema.ClassID, term schema.Term, from, to schema.Day) ([]schema.DailyPrice, error)
	ClassTokenCosts(ctx context.Context, class schema.ClassID, workload string, term schema.Term, from, to schema.Day) ([]schema.DailyTokenCost, error)
	// APIModels are the models of which an API price was ever published.
	APIModels(ctx context.Context) ([]string, error)
	ModelAPIPrices(ctx context.Context, model string, from, to schema.Day) ([]schema.DailyAPIPrice, error)
	CostInputs(ctx context.Context, hash string) (schema.CostInputs, error)
	// CompleteDays are those on which a provider was read in full.
	CompleteDays(ctx context.Context, p schema.ProviderID, from, to schema.Day) ([]schema.Day, error)
	RejectCounts(ctx context.Context, from, to schema.Day) ([]schema.RejectCount, error)
	ParseCounts(ctx context.Context, from, to schema.Day) ([]schema.ParseCount, error)
	Quarantines(ctx context.Context, from, to schema.Day) ([]schema.Quarantine, error)
}

// record is what is known of one class over a window.
type record struct {
	class    schema.ClassID
	term     schema.Term
	workload Workload
	from, to schema.Day
	// read is the first day that was read: prices of the days before the window may
	// be carried into it.
	read    schema.Day
	markets []schema.DailyMarket
	costs   []schema.DailyTokenCost
	inputs  map[string]string // body by hash
	// complete are the days on which each provider was read in full.
	complete map[schema.ProviderID]map[schema.Day]bool
	api      []schema.DailyAPIPrice
}

// span is the window of a filter; false where nothing was ever recorded.
func (l Loader) span(ctx context.Context, f Filter) (from, to, newest schema.Day, published bool, err error) {
	newest, published, err = newestDay(ctx, l.Source, f)
	if err != nil {
		return 0, 0, 0, false, fmt.Errorf("newest published day: %w", err)
	}
	end := newest
	if !published {
		end, _, err = l.History.NewestMarketDay(ctx)
		if err != nil {
			return 0, 0, 0, false, fmt.Errorf("newest day of a market: %w", err)
		}
		if f.DayNamed {
			end = f.Day
		}
	}
	from, to = f.Window.Span(end)
	return from, to, newest, published, nil
}

// loadHistory reads one class.
func (l Loader) loadHistory(ctx context.Context, f Filter, class schema.ClassID, from, to schema.Day) (record, error) {
	h := record{class: class, term: f.trendTerm(), from: from, to: to, read: from - schema.Day(l.Settings.MaxAge)}
	var err error
	if h.workload, err = l.Settings.Workload(l.Catalog, f.Workload); err != nil {
		return h, err
	}
	if f.Provider == "" {
		h.markets, err = l.History.ClassMarkets(ctx, class, h.read, to)
		h.markets = slices.DeleteFunc(h.markets, func(m schema.DailyMarket) bool { return m.Term != h.term })
	} else {
		h.markets, err = l.providerMarkets(ctx, f.Provider, h)
	}
	if err != nil {
		return h, fmt.Errorf("prices of %s: %w", class, err)
	}
	if f.Provider == "" {
		if err := l.loadCosts(ctx, &h); err != nil {
			return h, err
		}
	}
	return h, l.loadComplete(ctx, &h)
}

// providerMarkets makes the series of one provider: of each day the tier with the
// lowest price, community aside, since nobody would rent production there.
func (l Loader) providerMarkets(ctx context.Context, provider schema.ProviderID, h record) ([]schema.DailyMarket, error) {
	prices, err := l.History.ClassPrices(ctx, h.class, h.term, h.read, h.to)
	if err != nil {
		return nil, err
	}
	var out []schema.DailyMarket
	for _, p := range prices {
		if p.Provider != provider || !l.Settings.Eligibility.counts(p.Tier) {
			continue
		}
		row := schema.DailyMarket{Day: p.Day, Class: p.Class, Term: p.Term, Origin: p.Origin,
			Cheapest: p.Min, CheapestProvider: p.Provider, CheapestTier: p.Tier, Median: p.Median, Providers: 1}
		i := slices.IndexFunc(out, func(m schema.DailyMarket) bool { return m.Day == p.Day && m.Origin == p.Origin })
		switch {
		case i < 0:
			out = append(out, row)
		case row.Cheapest < out[i].Cheapest:
			out[i] = row
		}
	}
	return out, nil
}

// counts reports whether a tier of daily prices is one that production rents: of a
// marketplace the eligible machines alone.
func (e Eligibility) counts(tier schema.Tier) bool {
	return (tier != schema.TierCommunity || e.Community) && tier != schema.TierVerified
}

// loadCosts reads the token costs and what they were made with.
func (l Loader) loadCosts(ctx context.Context, h *record) error {
	var err error
	h.costs, err = l.History.ClassTokenCosts(ctx, h.class, h.workload.Name, h.term, h.from, h.to)
	if err != nil {
		return fmt.Errorf("token costs of %s: %w", h.class, err)
	}
	h.inputs = map[string]string{}
	for _, c := range h.costs {
		if _, met := h.inputs[c.Inputs]; met {
			continue
		}
		in, err := l.History.CostInputs(ctx, c.Inputs)
		if err != nil {
			return fmt.Errorf("inputs of token costs: %w", err)
		}
		h.inputs[c.Inputs] = in.Body
	}
	return nil
}

// loadComplete reads when the providers that were ever the cheapest were read in
// full: only such a night says that a price is gone.
func (l Loader) loadComplete(ctx context.Context, h *record) error {
	h.complete = map[schema.ProviderID]map[schema.Day]bool{}
	for _, m := range h.markets {
		if m.Origin == schema.OriginImport || h.complete[m.CheapestProvider] != nil {
			continue
		}
		days, err := l.History.CompleteDays(ctx, m.CheapestProvider, h.read, h.to)
		if err != nil {
			return fmt.Errorf("complete days of %s: %w", m.CheapestProvider, err)
		}
		at := make(map[schema.Day]bool, len(days))
		for _, d := range days {
			at[d] = true
		}
		h.complete[m.CheapestProvider] = at
	}
	return nil
}

// loadAPI reads what APIs asked for the model of the workload, by every name that
// it is compared under.
func (l Loader) loadAPI(ctx context.Context, w Workload, from, to schema.Day) ([]schema.DailyAPIPrice, error) {
	models, err := l.History.APIModels(ctx)
	if err != nil {
		return nil, fmt.Errorf("models of APIs: %w", err)
	}
	var out []schema.DailyAPIPrice
	for _, name := range models {
		named := slices.ContainsFunc(l.Settings.APIs, func(c APIChoice) bool { return c.Model == name })
		if !named && !sameModel(name, w.Model) {
			continue
		}
		prices, err := l.History.ModelAPIPrices(ctx, name, from, to)
		if err != nil {
			return nil, fmt.Errorf("API prices of %s: %w", name, err)
		}
		out = append(out, prices...)
	}
	return out, nil
}
