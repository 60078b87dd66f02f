package store_test

import (
	"testing"
	"time"

	"mtok/schema"
	"mtok/schema/store"
)

// TestExportParses hands out what parsers made of the pages with what they refused,
// as it was known at a time.
func TestExportParses(t *testing.T) {
	eachBackend(t, func(t *testing.T, c store.Config) {
		s := mustOpen(t, c, store.Create)
		ctx := t.Context()
		run := mustRun(t, s, firstNight)
		if _, err := s.SaveImport(ctx, importOf(run, "first", 20523, 6_080_000, "b200-sxm-180gb")); err != nil {
			t.Fatal(err)
		}
		parses, err := s.ExportParses(ctx, schema.ExportFilter{})
		if err != nil || len(parses) != 1 {
			t.Fatal(parses, err)
		}
		p := parses[0]
		if p.ParserVersion != 1 || p.Fetch.Day != firstNight || p.ImportedFrom == nil || p.ImportedFrom.Licence != "MIT" {
			t.Errorf("%+v", p)
		}
		var rejects []schema.ExportedReject
		err = s.ExportRejects(ctx, parses, func(r *schema.ExportedReject) error {
			rejects = append(rejects, *r)
			return nil
		})
		if err != nil || len(rejects) != 1 || rejects[0].FetchID != p.FetchID || rejects[0].Rule != "placeholder" || rejects[0].Label != "row 2" {
			t.Errorf("%+v, %v", rejects, err)
		}
		early := schema.ExportFilter{KnownBy: time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)}
		if parses, err := s.ExportParses(ctx, early); err != nil || len(parses) != 0 {
			t.Errorf("known before it was imported: %+v, %v", parses, err)
		}
	})
}
