package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"mtok/pipeline"
	"mtok/pipeline/history"
	"mtok/schema"
	"mtok/schema/store"
	"mtok/scrapers"
)

const importHistoryHelp = `Reads past prices that somebody else recorded. %s
Licence %s; attribution: %s.

Expected is %s.

What is imported is shown apart from our own observations and below them; it is in
no minimum, in no baseline and raises no alert. The file itself is kept as the
page that its prices were read from. Importing a file twice changes nothing, and
each file is one transaction.

Rows that are understood but not believed (a unit that is wrong, a placeholder, a
price carried forward, two prices under one name) are listed and refused; that is
no error. A file of another format, or one with broken rows, is refused whole and
nothing is imported; --lenient imports the sound rows of a file with broken ones.

The daily figures of each day in the file are made at the end, which takes most of
the time. With many files to import one by one, --figures later leaves that to
mtok recompute --owed, or to the next night.`

type importOptions struct {
	strict, lenient, list bool
	day                   string
	dayNamed              bool
	figures               string // figuresNow or figuresLater
}

// When the daily figures of imported days are made.
const (
	figuresNow   = "now"
	figuresLater = "later"
)

// importHistoryCommands has one command for each format of past prices.
func (a *app) importHistoryCommands() []*cobra.Command {
	var out []*cobra.Command
	for _, f := range history.All() {
		out = append(out, a.importHistoryCommand(f))
	}
	return out
}

func (a *app) importHistoryCommand(f history.Format) *cobra.Command {
	var o importOptions
	cmd := &cobra.Command{
		Use: f.Name + " FILE...", Short: "past prices: " + f.Title, Args: cobra.MinimumNArgs(1),
		Long: fmt.Sprintf(importHistoryHelp, f.Title+".", f.Licence, f.Attribution, f.Expects),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.dayNamed = cmd.Flags().Changed("day")
			if o.lenient && cmd.Flags().Changed("strict") && o.strict {
				return usagef("--strict and --lenient exclude each other")
			}
			if o.figures != figuresNow && o.figures != figuresLater {
				return usagef("--figures %q: it is %s or %s", o.figures, figuresNow, figuresLater)
			}
			o.lenient = o.lenient || !o.strict
			return a.runImport(cmd.Context(), f, o, args)
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&o.strict, "strict", true, "refuse a file with broken rows whole")
	flags.BoolVar(&o.lenient, "lenient", false, "import the sound rows of a file with broken ones")
	flags.BoolVar(&o.list, "list", false, "list every refused row, not the first of each rule")
	flags.StringVar(&o.figures, "figures", figuresNow, "make the daily figures `now|later`; later is by mtok recompute --owed")
	if f.Undated {
		flags.StringVar(&o.day, "day", "", "the day `YYYY-MM-DD` that the prices are of: the files do not tell it")
	}
	return cmd
}

func (a *app) runImport(ctx context.Context, f history.Format, o importOptions, names []string) error {
	job, err := a.importJob(f, o)
	if err != nil {
		return err
	}
	var files []pipeline.File
	for _, name := range names {
		body, err := readImportFile(name)
		if err != nil {
			return err
		}
		files = append(files, pipeline.File{Name: name, Body: body})
	}
	return a.withStore(ctx, store.Create, func(s *store.Store) error {
		job.Store = s
		read, err := job.Read(ctx, files)
		if errors.Is(err, history.ErrFormat) || errors.Is(err, history.ErrStructure) {
			return usagef("%w", err)
		}
		if err != nil {
			return err
		}
		if err := a.saveImports(ctx, s, job, read, o.figures == figuresLater, a.watch); err != nil {
			return err
		}
		a.importScreen(f, o, read)
		return a.owedScreen(ctx, s)
	})
}

// importJob checks the options of an import.
func (a *app) importJob(f history.Format, o importOptions) (*pipeline.Import, error) {
	job := &pipeline.Import{Format: f, Providers: scrapers.All(), Now: a.Now, Lenient: o.lenient}
	if f.Undated && !o.dayNamed {
		return nil, usagef("a file of %s does not tell its day: name it with --day YYYY-MM-DD", f.Name)
	}
	var err error
	if o.dayNamed {
		if job.Day, err = pastDay(o.day, a.Now()); err != nil {
			return nil, err
		}
	}
	job.Catalog, err = a.catalog()
	return job, err
}

// saveImports writes the files that are new, each in a transaction of its own,
// under the run lock, and derives the daily figures of their days, unless later.
func (a *app) saveImports(
	ctx context.Context, s *store.Store, job *pipeline.Import, files []pipeline.ReadFile, later bool,
	tell jobProgress,
) error {
	fresh := 0
	for _, f := range files {
		if !f.Already {
			fresh++
		}
	}
	owed, err := s.UnsettledDays(ctx)
	if err != nil || fresh == 0 && (later || len(owed) == 0) {
		return err
	}
	owner, err := pipeline.ThisProcess()
	if err != nil {
		return err
	}
	today := schema.DayOf(a.Now())
	ledger := pipeline.Ledger{Store: s, Owner: owner, Now: a.Now, Log: a.log}
	lease, err := ledger.Begin(ctx, schema.Run{
		Job: schema.JobImport, Day: today, Slot: today.Slot(), Trigger: "import " + job.Format.Name, Version: version,
	})
	if err != nil {
		return err
	}
	advanced, done := tell("importing files", "import")
	err = saveFiles(ctx, job, lease.Run, files, func(n int) { advanced(n, fresh) })
	done()
	if err == nil && !later {
		err = a.settleTogether(ctx, s, job.Catalog, tell)
	}
	status := schema.StatusComplete
	if err != nil {
		status = schema.StatusFailed
	}
	return errors.Join(err, lease.Finish(ctx, status))
}

func saveFiles(ctx context.Context, job *pipeline.Import, run schema.Run, files []pipeline.ReadFile, advanced func(int)) error {
	n := 0
	for i := range files {
		if files[i].Already {
			continue
		}
		kept, err := job.Save(ctx, run, files[i])
		if err != nil {
			return err
		}
		files[i].Own = kept
		files[i].Saved()
		n++
		advanced(n)
	}
	return nil
}
