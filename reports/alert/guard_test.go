package alert_test

import (
	"slices"
	"testing"

	"mtok/reports/alert"
	"mtok/schema"
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
	wantEvents(t, moves(t, listed("page", secure, half...), listed("api", nil, half...)), "2026-01-07 4.29->2.145")
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

func TestAUnitRatioOfTwoSourcesForANightIsNone(t *testing.T) {
	for _, to := range []string{"2.145", "8.58"} {
		blink := []span{{"2026-01-01", "2026-01-05", "4.29"}, {"2026-01-06", "2026-01-06", to}, {"2026-01-07", "2026-01-20", "4.29"}}
		wantEvents(t, moves(t, listed("page", nil, blink...), listed("api", nil, blink...)))
	}
}

func TestTwoSourcesAtOneNewPriceAreOneEvent(t *testing.T) {
	// The second source missed the price between.
	first := []span{{"2026-01-01", "2026-01-05", "4.29"}, {"2026-01-06", "2026-01-09", "3.99"}, {"2026-01-10", "2026-01-13", "3.59"}}
	lags := []span{{"2026-01-01", "2026-01-09", "4.29"}, {"2026-01-10", "2026-01-13", "3.59"}}
	nameless := func(r *alert.Reading) { r.Class, r.Name, r.GPUs = "", "h200", 0 }
	uncounted := func(r *alert.Reading) { r.GPUs = 0 }
	wantEvents(t, moves(t, listed("page", nil, first...), listed("hint", nameless, first[:2]...), listed("api", uncounted, lags...)),
		"2026-01-06 4.29->3.99", "2026-01-11 3.99->3.59")
}

func TestADropWaitsWhileAnotherSourceListsThePriceLastTold(t *testing.T) {
	told := []span{{"2026-01-01", "2026-01-05", "4.29"}, {"2026-01-06", "2026-01-15", "3.99"}}
	lags := []span{{"2026-01-01", "2026-01-07", "4.29"}, {"2026-01-08", "2026-01-15", "3.59"}}
	nameless := func(r *alert.Reading) { r.Class, r.Name, r.GPUs = "", "h200", 0 }
	wantEvents(t, moves(t, listed("page", nil, told...), listed("hint", nameless, told...), listed("api", nil, lags...)), "2026-01-06 4.29->3.99")
}

// A night that lists the offer no more, confirmed by a person, says nothing of a
// price that waits.
func TestAConfirmedNightWithoutTheOfferTellsNothing(t *testing.T) {
	_, in := reader(t)
	other := func(r *alert.Reading) { r.GPUs = 8 }
	in.Readings = slices.Concat(
		listed("page", nil, span{"2026-01-01", "2026-01-05", "4.29"}, span{"2026-01-06", "2026-01-08", "2.145"}),
		listed("page", other, span{"2026-01-01", "2026-01-10", "4.49"}))
	in.Confirmed = []alert.Confirmed{{Provider: "crusoe", Day: day("2026-01-09")}}
	wantEvents(t, alert.Moves(in))
	in.Confirmed[0].Day = day("2026-01-08")
	wantEvents(t, alert.Moves(in), "2026-01-08 4.29->2.145")
}

// A spell goes on over nights that nobody ran and ends with a complete one.
func TestASpellOutlastsNightsThatNobodyRan(t *testing.T) {
	_, in := reader(t)
	for d, state := range map[string]alert.NightState{
		"2026-01-01": alert.NightPartial, "2026-01-02": alert.NightPartial, "2026-01-05": alert.NightQuarantined,
		"2026-01-07": alert.NightComplete, "2026-01-08": alert.NightPartial,
	} {
		in.Nights = append(in.Nights, alert.Night{Day: day(d), Provider: "crusoe", State: state},
			alert.Night{Day: day(d), Provider: "lambda", State: alert.NightPartial})
	}
	var got []string
	for _, n := range alert.Moves(in).Inhibited {
		got = append(got, n.Day.String()+" "+string(n.Provider))
	}
	if want := []string{"2026-01-01 crusoe", "2026-01-01 lambda", "2026-01-08 crusoe"}; !slices.Equal(got, want) {
		t.Errorf("said %q, want %q", got, want)
	}
}

// Two forms of one price that move together are both told where the source names
// them by its own keys; one that takes the other's old price waits all the same.
func TestFormsOfOnePriceThatMoveTogether(t *testing.T) {
	form := func(class schema.ClassID, keyed bool, spans ...span) []alert.Reading {
		return listed("page", func(r *alert.Reading) { r.Class, r.Keyed = class, keyed }, spans...)
	}
	up := []span{{"2026-01-01", "2026-01-05", "1.99"}, {"2026-01-06", "2026-01-12", "2.29"}}
	both := func(keyed bool) alert.Result {
		return moves(t, form("a100-sxm-40gb", keyed, up...), form("a100-pcie-40gb", keyed, up...))
	}
	wantEvents(t, both(true), "2026-01-07 1.99->2.29", "2026-01-07 1.99->2.29")
	wantEvents(t, both(false))
	wantEvents(t, moves(t, form("a100-sxm-40gb", true, up...), form("a100-pcie-40gb", true, span{"2026-01-01", "2026-01-12", "2.29"})))
}

func TestAnEventTakesItsCountFromASourceThatSaysIt(t *testing.T) {
	uncounted := func(r *alert.Reading) { r.GPUs = 0 }
	spans := []span{{"2026-01-01", "2026-01-05", "4.29"}, {"2026-01-06", "2026-01-07", "3.99"}}
	r := moves(t, listed("api", uncounted, spans...), listed("page", nil, span{"2026-01-07", "2026-01-07", "3.99"}))
	if wantEvents(t, r, "2026-01-07 4.29->3.99"); len(r.Events) == 1 && r.Events[0].GPUs != 1 {
		t.Errorf("%d GPUs, want 1", r.Events[0].GPUs)
	}
	r = moves(t, listed("api", uncounted, spans...), listed("page", nil, span{"2026-01-07", "2026-01-07", "4.29"}))
	for _, e := range r.Events {
		t.Errorf("%+v: the page contradicts it", e)
	}
}
