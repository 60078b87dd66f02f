package store

import (
	"context"

	"mtok/schema"
	"mtok/schema/store/db"
)

// saveNotices merges a night's notices into spans of days. A span goes on while
// no complete night without the notice lies in between.
func saveNotices(ctx context.Context, t *tx, n schema.ProviderNight) error {
	provider := n.Result.Provider
	stored, err := t.ProviderNotices(ctx, string(provider))
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, notice := range n.Notices {
		seen[notice.Kind] = true
		notice.Provider = provider
		if err := saveNotice(ctx, t, stored, notice, n.Result.Day); err != nil {
			return err
		}
	}
	if n.Result.Status != schema.StatusComplete {
		return nil
	}
	for _, old := range stored {
		if !seen[old.Kind] && old.LastDay == int64(n.Result.Day) {
			if err := shorten(ctx, t, old); err != nil {
				return err
			}
		}
	}
	return nil
}

// saveNotice puts a notice seen on day into the span that holds, precedes or
// follows it, else into a span of its own.
func saveNotice(ctx context.Context, t *tx, stored []db.Notice, notice schema.Notice, day schema.Day) error {
	span := db.Notice{
		Provider: string(notice.Provider),
		Kind:     notice.Kind,
		SinceDay: int64(day),
		LastDay:  int64(day),
		Detail:   clean(notice.Detail),
		FetchID:  notice.FetchID,
	}
	for _, old := range stored { // in the order of days
		if old.Kind != notice.Kind {
			continue
		}
		joined, err := touches(ctx, t, old, int64(day))
		if err != nil {
			return err
		}
		if !joined {
			continue
		}
		span.SinceDay = min(span.SinceDay, old.SinceDay)
		if old.LastDay > int64(day) { // the newest night words it
			span.LastDay, span.Detail, span.FetchID = old.LastDay, old.Detail, old.FetchID
		}
		if err := deleteNotice(ctx, t, old); err != nil {
			return err
		}
	}
	return t.PutNotice(ctx, db.PutNoticeParams(span))
}

// touches reports whether a day lies in a span, or beside it with no complete
// night in between.
func touches(ctx context.Context, t *tx, span db.Notice, day int64) (bool, error) {
	if day >= span.SinceDay && day <= span.LastDay {
		return true, nil
	}
	after, before := span.LastDay, day
	if day < span.SinceDay {
		after, before = day, span.SinceDay
	}
	nights, err := t.CompleteNightsBetween(ctx, db.CompleteNightsBetweenParams{
		Provider: span.Provider, AfterDay: after, BeforeDay: before,
	})
	return nights == 0, err
}

// shorten takes the last day from a span: that day's night was run again and
// does not say it any more.
func shorten(ctx context.Context, t *tx, span db.Notice) error {
	if span.SinceDay == span.LastDay {
		return deleteNotice(ctx, t, span)
	}
	span.LastDay--
	return t.PutNotice(ctx, db.PutNoticeParams(span))
}

func deleteNotice(ctx context.Context, t *tx, span db.Notice) error {
	return t.DeleteNotice(ctx, db.DeleteNoticeParams{
		Provider: span.Provider, Kind: span.Kind, SinceDay: span.SinceDay,
	})
}

// Notices returns all notices, each provider's in the order of days.
func (s *Store) Notices(ctx context.Context) ([]schema.Notice, error) {
	rows, err := s.queries.ListNotices(ctx)
	return mapRows(rows, toNotice), s.fault("list notices", err)
}

func toNotice(n db.Notice) schema.Notice {
	return schema.Notice{
		Provider: schema.ProviderID(n.Provider),
		Kind:     n.Kind,
		Detail:   n.Detail,
		Since:    schema.Day(n.SinceDay),
		Last:     schema.Day(n.LastDay),
		FetchID:  n.FetchID,
	}
}
