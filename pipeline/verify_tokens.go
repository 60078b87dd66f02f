package pipeline

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"mtok/pipeline/validate"
	"mtok/schema"
	"mtok/scrapers"
)

// tokenDay holds the published prices of tokens to the lists that they were read
// from, each to its own.
func (v *Verify) tokenDay(ctx context.Context, pages *dayPages, out *DayEvidence) error {
	stored, err := v.Store.TokenPrices(ctx, schema.TokenPriceFilter{FromDay: out.Day, ToDay: out.Day, IncludeHeld: true})
	if err != nil {
		return err
	}
	known := map[int64]map[schema.TokenKey]bool{}
	published := map[int64]scrapers.Provider{}
	for _, o := range stored {
		derived, found := schema.TokenObservation{}, false
		if o.Origin != schema.OriginImport {
			if known[o.FetchID] == nil {
				known[o.FetchID] = map[schema.TokenKey]bool{}
			}
			known[o.FetchID][o.TokenKey] = true
		}
		if v.untraced(o.FetchID, o.PageSHA256) {
			if o.Quarantine == 0 {
				out.Untraced++
				out.Tokens = append(out.Tokens, o)
			}
			continue
		}
		if o.Origin == schema.OriginImport {
			derived, found, err = v.imports.token(ctx, o)
		} else {
			if o.Quarantine != 0 {
				continue
			}
			provider, ours := v.find(o.Provider)
			if ours {
				published[o.FetchID] = provider
				derived, found, err = pages.token(ctx, provider, o)
			}
		}
		if err != nil {
			return err
		}
		out.holdToken(o, derived, found)
	}
	return v.unstoredTokens(ctx, pages, known, published, out)
}

func (v *Verify) find(id schema.ProviderID) (scrapers.Provider, bool) {
	i := slices.IndexFunc(v.Providers, func(p scrapers.Provider) bool { return p.ID == id })
	if i < 0 {
		return scrapers.Provider{}, false
	}
	return v.Providers[i], true
}

func (p *dayPages) token(ctx context.Context, provider scrapers.Provider, stored schema.TokenObservation) (schema.TokenObservation, bool, error) {
	given, err := p.of(ctx, provider, stored.FetchID)
	if err != nil {
		return schema.TokenObservation{}, false, err
	}
	i := slices.IndexFunc(given.tokens, func(o schema.TokenObservation) bool { return o.TokenKey == stored.TokenKey })
	if i < 0 {
		return schema.TokenObservation{}, false, nil
	}
	return given.tokens[i], true, nil
}

func (e *DayEvidence) holdToken(stored, derived schema.TokenObservation, found bool) {
	e.Checked++
	name := fmt.Sprintf("%s %s %s %s", stored.Day, stored.Source, stored.Model, stored.Endpoint)
	if !found {
		e.Faults = append(e.Faults, name+": its list gives no such price of tokens")
		return
	}
	derived.Day, derived.Slot, derived.FetchID, derived.Origin = stored.Day, stored.Slot, stored.FetchID, stored.Origin
	derived.PageSHA256, derived.FetchedAt = stored.PageSHA256, stored.FetchedAt
	if stored.Excluded == validate.ExcludedUnit { // by the list before, which this one can't tell
		derived.Excluded = stored.Excluded
	}
	e.Tokens = append(e.Tokens, derived)
	if derived.In != stored.In || derived.Out != stored.Out || derived.CacheRead != stored.CacheRead ||
		derived.CacheWrite != stored.CacheWrite || derived.Excluded != stored.Excluded {
		e.Faults = append(e.Faults, fmt.Sprintf("%s: stored %s in, %s out; its list gives %s, %s", name, stored.In, stored.Out, derived.In, derived.Out))
		return
	}
	e.Matching++
}

// unstoredTokens takes prices into the day that a published list gives and the
// database lacks. A list of which another took the place is none.
func (v *Verify) unstoredTokens(ctx context.Context, pages *dayPages, known map[int64]map[schema.TokenKey]bool,
	published map[int64]scrapers.Provider, out *DayEvidence) error {
	all := map[schema.TokenKey]bool{}
	for _, keys := range known {
		for key := range keys {
			all[key] = true
		}
	}
	for _, fetch := range slices.Sorted(maps.Keys(published)) {
		given, err := pages.of(ctx, published[fetch], fetch)
		if err != nil {
			return err
		}
		for _, o := range given.tokens {
			if all[o.TokenKey] {
				continue
			}
			all[o.TokenKey] = true // another list of the day may give it too
			out.Checked++
			out.Tokens = append(out.Tokens, o)
			out.Faults = append(out.Faults, fmt.Sprintf("%s %s %s: on its list, not in the database", o.Day, o.Source, o.Model))
		}
	}
	slices.Sort(out.Faults)
	return nil
}
