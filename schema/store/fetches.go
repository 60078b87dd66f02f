package store

import (
	"context"
	"database/sql"
	"errors"

	"mtok/schema"
	"mtok/schema/store/db"
)

// SaveFetch archives what came back, body and fetch in one transaction, and
// returns the id of the fetch. A page that is already stored is not stored
// again; without a page, f.PageSHA256 may name a stored one, as a 304 does. The
// run of f must be running.
func (s *Store) SaveFetch(ctx context.Context, f schema.Fetch, page *schema.Page) (int64, error) {
	var id int64
	err := s.update(ctx, "save fetch", func(t *tx) error {
		if err := s.beat(ctx, t, f.RunID); err != nil {
			return err
		}
		if page != nil {
			f.PageSHA256 = page.SHA256
			if err := putPage(ctx, t, *page); err != nil {
				return err
			}
		}
		var err error
		id, err = t.InsertFetch(ctx, db.InsertFetchParams{
			RunID:        f.RunID,
			Day:          int64(f.Day),
			Provider:     string(f.Provider),
			Source:       f.Source,
			RequestKey:   f.Key,
			Origin:       string(f.Origin),
			Method:       f.Method,
			Url:          clean(f.URL),
			Status:       int64(f.Status),
			Etag:         clean(f.ETag),
			LastModified: clean(f.LastModified),
			PageSha256:   optional(f.PageSHA256),
			ErrorKind:    f.ErrorKind,
			Error:        clean(f.Error),
			FetchedAt:    f.FetchedAt.UnixMilli(),
		})
		return err
	})
	return id, err
}

// Fetch returns one fetch, or ErrNotFound.
func (s *Store) Fetch(ctx context.Context, id int64) (schema.Fetch, error) {
	row, err := s.queries.GetFetch(ctx, id)
	if errors.Is(err, sql.ErrNoRows) {
		err = ErrNotFound
	}
	return toFetch(row), s.fault("read fetch", err)
}

// Fetches returns the selected fetches in the order of day and id.
func (s *Store) Fetches(ctx context.Context, f schema.FetchFilter) ([]schema.Fetch, error) {
	rows, err := s.queries.ListFetches(ctx, db.ListFetchesParams{
		RunID:    optionalID(f.RunID),
		FromDay:  int64(f.FromDay),
		ToDay:    lastDay(f.ToDay),
		Provider: optional(f.Provider),
	})
	return mapRows(rows, toFetch), s.fault("list fetches", err)
}

// LastFetch returns the newest fetch of a target that has a body, live ones
// alone or recorded ones too: the one whose page a 304 stands for, and, when
// live, whose validators may be sent. It reports false when there is none.
func (s *Store) LastFetch(
	ctx context.Context, provider schema.ProviderID, source, key string, liveOnly bool,
) (schema.Fetch, bool, error) {
	row, err := s.queries.LastFetch(ctx, db.LastFetchParams{
		Provider: string(provider), Source: source, RequestKey: key, LiveOnly: fromBool(liveOnly),
	})
	if errors.Is(err, sql.ErrNoRows) {
		return schema.Fetch{}, false, nil
	}
	return toFetch(row), err == nil, s.fault("find last fetch", err)
}

// FetchDays returns the days that have fetches, in order.
func (s *Store) FetchDays(ctx context.Context) ([]schema.Day, error) {
	days, err := s.queries.FetchDays(ctx)
	return mapRows(days, toDay), s.fault("list fetched days", err)
}

// DayParses returns what the parsers made of the fetches of a day, by every
// version that read them.
func (s *Store) DayParses(ctx context.Context, day schema.Day) ([]schema.Parse, error) {
	rows, err := s.queries.ListDayParses(ctx, int64(day))
	return mapRows(rows, toParse), s.fault("list parses", err)
}

// Parses returns what the parsers made of the fetches of a run.
func (s *Store) Parses(ctx context.Context, runID int64) ([]schema.Parse, error) {
	rows, err := s.queries.ListParses(ctx, runID)
	return mapRows(rows, toParse), s.fault("list parses", err)
}

// Rejects returns the rejected rows of the selected fetches.
func (s *Store) Rejects(ctx context.Context, f schema.FetchFilter) ([]schema.Rejected, error) {
	rows, err := s.queries.ListRejects(ctx, db.ListRejectsParams{
		RunID:    optionalID(f.RunID),
		FromDay:  int64(f.FromDay),
		ToDay:    lastDay(f.ToDay),
		Provider: optional(f.Provider),
	})
	return mapRows(rows, toRejected), s.fault("list rejects", err)
}

func toFetch(f db.Fetch) schema.Fetch {
	return schema.Fetch{
		ID:           f.ID,
		RunID:        f.RunID,
		Day:          schema.Day(f.Day),
		Provider:     schema.ProviderID(f.Provider),
		Source:       f.Source,
		Key:          f.RequestKey,
		Origin:       schema.Origin(f.Origin),
		Method:       f.Method,
		URL:          f.Url,
		Status:       int(f.Status),
		ETag:         f.Etag,
		LastModified: f.LastModified,
		PageSHA256:   f.PageSha256.String,
		ErrorKind:    f.ErrorKind,
		Error:        f.Error,
		FetchedAt:    toTime(f.FetchedAt),
	}
}

func toParse(p db.Parse) schema.Parse {
	return schema.Parse{
		FetchID:       p.FetchID,
		ParserVersion: int(p.ParserVersion),
		Offers:        int(p.Offers),
		Rejects:       int(p.Rejects),
		Error:         p.Error,
		ParsedAt:      toTime(p.ParsedAt),
	}
}

func toRejected(r db.ListRejectsRow) schema.Rejected {
	return schema.Rejected{
		Reject: schema.Reject{
			Source:    r.Reject.Source,
			Label:     r.Reject.Label,
			PriceText: r.Reject.PriceText,
			Rule:      r.Reject.Rule,
			Reason:    r.Reject.Reason,
		},
		Day:      schema.Day(r.Day),
		Provider: schema.ProviderID(r.Provider),
		RunID:    r.RunID,
		FetchID:  r.Reject.FetchID,
	}
}
