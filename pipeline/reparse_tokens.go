package pipeline

import (
	"context"
	"fmt"
	"maps"

	"mtok/schema"
)

// readTokens reads what stands of a price list of tokens, held ones included.
func (r *Reparse) readTokens(ctx context.Context, a *archivedDay) error {
	if !a.provider.ID.ListsTokens() {
		return nil
	}
	rows, err := r.Store.TokenPrices(ctx, schema.TokenPriceFilter{
		FromDay: a.day, ToDay: a.day, Provider: a.provider.ID, IncludeHeld: true,
	})
	for _, o := range rows {
		if o.Origin != schema.OriginImport {
			a.tokens = append(a.tokens, o)
		}
	}
	return err
}

// standing reports whether anything of the day is there.
func (a *archivedDay) standing() bool { return len(a.seen)+len(a.tokens) > 0 }

// compareTokens adds what became of the prices of a list.
func (o *ReparseOutcome) compareTokens(a *archivedDay, night schema.ProviderNight) {
	rows := map[schema.TokenKey]schema.TokenObservation{}
	if night.Result.Status == schema.StatusPartial { // what it does not read again stays
		again := map[int64]bool{}
		for _, p := range night.Parses {
			again[p.FetchID] = p.Error == ""
		}
		for _, old := range a.tokens {
			if !again[old.FetchID] {
				rows[old.TokenKey] = old
			}
		}
	}
	if night.Result.Status != schema.StatusFailed {
		for _, p := range night.TokenPrices {
			rows[p.TokenKey] = p
		}
	}
	was := map[schema.TokenKey]schema.TokenObservation{}
	for _, old := range a.tokens {
		was[old.TokenKey] = old
	}
	before := maps.Clone(was)
	o.Before += len(was)
	o.After += len(rows)
	for key, row := range rows {
		old, known := was[key]
		switch {
		case !known:
			o.Added++
		case old.In != row.In || old.Out != row.Out || old.CacheRead != row.CacheRead || old.CacheWrite != row.CacheWrite:
			o.Repriced++
		}
		if known && old.Excluded != row.Excluded {
			o.Excluded++
		}
		delete(was, key)
	}
	o.Gone += len(was)
	// In the order of the list, so that one reparse tells what the next would.
	for _, row := range night.TokenPrices {
		if old, known := before[row.TokenKey]; known && (old.In != row.In || old.Out != row.Out) {
			o.change(fmt.Sprintf("%s %s %s, %s/%s -> %s/%s $/MTok", a.day, row.Model, row.Endpoint, old.In, old.Out, row.In, row.Out))
		}
	}
}

// change tells of a row that changed.
func (o *ReparseOutcome) change(line string) {
	if len(o.Changes) == shownChanges {
		o.Others++
		return
	}
	o.Changes = append(o.Changes, line)
}
