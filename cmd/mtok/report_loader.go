package main

import (
	"context"

	"mtok/reports"
	"mtok/schema"
	"mtok/schema/store"
)

// loader is what all reports of one command, or of one answer of the server, are made
// by.
func (a *app) loader(s *store.Store) (reports.Loader, error) {
	return a.loaderOf(s, map[schema.ObservationFilter][]schema.Observation{})
}

// loaderOf is loader where observations of some nights are known already.
func (a *app) loaderOf(s *store.Store, nights map[schema.ObservationFilter][]schema.Observation) (reports.Loader, error) {
	catalog, err := a.catalog()
	if err != nil {
		return reports.Loader{}, err
	}
	contracts, err := a.config.contracts(catalog)
	if err != nil {
		return reports.Loader{}, err
	}
	return reports.Loader{
		Source: &readOnce{Source: s, nights: nights}, Catalog: catalog,
		Settings: a.config.settings(), Contracts: contracts, Kept: s, Tokens: s, History: s, Parsers: parserVersions(),
	}, nil
}

// readOnce reads the observations of a night once for all reports that are made of
// it; a market's night has tens of thousands. What is read over many days is not
// kept. It is for one goroutine, and its readers change nothing of what they get.
type readOnce struct {
	reports.Source
	nights map[schema.ObservationFilter][]schema.Observation
}

func (r *readOnce) Observations(ctx context.Context, f schema.ObservationFilter) ([]schema.Observation, error) {
	if seen, read := r.nights[f]; read {
		return seen, nil
	}
	seen, err := r.Source.Observations(ctx, f)
	if err == nil && f.FromDay == f.ToDay && f.FromDay != 0 {
		r.nights[f] = seen
	}
	return seen, err
}

// dayRows are what the figures of the last day that was derived were made of: its
// screen shows the same, and reads them no second time.
type dayRows struct {
	day  schema.Day
	seen []schema.Observation
}

func (r *dayRows) keep(day schema.Day, seen []schema.Observation) {
	if r != nil {
		r.day, r.seen = day, seen
	}
}

// known are the prices on demand, as a loader knows them.
func (r *dayRows) known() map[schema.ObservationFilter][]schema.Observation {
	nights := map[schema.ObservationFilter][]schema.Observation{}
	if r == nil || r.day == 0 {
		return nights
	}
	kept := make([]schema.Observation, 0, len(r.seen))
	for i := range r.seen {
		if r.seen[i].Offer.Term == schema.TermOnDemand {
			kept = append(kept, r.seen[i])
		}
	}
	nights[schema.ObservationFilter{FromDay: r.day, ToDay: r.day, Term: schema.TermOnDemand}] = kept
	return nights
}
