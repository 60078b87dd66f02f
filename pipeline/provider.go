package pipeline

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"

	"mtok/pipeline/validate"
	"mtok/schema"
	"mtok/scrapers"
)

// incompleteError makes a night partial: an answer was read, but not all of it
// was there.
type incompleteError struct{ url, lacks string }

func (e *incompleteError) Error() string {
	return fmt.Sprintf("read %s: incomplete: %s", e.url, e.lacks)
}

// maxRequests bounds the pages of one provider in one night, paging included.
const maxRequests = 64

// providerNight collects what one provider gives in one run.
type providerNight struct {
	night    *Night
	run      schema.Run
	provider scrapers.Provider

	parses   []schema.Parse
	rejects  []schema.FetchRejects
	notices  []schema.Notice
	seen     []schema.Observation
	asked    int
	answered int
	failures []error

	lookAlikes int
}

// provider runs one provider and saves its part. A panic anywhere in it is
// this provider's failure.
func (n *Night) provider(ctx context.Context, run schema.Run, p scrapers.Provider) (out Outcome, touched []schema.Day) {
	pn := &providerNight{night: n, run: run, provider: p}
	defer func() {
		if r := recover(); r != nil {
			n.Log.Error("provider panicked", slog.String("provider", string(p.ID)), slog.Any("panic", r),
				slog.String("stack", string(debug.Stack())))
			err := &scrapers.FetchError{Kind: scrapers.FetchPanic, URL: p.Homepage, Err: fmt.Errorf("panic: %v", r)}
			out, touched = n.failed(ctx, pn, err), nil
		}
	}()
	if err := pn.fetchAll(ctx); err != nil {
		return n.failed(ctx, pn, err), nil
	}
	result := pn.result()
	if err := n.Store.SaveProviderNight(ctx, result); err != nil {
		return n.failed(ctx, pn, fmt.Errorf("save: %w", err)), nil
	}
	for _, o := range result.Observations {
		touched = append(touched, o.Day)
	}
	return pn.outcome(result), touched
}

// failed records a provider of which nothing is published tonight.
func (n *Night) failed(ctx context.Context, pn *providerNight, err error) Outcome {
	night := schema.ProviderNight{Run: pn.run, Result: pn.ledgerEntry(schema.StatusFailed, err)}
	if saveErr := n.Store.SaveProviderNight(context.WithoutCancel(ctx), night); saveErr != nil {
		err = errors.Join(err, fmt.Errorf("record the failure: %w", saveErr))
	}
	out := pn.outcome(night)
	out.Err = err
	return out
}

// fetchAll works through the provider's sources; failures of single requests
// are collected, an error is one of the store or an interruption.
func (pn *providerNight) fetchAll(ctx context.Context) error {
	for _, source := range pn.provider.Sources {
		requests, err := source.Requests(pn.night.Settings[pn.provider.ID])
		if err != nil {
			pn.asked++
			pn.failures = append(pn.failures, fmt.Errorf("requests of %s: %w", source.Name, err))
			continue
		}
		for done := 0; len(requests) > 0; done++ {
			if done == maxRequests {
				pn.failures = append(pn.failures, fmt.Errorf("%s asks for more than %d pages", source.Name, maxRequests))
				break
			}
			next, err := pn.request(ctx, source, requests[0])
			if err != nil {
				return err
			}
			requests = append(requests[1:], next...)
		}
	}
	return nil
}

// request fetches, archives, parses and judges one page.
func (pn *providerNight) request(ctx context.Context, source scrapers.Source, req scrapers.Request) ([]scrapers.Request, error) {
	if err := ctx.Err(); err != nil {
		return nil, &scrapers.FetchError{Kind: scrapers.FetchCanceled, URL: req.URL, Err: err}
	}
	pn.asked++
	fetch, page, fetchErr, err := pn.archive(ctx, source, req)
	if err != nil {
		return nil, err
	}
	if fetchErr != nil {
		pn.failures = append(pn.failures, fetchErr)
		return nil, nil
	}
	result, parseErr := source.Parse(page)
	parse := schema.Parse{FetchID: fetch.ID, ParserVersion: pn.provider.Version, ParsedAt: pn.night.Now()}
	if parseErr != nil {
		parse.Error = parseErr.Error()
		pn.parses = append(pn.parses, parse)
		pn.failures = append(pn.failures, fmt.Errorf("parse %s: %w", fetch.URL, parseErr))
		return nil, nil
	}
	pn.answered++
	if result.Incomplete != "" {
		pn.failures = append(pn.failures, &incompleteError{url: fetch.URL, lacks: result.Incomplete})
	}
	pn.lookAlikes += result.LookAlikes
	rejects := result.Skipped
	for _, offer := range result.Offers {
		o, reject := pn.observe(fetch, offer)
		if reject != nil {
			rejects = append(rejects, *reject)
			continue
		}
		pn.seen = append(pn.seen, o)
	}
	for i := range rejects {
		rejects[i].Source = source.Name
	}
	for _, notice := range result.Notices {
		notice.Provider, notice.FetchID, notice.Last = pn.provider.ID, fetch.ID, pn.day(fetch)
		pn.notices = append(pn.notices, notice)
	}
	parse.Offers, parse.Rejects = len(result.Offers), len(rejects)
	pn.parses = append(pn.parses, parse)
	pn.reject(fetch.ID, rejects...)
	return result.Next, nil
}

// observe turns one offer into an observation, or says why it is none.
func (pn *providerNight) observe(fetch schema.Fetch, offer schema.Offer) (schema.Observation, *schema.Reject) {
	class := pn.night.Catalog.Match(offer.Provider, offer.GPURaw, offer.FormRaw, offer.VRAMMiB)
	gpu, known := pn.night.Catalog.GPU(class)
	price, reject := validate.Row(offer, gpu, known)
	if reject != nil {
		return schema.Observation{}, reject
	}
	day := pn.day(fetch)
	return schema.Observation{
		Day: day, Slot: day.Slot(), Source: fetch.Source, Offer: offer, Class: class,
		Origin: fetch.Origin, FetchID: fetch.ID, PageSHA256: fetch.PageSHA256, FetchedAt: fetch.FetchedAt,
		USDPerGPUHour: price.PerGPUHour, USDPerInstanceHour: price.PerInstanceHour,
	}, nil
}

// day is the logical day that a fetch belongs to.
func (pn *providerNight) day(f schema.Fetch) schema.Day {
	if pn.night.Origin == schema.OriginLive || pn.night.Redate || f.FetchedAt.IsZero() {
		return pn.run.Day
	}
	return schema.DayOf(f.FetchedAt)
}
