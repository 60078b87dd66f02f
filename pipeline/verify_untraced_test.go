package pipeline

import (
	"testing"

	"mtok/pipeline/history"
	"mtok/schema"
)

// Fetches 1 and 2 came by our own export, 3 by an import that the other database had
// made, 4 is a night of this one and 5 an import of this one.
func TestVerifyTraces(t *testing.T) {
	v := &Verify{NotHeld: map[string]bool{"gone": true}}
	v.imports = &importedFiles{own: map[int64]bool{9: true}, files: map[int64]importedFile{
		1: {fetch: schema.Fetch{RunID: 1}, format: history.OwnName}, 2: {fetch: schema.Fetch{RunID: 1}, format: history.OwnName},
		3: {fetch: schema.Fetch{RunID: 9}, format: "nixj9"}, 5: {fetch: schema.Fetch{RunID: 8}, format: "nixj9"},
	}}
	for name, c := range map[string]struct {
		fetch int64
		page  string
		want  bool
	}{
		"put back":                {1, "gone", true},
		"put back, page known":    {1, "held", false},
		"put back, without page":  {1, "", true},
		"an import of the other":  {3, "gone", true},
		"a night's page is lost":  {4, "gone", false},
		"a night's own page":      {4, "held", false},
		"a night's price of none": {4, "", false},
		"an import lost its file": {5, "gone", false},
	} {
		if got := v.untraced(c.fetch, c.page); got != c.want {
			t.Errorf("%s: %t, want %t", name, got, c.want)
		}
	}

	seen := []schema.Observation{{FetchID: 1, PageSHA256: "gone"}, {FetchID: 2, PageSHA256: "held"}, {FetchID: 4, PageSHA256: "held"},
		{FetchID: 4, PageSHA256: "gone"}, {FetchID: 1, PageSHA256: "gone", Quarantine: 7}}
	for name, c := range map[string]struct {
		fetches        []schema.Fetch
		traced, passed int
	}{
		"one of its pages is not here": {[]schema.Fetch{{ID: 1, PageSHA256: "gone"}, {ID: 2, PageSHA256: "held"}}, 2, 2},
		"its own night":                {[]schema.Fetch{{ID: 4, PageSHA256: "held"}}, 3, 1},
	} {
		var out DayEvidence
		got := v.traced(&archivedDay{fetches: c.fetches, seen: seen}, &out)
		if len(got) != c.traced || out.Untraced != c.passed || len(out.Observations) != c.passed || out.Checked != 0 || len(out.Faults) > 0 {
			t.Errorf("%s: %d traced, %+v, want %d and %d", name, len(got), out, c.traced, c.passed)
		}
	}
}
