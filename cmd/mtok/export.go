package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"mtok/pipeline"
	"mtok/schema"
	"mtok/schema/store"
	"mtok/scrapers"
	"mtok/scrapers/recorded"
)

func (a *app) exportCommand() *cobra.Command {
	export := &cobra.Command{
		Use: "export", Short: "write stored data out",
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	var to, day string
	pages := &cobra.Command{
		Use: "pages --to DIR", Short: "write a day's archived pages as a recorded night, to be read by --recorded",
		RunE: func(cmd *cobra.Command, _ []string) error { return a.exportPages(cmd.Context(), to, day) },
	}
	pages.Flags().StringVar(&to, "to", "", "directory `DIR`, made where it is missing")
	pages.Flags().StringVar(&day, "day", "", "pages of `YYYY-MM-DD` (default: the newest published day)")
	export.AddCommand(pages, a.exportObservationsCommand())
	return export
}

func (a *app) exportPages(ctx context.Context, to, text string) error {
	if to == "" {
		return usagef("--to is required")
	}
	var day schema.Day
	if text != "" {
		var err error
		if day, err = pastDay(text, a.Now()); err != nil {
			return err
		}
	}
	return a.withStore(ctx, store.ReadOnly, func(s *store.Store) error {
		if text == "" {
			newest, any, err := s.LatestDay(ctx)
			if err != nil {
				return err
			}
			if !any {
				fmt.Fprintln(a.stdout, "nothing is published yet: no pages to write")
				return nil
			}
			day = newest
		}
		fetches, err := s.Fetches(ctx, schema.FetchFilter{FromDay: day, ToDay: day})
		if err != nil {
			return err
		}
		seen, err := s.Observations(ctx, schema.ObservationFilter{FromDay: day, ToDay: day, IncludeHeld: true})
		if err != nil {
			return err
		}
		chosen := slices.DeleteFunc(pipeline.ChooseFetches(fetches, seen), func(f schema.Fetch) bool {
			return f.Status == 0 // nothing came back: there is nothing to write
		})
		if len(chosen) == 0 {
			return usagef("no pages of %s are archived", day)
		}
		written, err := writePages(ctx, s, to, chosen)
		if err != nil {
			return err
		}
		fmt.Fprintf(a.stdout, "wrote %d pages of %s to %s\n", written, day, to)
		return nil
	})
}

func writePages(ctx context.Context, s *store.Store, dir string, fetches []schema.Fetch) (int, error) {
	written := 0
	for _, f := range fetches {
		got := scrapers.Fetched{
			URL: f.URL, Status: f.Status, ETag: f.ETag, LastModified: f.LastModified, FetchedAt: f.FetchedAt,
		}
		if f.PageSHA256 != "" {
			page, err := s.Page(ctx, f.PageSHA256)
			if err != nil {
				return written, err
			}
			got.Body, got.ContentType = page.Body, page.MediaType
			got.NotModified = f.Status == 304
		}
		target := scrapers.Target{Provider: f.Provider, Source: f.Source, Key: f.Key}
		if err := recorded.Write(dir, target, got); err != nil {
			return written, err
		}
		written++
	}
	return written, nil
}
