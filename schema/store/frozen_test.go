package store_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mtok/schema"
	"mtok/schema/store"
)

func TestPageSince(t *testing.T) {
	eachBackend(t, func(t *testing.T, c store.Config) {
		ctx := context.Background()
		s := mustOpen(t, c, store.Create)
		page := func(day schema.Day, body, kind string) string {
			run := mustRun(t, s, day)
			f, p := newFetch(run), newPage(body)
			f.ErrorKind = kind
			if _, err := s.SaveFetch(ctx, f, p); err != nil {
				t.Fatal(err)
			}
			mustFinish(t, s, run)
			return p.SHA256
		}
		stands := page(firstNight, "now", "")
		other := page(firstNight+1, "then", "")
		page(firstNight+2, "now", "")
		page(firstNight+2, "now", "") // a rerun is no other night
		page(firstNight+3, "a challenge", "blocked")
		page(firstNight+4, "now", "")
		page(firstNight+6, "later", "")
		for _, test := range []struct {
			name   string
			page   string
			day    schema.Day
			since  schema.Day
			nights int
		}{
			{"over a failed night", stands, firstNight + 4, firstNight + 2, 2},
			{"on its first day", stands, firstNight, firstNight, 1},
			{"on another's day", stands, firstNight + 6, 0, 0},
			{"one that did not last", other, firstNight + 1, firstNight + 1, 1},
			{"none", "0", firstNight, 0, 0},
		} {
			since, nights, err := s.PageSince(ctx, "lambda", "pricing-page", test.page, test.day)
			if err != nil || since != test.since || nights != test.nights {
				t.Errorf("%s: %d nights since %s, %v; want %d since %s", test.name, nights, since, err, test.nights, test.since)
			}
		}
	})
}

func TestMovedProviders(t *testing.T) {
	eachBackend(t, func(t *testing.T, c store.Config) {
		s := mustOpen(t, c, store.Create)
		saveDay(t, s, firstNight, 3_990_000)
		saveDay(t, s, firstNight+1, 4_190_000)
		saveDay(t, s, firstNight+2, 4_190_000)
		holdDay(t, s, firstNight+3, 31_920_000)
		for _, test := range []struct {
			name     string
			but      schema.ProviderID
			from, to schema.Day
			want     []schema.ProviderID
		}{
			{"a move", "crusoe", firstNight, firstNight + 2, []schema.ProviderID{"lambda"}},
			{"its own", "lambda", firstNight, firstNight + 2, []schema.ProviderID{}},
			{"a held price is none", "crusoe", firstNight + 1, firstNight + 3, []schema.ProviderID{}},
		} {
			got, err := s.MovedProviders(context.Background(), test.but, test.from, test.to)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", test.name, diff)
			}
		}
	})
}
