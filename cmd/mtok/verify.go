package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"mtok/pipeline"
	"mtok/reports"
	"mtok/schema"
	"mtok/schema/store"
	"mtok/scrapers"
)

const verifyHelp = `Makes every published daily figure again from the archived pages and the imported
files, by the parsers, the catalog and the settings of today, and holds the
published ones to them. Each archived page is held to its hash. Nothing is written.

Token costs that were made with other settings or measurements than today's are
made again with those that were kept beside them, and that is said.

A page that another parser version read than today's is said so; where its prices
differ, mtok reparse reads it again. Held nights are in no figure and are not
looked at. What mtok import mtok put back has no pages here: such prices can't be
traced, which the last line counts, and the daily figures are made again from them
as they are stored. Exit code 0 where nothing differs, else 1.`

// verifyOptions are the flags of verify.
type verifyOptions struct {
	day, since, format  string
	dayNamed, fromNamed bool
	all                 bool
}

func (a *app) verifyCommand() *cobra.Command {
	var o verifyOptions
	cmd := &cobra.Command{
		Use: "verify", Short: "make every published figure again from the archived pages", Long: verifyHelp,
		RunE: func(cmd *cobra.Command, _ []string) error {
			o.dayNamed, o.fromNamed = cmd.Flags().Changed("day"), cmd.Flags().Changed("since")
			return a.runVerify(cmd.Context(), o)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.day, "day", "", "only `YYYY-MM-DD`")
	f.StringVar(&o.since, "since", "", "only days from `YYYY-MM-DD` on")
	f.BoolVar(&o.all, "all", false, "list everything that differs")
	a.formatFlag(cmd, &o.format)
	return cmd
}

// errDiffers ends a verification that found a difference, which was told.
var errDiffers = errors.New("not everything matches its evidence")

// shownDiffers is how many differences are listed without --all.
const shownDiffers = 20

func (a *app) runVerify(ctx context.Context, o verifyOptions) error {
	keep, err := o.days()
	if err != nil {
		return err
	}
	catalog, err := a.catalog()
	if err != nil {
		return err
	}
	return a.withStore(ctx, store.ReadOnly, func(s *store.Store) error {
		verification, err := a.verify(ctx, s, catalog, keep)
		if err != nil {
			return err
		}
		most := shownDiffers
		if o.all {
			most = 0
		}
		if err := a.write(verification.Document(most), o.format); err != nil {
			return err
		}
		if !verification.Whole() {
			return errDiffers
		}
		return nil
	})
}

// days says which days are wanted.
func (o verifyOptions) days() (func(schema.Day) bool, error) {
	switch {
	case o.dayNamed && o.fromNamed:
		return nil, usagef("--day and --since exclude each other")
	case o.dayNamed:
		day, err := schema.ParseDay(o.day)
		if err != nil {
			return nil, usagef("--day: %w", err)
		}
		return func(d schema.Day) bool { return d == day }, nil
	case o.fromNamed:
		from, err := schema.ParseDay(o.since)
		if err != nil {
			return nil, usagef("--since: %w", err)
		}
		return func(d schema.Day) bool { return d >= from }, nil
	}
	return func(schema.Day) bool { return true }, nil
}

// verify reads every page by its hash first, then day by day what they say.
func (a *app) verify(ctx context.Context, s *store.Store, catalog *schema.Catalog, keep func(schema.Day) bool) (*reports.Verification, error) {
	var v reports.Verification
	notHeld, err := verifyPages(ctx, s, &v)
	if err != nil {
		return nil, err
	}
	job := &pipeline.Verify{Providers: scrapers.Registry(), Catalog: catalog, Store: s, NotHeld: notHeld, Log: a.log, Now: a.Now}
	days, err := job.Begin(ctx)
	if err != nil {
		return nil, err
	}
	// A figure without any price behind it must not be passed over.
	figures, err := s.DailyDays(ctx)
	if err != nil {
		return nil, err
	}
	days = slices.Compact(slices.Sorted(slices.Values(append(days, figures...))))
	inputs := map[string]schema.CostInputs{}
	for _, day := range days {
		if !keep(day) {
			continue
		}
		evidence, err := job.Day(ctx, day)
		if err != nil {
			return nil, err
		}
		published, err := publishedDay(ctx, s, day, inputs)
		if err != nil {
			return nil, err
		}
		made, err := reports.VerifyDay(published, evidence.Observations, evidence.Tokens, catalog, a.config.settings())
		if err != nil {
			return nil, err
		}
		v.Observations.Checked += evidence.Checked
		v.Observations.Match += evidence.Matching
		v.Untraced += evidence.Untraced
		v.Faults = append(v.Faults, evidence.Faults...)
		for _, line := range evidence.Versions {
			if !slices.Contains(v.Versions, line) {
				v.Versions = append(v.Versions, line)
			}
		}
		v.Add(day, made)
	}
	return &v, nil
}

// verifyPages holds every archived body to its hash, and says which are not held.
func verifyPages(ctx context.Context, s *store.Store, v *reports.Verification) (map[string]bool, error) {
	hashes, err := s.PageHashes(ctx)
	if err != nil {
		return nil, err
	}
	notHeld := map[string]bool{}
	for _, hash := range hashes {
		_, err := s.Page(ctx, hash)
		switch {
		case errors.Is(err, store.ErrNotHeld):
			v.NotHeld++
			notHeld[hash] = true
			continue
		case errors.Is(err, store.ErrHash):
			v.Faults = append(v.Faults, fmt.Sprintf("page sha256:%s: %v", hash, err))
		case err != nil:
			return nil, err
		default:
			v.Pages.Match++
		}
		v.Pages.Checked++
	}
	return notHeld, nil
}

// publishedDay reads what is published of a day; the inputs that are known already
// are not read again.
func publishedDay(ctx context.Context, s *store.Store, day schema.Day, known map[string]schema.CostInputs) (reports.PublishedDay, error) {
	p := reports.PublishedDay{Day: day}
	var err error
	if p.Prices, err = s.DailyPrices(ctx, day, day, ""); err != nil {
		return p, err
	}
	if p.Markets, err = s.DailyMarkets(ctx, day, day, ""); err != nil {
		return p, err
	}
	if p.TokenCosts, err = s.DailyTokenCosts(ctx, day, day, ""); err != nil {
		return p, err
	}
	for _, c := range p.TokenCosts {
		if slices.ContainsFunc(p.Inputs, func(in schema.CostInputs) bool { return in.Hash == c.Inputs }) {
			continue
		}
		in, ok := known[c.Inputs]
		if !ok {
			if in, err = s.CostInputs(ctx, c.Inputs); errors.Is(err, store.ErrNotFound) {
				continue // it can't be made again, which is told
			} else if err != nil {
				return p, err
			}
			known[c.Inputs] = in
		}
		p.Inputs = append(p.Inputs, in)
	}
	p.APIPrices, err = s.DailyAPIPrices(ctx, day, day, "")
	return p, err
}
