package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"mtok/pipeline"
	"mtok/pipeline/history"
	"mtok/reports"
	"mtok/schema"
	"mtok/schema/store"
)

const reconcileHelp = `Compares our own night with what somebody else recorded of the same day, and lists
where the two are further apart than --threshold per cent, with the evidence of both:
our page and the words printed there, their file and row. The file is judged as an
import is, and nothing is kept of it.

Formats: %s.`

type reconcileOptions struct {
	day, format, class, provider string
	dayNamed                     bool
	threshold                    int
}

func (a *app) reconcileCommand() *cobra.Command {
	var o reconcileOptions
	cmd := &cobra.Command{
		Use: "reconcile FORMAT FILE", Short: "compare our night with another data set of that day", Args: cobra.ExactArgs(2),
		Long: fmt.Sprintf(reconcileHelp, orList(history.Names())),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.dayNamed = cmd.Flags().Changed("day")
			return a.runReconcile(cmd.Context(), o, args[0], args[1])
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.day, "day", "", "the day `YYYY-MM-DD` (default: the newest of ours that the file has)")
	f.IntVar(&o.threshold, "threshold", 2, "list what is off by more than so many `PERCENT`")
	f.StringVar(&o.class, "class", "", "only this GPU `CLASS`")
	f.StringVar(&o.provider, "provider", "", "only this provider `ID`")
	a.formatFlag(cmd, &o.format)
	return cmd
}

func (a *app) runReconcile(ctx context.Context, o reconcileOptions, name, file string) error {
	format, ok := history.Find(name)
	if !ok {
		return usagef("unknown format %q; %s", name, nearHint(name, history.Names()))
	}
	if o.threshold < 0 || o.threshold > 1000 {
		return usagef("--threshold %d is not between 0 and 1000", o.threshold)
	}
	job, err := a.importJob(format, importOptions{day: o.day, dayNamed: o.dayNamed})
	if err != nil {
		return err
	}
	body, err := readImportFile(file)
	if err != nil {
		return err
	}
	read, err := job.Judged([]pipeline.File{{Name: file, Body: body}})
	if errors.Is(err, history.ErrFormat) || errors.Is(err, history.ErrStructure) {
		return usagef("%w", err)
	}
	if err != nil {
		return err
	}
	return a.withStore(ctx, store.ReadOnly, func(s *store.Store) error {
		return a.reconcile(ctx, s, job, o, read[0])
	})
}

// reconcile compares the rows of a file with our night of their day.
func (a *app) reconcile(ctx context.Context, s *store.Store, job *pipeline.Import, o reconcileOptions, file pipeline.ReadFile) error {
	filter, err := a.reconcileFilter(o, job.Catalog)
	if err != nil {
		return err
	}
	if filter.Day, err = dayOfBoth(ctx, s, job, o, file); err != nil {
		return err
	}
	filter.DayNamed = true
	night, err := reports.LoadNight(ctx, s, filter, 0)
	if err != nil {
		return err
	}
	if night.Empty || night.AsOf != filter.Day {
		return usagef("we observed nothing on %s", filter.Day)
	}
	var theirs []reports.Foreign
	for i, seen := range file.Verdict.Kept {
		if seen.Day == filter.Day {
			theirs = append(theirs, reports.Foreign{Observation: seen.Observation(), Place: fmt.Sprintf("%s row %d", file.Name, file.Verdict.Lines[i])})
		}
	}
	doc := reports.Reconcile(night, theirs, job.Catalog, o.threshold, filter)
	if n := len(file.Verdict.Rejects); n > 0 {
		doc.After = append(doc.After, fmt.Sprintf("%d prices of the file are not believed: mtok import %s --list names them.", n, job.Format.Name))
	}
	return a.write(doc, o.format)
}

func (a *app) reconcileFilter(o reconcileOptions, catalog *schema.Catalog) (reports.Filter, error) {
	var filter reports.Filter
	if o.class != "" {
		class, err := classArg(o.class, catalog)
		if err != nil {
			return filter, err
		}
		filter.Class = class
	}
	if o.provider != "" && !slices.Contains(providerIDs(), o.provider) {
		return filter, usagef("unknown provider %q; %s", o.provider, nearHint(o.provider, providerIDs()))
	}
	filter.Provider = schema.ProviderID(o.provider)
	return filter, nil
}

// dayOfBoth is the day that is compared: the one that is named, else the newest that
// both have.
func dayOfBoth(ctx context.Context, s *store.Store, job *pipeline.Import, o reconcileOptions, file pipeline.ReadFile) (schema.Day, error) {
	days := map[schema.Day]bool{}
	for _, seen := range file.Verdict.Kept {
		days[seen.Day] = true
	}
	if len(days) == 0 {
		return 0, usagef("%s: no price of it is believed: mtok import %s --list says why", file.Name, job.Format.Name)
	}
	order := slices.Sorted(maps.Keys(days))
	if o.dayNamed {
		day, err := schema.ParseDay(o.day)
		if err == nil && !days[day] {
			err = fmt.Errorf("%s has no price of it; it has %s to %s", file.Name, order[0], order[len(order)-1])
		}
		if err != nil {
			return 0, usagef("--day %s: %w", o.day, err)
		}
		return day, nil
	}
	for _, day := range slices.Backward(order) {
		if newest, ok, err := s.LatestDayUpTo(ctx, day); err != nil || ok && newest == day {
			return day, err
		}
	}
	return 0, usagef("%s has prices of %s to %s, and we observed nothing on any of its days", file.Name, order[0], order[len(order)-1])
}
