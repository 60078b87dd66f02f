package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

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
	export.AddCommand(pages)
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
		chosen := chooseFetches(fetches, seen)
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

// chooseFetches keeps one fetch of each request: the one that the day's prices
// were read from, else the newest that did not fail, else the newest.
func chooseFetches(fetches []schema.Fetch, seen []schema.Observation) []schema.Fetch {
	type request struct {
		provider    schema.ProviderID
		source, key string
	}
	used := map[int64]bool{}
	for _, o := range seen {
		used[o.FetchID] = true
	}
	rank := func(f schema.Fetch) int {
		switch {
		case used[f.ID]:
			return 2
		case f.ErrorKind == "":
			return 1
		}
		return 0
	}
	at := map[request]int{}
	var out []schema.Fetch
	for _, f := range fetches {
		if f.Origin == schema.OriginImport || f.Status == 0 {
			continue
		}
		r := request{f.Provider, f.Source, f.Key}
		i, met := at[r]
		switch {
		case !met:
			at[r] = len(out)
			out = append(out, f)
		case rank(f) >= rank(out[i]):
			out[i] = f
		}
	}
	return out
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
