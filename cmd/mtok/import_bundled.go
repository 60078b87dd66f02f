package main

import (
	"context"
	"fmt"

	"mtok/pipeline"
	"mtok/pipeline/history"
	"mtok/schema/store"
	"mtok/scrapers"
)

// importBundled imports the history that comes with the program.
func (a *app) importBundled(ctx context.Context, s *store.Store) error {
	bundles, err := history.Bundles()
	if err != nil {
		return err
	}
	catalog, err := a.catalog()
	if err != nil {
		return err
	}
	for _, b := range bundles {
		job := &pipeline.Import{Format: b.Format, Providers: scrapers.All(), Catalog: catalog, Store: s, Now: a.Now}
		read, err := job.Read(ctx, []pipeline.File{{Name: b.Name, Body: b.Body}})
		if err != nil {
			return fmt.Errorf("bundled history: %w", err)
		}
		if err := a.saveImports(ctx, s, job, read, false, silent); err != nil {
			return fmt.Errorf("bundled history: %w", err)
		}
	}
	return nil
}
