package reports_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mtok/reports"
	"mtok/schema"
)

// nights is a store of several nights that obeys its filters.
type nights struct {
	source
	seen []schema.Observation
	runs []schema.ProviderRun
	read int
}

func (n *nights) Observations(_ context.Context, f schema.ObservationFilter) ([]schema.Observation, error) {
	var out []schema.Observation
	for _, o := range n.seen {
		if o.Day >= f.FromDay && o.Day <= f.ToDay && (f.Provider == "" || o.Offer.Provider == f.Provider) &&
			(f.Term == "" || o.Offer.Term == f.Term) {
			out = append(out, o)
		}
	}
	n.read += len(out)
	return out, nil
}

func (n *nights) ProviderRuns(_ context.Context, from, to schema.Day) ([]schema.ProviderRun, error) {
	var out []schema.ProviderRun
	for _, r := range n.runs {
		if r.Day >= from && r.Day <= to {
			out = append(out, r)
		}
	}
	return out, nil
}

// someNights has six days of three providers, each of which answers, answers in
// part, fails or is not asked.
func someNights(random *rand.Rand) *nights {
	n := &nights{}
	for day := tonight - 5; day <= tonight; day++ {
		for id, provider := range []schema.ProviderID{"lambda", "crusoe", "vast"} {
			status := []schema.RunStatus{schema.StatusComplete, schema.StatusPartial, schema.StatusFailed, ""}[random.IntN(4)]
			if status == "" {
				continue
			}
			r := run(day, status)
			r.Provider = provider
			n.runs = append(n.runs, r)
			for gpus := 1; gpus <= 4 && status != schema.StatusFailed; gpus++ {
				if status == schema.StatusPartial && random.IntN(2) == 0 {
					continue
				}
				o := offer(int64(10*id+gpus), provider, h100, gpus, "4.00")
				o.Day, o.Slot = day, day.Slot()
				n.seen = append(n.seen, o)
			}
		}
	}
	return n
}

func priceLines(seen []reports.Seen) []string {
	var lines []string
	for _, o := range seen {
		lines = append(lines, fmt.Sprintf("%s %d of %s, %d days old", o.Offer.Provider, o.OfferID, o.Day, o.Age))
	}
	return lines
}

// What a night does not read is in no report: it is gone or out of date.
func TestLoadNightLeavesOutNothingCurrent(t *testing.T) {
	const maxAge = 3
	random := rand.New(rand.NewPCG(3, 4))
	carried, spared := 0, 0
	for range 500 {
		n := someNights(random)
		got, err := reports.LoadNight(t.Context(), n, reports.Filter{}, maxAge)
		if err != nil {
			t.Fatal(err)
		}
		want := reports.Current(tonight, maxAge, n.seen, got.Runs)
		if diff := cmp.Diff(priceLines(want), priceLines(reports.Current(tonight, maxAge, got.Observations, got.Runs))); diff != "" {
			t.Fatalf("runs %+v\n(-want +got):\n%s", n.runs, diff)
		}
		for _, seen := range want {
			if seen.Age > 0 {
				carried++
			}
		}
		spared += len(n.seen) - n.read
	}
	if carried < 100 || spared < 100 {
		t.Errorf("%d prices carried, %d observations not read: too few to tell", carried, spared)
	}
}
