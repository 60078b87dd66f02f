package store_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mtok/schema"
	"mtok/schema/store"
)

func TestFetchedBytes(t *testing.T) {
	eachBackend(t, func(t *testing.T, c store.Config) {
		ctx := context.Background()
		s := mustOpen(t, c, store.Create)
		earlier := mustRun(t, s, firstNight)
		first := mustFetch(t, s, earlier)
		mustFinish(t, s, earlier)

		run := mustRun(t, s, firstNight+1)
		save := func(p schema.ProviderID, status int, page *schema.Page, hash string) {
			f := newFetch(run)
			f.Provider, f.Status, f.PageSHA256 = p, status, hash
			if _, err := s.SaveFetch(ctx, f, page); err != nil {
				t.Fatal(err)
			}
		}
		save("lambda", 304, nil, first.PageSHA256)
		save("crusoe", 200, newPage("12345"), "")
		save("crusoe", 200, newPage("12345"), "") // fetched twice, stored once
		save("crusoe", 503, newPage("sorry"), "")
		save("vast", 0, nil, "")

		got, err := s.FetchedBytes(ctx, run.ID)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(map[schema.ProviderID]int64{"crusoe": 15}, got); diff != "" {
			t.Errorf("bytes (-want +got):\n%s", diff)
		}
	})
}

func TestSize(t *testing.T) {
	eachBackend(t, func(t *testing.T, c store.Config) {
		ctx := context.Background()
		s := mustOpen(t, c, store.Create)
		mustFetch(t, s, mustRun(t, s, firstNight))
		database, log, err := s.Size(ctx)
		if err != nil {
			t.Fatal(err)
		}
		stats, err := s.Stats(ctx)
		if err != nil {
			t.Fatal(err)
		}
		// PostgreSQL may grow between the two.
		if database <= 0 || c.Path != "" && database != stats.Bytes || log != stats.WALBytes {
			t.Errorf("size %d and %d, want %d and %d as counted by Stats", database, log, stats.Bytes, stats.WALBytes)
		}
	})
}
