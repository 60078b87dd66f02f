package pipeline

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"

	"mtok/schema"
	"mtok/scrapers"
)

// archive fetches one page and keeps it, also when it is an error page: the
// body and the fetch are one transaction. A failed fetch comes back as
// fetchErr; err is a failure of the store.
func (pn *providerNight) archive(ctx context.Context, source scrapers.Source, req scrapers.Request) (
	fetch schema.Fetch, page scrapers.Page, fetchErr, err error,
) {
	n := pn.night
	target := scrapers.Target{Provider: pn.provider.ID, Source: source.Name, Key: req.Key, Accepts: source.Accepts}
	last, validators, err := pn.last(ctx, target)
	if err != nil {
		return fetch, page, nil, err
	}
	got, fetchErr := n.Fetcher.Fetch(ctx, target, req, validators)
	for robots := got.Robots; robots != nil; robots = robots.Robots {
		text := bodyPage(*robots)
		row := pn.fetchRow(scrapers.Target{Provider: pn.provider.ID, Source: scrapers.SourceRobots}, scrapers.Request{URL: robots.URL}, *robots, text, nil)
		if _, err := n.Store.SaveFetch(ctx, row, text); err != nil {
			return fetch, page, nil, fmt.Errorf("archive robots.txt of %s: %w", pn.provider.ID, err)
		}
	}
	if source.Scrub != nil && len(got.Body) > 0 {
		// Before anything is kept: a body that can't be cleaned is not.
		clean, err := source.Scrub(got.Body)
		if err != nil {
			clean = nil
			if fetchErr == nil {
				fetchErr = &scrapers.FetchError{Kind: scrapers.FetchBody, URL: req.URL, Status: got.Status, Err: err}
			}
		}
		got.Body = clean
	}
	if got.NotModified && last.PageSHA256 == "" {
		fetchErr = &scrapers.FetchError{Kind: scrapers.FetchStatus, URL: req.URL, Status: got.Status,
			Err: errors.New("not modified, but no earlier page is archived")}
	}
	body := bodyPage(got)
	fetch = pn.fetchRow(target, req, got, body, fetchErr)
	if got.NotModified && fetchErr == nil {
		// The server says that the archived page still stands: tonight's fetch
		// points to it and observes it again.
		stored, err := n.Store.Page(ctx, last.PageSHA256)
		if err != nil {
			return fetch, page, nil, fmt.Errorf("page behind a 304 of %s: %w", fetch.URL, err)
		}
		body, got.Body, got.ContentType = &stored, stored.Body, stored.MediaType
		fetch.PageSHA256 = stored.SHA256
		fetch.ETag, fetch.LastModified = keep(fetch.ETag, last.ETag), keep(fetch.LastModified, last.LastModified)
	}
	fetch.ID, err = n.Store.SaveFetch(ctx, fetch, body)
	if err != nil {
		return fetch, page, nil, fmt.Errorf("archive %s: %w", fetch.URL, err)
	}
	n.Log.Debug("fetched", slog.String("provider", string(pn.provider.ID)), slog.String("source", source.Name),
		slog.Int64("fetch", fetch.ID), slog.Int("status", fetch.Status), slog.Int("bytes", len(got.Body)))
	status := got.Status
	if got.NotModified {
		status = 200
	}
	return fetch, scrapers.Page{
		Source: source.Name, Key: req.Key, URL: got.URL, Status: status,
		ContentType: got.ContentType, Body: got.Body,
	}, fetchErr, nil
}

// last finds the fetch that a 304 would stand for, and its validators. A live
// night looks at live fetches alone: a recorded page says nothing of what the
// server has now. A recorded night sends no validators.
func (pn *providerNight) last(ctx context.Context, t scrapers.Target) (schema.Fetch, scrapers.Validators, error) {
	live := pn.night.Origin == schema.OriginLive
	last, found, err := pn.night.Store.LastFetch(ctx, t.Provider, t.Source, t.Key, live)
	if err != nil {
		return schema.Fetch{}, scrapers.Validators{}, fmt.Errorf("last fetch of %s %s: %w", t.Provider, t.Source, err)
	}
	if !found || !live {
		return last, scrapers.Validators{}, nil
	}
	return last, scrapers.Validators{ETag: last.ETag, LastModified: last.LastModified}, nil
}

func (pn *providerNight) fetchRow(
	t scrapers.Target, req scrapers.Request, got scrapers.Fetched, body *schema.Page, fetchErr error,
) schema.Fetch {
	f := schema.Fetch{
		RunID: pn.run.ID, Provider: t.Provider, Source: t.Source, Key: t.Key, Origin: pn.night.Origin,
		Method: keep(req.Method, "GET"), URL: keep(got.URL, req.URL), Status: got.Status,
		ETag: got.ETag, LastModified: got.LastModified, FetchedAt: got.FetchedAt,
	}
	if f.FetchedAt.IsZero() {
		f.FetchedAt = pn.night.Now()
		if pn.night.Origin != schema.OriginLive {
			f.FetchedAt = pn.run.Day.Time() // a recorded page without a time belongs to its night
		}
	}
	if body != nil {
		f.PageSHA256 = body.SHA256
	}
	var failure *scrapers.FetchError
	if errors.As(fetchErr, &failure) {
		f.ErrorKind, f.Error = string(failure.Kind), failure.Error()
		f.URL = keep(got.URL, failure.URL)
	}
	f.Day = pn.day(f)
	return f
}

func bodyPage(got scrapers.Fetched) *schema.Page {
	if len(got.Body) == 0 {
		return nil
	}
	sum := sha256.Sum256(got.Body)
	return &schema.Page{SHA256: hex.EncodeToString(sum[:]), MediaType: got.ContentType, Body: got.Body}
}

func keep(first, second string) string {
	if first != "" {
		return first
	}
	return second
}
