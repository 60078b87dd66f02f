package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"mtok/reports"
	"mtok/reports/render"
	"mtok/schema"
	"mtok/schema/store"
)

// reportBuilder makes one report from the database.
type reportBuilder struct {
	name, short string
	build       func(reports.Loader, context.Context, reports.Filter) (reports.Document, error)
}

// reportList is the list of reports: a new one is a line here.
func reportList() []reportBuilder {
	return []reportBuilder{
		{"prices", "tonight's prices of every class, eligible first", reports.Loader.Prices},
		{"market", "the book of each marketplace: what can be rented, the lowest ask and why it cannot", reports.Loader.Market},
		{"mtok", "what a million output tokens cost on each class", reports.Loader.Mtok},
	}
}

// reportOptions are the flags of report.
type reportOptions struct {
	format, output, day, class, provider, term string
	// given tells an empty value from a flag that was not given.
	given func(flag string) bool
}

func (a *app) reportCommand() *cobra.Command {
	var o reportOptions
	var names, lines []string
	for _, r := range reportList() {
		names = append(names, r.name)
		lines = append(lines, fmt.Sprintf("  %-8s %s", r.name, r.short))
	}
	cmd := &cobra.Command{
		Use: "report [NAME]", Short: "print a report, or all of them",
		Long:      "Reports:\n\n" + strings.Join(lines, "\n"),
		Args:      cobra.MaximumNArgs(1),
		ValidArgs: names,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.given = cmd.Flags().Changed
			return a.runReport(cmd.Context(), o, args, names)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.output, "output", "", "write a file for each report into `DIR` in place of printing")
	f.StringVar(&o.day, "day", "", "as of `YYYY-MM-DD` (default: the newest published day)")
	f.StringVar(&o.class, "class", "", "only this GPU `CLASS`")
	f.StringVar(&o.provider, "provider", "", "only this provider `ID`")
	f.StringVar(&o.term, "term", "", "only this `TERM`: on-demand, spot or reserved")
	a.formatFlag(cmd, &o.format)
	return cmd
}

func (a *app) runReport(ctx context.Context, o reportOptions, args, names []string) error {
	var chosen []reportBuilder
	for _, r := range reportList() {
		if len(args) == 0 || args[0] == r.name {
			chosen = append(chosen, r)
		}
	}
	if len(chosen) == 0 {
		return usagef("unknown report %q; %s", args[0], nearHint(args[0], names))
	}
	format, err := render.ParseFormat(o.format)
	if err != nil {
		return usagef("--format: %w", err)
	}
	catalog, err := schema.LoadCatalog()
	if err != nil {
		return err
	}
	filter, err := a.reportFilter(o, catalog)
	if err != nil {
		return err
	}
	if len(chosen) > 1 && o.output == "" && (format == render.JSON || format == render.CSV) {
		return usagef("--format %s holds one report: name it, or write files with --output DIR", o.format)
	}
	return a.withStore(ctx, store.ReadOnly, func(s *store.Store) error {
		loader := reports.Loader{Source: s, Catalog: catalog, Settings: a.config.settings()}
		for i, r := range chosen {
			doc, err := r.build(loader, ctx, filter)
			if err != nil {
				return fmt.Errorf("report %s: %w", r.name, err)
			}
			if o.output != "" {
				err = writeFile(o.output, r.name, doc, format)
			} else {
				if i > 0 {
					fmt.Fprintln(a.stdout)
				}
				err = render.Write(a.stdout, doc, format)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

func (a *app) reportFilter(o reportOptions, catalog *schema.Catalog) (reports.Filter, error) {
	var filter reports.Filter
	if o.given("provider") {
		if !slices.Contains(providerIDs(), o.provider) {
			return filter, usagef("unknown provider %q; %s", o.provider, nearHint(o.provider, providerIDs()))
		}
		filter.Provider = schema.ProviderID(o.provider)
	}
	if o.given("term") {
		term := strings.ReplaceAll(o.term, "-", "_")
		terms := []string{string(schema.TermOnDemand), string(schema.TermSpot), string(schema.TermReserved)}
		if !slices.Contains(terms, term) {
			return filter, usagef("unknown term %q; %s", o.term, nearHint(term, terms))
		}
		filter.Term = schema.Term(term)
	}
	if o.given("class") {
		class, err := classArg(o.class, catalog)
		if err != nil {
			return filter, err
		}
		filter.Class = class
	}
	if o.given("day") {
		day, err := pastDay(o.day, a.Now())
		if err != nil {
			return filter, err
		}
		filter.Day, filter.DayNamed = day, true
	}
	return filter, nil
}

// classArg checks a GPU class as typed; an unmatched class is taken as it is.
func classArg(text string, catalog *schema.Catalog) (schema.ClassID, error) {
	id := schema.ClassID(strings.ToLower(text))
	if _, known := catalog.GPU(id); known || strings.HasPrefix(text, schema.UnmatchedPrefix) {
		return id, nil
	}
	var known []string
	for _, g := range catalog.GPUs {
		known = append(known, string(g.ID))
	}
	return "", usagef("unknown GPU class %q; %s", text, nearHint(text, known))
}

// writeFile writes a report beside its final name and renames it, so that a
// reader never sees half a report.
func writeFile(dir, name string, doc reports.Document, format render.Format) (err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, "."+name+"-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}()
	if err := errors.Join(render.Write(f, doc, format), f.Chmod(0o644), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), filepath.Join(dir, name+"."+format.Extension()))
}

func (a *app) formatFlag(cmd *cobra.Command, to *string) {
	cmd.Flags().StringVar(to, "format", "table", "`FORMAT`: table, csv, json or markdown")
}

// write renders a document to standard output.
func (a *app) write(doc reports.Document, format string) error {
	f, err := render.ParseFormat(format)
	if err != nil {
		return usagef("--format: %w", err)
	}
	return render.Write(a.stdout, doc, f)
}
