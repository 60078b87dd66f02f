package reports

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"golang.org/x/sync/errgroup"

	"mtok/schema"
)

// loadHistory reads one class.
func (l Loader) loadHistory(ctx context.Context, f Filter, class schema.ClassID, from, to schema.Day) (record, error) {
	h := record{class: class, term: f.trendTerm(), from: from, to: to, read: from - schema.Day(l.Settings.MaxAge)}
	var err error
	if h.workload, err = l.Settings.Workload(l.Catalog, f.Workload); err != nil {
		return h, err
	}
	// Years of a class are many rows: they are read side by side.
	reads, inner := errgroup.WithContext(ctx)
	reads.Go(func() error { return l.loadPrices(inner, f, &h) })
	if f.Provider == "" {
		reads.Go(func() error { return l.loadCosts(inner, &h) })
	}
	if f.dayByDay() {
		reads.Go(func() error {
			var err error
			h.api, err = l.loadAPI(inner, h.workload, from, to)
			return err
		})
	}
	err = reads.Wait()
	return h, err
}

// loadPrices reads the prices and, where it matters, which nights were whole.
func (l Loader) loadPrices(ctx context.Context, f Filter, h *record) error {
	var err error
	if f.Provider == "" {
		h.markets, err = l.History.ClassMarkets(ctx, h.class, h.read, h.to)
		h.markets = slices.DeleteFunc(h.markets, func(m schema.DailyMarket) bool { return m.Term != h.term })
	} else {
		h.markets, err = l.providerMarkets(ctx, f.Provider, h)
	}
	if err != nil {
		return fmt.Errorf("prices of %s: %w", h.class, err)
	}
	if f.Provider == "" && f.dayByDay() {
		if err := l.loadImportedBy(ctx, h); err != nil {
			return err
		}
	}
	return l.loadComplete(ctx, h)
}

// dayByDay reports whether a trend is of one class, with a row a day.
func (f Filter) dayByDay() bool { return f.Class != "" && f.Other == "" }

// loadImportedBy names the records of imported prices, where there are any: most
// windows have none, and to find the offer behind each is dear.
func (l Loader) loadImportedBy(ctx context.Context, h *record) error {
	first, last := h.to+1, h.from-1
	for _, m := range h.markets {
		if m.Origin == schema.OriginImport {
			first, last = min(first, max(m.Day, h.from)), max(last, m.Day)
		}
	}
	if first > last {
		return nil
	}
	var err error
	if h.importedBy, err = l.History.ImportedBy(ctx, h.class, h.term, first, last); err != nil {
		return fmt.Errorf("records of the imports of %s: %w", h.class, err)
	}
	return nil
}

// providerMarkets makes the series of one provider: of each day the tier with the
// lowest price, community aside, since nobody would rent production there.
func (l Loader) providerMarkets(ctx context.Context, provider schema.ProviderID, h *record) ([]schema.DailyMarket, error) {
	prices, err := l.History.ClassPrices(ctx, h.class, h.term, h.read, h.to)
	if err != nil {
		return nil, err
	}
	type key struct {
		day    schema.Day
		origin schema.Origin
	}
	var out []schema.DailyMarket
	at := map[key]int{}
	for _, p := range prices {
		if p.Provider != provider || !l.Settings.Eligibility.counts(p.Tier) {
			continue
		}
		row := schema.DailyMarket{Day: p.Day, Class: p.Class, Term: p.Term, Origin: p.Origin,
			Cheapest: p.Min, CheapestProvider: p.Provider, CheapestTier: p.Tier, Median: p.Median, Providers: 1}
		i, known := at[key{p.Day, p.Origin}]
		switch {
		case !known:
			at[key{p.Day, p.Origin}] = len(out)
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

// loadComplete reads where it matters whether the cheapest provider was read in
// full: on the days after its price that have none, and on one from which on another
// provider is the cheapest at a higher price. Only a full night says that a price is
// gone.
func (l Loader) loadComplete(ctx context.Context, h *record) error {
	h.complete = map[schema.ProviderID]map[schema.Day]bool{}
	own, _ := h.byDay()
	days := slices.Sorted(maps.Keys(own))
	for i, day := range days {
		m, next := own[day], h.to+1
		if i+1 < len(days) {
			next = days[i+1]
		}
		if to := min(next-1, day+schema.Day(l.Settings.MaxAge)); to > day {
			if err := l.completeOf(ctx, h, m.CheapestProvider, day+1, to); err != nil {
				return err
			}
		}
		if next <= h.to && replaced(m, own[next]) {
			if err := l.completeOf(ctx, h, m.CheapestProvider, next, next); err != nil {
				return err
			}
		}
	}
	return nil
}

func (l Loader) completeOf(ctx context.Context, h *record, p schema.ProviderID, from, to schema.Day) error {
	days, err := l.History.CompleteDays(ctx, p, from, to)
	if err != nil {
		return fmt.Errorf("complete days of %s: %w", p, err)
	}
	if h.complete[p] == nil {
		h.complete[p] = map[schema.Day]bool{}
	}
	for _, d := range days {
		h.complete[p][d] = true
	}
	return nil
}

// replaced reports whether another provider is the cheapest, at a higher price.
func replaced(before, after *schema.DailyMarket) bool {
	return before.CheapestProvider != after.CheapestProvider && after.Cheapest > before.Cheapest
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
