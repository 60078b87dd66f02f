package watch

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"mtok/reports"
	"mtok/reports/alert"
	"mtok/schema"
)

// Source is what judging a night asks of a store. Days are inclusive.
type Source interface {
	reports.Source
	reports.TokenSource
	// ListPrices hands over what a provider's own nights published, as far as rules judge
	// it.
	ListPrices(ctx context.Context, p schema.ProviderID, from, to schema.Day, each func(*schema.Observation)) error
	// MarketAsks is ListPrices of one term of a market.
	MarketAsks(ctx context.Context, market schema.ProviderID, term schema.Term, from, to schema.Day, each func(*schema.Observation)) error
	DailyTokenCosts(ctx context.Context, from, to schema.Day, class schema.ClassID) ([]schema.DailyTokenCost, error)
	// Quarantines are those of these days, whatever became of them.
	Quarantines(ctx context.Context, from, to schema.Day) ([]schema.Quarantine, error)
	LastCompleteDays(ctx context.Context) (map[schema.ProviderID]schema.Day, error)
	AlertStates(ctx context.Context) ([]schema.AlertState, error)
}

const (
	// listNights is how far back moves of lists are followed: the 30 days of one
	// event, and the nights that its prices stood before.
	listNights = 45
	// marketNights is how far back asks of a market are read beyond the baseline.
	marketNights = 14
	// knownNights is for how long a provider that gives nothing is missed.
	knownNights = 7
)

// input reads what moves are found in, up to a day, and the nights' runs.
func (j Judge) input(ctx context.Context, src Source, day schema.Day, states []schema.AlertState) (alert.Input, []schema.ProviderRun, error) {
	in := alert.Input{Bands: map[schema.ClassID]schema.Band{}}
	for _, g := range j.Catalog.GPUs {
		in.Bands[g.ID] = g.Band
	}
	runs, err := src.ProviderRuns(ctx, day-listNights, day)
	if err != nil {
		return in, nil, fmt.Errorf("provider runs: %w", err)
	}
	quarantines, err := src.Quarantines(ctx, day-listNights, day)
	if err != nil {
		return in, nil, fmt.Errorf("quarantines: %w", err)
	}
	in.Confirmed = append(byPerson(quarantines), movesByPerson(states)...)
	in.Nights = nights(runs, quarantines)
	for _, provider := range providersOf(runs) {
		err := j.eachSeen(ctx, src, provider, day, func(o *schema.Observation) {
			if r, ok := reading(o); ok {
				in.Readings = append(in.Readings, r)
			}
		})
		if err != nil {
			return in, nil, fmt.Errorf("observations of %s: %w", provider, err)
		}
	}
	return in, runs, nil
}

// eachSeen hands over the observations of a provider that the rules need, up to a day.
func (j Judge) eachSeen(
	ctx context.Context, src Source, provider schema.ProviderID, day schema.Day, each func(*schema.Observation),
) error {
	if !slices.Contains(j.Markets, provider) {
		return src.ListPrices(ctx, provider, day-listNights, day, each)
	}
	nights, terms := j.marketAsks(provider)
	for _, term := range terms {
		if err := src.MarketAsks(ctx, provider, term, day-nights, day, each); err != nil {
			return err
		}
	}
	return nil
}

// marketAsks is how many nights of a market's asks the rules need, and of which terms.
// A floor of bids is no ask: no rule judges it, and it is half of a market's rows.
func (j Judge) marketAsks(market schema.ProviderID) (nights schema.Day, terms []schema.Term) {
	nights = marketNights
	for _, r := range j.Rules {
		if r.Metric != alert.MetricMarket || len(r.Providers) > 0 && !slices.Contains(r.Providers, market) {
			continue
		}
		nights = max(nights, schema.Day(r.Baseline+r.For+r.Cooldown))
		asked := r.Terms
		if len(asked) == 0 {
			asked = []schema.Term{schema.TermOnDemand, schema.TermSpot, schema.TermReserved}
		}
		terms = append(terms, asked...)
	}
	slices.Sort(terms)
	return nights, slices.Compact(terms)
}

// reading is an observation as the rules read it. What was imported is no night of
// ours, and a chip that the catalog does not know has no class to speak of.
func reading(o *schema.Observation) (alert.Reading, bool) {
	if o.Origin == schema.OriginImport || o.Quarantine != 0 || strings.HasPrefix(string(o.Class), schema.UnmatchedPrefix) {
		return alert.Reading{}, false
	}
	r := alert.Reading{
		Day: o.Day, Provider: o.Offer.Provider, Class: o.Class, GPUs: o.Offer.GPUCount, Region: o.Offer.Region, Tier: o.Offer.Tier,
		Term: o.Offer.Term, Commitment: o.Offer.Commitment, Price: o.USDPerGPUHour, Provenance: alert.Primary,
		Source: string(o.Offer.Provider) + "/" + o.Source, Keyed: o.Offer.SKU != "", Excluded: o.Excluded,
	}
	if o.Offer.Basis == schema.BasisGPUComponent {
		r.Excluded = "a component's price"
	}
	if o.Offer.GroupKey != "" {
		r.Market, r.Machine = true, o.Offer.GroupKey
		if !reports.CountsInMarket(o.Offer) {
			r.Excluded = "not verified and reliable"
		}
	}
	return r, true
}

// byPerson are the nights that a person confirmed; one that a later night confirmed
// speaks by itself.
func byPerson(quarantines []schema.Quarantine) []alert.Confirmed {
	var out []alert.Confirmed
	for _, q := range quarantines {
		if q.State == schema.QuarantineConfirmed && strings.HasSuffix(q.DecidedBy, ByHand) {
			out = append(out, alert.Confirmed{Provider: q.Provider, Day: q.Day})
		}
	}
	return out
}

// ByHand ends the name of a person who decided on a quarantine.
const ByHand = "by hand"

// nights are those that were read, by the newest run of each provider's day. One that
// was held and is confirmed is published, and as good as any.
func nights(runs []schema.ProviderRun, quarantines []schema.Quarantine) []alert.Night {
	var out []alert.Night
	for _, r := range newestOfDay(runs) {
		confirmed := slices.ContainsFunc(quarantines, func(q schema.Quarantine) bool {
			return q.Provider == r.Provider && q.Day == r.Day && q.State == schema.QuarantineConfirmed && q.Rule == r.ErrorKind
		})
		switch {
		case r.Provider.ListsTokens():
		case confirmed, r.Status == schema.StatusComplete:
			out = append(out, alert.Night{Day: r.Day, Provider: r.Provider, State: alert.NightComplete})
		case r.Status == schema.StatusPartial:
			out = append(out, alert.Night{Day: r.Day, Provider: r.Provider, State: alert.NightPartial})
		case r.Status == schema.StatusQuarantined:
			out = append(out, alert.Night{Day: r.Day, Provider: r.Provider, State: alert.NightQuarantined})
		}
	}
	return out
}

// newestOfDay leaves the newest run of each provider and day, in their order.
func newestOfDay(runs []schema.ProviderRun) []schema.ProviderRun {
	type key struct {
		provider schema.ProviderID
		day      schema.Day
	}
	at := map[key]int{}
	var out []schema.ProviderRun
	for _, r := range runs {
		k := key{r.Provider, r.Day}
		i, seen := at[k]
		switch {
		case !seen:
			at[k] = len(out)
			out = append(out, r)
		case r.RunID > out[i].RunID:
			out[i] = r
		}
	}
	return out
}

func providersOf(runs []schema.ProviderRun) []schema.ProviderID {
	var out []schema.ProviderID
	for _, r := range runs {
		if !r.Provider.ListsTokens() {
			out = append(out, r.Provider)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// missing are the days among some on which a provider gave no complete night that
// had given one within the nights before: what is cheapest across providers then
// says nothing.
func missing(runs []schema.ProviderRun, from, to schema.Day) map[schema.Day]bool {
	complete := map[schema.ProviderID]map[schema.Day]bool{}
	for _, r := range newestOfDay(runs) {
		if r.Provider.ListsTokens() {
			continue
		}
		if complete[r.Provider] == nil {
			complete[r.Provider] = map[schema.Day]bool{}
		}
		complete[r.Provider][r.Day] = r.Status == schema.StatusComplete
	}
	out := map[schema.Day]bool{}
	for day := from; day <= to; day++ {
		for _, days := range complete {
			for before := day - knownNights; before < day; before++ {
				if days[before] && !days[day] {
					out[day] = true
				}
			}
		}
	}
	return out
}
