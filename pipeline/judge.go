package pipeline

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"mtok/pipeline/validate"
	"mtok/schema"
	"mtok/scrapers"
)

// lastWithin is how many days back the last night of a provider is looked for.
const lastWithin = 14

// unreadError makes a night partial: listings of the last night are still on
// the page, but could not be read.
type unreadError struct{ listings []string }

func (e *unreadError) Error() string {
	return fmt.Sprintf("%d listing(s) of the last night could not be read: %s", len(e.listings), strings.Join(e.listings, "; "))
}

// judge decides what a provider's night is worth, for each day that its pages
// are of.
func (pn *providerNight) judge(ctx context.Context) ([]schema.ProviderNight, error) {
	if len(pn.parts) == 0 {
		pn.part(pn.run.Day)
	}
	var nights []schema.ProviderNight
	for _, day := range slices.Sorted(maps.Keys(pn.parts)) {
		night, err := pn.judgePart(ctx, pn.parts[day])
		if err != nil {
			return nil, err
		}
		nights = append(nights, night)
	}
	return nights, nil
}

func (pn *providerNight) judgePart(ctx context.Context, p *part) (schema.ProviderNight, error) {
	last, err := pn.night.Store.LastOffers(ctx, pn.provider.ID, p.day, lastWithin)
	if err != nil {
		return schema.ProviderNight{}, fmt.Errorf("offers of the last night: %w", err)
	}
	listed, checked := pn.bySource(p.seen)
	listed, doubles := validate.Duplicates(listed)
	checked, alsoDouble := validate.Duplicates(checked)
	merged, told := crossCheck(listed, checked)
	p.seen = merged
	for _, d := range slices.Concat(doubles, alsoDouble, told) {
		p.reject(d.FetchID, d.Reject)
	}
	faults := slices.Clone(pn.failures)
	if unread := validate.Unread(last, p.seen, p.allRejects()); len(unread) > 0 {
		faults = append(faults, &unreadError{unread})
	}
	if len(pn.parts) > 1 {
		faults = append(faults, &incompleteError{url: pn.provider.Homepage, lacks: "the pages are of several days"})
	}
	status, fault := schema.StatusComplete, errors.Join(faults...)
	switch {
	case fault != nil && pn.answered == 0:
		status = schema.StatusFailed
	case fault != nil:
		status = schema.StatusPartial
	}
	night := schema.ProviderNight{
		Run: pn.run, Parses: p.parses, Rejects: p.rejects, Notices: p.notices, Observations: p.seen,
	}
	if breach := pn.breach(status, p, last); breach != nil {
		status, fault = schema.StatusQuarantined, breach
		night.Quarantine = &schema.Quarantine{
			RunID: pn.run.ID, Provider: pn.provider.ID, Day: p.day, Rule: breach.Rule,
			Evidence: breach.Detail, State: schema.QuarantineHeld, CreatedAt: pn.night.Now(),
		}
	}
	night.Result = pn.entry(p.day, status, fault)
	night.Result.Offers, night.Result.Rejects = len(p.seen), len(p.allRejects())
	return night, nil
}

// breach is the first batch rule that the night breaks, nil when it holds. The
// provider-wide minimum binds a complete night, a class that must appear one
// where every request answered, and the rules about single offers any.
func (pn *providerNight) breach(status schema.RunStatus, p *part, last []schema.KnownOffer) *validate.Breach {
	if status == schema.StatusFailed {
		return nil
	}
	expect := pn.provider.Expect
	if status != schema.StatusComplete {
		expect.MinOffers = 0
	}
	if len(p.notices) > 0 || pn.answered != pn.asked || len(pn.parts) > 1 {
		// A provider that says it publishes no price is held to no minimum.
		expect = scrapers.Expect{Bands: expect.Bands}
	}
	if breach := validate.Canaries(expect, p.seen); breach != nil {
		return breach
	}
	return validate.Reclassified(last, p.seen, pn.classOf)
}
