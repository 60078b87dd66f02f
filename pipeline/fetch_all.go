package pipeline

import (
	"cmp"
	"context"
	"fmt"

	"mtok/schema"
	"mtok/scrapers"
)

// fetchAll works through the provider's sources; failures of single requests
// are collected, an error is one of the store or an interruption.
func (pn *providerNight) fetchAll(ctx context.Context) error {
	for _, source := range pn.provider.Sources {
		if !pn.asks(source) {
			continue
		}
		requests, err := source.Requests(pn.night.Settings[pn.provider.ID])
		if err != nil {
			pn.asked++
			pn.failures = append(pn.failures, fmt.Errorf("requests of %s: %w", source.Name, err))
			continue
		}
		if err := pn.fetchSource(ctx, source, pn.recordedOnly(source, requests)); err != nil {
			return err
		}
	}
	return nil
}

// fetchSource fetches what is asked for, and what the answers ask for. A page is read
// while the next one is fetched and archived, one at a time and in their order.
func (pn *providerNight) fetchSource(ctx context.Context, source scrapers.Source, requests []scrapers.Request) error {
	reading := noPage()
	for done := 0; ; done++ {
		if len(requests) == 0 {
			last := <-reading
			if last.err != nil || len(last.next) == 0 {
				return last.err
			}
			requests, reading = last.next, noPage()
		}
		if done == maxRequests {
			last := <-reading
			pn.failures = append(pn.failures, fmt.Errorf("%s asks for more than %d pages", source.Name, maxRequests))
			return last.err
		}
		fetch, page, fetchErr, err := pn.request(ctx, source, requests[0])
		before := <-reading
		if err != nil || before.err != nil {
			return cmp.Or(before.err, err)
		}
		requests = append(requests[1:], before.next...)
		reading = pn.readBeside(source, fetch, page, fetchErr)
	}
}

// pageRead is what came of reading a page.
type pageRead struct {
	next []scrapers.Request
	err  error // a panic
}

func noPage() <-chan pageRead {
	none := make(chan pageRead, 1)
	none <- pageRead{}
	return none
}

func (pn *providerNight) readBeside(source scrapers.Source, fetch schema.Fetch, page scrapers.Page, fetchErr error) <-chan pageRead {
	out := make(chan pageRead, 1)
	go func() {
		var r pageRead
		r.err = guarded(pn.provider, func() error {
			r.next = pn.read(source, fetch, page, fetchErr)
			return nil
		})
		out <- r
	}()
	return out
}
