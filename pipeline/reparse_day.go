package pipeline

import (
	"context"
	"math"
	"slices"

	"mtok/schema"
	"mtok/scrapers"
)

// ledger is what is known of all nights that ever were.
type ledger struct {
	runs    map[int64]schema.Day // the logical day of each run
	entries map[runProvider][]schema.ProviderRun
}

type runProvider struct {
	run      int64
	provider schema.ProviderID
}

// archivedDay is what is archived of one provider's day.
type archivedDay struct {
	provider scrapers.Provider
	day      schema.Day
	fetches  []schema.Fetch            // one a request
	seen     []schema.Observation      // that stand, held ones included
	tokens   []schema.TokenObservation // of a price list of tokens
	parsed   map[int64]bool            // fetches that the parser of today has read
	before   schema.ProviderRun        // the newest entry of the ledger, zero where none
	// whole says that a night which made the fetches came to its end and is of
	// this day alone, so that all that it wanted is among them.
	whole bool
}

// readLedger reads which nights there were.
func (r *Reparse) readLedger(ctx context.Context) (ledger, error) {
	l := ledger{runs: map[int64]schema.Day{}, entries: map[runProvider][]schema.ProviderRun{}}
	runs, err := r.Store.LastRuns(ctx, "", math.MaxInt32)
	if err != nil {
		return l, err
	}
	for _, run := range runs {
		l.runs[run.ID] = run.Day
	}
	entries, err := r.Store.ProviderRuns(ctx, 0, math.MaxInt32)
	for _, e := range entries {
		at := runProvider{e.RunID, e.Provider}
		l.entries[at] = append(l.entries[at], e)
	}
	return l, err
}

// readDay reads what is archived of a day, of each provider of the reparse.
func (r *Reparse) readDay(ctx context.Context, l ledger, day schema.Day) ([]archivedDay, error) {
	fetches, err := r.Store.Fetches(ctx, schema.FetchFilter{FromDay: day, ToDay: day})
	if err != nil {
		return nil, err
	}
	seen, err := r.Store.Observations(ctx, schema.ObservationFilter{FromDay: day, ToDay: day, IncludeHeld: true})
	if err != nil {
		return nil, err
	}
	parses, err := r.Store.DayParses(ctx, day)
	if err != nil {
		return nil, err
	}
	entries, err := r.Store.ProviderRuns(ctx, day, day)
	if err != nil {
		return nil, err
	}
	var out []archivedDay
	for _, p := range r.Providers {
		a := archivedDay{provider: p, day: day, parsed: map[int64]bool{}}
		for _, o := range seen {
			if o.Offer.Provider == p.ID && o.Origin != schema.OriginImport {
				a.seen = append(a.seen, o)
			}
		}
		for _, parse := range parses {
			if parse.ParserVersion == p.Version {
				a.parsed[parse.FetchID] = true
			}
		}
		for _, e := range entries { // in the order of runs
			if e.Provider == p.ID {
				a.before = e
			}
		}
		var made []schema.Fetch
		made, a.whole = l.taken(p.ID, day, fetches)
		a.fetches = ChooseFetches(made, a.seen)
		if err := r.readTokens(ctx, &a); err != nil {
			return nil, err
		}
		out = append(out, a)
	}
	return out, nil
}

// taken are the fetches of a provider's day that its nights went by: from the
// newest complete night on, since that replaced what was there, and without the
// recorded pages of an older day that a night left alone. The fetches of a night
// that died are taken too: its pages are as true as others. See archivedDay.whole.
func (l ledger) taken(p schema.ProviderID, day schema.Day, fetches []schema.Fetch) (made []schema.Fetch, whole bool) {
	first := int64(0)
	for _, f := range fetches {
		if f.Provider != p {
			continue
		}
		entries := l.entries[runProvider{f.RunID, p}]
		at := slices.IndexFunc(entries, func(e schema.ProviderRun) bool { return e.Day == day })
		switch {
		case at >= 0:
			if entries[at].Status == schema.StatusComplete {
				first = max(first, f.RunID)
			}
			whole = whole || len(entries) == 1 && ended(entries[at])
			made = append(made, f)
		case len(entries) == 0 && l.runs[f.RunID] == day:
			made = append(made, f)
		}
	}
	return slices.DeleteFunc(made, func(f schema.Fetch) bool { return f.RunID < first }), whole
}

// ended reports whether a provider's part came to its end, well or not.
func ended(e schema.ProviderRun) bool {
	return e.ErrorKind != string(scrapers.FetchPanic) && e.ErrorKind != string(scrapers.FetchCanceled) &&
		e.ErrorKind != kindOther
}

// readable reports whether there is any page to read again.
func (a *archivedDay) readable() bool { return slices.ContainsFunc(a.fetches, a.reads) }

// reads reports whether a fetch is one that a parser of today reads.
func (a *archivedDay) reads(f schema.Fetch) bool {
	return f.ErrorKind == "" && slices.ContainsFunc(a.provider.Sources, func(s scrapers.Source) bool { return s.Name == f.Source })
}

// current reports whether nothing can have changed: today's parser has read all
// pages, and today's catalog gives the offers their classes.
func (a *archivedDay) current(pn *providerNight) bool {
	for _, f := range a.fetches {
		if a.reads(f) && !a.parsed[f.ID] {
			return false
		}
	}
	for _, o := range a.seen {
		if pn.classOf(o.Offer) != o.Class {
			return false
		}
	}
	return true
}

// published reports whether rows of the day count.
func (a *archivedDay) published() bool {
	return slices.ContainsFunc(a.seen, func(o schema.Observation) bool { return o.Quarantine == 0 }) ||
		slices.ContainsFunc(a.tokens, func(o schema.TokenObservation) bool { return o.Quarantine == 0 })
}

// discarded tells who decided that the day's newest night is not to be believed.
func (a *archivedDay) discarded(all []schema.Quarantine) (by string, discarded bool) {
	if len(all) == 0 || a.standing() || a.before.Status != schema.StatusQuarantined {
		return "", false
	}
	newest := all[len(all)-1]
	return newest.DecidedBy, newest.State == schema.QuarantineDiscarded
}

// keeps reports whether what stands is worth more than a night of that status:
// what could not be read or is not believed takes nothing's place.
func (a *archivedDay) keeps(status schema.RunStatus) bool {
	switch status {
	case schema.StatusFailed:
		return a.standing() || a.before.Status == schema.StatusComplete || a.before.Status == schema.StatusPartial
	case schema.StatusQuarantined:
		return a.published()
	}
	return false
}
