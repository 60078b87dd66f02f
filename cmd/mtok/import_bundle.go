package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"mtok/pipeline"
	"mtok/pipeline/history"
	"mtok/schema"
	"mtok/scrapers"
)

const importBundleHelp = `Makes pipeline/history/bundled again, the record of past prices that comes with mtok.

--from holds the whole records of the sources whose licence allows it:
gpurentalprices/*.json (CC BY 4.0), nixj9*.csv (MIT), the-full-stack*.csv (MIT),
token-prices/*.csv (CC BY 4.0). They are judged as any import; of the providers that
mtok watches it is written when each price changed. Build mtok again afterwards.`

// importBundleCommand is for whoever works on mtok, hence hidden.
func (a *app) importBundleCommand() *cobra.Command {
	var from, to string
	cmd := &cobra.Command{
		Use: "bundle --from DIR --to DIR", Short: "make the bundled history again from whole records", Long: importBundleHelp,
		Hidden: true, Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return a.runBundle(from, to) },
	}
	cmd.Flags().StringVar(&from, "from", "", "directory `DIR` of the whole records")
	cmd.Flags().StringVar(&to, "to", "pipeline/history/bundled", "directory `DIR` to write to")
	return cmd
}

func (a *app) runBundle(from, to string) error {
	catalog, err := a.catalog()
	if err != nil {
		return err
	}
	for _, source := range []struct{ format, files string }{
		{"gpurentalprices", "gpurentalprices/*.json"}, {"nixj9", "nixj9*.csv"},
		{"the-full-stack", "the-full-stack*.csv"}, {"token-prices", "token-prices/*.csv"},
	} {
		format, _ := history.Find(source.format)
		names, err := filepath.Glob(filepath.Join(from, source.files))
		if err != nil || len(names) == 0 {
			return usagef("--from %q: no file %s", from, source.files)
		}
		body, rows, err := a.bundle(catalog, format, names)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(to, format.Name+".csv"), body, 0o644); err != nil {
			return err
		}
		fmt.Fprintf(a.stdout, "%s: %s, %s, %s\n", format.Name, counted(len(names), "file"), counted(rows, "price"), counted(len(body), "byte"))
	}
	return nil
}

// bundle makes the bundle of one source, and counts its prices.
func (a *app) bundle(catalog *schema.Catalog, format history.Format, names []string) ([]byte, int, error) {
	var files []pipeline.File
	for _, name := range names {
		body, err := readImportFile(name)
		if err != nil {
			return nil, 0, err
		}
		files = append(files, pipeline.File{Name: name, Body: body})
	}
	job := &pipeline.Import{Format: format, Providers: scrapers.All(), Catalog: catalog, Now: a.Now}
	read, err := job.Judged(files)
	if err != nil {
		return nil, 0, usagef("%w", err)
	}
	var kept []schema.ImportedPrice
	var tokens []schema.ImportedTokenPrice
	for _, f := range read {
		for _, o := range f.Verdict.Kept {
			if slices.Contains(providerIDs(), string(o.Said.Offer.Provider)) {
				kept = append(kept, o)
			}
		}
		tokens = append(tokens, f.Result.Tokens...)
	}
	if len(tokens) > 0 {
		body, err := history.CompactTokens(tokens)
		return body, len(tokens), err
	}
	body, err := history.Compact(format, kept)
	return body, len(kept), err
}
