package main

import (
	"context"
	"errors"
	"testing"

	"mtok/reports"
	"mtok/schema"
)

// countedReads is a source that counts how often it is read, and fails at first.
type countedReads struct {
	reports.Source
	reads int
}

func (c *countedReads) Observations(_ context.Context, f schema.ObservationFilter) ([]schema.Observation, error) {
	if c.reads++; c.reads == 1 {
		return nil, errors.New("locked")
	}
	return []schema.Observation{{Day: f.ToDay, Offer: schema.Offer{OfferKey: schema.OfferKey{Term: f.Term}}}}, nil
}

// TestReadOnce: a night is read once for each selection of it, but what failed and what
// is read over many days is read again.
func TestReadOnce(t *testing.T) {
	from := &countedReads{}
	source := &readOnce{Source: from, nights: map[schema.ObservationFilter][]schema.Observation{}}
	night := schema.ObservationFilter{FromDay: 20_600, ToDay: 20_600}
	onDemand, many, endless := night, night, schema.ObservationFilter{}
	onDemand.Term, many.FromDay = schema.TermOnDemand, 20_500
	if _, err := source.Observations(t.Context(), night); err == nil {
		t.Fatal("the failure is lost")
	}
	for _, c := range []struct {
		filter schema.ObservationFilter
		reads  int
	}{{night, 2}, {night, 2}, {onDemand, 3}, {onDemand, 3}, {night, 3}, {many, 4}, {many, 5}, {endless, 6}, {endless, 7}} {
		seen, err := source.Observations(t.Context(), c.filter)
		if err != nil || from.reads != c.reads || seen[0].Day != c.filter.ToDay || seen[0].Offer.Term != c.filter.Term {
			t.Fatalf("%+v: %d reads, want %d: %+v %v", c.filter, from.reads, c.reads, seen, err)
		}
	}
}
