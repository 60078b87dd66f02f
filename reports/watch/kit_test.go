package watch

import (
	"context"
	"slices"
	"testing"
	"time"

	"mtok/reports"
	"mtok/reports/alert"
	"mtok/schema"
)

// memory is a store of nights that a test makes up.
type memory struct {
	seen        []schema.Observation
	runs        []schema.ProviderRun
	prices      []schema.DailyPrice
	costs       []schema.DailyTokenCost
	tokens      []schema.TokenObservation
	quarantines []schema.Quarantine
	states      map[[2]string]schema.AlertState
	told        []schema.AlertEvent
	stock       schema.Stock // of what is listed from now on
	asked       []schema.ObservationFilter
}

func (m *memory) LatestDay(context.Context) (schema.Day, bool, error) {
	var day schema.Day
	for _, p := range m.prices {
		day = max(day, p.Day)
	}
	return day, day != 0, nil
}

func (m *memory) LatestDayUpTo(_ context.Context, upTo schema.Day) (schema.Day, bool, error) {
	var day schema.Day
	for _, p := range m.prices {
		if p.Day <= upTo {
			day = max(day, p.Day)
		}
	}
	return day, day != 0, nil
}

func (m *memory) Observations(_ context.Context, f schema.ObservationFilter) ([]schema.Observation, error) {
	m.asked = append(m.asked, f)
	return slices.DeleteFunc(slices.Clone(m.seen), func(o schema.Observation) bool {
		return o.Day < f.FromDay || o.Day > f.ToDay || f.Provider != "" && o.Offer.Provider != f.Provider ||
			f.Term != "" && o.Offer.Term != f.Term
	}), nil
}

func (m *memory) ListPrices(
	ctx context.Context, provider schema.ProviderID, from, to schema.Day, each func(*schema.Observation),
) error {
	return m.MarketAsks(ctx, provider, "", from, to, each)
}

func (m *memory) MarketAsks(
	ctx context.Context, market schema.ProviderID, term schema.Term, from, to schema.Day, each func(*schema.Observation),
) error {
	seen, err := m.Observations(ctx, schema.ObservationFilter{FromDay: from, ToDay: to, Provider: market, Term: term})
	for i := range seen {
		each(&seen[i])
	}
	return err
}

func (m *memory) ProviderRuns(_ context.Context, from, to schema.Day) ([]schema.ProviderRun, error) {
	return slices.DeleteFunc(slices.Clone(m.runs), func(r schema.ProviderRun) bool { return r.Day < from || r.Day > to }), nil
}

func (m *memory) LatestProviderRuns(context.Context) ([]schema.ProviderRun, error) { return nil, nil }
func (m *memory) HeldQuarantines(context.Context) ([]schema.Quarantine, error)     { return nil, nil }
func (m *memory) Notices(context.Context) ([]schema.Notice, error)                 { return nil, nil }
func (m *memory) Quarantines(context.Context, schema.Day, schema.Day) ([]schema.Quarantine, error) {
	return m.quarantines, nil
}

func (m *memory) DailyPrices(_ context.Context, from, to schema.Day, class schema.ClassID) ([]schema.DailyPrice, error) {
	return slices.DeleteFunc(slices.Clone(m.prices), func(p schema.DailyPrice) bool {
		return p.Day < from || p.Day > to || p.Class != class
	}), nil
}

func (m *memory) DailyTokenCosts(_ context.Context, from, to schema.Day, class schema.ClassID) ([]schema.DailyTokenCost, error) {
	return slices.DeleteFunc(slices.Clone(m.costs), func(c schema.DailyTokenCost) bool {
		return c.Day < from || c.Day > to || c.Class != class
	}), nil
}

func (m *memory) TokenPrices(_ context.Context, f schema.TokenPriceFilter) ([]schema.TokenObservation, error) {
	return slices.DeleteFunc(slices.Clone(m.tokens), func(o schema.TokenObservation) bool {
		return o.Day < f.FromDay || o.Day > f.ToDay || o.Provider != f.Provider
	}), nil
}

func (m *memory) LastTokenDay(_ context.Context, p schema.ProviderID, upTo schema.Day) (schema.Day, bool, error) {
	var day schema.Day
	for _, o := range m.tokens {
		if o.Provider == p && o.Day <= upTo {
			day = max(day, o.Day)
		}
	}
	return day, day != 0, nil
}

func (m *memory) LastCompleteDays(context.Context) (map[schema.ProviderID]schema.Day, error) {
	out := map[schema.ProviderID]schema.Day{}
	for _, r := range m.runs {
		if r.Status == schema.StatusComplete {
			out[r.Provider] = max(out[r.Provider], r.Day)
		}
	}
	return out, nil
}

func (m *memory) AlertStates(context.Context) ([]schema.AlertState, error) {
	var out []schema.AlertState
	for _, s := range m.states {
		out = append(out, s)
	}
	return out, nil
}

// start is the first day of the nights that are made up.
const start = schema.Day(20_600)

// list is a night on which a provider sells an H100 SXM at a price.
func (m *memory) list(day schema.Day, provider schema.ProviderID, price schema.USD) {
	m.run(day, provider, schema.StatusComplete)
	m.seen = append(m.seen, schema.Observation{
		Day: day, Source: "page", Class: "h100-sxm-80gb", Origin: schema.OriginLive, FetchedAt: day.Time().Add(6 * time.Hour),
		USDPerGPUHour: price, USDPerInstanceHour: 2 * price,
		Offer: schema.Offer{Stock: m.stock, Basis: schema.BasisInstance, Currency: "USD", OfferKey: schema.OfferKey{
			Provider: provider, SKU: "h100", GPUCount: 2, Term: schema.TermOnDemand,
		}},
	})
	m.prices = append(m.prices, schema.DailyPrice{
		Day: day, Class: "h100-sxm-80gb", Provider: provider, Term: schema.TermOnDemand, Origin: schema.OriginLive, N: 1, Min: price,
	})
}

func (m *memory) run(day schema.Day, provider schema.ProviderID, status schema.RunStatus) {
	m.runs = append(m.runs, schema.ProviderRun{RunID: int64(day), Provider: provider, Day: day, Status: status})
}

// judge judges a night and keeps what a store would; it returns what is new.
func (m *memory) judge(t *testing.T, j Judge, day schema.Day) []schema.AlertEvent {
	t.Helper()
	night, err := j.Night(t.Context(), m, day)
	if err != nil {
		t.Fatal(err)
	}
	if m.states == nil {
		m.states = map[[2]string]schema.AlertState{}
	}
	for _, s := range night.States {
		m.states[[2]string{s.Rule, s.Series}] = s
	}
	var fresh []schema.AlertEvent
	for _, e := range night.Events {
		if !slices.ContainsFunc(m.told, func(o schema.AlertEvent) bool { return o.Event == e.Event }) {
			fresh = append(fresh, e)
		}
	}
	m.told = append(m.told, fresh...)
	return fresh
}

func judgeBy(t *testing.T, rules ...alert.Rule) Judge {
	t.Helper()
	catalog, err := schema.LoadCatalog()
	if err != nil {
		t.Fatal(err)
	}
	settings := reports.DefaultSettings()
	settings.Workloads = reports.DefaultWorkloads()
	return Judge{
		Rules: rules, Catalog: catalog, Settings: settings, Names: map[schema.ProviderID]string{"lambda": "Lambda"},
		Channels: func(alert.Rule) []string { return []string{"hook"} },
	}
}

func threshold(t *testing.T, text string) alert.Threshold {
	t.Helper()
	var out alert.Threshold
	if err := out.UnmarshalText([]byte(text)); err != nil {
		t.Fatal(err)
	}
	return out
}
