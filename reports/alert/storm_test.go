package alert_test

import (
	"slices"
	"strconv"
	"testing"

	"mtok/reports/alert"
	"mtok/schema"
)

// Ten thousand offers that move in one night are found, each once.
func TestTenThousandMovesInOneNight(t *testing.T) {
	const offers = 10_000
	var readings []alert.Reading
	for i := range offers {
		class := schema.ClassID("chip" + strconv.Itoa(i) + "-sxm-80gb")
		with := func(r *alert.Reading) { r.Class = class }
		readings = append(readings, listed("page", with, span{"2026-01-01", "2026-01-03", "4.29"}, span{"2026-01-04", "2026-01-05", "3.99"})...)
	}
	r := moves(t, readings)
	if len(r.Events) != offers {
		t.Errorf("told %d, want %d", len(r.Events), offers)
	}
	ids := map[string]bool{}
	for _, e := range r.Events {
		ids[e.ID()] = true
	}
	if len(ids) != offers || !slices.IsSortedFunc(r.Events, func(a, b alert.Event) int { return int(a.Day - b.Day) }) {
		t.Errorf("%d ids of %d events", len(ids), offers)
	}
}
