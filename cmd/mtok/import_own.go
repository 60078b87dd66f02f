package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"mtok/pipeline"
	"mtok/pipeline/history"
	"mtok/schema"
	"mtok/schema/store"
)

const importOwnHelp = `Puts back what mtok export observations wrote, into a database without any price:
prices, nights, quarantines and notices as they were, with the origin that they had, so
that every report is the same. FILE is a directory of the export, or its files. JSON lines
is the form to use; CSV works, but for characters that no spreadsheet may see.

The pages themselves are not part of an export: each price keeps the hash of its page
(mtok export pages and mtok db backup take pages along). Importing the same export twice
changes nothing.`

// importOwnCommand reads our own export.
func (a *app) importOwnCommand() *cobra.Command {
	return &cobra.Command{
		Use: history.OwnName + " FILE...", Short: "mtok's own export, into an empty database", Long: importOwnHelp, Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return a.runImportOwn(cmd.Context(), args) },
	}
}

func (a *app) runImportOwn(ctx context.Context, names []string) error {
	names, err := exportFiles(names)
	if err != nil {
		return err
	}
	var archive schema.Archive
	var files []schema.Import
	for _, name := range names {
		body, err := readImportFile(name)
		if err != nil {
			return err
		}
		if err := history.ReadOwn(&archive, body); err != nil {
			return usagef("%s: %w", name, err)
		}
		files = append(files, pipeline.OwnFile(name, body, a.Now()))
	}
	return a.withStore(ctx, store.Create, func(s *store.Store) error { return a.putBack(ctx, s, archive, files) })
}

// exportFiles lists the files of directories; a directory of both forms is read as
// JSON lines.
func exportFiles(names []string) ([]string, error) {
	var out []string
	for _, name := range names {
		info, err := os.Stat(name)
		if err != nil {
			return nil, usagef("%w", err)
		}
		if !info.IsDir() {
			out = append(out, name)
			continue
		}
		var found []string
		for _, extension := range []string{"jsonl", "csv"} {
			for _, depth := range []string{"*." + extension, filepath.Join("*", "*", "*."+extension)} {
				files, err := filepath.Glob(filepath.Join(name, depth))
				if err != nil {
					return nil, err
				}
				found = append(found, files...)
			}
			if len(found) > 0 {
				break
			}
		}
		if len(found) == 0 {
			return nil, usagef("%s holds no .jsonl and no .csv (mtok export observations --format jsonl)", name)
		}
		slices.Sort(found)
		out = append(out, found...)
	}
	return out, nil
}

// putBack writes an archive under the run lock, and derives the daily figures.
func (a *app) putBack(ctx context.Context, s *store.Store, archive schema.Archive, files []schema.Import) error {
	known := 0
	for _, f := range files {
		already, err := s.Imported(ctx, schema.ImportKind{Format: f.Format, PageSHA256: f.Page.SHA256, ParserVersion: f.Parse.ParserVersion})
		if err != nil {
			return err
		}
		if already {
			known++
		}
	}
	owed, err := s.UnsettledDays(ctx)
	if err != nil {
		return err
	}
	if known == len(files) && len(owed) == 0 {
		fmt.Fprintf(a.stdout, "%s imported already: nothing changed\n", counted(len(files), "file"))
		return nil
	}
	if empty, err := s.Empty(ctx); err != nil || !empty && known < len(files) {
		return errors.Join(err, usagef("the database has prices already: an export of mtok goes back into an empty one (--db NEW)"))
	}
	catalog, err := a.catalog()
	if err != nil {
		return err
	}
	owner, err := pipeline.ThisProcess()
	if err != nil {
		return err
	}
	today := schema.DayOf(a.Now())
	ledger := pipeline.Ledger{Store: s, Owner: owner, Now: a.Now, Log: a.log}
	lease, err := ledger.Begin(ctx, schema.Run{
		Job: schema.JobImport, Day: today, Slot: today.Slot(), Trigger: "import " + history.OwnName, Version: version,
	})
	if err != nil {
		return err
	}
	if known < len(files) {
		for i := range files {
			files[i].Fetch.RunID, files[i].Fetch.Day = lease.Run.ID, today
		}
		err = s.SaveArchive(ctx, archive, files)
	}
	if err == nil {
		err = a.settleTogether(ctx, s, catalog, a.watch)
	}
	status := schema.StatusComplete
	if err != nil {
		status = schema.StatusFailed
	}
	if err := errors.Join(err, lease.Finish(ctx, status)); err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "Put back from %s: %s, %s, %s, %s, %s\n",
		counted(len(files), "file"), counted(len(archive.Observations), "observation"), counted(len(archive.TokenPrices), "token price"),
		counted(len(archive.Nights), "provider night"), counted(len(archive.Notices), "notice"), counted(len(archive.Quarantines), "quarantine"))
	return nil
}
