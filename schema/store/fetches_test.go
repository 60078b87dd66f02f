package store_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mtok/schema"
	"mtok/schema/store"
)

func TestArchive(t *testing.T) {
	eachBackend(t, func(t *testing.T, c store.Config) {
		ctx := context.Background()
		s := mustOpen(t, c, store.Create)
		run := mustRun(t, s, firstNight)
		page := newPage(strings.Repeat("<td>$3.99</td>\x00\xff", 10_000))

		want := newFetch(run)
		want.PageSHA256 = page.SHA256
		for range 2 { // the same body twice is one page
			id, err := s.SaveFetch(ctx, newFetch(run), page)
			if err != nil {
				t.Fatal(err)
			}
			want.ID = id
		}
		got, err := s.Fetch(ctx, want.ID)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("fetch (-want +got):\n%s", diff)
		}
		body, err := s.Page(ctx, page.SHA256)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(*page, body); diff != "" {
			t.Errorf("page (-want +got):\n%s", diff)
		}

		stats, err := s.Stats(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if stats.Pages != 1 || stats.Fetches != 2 || stats.PageBytes != int64(len(page.Body)) {
			t.Errorf("got %+v, want 1 page of %d bytes and 2 fetches", stats, len(page.Body))
		}
		if stats.StoredBytes >= stats.PageBytes || stats.Bytes == 0 {
			t.Errorf("got %+v, want a compressed body", stats)
		}
		if _, err := s.Page(ctx, strings.Repeat("0", 64)); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("unknown page: got %v, want ErrNotFound", err)
		}
		if _, err := s.Fetch(ctx, 99); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("unknown fetch: got %v, want ErrNotFound", err)
		}
	})
}

func TestArchiveRefusesWrongHash(t *testing.T) {
	eachBackend(t, func(t *testing.T, c store.Config) {
		ctx := context.Background()
		s := mustOpen(t, c, store.Create)
		run := mustRun(t, s, firstNight)
		wrong := newPage("one")
		wrong.Body = []byte("two")
		if _, err := s.SaveFetch(ctx, newFetch(run), wrong); !errors.Is(err, store.ErrHash) {
			t.Errorf("save: got %v, want ErrHash", err)
		}
		if got, err := s.Fetches(ctx, schema.FetchFilter{}); err != nil || len(got) != 0 {
			t.Errorf("the refused fetch is kept: %v, %v", got, err)
		}

		f := mustFetch(t, s, run)
		other := newPage("another body")
		if _, err := s.SaveFetch(ctx, newFetch(run), other); err != nil {
			t.Fatal(err)
		}
		mustExec(t, s.Writer(), "UPDATE pages SET body = (SELECT p.body FROM pages p WHERE p.sha256 = $1) WHERE sha256 = $2",
			other.SHA256, f.PageSHA256)
		if _, err := s.Page(ctx, f.PageSHA256); !errors.Is(err, store.ErrHash) {
			t.Errorf("swapped body: got %v, want ErrHash", err)
		}
		mustExec(t, s.Writer(), "UPDATE pages SET body = $1 WHERE sha256 = $2", []byte("no zstd"), f.PageSHA256)
		if _, err := s.Page(ctx, f.PageSHA256); !errors.Is(err, store.ErrHash) {
			t.Errorf("broken body: got %v, want ErrHash", err)
		}
	})
}

func TestFetchFilters(t *testing.T) {
	eachBackend(t, func(t *testing.T, c store.Config) {
		ctx := context.Background()
		s := mustOpen(t, c, store.Create)
		first := mustRun(t, s, firstNight)
		a := mustFetch(t, s, first)
		mustFinish(t, s, first)
		second := mustRun(t, s, firstNight+1)
		b := mustFetch(t, s, second)
		other := newFetch(second)
		other.Provider = "crusoe"
		id, err := s.SaveFetch(ctx, other, nil)
		if err != nil {
			t.Fatal(err)
		}

		for _, test := range []struct {
			name   string
			filter schema.FetchFilter
			want   []int64
		}{
			{"all", schema.FetchFilter{}, []int64{a.ID, b.ID, id}},
			{"run", schema.FetchFilter{RunID: second.ID}, []int64{b.ID, id}},
			{"from", schema.FetchFilter{FromDay: firstNight + 1}, []int64{b.ID, id}},
			{"to", schema.FetchFilter{ToDay: firstNight}, []int64{a.ID}},
			{"provider", schema.FetchFilter{Provider: "lambda"}, []int64{a.ID, b.ID}},
			{"none", schema.FetchFilter{Provider: "nobody"}, nil},
		} {
			fetches, err := s.Fetches(ctx, test.filter)
			if err != nil {
				t.Fatal(err)
			}
			var got []int64
			for _, f := range fetches {
				got = append(got, f.ID)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", test.name, diff)
			}
		}
	})
}

func TestLastFetch(t *testing.T) {
	eachBackend(t, func(t *testing.T, c store.Config) {
		ctx := context.Background()
		s := mustOpen(t, c, store.Create)
		run := mustRun(t, s, firstNight)
		if _, ok, err := s.LastFetch(ctx, "lambda", "pricing-page", "", true); ok || err != nil {
			t.Fatalf("empty archive: got %t, %v", ok, err)
		}
		good := mustFetch(t, s, run)
		unchanged := newFetch(run)
		unchanged.Status, unchanged.PageSHA256 = 304, good.PageSHA256
		id, err := s.SaveFetch(ctx, unchanged, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, change := range []func(*schema.Fetch){
			func(f *schema.Fetch) { f.Origin = schema.OriginRecorded },
			func(f *schema.Fetch) { f.Status = 404 },
			func(f *schema.Fetch) { f.ErrorKind = "blocked" },
			func(f *schema.Fetch) { f.PageSHA256 = "" },
			func(f *schema.Fetch) { f.Key = "other" },
			func(f *schema.Fetch) { f.Source = "other" },
		} {
			f := unchanged
			f.Status = 200
			change(&f)
			if _, err := s.SaveFetch(ctx, f, nil); err != nil {
				t.Fatal(err)
			}
		}
		got, ok, err := s.LastFetch(ctx, "lambda", "pricing-page", "", true)
		if err != nil || !ok || got.ID != id || got.ETag != `"a"` {
			t.Errorf("got fetch %d (%t, %v), want %d", got.ID, ok, err, id)
		}
	})
}

func TestUnknownPageIsRefused(t *testing.T) {
	eachBackend(t, func(t *testing.T, c store.Config) {
		s := mustOpen(t, c, store.Create)
		f := newFetch(mustRun(t, s, firstNight))
		f.PageSHA256 = strings.Repeat("0", 64)
		if _, err := s.SaveFetch(context.Background(), f, nil); err == nil {
			t.Error("a fetch of a page that is not stored was saved")
		}
	})
}
