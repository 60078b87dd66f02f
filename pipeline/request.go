package pipeline

import (
	"context"
	"fmt"

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

// olderDayError is a recorded page of a day before the newest published one: it
// is archived, but that day is written only when the user names it.
type olderDayError struct {
	url         string
	day, newest schema.Day
}

func (e *olderDayError) Error() string {
	return fmt.Sprintf("read %s: the page is of %s, older than the newest published day %s: --day names the day to write",
		e.url, e.day, e.newest)
}

// RuleTruncated is the rule of the reject that records an answer cut by the
// provider's limit.
const RuleTruncated = "truncated"

// request fetches and archives one page. A failed fetch comes back as fetchErr; err is
// a failure of the store or an interruption.
func (pn *providerNight) request(ctx context.Context, source scrapers.Source, req scrapers.Request) (
	fetch schema.Fetch, page scrapers.Page, fetchErr, err error,
) {
	if err := ctx.Err(); err != nil {
		return fetch, page, nil, &scrapers.FetchError{Kind: scrapers.FetchCanceled, URL: req.URL, Err: err}
	}
	fetch, page, fetchErr, err = pn.archive(ctx, source, req)
	if err != nil {
		return fetch, page, nil, err
	}
	newest, published, err := pn.newest(ctx)
	if err != nil {
		return fetch, page, nil, err
	}
	if fetchErr == nil && published && fetch.Day < newest && !pn.night.Redate {
		fetchErr = &olderDayError{url: fetch.URL, day: fetch.Day, newest: newest}
	}
	return fetch, page, fetchErr, nil
}

// read takes what one request gave, tonight or long ago: it parses the page and
// judges its rows. It returns what the page asks for.
func (pn *providerNight) read(
	source scrapers.Source, fetch schema.Fetch, page scrapers.Page, fetchErr error,
) []scrapers.Request {
	pn.asked++
	if fetchErr != nil {
		pn.failures = append(pn.failures, fetchErr)
		return nil
	}
	result, parseErr := source.Parse(page)
	into := pn.part(fetch.Day)
	parse := schema.Parse{FetchID: fetch.ID, ParserVersion: pn.provider.Version, ParsedAt: pn.night.Now()}
	if parseErr != nil {
		parse.Error = parseErr.Error()
		into.parses = append(into.parses, parse)
		pn.failures = append(pn.failures, fmt.Errorf("parse %s: %w", fetch.URL, parseErr))
		return nil
	}
	pn.answered++
	if result.Incomplete != "" {
		pn.failures = append(pn.failures, &incompleteError{url: fetch.URL, lacks: result.Incomplete})
	}
	if result.Truncated {
		result.Skipped = append(result.Skipped, schema.Reject{
			Label: fetch.Key, Rule: RuleTruncated, Reason: "the answer is full: more may be listed than it shows",
		})
	}
	pn.lookAlikes += result.LookAlikes
	rejects := pn.observe(into, fetch, result)
	pn.listed(into, fetch, result)
	for _, notice := range result.Notices {
		notice.Provider, notice.FetchID, notice.Last = pn.provider.ID, fetch.ID, fetch.Day
		into.notices = append(into.notices, notice)
	}
	parse.Offers, parse.Rejects = len(result.Offers)+len(result.TokenPrices), len(rejects)
	into.parses = append(into.parses, parse)
	into.reject(fetch.ID, rejects...)
	return result.Next
}

// observe turns the offers of a page into observations; what gives none comes
// back with its reason.
func (pn *providerNight) observe(into *part, fetch schema.Fetch, result scrapers.Result) []schema.Reject {
	rejects := result.Skipped
	for _, offer := range result.Offers {
		class := pn.classOf(offer)
		gpu, known := pn.night.Catalog.GPU(class)
		price, reject := validate.Row(offer, gpu, known)
		if reject != nil {
			rejects = append(rejects, *reject)
			continue
		}
		into.seen = append(into.seen, schema.Observation{
			Day: fetch.Day, Slot: fetch.Day.Slot(), Source: fetch.Source, Offer: offer, Class: class,
			Origin: fetch.Origin, FetchID: fetch.ID, PageSHA256: fetch.PageSHA256, FetchedAt: fetch.FetchedAt,
			USDPerGPUHour: price.PerGPUHour, USDPerInstanceHour: price.PerInstanceHour,
			Excluded: offer.Excluded,
		})
	}
	for i := range rejects {
		rejects[i].Source = fetch.Source
	}
	return rejects
}

// classOf matches an offer's GPU; a market lists thousands of machines of a few
// names, so each name is matched once.
func (pn *providerNight) classOf(o schema.Offer) schema.ClassID {
	name := gpuName{o.GPURaw, o.FormRaw, o.VRAMMiB}
	class, known := pn.classes[name]
	if !known {
		class = pn.night.Catalog.Match(o.Provider, o.GPURaw, o.FormRaw, o.VRAMMiB)
		pn.classes[name] = class
	}
	return class
}

// day is the logical day that a fetch belongs to.
func (pn *providerNight) day(f schema.Fetch) schema.Day {
	if pn.night.Origin == schema.OriginLive || pn.night.Redate || f.FetchedAt.IsZero() {
		return pn.run.Day
	}
	return schema.DayOf(f.FetchedAt)
}
