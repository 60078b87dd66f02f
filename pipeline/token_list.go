package pipeline

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"mtok/pipeline/validate"
	"mtok/schema"
	"mtok/scrapers"
)

// listed turns the token prices of a page into observations.
func (pn *providerNight) listed(into *part, fetch schema.Fetch, result scrapers.Result) {
	for _, p := range result.TokenPrices {
		into.tokens = append(into.tokens, schema.TokenObservation{
			TokenPrice: p, Day: fetch.Day, Slot: fetch.Day.Slot(), Origin: fetch.Origin, FetchID: fetch.ID,
			PageSHA256: fetch.PageSHA256, FetchedAt: fetch.FetchedAt,
		})
	}
}

// judgeList decides what a list of token prices is worth, as judgePart does of
// listings of GPUs.
func (pn *providerNight) judgeList(ctx context.Context, p *part) (schema.ProviderNight, error) {
	status, fault := pn.status(pn.failures)
	night := schema.ProviderNight{Run: pn.run, Parses: p.parses, Rejects: p.rejects, TokenPrices: p.tokens, Notices: p.notices}
	if status != schema.StatusFailed {
		last, err := pn.lastList(ctx, p.day)
		if err != nil {
			return schema.ProviderNight{}, err
		}
		held, err := pn.heldLists(ctx, p.day)
		if err != nil {
			return schema.ProviderNight{}, err
		}
		validate.DoubtTokens(last, p.tokens)
		verdict := validate.DecideTokens(validate.TokenNight{
			Expect: pn.provider.Expect, Complete: status == schema.StatusComplete && len(pn.parts) == 1, Seen: p.tokens, Last: last,
		}, held)
		night.Confirms = verdict.Confirms
		if verdict.Hold != nil {
			status, fault = pn.hold(&night, p.day, verdict.Hold, fault)
		}
	}
	night.Result = pn.entry(p.day, status, fault)
	night.Result.Offers, night.Result.Rejects = len(validate.TokenModels(p.tokens)), len(p.allRejects())
	return night, nil
}

// status is what a night is worth by its failures alone.
func (pn *providerNight) status(failures []error) (schema.RunStatus, error) {
	fault := errors.Join(failures...)
	switch {
	case fault != nil && pn.answered == 0:
		return schema.StatusFailed, fault
	case fault != nil:
		return schema.StatusPartial, fault
	}
	return schema.StatusComplete, nil
}

// lastList is the newest published list of the lastWithin days before a day.
func (pn *providerNight) lastList(ctx context.Context, day schema.Day) ([]schema.TokenObservation, error) {
	newest, ok, err := pn.night.Store.LastTokenDay(ctx, pn.provider.ID, day-1)
	if err != nil || !ok || newest < day-lastWithin {
		return nil, err
	}
	return pn.listOf(ctx, newest, false)
}

// listOf is the provider's own list of a day.
func (pn *providerNight) listOf(ctx context.Context, day schema.Day, held bool) ([]schema.TokenObservation, error) {
	rows, err := pn.night.Store.TokenPrices(ctx, schema.TokenPriceFilter{
		FromDay: day, ToDay: day, Provider: pn.provider.ID, IncludeHeld: held,
	})
	if err != nil {
		return nil, fmt.Errorf("list of %s: %w", day, err)
	}
	return slices.DeleteFunc(rows, func(o schema.TokenObservation) bool { return o.Origin == schema.OriginImport }), nil
}

// heldLists reads the lists of the lastWithin days before a day that nobody
// decided yet, the newest first.
func (pn *providerNight) heldLists(ctx context.Context, day schema.Day) ([]validate.HeldTokens, error) {
	all, err := pn.night.Store.HeldQuarantines(ctx)
	if err != nil {
		return nil, fmt.Errorf("held nights: %w", err)
	}
	var held []validate.HeldTokens
	for _, q := range all {
		if q.Provider != pn.provider.ID || q.Day >= day || q.Day < day-lastWithin {
			continue
		}
		rows, err := pn.listOf(ctx, q.Day, true)
		if err != nil {
			return nil, err
		}
		rows = slices.DeleteFunc(rows, func(o schema.TokenObservation) bool { return o.Quarantine != q.ID })
		held = append(held, validate.HeldTokens{Quarantine: q, Rows: rows})
	}
	slices.SortFunc(held, func(a, b validate.HeldTokens) int { return cmp.Or(cmp.Compare(b.Day, a.Day), cmp.Compare(b.ID, a.ID)) })
	return held, nil
}

// newest is the newest published day that a page of this provider must not be
// older than. Lists of token prices are their own measure: the newest, whatever
// its age, stands beside tonight's prices of GPUs, and fills no later day.
func (pn *providerNight) newest(ctx context.Context) (schema.Day, bool, error) {
	if !pn.provider.ID.ListsTokens() {
		return pn.night.Newest, pn.night.Published, nil
	}
	return pn.night.Store.LastTokenDay(ctx, pn.provider.ID, math.MaxInt32)
}

// recordedOnly leaves of an optional source the requests that the recorded night
// answers.
func (pn *providerNight) recordedOnly(source scrapers.Source, requests []scrapers.Request) []scrapers.Request {
	if !source.Optional || pn.night.Recorded == nil {
		return requests
	}
	return slices.DeleteFunc(requests, func(r scrapers.Request) bool {
		return !pn.night.Recorded(scrapers.Target{Provider: pn.provider.ID, Source: source.Name, Key: r.Key})
	})
}
