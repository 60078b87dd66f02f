package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"mtok/schema"
)

// Check looks for damage: the database's own integrity and foreign keys, every
// archived body against its hash, and what must hold between our tables. It
// returns what it found, nil for a sound database, and mends nothing. The error
// is for a check that could not be made.
func (s *Store) Check(ctx context.Context) ([]string, error) {
	checks := []func(context.Context) ([]string, error){
		func(ctx context.Context) ([]string, error) { return s.dialect.integrity(ctx, s.read) },
		s.checkPages,
		s.checkEvidence,
		s.checkRuns,
		s.checkHeld,
		s.checkImports,
		s.checkDaily,
	}
	var problems []string
	for _, check := range checks {
		found, err := check(ctx)
		if err != nil {
			return problems, s.fault("check database", err)
		}
		problems = append(problems, found...)
	}
	return problems, nil
}

func (s *Store) checkPages(ctx context.Context) ([]string, error) {
	hashes, err := s.queries.PageHashes(ctx)
	if err != nil {
		return nil, err
	}
	var problems []string
	for _, hash := range hashes {
		row, err := s.queries.GetPage(ctx, hash)
		if err != nil {
			return problems, err
		}
		if _, err := unpack(row); err != nil && !errors.Is(err, ErrNotHeld) {
			problems = append(problems, fmt.Sprintf("page %s: %v", hash, err))
		}
	}
	return problems, nil
}

// checkEvidence finds prices that cannot be traced to a page, or to the wrong one.
func (s *Store) checkEvidence(ctx context.Context) ([]string, error) {
	var problems []string
	without, err := s.queries.ObservationsWithoutPage(ctx)
	if err != nil {
		return nil, err
	}
	for _, o := range without {
		problems = append(problems, fmt.Sprintf("observation of offer %d on %s: fetch %d has no page",
			o.OfferID, schema.Day(o.Day), o.FetchID))
	}
	other, err := s.queries.ObservationsOfOtherOrigin(ctx)
	if err != nil {
		return nil, err
	}
	for _, o := range other {
		problems = append(problems, fmt.Sprintf("observation of offer %d on %s: fetch %d is of another provider or origin",
			o.OfferID, schema.Day(o.Day), o.FetchID))
	}
	dropped, err := s.queries.ObservationsOfDroppedPages(ctx)
	if err != nil {
		return nil, err
	}
	for _, o := range dropped {
		problems = append(problems, fmt.Sprintf("observation of offer %d on %s: the body of its page %s was dropped",
			o.OfferID, schema.Day(o.Day), o.PageSha256.String))
	}
	return problems, nil
}

// checkHeld finds prices held by the quarantine of another night.
func (s *Store) checkHeld(ctx context.Context) ([]string, error) {
	rows, err := s.queries.HeldByOtherProvider(ctx)
	if err != nil {
		return nil, err
	}
	var problems []string
	for _, o := range rows {
		problems = append(problems, fmt.Sprintf("observation of offer %d on %s: quarantine %d is of another provider or day",
			o.OfferID, schema.Day(o.Day), o.QuarantineID))
	}
	return problems, nil
}

func (s *Store) checkRuns(ctx context.Context) ([]string, error) {
	runs, err := s.queries.CompleteRunsWithoutProviders(ctx)
	if err != nil {
		return nil, err
	}
	var problems []string
	for _, r := range runs {
		problems = append(problems, fmt.Sprintf("%s run %d of %s is complete without any provider",
			r.Job, r.ID, schema.Day(r.Day)))
	}
	return problems, nil
}

// integrity asks for everything that SQLite can check by itself.
func (d sqliteDialect) integrity(ctx context.Context, pool *sql.DB) ([]string, error) {
	damage, err := pragmaLines(ctx, pool, "integrity_check(20)")
	if err != nil {
		return nil, err
	}
	rows, err := pool.QueryContext(ctx, "PRAGMA foreign_key_check")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var orphans []string
	for rows.Next() {
		var table, parent string
		var row sql.NullInt64
		var key int64
		if err := rows.Scan(&table, &row, &parent, &key); err != nil {
			return nil, err
		}
		orphans = append(orphans, fmt.Sprintf("a row of %s names one of %s that is missing", table, parent))
	}
	return append(damage, slices.Compact(orphans)...), rows.Err()
}
