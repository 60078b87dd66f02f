package store_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mtok/schema"
	"mtok/schema/store"
)

func TestNoticeSpans(t *testing.T) {
	type step struct {
		day    schema.Day // after firstNight
		status schema.RunStatus
		said   bool
	}
	const complete, partial, failed = schema.StatusComplete, schema.StatusPartial, schema.StatusFailed
	for _, test := range []struct {
		name  string
		steps []step
		want  []string
	}{
		{"first", []step{{0, complete, true}}, []string{"0-0 day 0"}},
		{"goes on", []step{{0, complete, true}, {1, complete, true}}, []string{"0-1 day 1"}},
		{"over nights that did not answer", []step{{0, complete, true}, {1, failed, false}, {2, partial, false}, {5, complete, true}},
			[]string{"0-5 day 5"}},
		{"ended and came back", []step{{0, complete, true}, {1, complete, false}, {2, complete, true}},
			[]string{"0-0 day 0", "2-2 day 2"}},
		{"same night again", []step{{0, complete, true}, {1, complete, true}, {1, complete, true}}, []string{"0-1 day 1"}},
		{"same night without it", []step{{0, complete, true}, {1, complete, true}, {1, complete, false}}, []string{"0-0 day 1"}},
		{"only night without it", []step{{0, complete, true}, {0, complete, false}}, nil},
		{"an older night later", []step{{3, complete, true}, {0, complete, true}}, []string{"0-3 day 3"}},
		{"inside a span", []step{{0, complete, true}, {4, complete, true}, {2, complete, true}}, []string{"0-4 day 4"}},
		{"joins two spans", []step{{0, complete, true}, {1, complete, false}, {2, complete, true}, {1, complete, true}},
			[]string{"0-2 day 2"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			eachBackend(t, func(t *testing.T, c store.Config) {
				s := mustOpen(t, c, store.Create)
				for _, step := range test.steps {
					run := mustRun(t, s, firstNight+step.day)
					n := nightOf(run, step.status)
					if step.said {
						n.Notices = []schema.Notice{{
							Provider: "lambda", Kind: schema.NoticeNoPublicPrice,
							Detail: fmt.Sprintf("day %d", step.day), FetchID: mustFetch(t, s, run).ID,
						}}
					}
					mustSave(t, s, n)
					mustFinish(t, s, run)
				}
				notices, err := s.Notices(context.Background())
				if err != nil {
					t.Fatal(err)
				}
				var got []string
				for _, n := range notices {
					got = append(got, fmt.Sprintf("%d-%d %s", n.Since-firstNight, n.Last-firstNight, n.Detail))
				}
				if diff := cmp.Diff(test.want, got); diff != "" {
					t.Errorf("spans (-want +got):\n%s", diff)
				}
			})
		})
	}
}
