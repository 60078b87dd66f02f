package alert_test

import (
	"slices"
	"testing"

	"mtok/reports/alert"
)

func TestMoveFromAHeldPriceIsNone(t *testing.T) {
	// The held price comes into the list beside the old one.
	wantEvents(t, moves(t,
		listed("page", nil, span{"2026-01-01", "2026-01-05", "4.29"}, span{"2026-01-06", "2026-01-10", "2.145"}, span{"2026-01-11", "2026-01-13", "1.99"}),
		listed("page", nil, span{"2026-01-09", "2026-01-13", "4.29"})))
}

func TestListThatMovesByTwoRatiosIsNoMove(t *testing.T) {
	wantEvents(t, moves(t,
		listed("page", nil, span{"2026-01-01", "2026-01-05", "4.29"}, span{"2026-01-06", "2026-01-08", "4.39"}),
		listed("page", nil, span{"2026-01-01", "2026-01-05", "4.99"}, span{"2026-01-06", "2026-01-08", "5.99"})))
}

func TestAnotherTierDoesNotConfirm(t *testing.T) {
	secure := func(r *alert.Reading) { r.Tier = "secure" }
	community := func(r *alert.Reading) { r.Tier = "community" }
	half := []span{{"2026-01-01", "2026-01-05", "4.29"}, {"2026-01-06", "2026-01-08", "2.145"}}
	wantEvents(t, moves(t, listed("page", secure, half...), listed("api", community, half...)))
	wantEvents(t, moves(t, listed("page", secure, half...), listed("api", nil, half...)), "2026-01-06 4.29->2.145")
}

func TestAnotherCountOfACutListIsTheSameEvent(t *testing.T) {
	gpus := func(n int) func(*alert.Reading) { return func(r *alert.Reading) { r.GPUs = n } }
	r := moves(t,
		listed("page", gpus(8), span{"2026-01-01", "2026-01-05", "5.74"}, span{"2026-01-06", "2026-01-12", "5.17"}),
		listed("page", gpus(1), span{"2026-01-01", "2026-01-07", "6.08"}, span{"2026-01-08", "2026-01-12", "5.47"}))
	wantEvents(t, r, "2026-01-07 5.74->5.17")
}

func TestOneNightAtAToldPriceLeavesTheBaseline(t *testing.T) {
	wantEvents(t, moves(t, listed("page", nil, span{"2026-01-01", "2026-01-05", "5.29"}, span{"2026-01-06", "2026-01-08", "5.98"},
		span{"2026-01-09", "2026-01-12", "6.08"}, span{"2026-01-13", "2026-01-13", "5.98"}, span{"2026-01-14", "2026-01-19", "6.08"},
		span{"2026-01-20", "2026-01-22", "6.20"})), "2026-01-07 5.29->5.98", "2026-01-21 6.08->6.20")
}

func TestAMoveThatNobodyListsAnyMoreIsForgotten(t *testing.T) {
	_, in := reader(t)
	other := func(r *alert.Reading) { r.GPUs = 8 }
	in.Readings = slices.Concat(
		listed("page", nil, span{"2026-01-01", "2026-01-05", "4.29"}, span{"2026-01-06", "2026-01-07", "2.145"}),
		listed("page", other, span{"2026-01-01", "2026-02-10", "4.29"}))
	in.Confirmed = []alert.Confirmed{{Provider: "crusoe", Day: day("2026-01-30")}}
	r := alert.Moves(in)
	wantEvents(t, r)
	if len(r.Held) > 0 {
		t.Errorf("held %+v, want nothing", r.Held)
	}
}
