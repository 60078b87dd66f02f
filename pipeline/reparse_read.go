package pipeline

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"mtok/schema"
	"mtok/scrapers"
)

// pastError is why a request failed, as the night that made it told.
type pastError struct {
	fetch *scrapers.FetchError
	text  string
}

func (e *pastError) Error() string { return e.text }
func (e *pastError) Unwrap() error { return e.fetch }

// derive makes the night of an archived day, by the way that a night of today
// goes once its pages are fetched. A panic of the provider's code is a failed
// night; an error is one of the store or an interruption.
func (r *Reparse) derive(
	ctx context.Context, n *Night, run schema.Run, a *archivedDay, decided []schema.Quarantine,
) (night schema.ProviderNight, err error) {
	run.Day, run.Slot = a.day, a.day.Slot()
	pn := n.begin(run, a.provider)
	if !a.whole {
		pn.failures = append(pn.failures, &incompleteError{url: a.provider.Homepage, lacks: "the night did not end, or its pages are of several days"})
	}
	err = guarded(a.provider, func() error {
		if err := pn.replay(ctx, a); err != nil {
			return err
		}
		nights, err := pn.judge(ctx)
		if err != nil {
			return err
		}
		night = nights[0] // all pages are of one day
		return nil
	})
	if PanicStack(err) != nil {
		return schema.ProviderNight{Run: run, Result: pn.entry(a.day, schema.StatusFailed, err)}, nil
	}
	night.Reparsed = true
	pn.confirm(&night, decided)
	return night, err
}

// replay reads the archived pages of a day in the order in which their sources
// are listed. What was asked is what was archived, whatever would be asked today.
func (pn *providerNight) replay(ctx context.Context, a *archivedDay) error {
	for _, source := range pn.provider.Sources {
		var answers []schema.Fetch
		for _, f := range a.fetches {
			if f.Source == source.Name {
				answers = append(answers, f)
			}
		}
		for _, f := range answers {
			page, fetchErr := pn.archived(ctx, f)
			if err := ctx.Err(); err != nil {
				return err
			}
			for _, next := range pn.read(source, f, page, fetchErr) {
				if !slices.ContainsFunc(answers, func(f schema.Fetch) bool { return f.Key == next.Key }) {
					pn.asked++
					pn.failures = append(pn.failures, &incompleteError{url: next.URL, lacks: fmt.Sprintf("the page %q was never fetched", next.Key)})
				}
			}
		}
	}
	for _, f := range a.fetches {
		if !a.reads(f) && f.ErrorKind == "" && f.Source != scrapers.SourceRobots {
			pn.asked++
			pn.failures = append(pn.failures, &incompleteError{url: f.URL, lacks: fmt.Sprintf("nothing reads the source %q any more", f.Source)})
		}
	}
	return nil
}

// archived is the page of a fetch as it was parsed then, or why there is none. A
// page that is damaged is that request's failure, as a broken body is.
func (pn *providerNight) archived(ctx context.Context, f schema.Fetch) (scrapers.Page, error) {
	if f.ErrorKind != "" {
		return scrapers.Page{}, &pastError{
			fetch: &scrapers.FetchError{Kind: scrapers.FetchKind(f.ErrorKind), URL: f.URL, Status: f.Status}, text: f.Error,
		}
	}
	page := scrapers.Page{Source: f.Source, Key: f.Key, URL: f.URL, Status: f.Status}
	if page.Status == 304 {
		page.Status = 200 // the archived page that it stands for was read as such
	}
	if f.PageSHA256 == "" {
		return page, nil // an empty answer
	}
	stored, err := pn.night.Store.Page(ctx, f.PageSHA256)
	if err != nil {
		return page, &scrapers.FetchError{Kind: scrapers.FetchBody, URL: f.URL, Status: f.Status, Err: err}
	}
	page.ContentType, page.Body = stored.MediaType, stored.Body
	return page, nil
}

// confirm lifts the quarantine of a night that breaks a rule in the very way in
// which it was confirmed.
func (pn *providerNight) confirm(night *schema.ProviderNight, decided []schema.Quarantine) {
	q := night.Quarantine
	if q == nil || !slices.ContainsFunc(decided, func(d schema.Quarantine) bool {
		return d.State == schema.QuarantineConfirmed && d.Rule == q.Rule && d.Evidence == q.Evidence
	}) {
		return
	}
	result := pn.entry(night.Result.Day, schema.StatusComplete, nil)
	if fault := errors.Join(pn.failures...); fault != nil {
		result = pn.entry(night.Result.Day, schema.StatusPartial, fault)
	}
	result.Offers, result.Rejects = night.Result.Offers, night.Result.Rejects
	night.Quarantine, night.HeldOffers, night.Result = nil, nil, result
}
