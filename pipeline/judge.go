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
)

// lastWithin is how many days back the prices are looked for that a night is held
// against.
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
	judge := pn.judgePart
	if pn.provider.ID.ListsTokens() {
		judge = pn.judgeList
	}
	for _, day := range slices.Sorted(maps.Keys(pn.parts)) {
		night, err := judge(ctx, pn.parts[day])
		if err != nil {
			return nil, err
		}
		nights = append(nights, night)
	}
	return nights, nil
}

func (pn *providerNight) judgePart(ctx context.Context, p *part) (schema.ProviderNight, error) {
	listed, checked := pn.bySource(p.seen)
	listed, doubles := validate.Duplicates(listed)
	checked, alsoDouble := validate.Duplicates(checked)
	merged, told := crossCheck(listed, checked)
	p.seen = merged
	for _, d := range slices.Concat(doubles, alsoDouble, told) {
		p.reject(d.FetchID, d.Reject)
	}
	faults := slices.Clone(pn.failures)
	baseline, err := pn.baseline(ctx, p)
	if err != nil {
		return schema.ProviderNight{}, err
	}
	if unread := validate.Unread(baseline.Standing(), p.seen, p.allRejects()); len(unread) > 0 {
		faults = append(faults, &unreadError{unread})
	}
	if len(pn.parts) > 1 {
		faults = append(faults, &incompleteError{url: pn.provider.Homepage, lacks: "the pages are of several days"})
	}
	status, fault := pn.status(faults)
	night := schema.ProviderNight{Run: pn.run, Parses: p.parses, Rejects: p.rejects, Observations: p.seen}
	if status != schema.StatusFailed {
		hold, err := pn.verdict(ctx, &night, p, status, baseline)
		if err != nil {
			return schema.ProviderNight{}, err
		}
		if hold != nil {
			status, fault = pn.hold(&night, p.day, hold, fault)
		}
	}
	if status == schema.StatusComplete {
		if err := pn.frozen(ctx, p); err != nil {
			return schema.ProviderNight{}, err
		}
	}
	night.Notices = p.notices
	night.Result = pn.entry(p.day, status, fault)
	night.Result.Offers, night.Result.Rejects = len(p.seen), len(p.allRejects())
	return night, nil
}

// verdict judges a part by the batch rules, beside the nights before it and those
// that are held, and notes which of these it confirms. It returns what is to be
// held of it.
func (pn *providerNight) verdict(
	ctx context.Context, night *schema.ProviderNight, p *part, status schema.RunStatus, baseline validate.Baseline,
) (*validate.Hold, error) {
	held, err := pn.heldBefore(ctx, p.day)
	if err != nil {
		return nil, err
	}
	// A provider that says it publishes no price is held to no minimum.
	priced := !unpriced(p.notices)
	answered := priced && pn.answered == pn.asked && len(pn.parts) == 1
	verdict := validate.Decided(validate.Night{
		Expect: pn.provider.Expect, Complete: answered && status == schema.StatusComplete, Answered: answered,
		Seen: p.seen, Rejects: p.allRejects(), Baseline: baseline, ClassOf: pn.classOf, Shipped: pn.shipped(p, baseline),
	}, held)
	night.Confirms = verdict.Confirms
	return verdict.Hold, nil
}

// hold quarantines a night, or single offers of it. What is left of it is then a
// partial night: of the held offers nobody says that they are gone.
func (pn *providerNight) hold(
	night *schema.ProviderNight, day schema.Day, h *validate.Hold, fault error,
) (schema.RunStatus, error) {
	night.Quarantine = &schema.Quarantine{
		RunID: pn.run.ID, Provider: pn.provider.ID, Day: day, Rule: h.Rule,
		Evidence: h.Evidence, State: schema.QuarantineHeld, CreatedAt: pn.night.Now(),
	}
	night.HeldOffers = h.Offers
	if len(h.Offers) == 0 {
		return schema.StatusQuarantined, h
	}
	return schema.StatusPartial, errors.Join(h, fault)
}
