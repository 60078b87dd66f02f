package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"mtok/reports/export"
	"mtok/schema"
	"mtok/schema/store"
)

// exportOptions are the flags of export observations.
type exportOptions struct {
	format, to, from, toDay, asOf string
}

func (a *app) exportObservationsCommand() *cobra.Command {
	var o exportOptions
	cmd := &cobra.Command{
		Use: "observations --to DIR|FILE", Short: "write every stored price with its evidence, for other programs",
		Long: exportHelp(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.exportObservations(cmd.Context(), o, cmd.Flags().Changed)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.format, "format", string(export.Parquet), "`FORMAT`: parquet, csv or jsonl")
	f.StringVar(&o.to, "to", "", "new directory `DIR` for all tables, or a new file for the observations alone: one ending in .parquet, .csv or .jsonl")
	f.StringVar(&o.from, "from", "", "from the day `YYYY-MM-DD` on (default: the first)")
	f.StringVar(&o.toDay, "to-day", "", "up to and with the day `YYYY-MM-DD` (default: the last)")
	f.StringVar(&o.asOf, "as-of", "", "only what was known at the end of `YYYY-MM-DD`: fetched, imported and its run finished by then")
	return cmd
}

// exportHelp documents the files and the columns.
func exportHelp() string {
	var b strings.Builder
	b.WriteString(`Writes the stored prices with where each was read from, and in a directory the
tables beside them:

  DIR/observations/month=2026-08/observations.parquet   a file a month
  DIR/token_prices/month=2026-08/token_prices.parquet   likewise, where there are any
  DIR/nights.parquet notices.parquet quarantines.parquet parses.parquet rejects.parquet

Every row of the database is written, held and excluded ones too: count those
with published = true, and keep imports (origin = import) apart. --as-of selects
by when a row came to be known, not by its day; a price that was read again
since stands as it is read now, and gpu_class is that of today's catalog.

A date is YYYY-MM-DD, a time RFC 3339 in UTC with milliseconds, usd a decimal
with six places (a text in JSON lines). Parquet has them as DATE, TIMESTAMP and
DECIMAL(18, 6), compressed by zstd. In CSV an apostrophe stands before a text
that a spreadsheet would take for a formula, and control characters are
replaced; the other two formats keep every text as it is. A column whose type
ends in ? may be missing: null, or an empty cell.
`)
	for _, t := range export.Tables() {
		fmt.Fprintf(&b, "\n%s: %s\n\n", t.Name, t.Holds)
		for _, c := range t.Columns {
			b.WriteString(strings.TrimRight(fmt.Sprintf("  %-20s %-6s %s", c.Name, c.Type, c.Meaning), " ") + "\n")
		}
	}
	return b.String()
}

func (a *app) exportObservations(ctx context.Context, o exportOptions, given func(string) bool) error {
	format, err := export.ParseFormat(o.format)
	if err != nil {
		return usagef("--format: %w", err)
	}
	if o.to == "" {
		return usagef("--to is required: a directory, or a file ending in .%s", format)
	}
	isFile := slices.Contains(export.Formats(), export.Format(strings.TrimPrefix(filepath.Ext(o.to), ".")))
	if isFile && filepath.Ext(o.to) != "."+string(format) {
		if given("format") {
			return usagef("--to %s does not end in .%s", o.to, format)
		}
		format = export.Format(strings.TrimPrefix(filepath.Ext(o.to), "."))
	}
	filter, err := a.exportFilter(o, given)
	if err != nil {
		return err
	}
	if err := freeToWrite(o.to, isFile); err != nil {
		return err
	}
	return a.withStore(ctx, store.ReadOnly, func(s *store.Store) error {
		x := exporter{store: s, format: format, filter: filter}
		write := x.directory
		if isFile {
			write = x.file
		}
		if err := write(ctx, o.to); err != nil {
			return fmt.Errorf("export to %s: %w", o.to, err)
		}
		fmt.Fprintf(a.stdout, "wrote %s and %s to %s\n",
			counted(int(x.observations.Load()), "observation"), counted(int(x.tokenPrices.Load()), "token price"), o.to)
		return nil
	})
}

func (a *app) exportFilter(o exportOptions, given func(string) bool) (f schema.ExportFilter, err error) {
	read := func(flag, text string) (day schema.Day) {
		if !given(flag) || err != nil {
			return 0
		}
		if day, err = schema.ParseDay(text); err != nil {
			err = usagef("--%s: %w", flag, err)
		} else if day <= 0 {
			err = usagef("--%s %s: there were no GPU clouds", flag, day)
		}
		return day
	}
	f.FromDay, f.ToDay = read("from", o.from), read("to-day", o.toDay)
	asOf := read("as-of", o.asOf)
	switch {
	case err != nil:
		return f, err
	case f.ToDay != 0 && f.FromDay > f.ToDay:
		return f, usagef("--from %s is after --to-day %s", f.FromDay, f.ToDay)
	case asOf > schema.DayOf(a.Now()):
		return f, usagef("--as-of %s is yet to come", asOf)
	case asOf != 0:
		f.KnownBy = (asOf + 1).Time().Add(-time.Millisecond)
	}
	return f, nil
}

// freeToWrite refuses what is there already: an export never takes the place of
// another one.
func freeToWrite(to string, isFile bool) error {
	entries, err := os.ReadDir(to)
	switch {
	case err == nil && isFile:
		return usagef("--to %s is a directory", to)
	case err == nil && len(entries) > 0:
		return usagef("--to %s is not empty: name a new directory", to)
	case err == nil || errors.Is(err, os.ErrNotExist):
		return nil
	}
	if _, err := os.Lstat(to); err == nil {
		return usagef("--to %s exists: name a new file or directory", to)
	}
	return err
}

// file writes the observations alone into one file.
func (x *exporter) file(ctx context.Context, to string) error {
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	return wholeFile(to, ownerWrites, func(w io.Writer) error { return x.writeObservations(ctx, w, x.filter) })
}

// directory writes all tables beside their place and renames them into it, so that
// a killed export leaves no half of one under its name.
func (x *exporter) directory(ctx context.Context, to string) (err error) {
	to = filepath.Clean(to)
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	partial, err := os.MkdirTemp(filepath.Dir(to), "."+filepath.Base(to)+".partial-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(partial))
		}
	}()
	if err := x.months(ctx, partial); err != nil {
		return err
	}
	// After the prices: a quarantine that a price names is there.
	if err := x.small(ctx, partial); err != nil {
		return err
	}
	if err := os.Chmod(partial, 0o755); err != nil {
		return err
	}
	if err := os.Remove(to); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err // it was empty: something came in between
	}
	return os.Rename(partial, to)
}

// months writes the files of the months, as many at a time as there are CPUs.
func (x *exporter) months(ctx context.Context, dir string) error {
	days, err := x.store.ObservationDays(ctx)
	if err != nil {
		return err
	}
	tokenDays, err := x.store.TokenPriceDays(ctx)
	if err != nil {
		return err
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for _, f := range monthsOf(days, x.filter) {
		group.Go(func() error { return x.month(ctx, dir, "observations", f, x.writeObservations) })
	}
	for _, f := range monthsOf(tokenDays, x.filter) {
		group.Go(func() error { return x.month(ctx, dir, "token_prices", f, x.writeTokenPrices) })
	}
	return group.Wait()
}

// monthsOf cuts a filter into the months that have days.
func monthsOf(days []schema.Day, f schema.ExportFilter) []schema.ExportFilter {
	var out []schema.ExportFilter
	month := ""
	for _, day := range days {
		if day < f.FromDay || f.ToDay != 0 && day > f.ToDay {
			continue
		}
		if m := monthOf(day); m != month {
			month = m
			out = append(out, schema.ExportFilter{FromDay: day, KnownBy: f.KnownBy})
		}
		out[len(out)-1].ToDay = day
	}
	return out
}

func monthOf(day schema.Day) string { return day.Time().Format("2006-01") }
