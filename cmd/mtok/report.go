package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"mtok/reports"
	"mtok/reports/cost"
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
		{"mtok", "what a million output tokens of a workload cost on each class", reports.Loader.Mtok},
		{"api", "rented GPUs beside the prices of APIs: how busy they must be to be cheaper", reports.Loader.API},
		{"fleet", "your own GPUs: invoice, $/MTok paid, and tonight's market beside them", reports.Loader.Fleet},
		{"month", "what your GPUs cost in a month, report month [YYYY-MM]", reports.Loader.MonthReport},
		{"trend", "each class over the last days, report trend CLASS day by day", reports.Loader.Trend},
		{"compare", "the price of one class by that of another, day by day, and below which ratio it pays", reports.Loader.Compare},
		{"providers", "what each provider lists, and what its last night gave", reports.Loader.Providers},
		{"quality", "what was refused, held, carried, and which parser versions read the pages", reports.Loader.Quality},
	}
}

// reportOptions are the flags of report.
type reportOptions struct {
	format, output, day, class, provider, term, workload, load string
	// given tells an empty value from a flag that was not given.
	given func(flag string) bool
	span  windowOptions
}

func (a *app) reportCommand() *cobra.Command {
	var o reportOptions
	var names, lines []string
	for _, r := range reportList() {
		names = append(names, r.name)
		lines = append(lines, fmt.Sprintf("  %-9s %s", r.name, r.short))
	}
	cmd := &cobra.Command{
		Use: "report [NAME [YYYY-MM | CLASS [CLASS]]]", Short: "print a report, or all of them",
		Long:      "Reports:\n\n" + strings.Join(lines, "\n"),
		Args:      cobra.MaximumNArgs(3),
		ValidArgs: names,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.given = cmd.Flags().Changed
			return a.runReport(cmd.Context(), o, args, names)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.output, "output", "", "write a file for each report into `DIR` in place of printing: pages of HTML with an index, but with --format")
	f.StringVar(&o.day, "day", "", "as of `YYYY-MM-DD` (default: the newest published day)")
	f.StringVar(&o.class, "class", "", "only this GPU `CLASS`")
	f.StringVar(&o.provider, "provider", "", "only this provider `ID`")
	f.StringVar(&o.term, "term", "", "only this `TERM`: on-demand, spot or reserved")
	f.StringVar(&o.workload, "workload", "", "the [[workload]] `NAME` that is priced (default: the first)")
	f.StringVar(&o.load, "load", "", "report api: output `TOKENS` hour by hour, with commas, or a file of them: how many GPUs to rent when the API serves the rest")
	o.span.add(cmd)
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
	catalog, err := a.catalog()
	if err != nil {
		return err
	}
	filter, load, err := a.reportRequest(o, args, catalog)
	if err != nil {
		return err
	}
	if len(chosen) > 1 && o.output == "" && format.OneDocument() {
		return usagef("--format %s holds one report: name it, or write files with --output DIR", o.format)
	}
	return a.withStore(ctx, store.ReadOnly, func(s *store.Store) error {
		loader, err := a.loader(s)
		if err != nil {
			return err
		}
		loader.Settings.HourlyTokens = load
		if o.output != "" {
			return a.writeReports(ctx, reportFiles{loader: loader, chosen: chosen, filter: filter}, o, format)
		}
		for i, r := range chosen {
			doc, err := r.build(loader, ctx, filter)
			if err != nil {
				return fmt.Errorf("report %s: %w", r.name, err)
			}
			if i > 0 {
				fmt.Fprintln(a.stdout)
			}
			if err := render.Write(a.stdout, doc, format); err != nil {
				return err
			}
		}
		return nil
	})
}

// shownTerms are the terms as --term and its help write them.
func shownTerms() []string { return []string{"on-demand", "spot", "reserved"} }

func (a *app) reportFilter(o reportOptions, catalog *schema.Catalog) (reports.Filter, error) {
	var filter reports.Filter
	if o.given("provider") {
		if known := rentalIDs(); !slices.Contains(known, o.provider) {
			return filter, usagef("unknown provider %q; %s", o.provider, nearHint(o.provider, known))
		}
		filter.Provider = schema.ProviderID(o.provider)
	}
	if o.given("term") {
		term := strings.ReplaceAll(o.term, "-", "_")
		terms := []string{string(schema.TermOnDemand), string(schema.TermSpot), string(schema.TermReserved)}
		if !slices.Contains(terms, term) {
			return filter, usagef("unknown term %q; %s", o.term, nearHint(o.term, shownTerms()))
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
	if o.given("workload") {
		if _, err := reports.FindWorkload(a.config.Workloads, o.workload); err != nil {
			return filter, usagef("--workload: %w", err)
		}
		filter.Workload = o.workload
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

// monthArg reads the month that stands behind the name of the report.
func monthArg(args []string) (cost.Month, error) {
	if len(args) < 2 || classReports()[args[0]] > 0 {
		return cost.Month{}, nil
	}
	if len(args) > 2 {
		return cost.Month{}, usagef("report %s takes one month", args[0])
	}
	if args[0] != "month" && args[0] != "api" {
		return cost.Month{}, usagef("report %s takes no month and no other name, not %q: only report month and report api take a month", args[0], args[1])
	}
	month, err := cost.ParseMonth(args[1])
	if err != nil {
		return cost.Month{}, usagef("%w", err)
	}
	return month, nil
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

func (a *app) formatFlag(cmd *cobra.Command, to *string) {
	cmd.Flags().StringVar(to, "format", "table", "`FORMAT`: table, csv, json, markdown or html")
}

// write renders a document to standard output.
func (a *app) write(doc reports.Document, format string) error {
	f, err := render.ParseFormat(format)
	if err != nil {
		return usagef("--format: %w", err)
	}
	return render.Write(a.stdout, doc, f)
}
