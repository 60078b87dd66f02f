package alert_test

import (
	"slices"
	"testing"

	"mtok/reports/alert"
	"mtok/schema"
)

func TestMoveToldOnItsSecondNight(t *testing.T) {
	wantEvents(t, moves(t, listed("page", nil, span{"2026-01-01", "2026-01-05", "4.29"}, span{"2026-01-06", "2026-01-07", "4.19"})),
		"2026-01-07 4.29->4.19")
}

func TestMoveOfTwoSourcesToldAtOnce(t *testing.T) {
	// Cuts of 1, 3, 9 and 50 %; the last is a unit ratio and must stand as well.
	for to, day := range map[string]string{"4.2471": "06", "4.1613": "06", "3.9039": "06", "2.145": "07"} {
		spans := []span{{"2026-01-01", "2026-01-05", "4.29"}, {"2026-01-06", "2026-01-12", to}}
		wantEvents(t, moves(t, listed("page", nil, spans...), listed("api", nil, spans...)), "2026-01-"+day+" 4.29->"+to)
	}
}

func TestMoveSecondSourceMayBeLateAndNameless(t *testing.T) {
	half := []span{{"2026-01-01", "2026-01-05", "4.29"}, {"2026-01-06", "2026-01-20", "2.145"}}
	late := []span{{"2026-01-01", "2026-01-09", "4.29"}, {"2026-01-10", "2026-01-20", "2.145"}}
	nameless := func(r *alert.Reading) { r.Class, r.Name, r.GPUs = "", "h200", 0 }
	r := moves(t, listed("page", nil, half...), listed("api", nameless, late...))
	wantEvents(t, r, "2026-01-10 4.29->2.145")
	if want := []string{"api", "page"}; !slices.Equal(r.Events[0].Sources, want) || r.Events[0].Since != day("2026-01-06") {
		t.Errorf("since %s by %q, want 2026-01-06 by %q", r.Events[0].Since, r.Events[0].Sources, want)
	}
	tooLate := []span{{"2026-01-01", "2026-01-14", "4.29"}, {"2026-01-15", "2026-01-20", "2.145"}}
	wantEvents(t, moves(t, listed("page", nil, half...), listed("api", nil, tooLate...)))
	other := func(r *alert.Reading) { r.Class, r.Name = "", "h100" }
	wantEvents(t, moves(t, listed("page", nil, half...), listed("api", other, late...)))
}

func TestMoveTheNightAfterAConfirmedOne(t *testing.T) {
	nameless := func(r *alert.Reading) { r.Class, r.Name = "", "h200" }
	spans := []span{{"2026-01-01", "2026-01-05", "4.29"}, {"2026-01-06", "2026-01-07", "3.99"}, {"2026-01-08", "2026-01-09", "3.79"}}
	wantEvents(t, moves(t, listed("page", nil, spans...), listed("api", nameless, spans...), listed("late", nil, spans[:2]...)),
		"2026-01-06 4.29->3.99", "2026-01-08 3.99->3.79")
}

func TestMovesThatAreNone(t *testing.T) {
	base := span{"2026-01-01", "2026-01-05", "4.29"}
	for name, readings := range map[string][]alert.Reading{
		"one night":           listed("page", nil, base, span{"2026-01-06", "2026-01-06", "3.99"}, span{"2026-01-07", "2026-01-15", "4.29"}),
		"a unit ratio":        listed("page", nil, base, span{"2026-01-06", "2026-01-15", "2.145"}),
		"a unit ratio up":     listed("page", nil, base, span{"2026-01-06", "2026-01-15", "17.25"}),
		"nearly a unit ratio": listed("page", nil, base, span{"2026-01-06", "2026-01-15", "2.16"}),
		"an old price": slices.Concat(listed("page", nil, base, span{"2026-01-06", "2026-01-15", "3.99"}),
			listed("page", func(r *alert.Reading) { r.GPUs = 8 }, span{"2025-12-24", "2025-12-26", "3.99"})),
		"outside the band":     listed("page", nil, base, span{"2026-01-06", "2026-01-15", "0.5"}),
		"read once before":     listed("page", nil, span{"2026-01-05", "2026-01-05", "4.29"}, span{"2026-01-06", "2026-01-15", "3.99"}),
		"a gap of five nights": listed("page", nil, base, span{"2026-01-10", "2026-01-15", "3.99"}),
		"spot":                 listed("page", func(r *alert.Reading) { r.Term = schema.TermSpot }, base, span{"2026-01-06", "2026-01-15", "3.99"}),
		"nameless":             listed("page", func(r *alert.Reading) { r.Class, r.Name = "", "h200" }, base, span{"2026-01-06", "2026-01-15", "3.99"}),
		"a drop by an aggregator": listed("page", func(r *alert.Reading) { r.Provenance = alert.Aggregator }, base,
			span{"2026-01-06", "2026-01-15", "3.99"}),
		"a table by hand":   listed("page", func(r *alert.Reading) { r.Provenance = alert.Static }, base, span{"2026-01-06", "2026-01-15", "4.99"}),
		"a median":          listed("page", func(r *alert.Reading) { r.Provenance = alert.ReportMedian }, base, span{"2026-01-06", "2026-01-15", "4.99"}),
		"a minimum":         listed("page", func(r *alert.Reading) { r.Provenance = alert.Minimum }, base, span{"2026-01-06", "2026-01-15", "4.99"}),
		"held":              held(listed("page", nil, base, span{"2026-01-06", "2026-01-15", "3.99"})),
		"carried":           carried(listed("page", nil, base, span{"2026-01-06", "2026-01-15", "3.99"})),
		"a new offer":       listed("page", nil, base, span{"2026-01-06", "2026-01-15", "4.29"}, span{"2026-01-06", "2026-01-15", "3.99"}),
		"an offer gone":     listed("page", nil, base, span{"2026-01-01", "2026-01-05", "4.99"}, span{"2026-01-06", "2026-01-15", "4.29"}),
		"two that go apart": listed("page", nil, base, span{"2026-01-01", "2026-01-05", "4.99"}, span{"2026-01-06", "2026-01-15", "4.19"}, span{"2026-01-06", "2026-01-15", "5.49"}),
	} {
		if got := moves(t, readings); len(got.Events) > 0 {
			t.Errorf("%s: told %q", name, brief(got.Events))
		}
	}
}

func held(readings []alert.Reading) []alert.Reading {
	for i := range readings {
		readings[i].Held = readings[i].Price != usd("4.29")
	}
	return readings
}

func carried(readings []alert.Reading) []alert.Reading {
	for i := range readings {
		readings[i].Carried = readings[i].Day > day("2026-01-06")
	}
	return readings
}

func TestMoveNewCheaperOfferIsToldApart(t *testing.T) {
	r := moves(t, listed("page", nil, span{"2026-01-01", "2026-01-07", "4.29"}, span{"2026-01-06", "2026-01-07", "3.99"}))
	wantEvents(t, r)
	if len(r.Compositions) != 1 || !r.Compositions[0].Cheaper() || r.Compositions[0].Day != day("2026-01-06") {
		t.Errorf("compositions %+v, want one new cheaper offer of 2026-01-06", r.Compositions)
	}
}

func TestMoveAggregatorTellsARise(t *testing.T) {
	wantEvents(t, moves(t, listed("page", func(r *alert.Reading) { r.Provenance = alert.Aggregator },
		span{"2026-01-01", "2026-01-05", "4.29"}, span{"2026-01-06", "2026-01-08", "4.79"})), "2026-01-07 4.29->4.79")
}

func TestMoveMissingRowIsNoContradiction(t *testing.T) {
	wantEvents(t, moves(t, listed("page", nil, span{"2026-01-01", "2026-01-05", "4.29"}, span{"2026-01-06", "2026-01-06", "3.99"},
		span{"2026-01-10", "2026-01-10", "3.99"})), "2026-01-10 4.29->3.99")
}

func TestMoveWholeListByOneRatio(t *testing.T) {
	before := []string{"3.44", "3.55", "3.67", "3.78"}
	after := []string{"3.99", "4.09", "4.19", "4.29"}
	var readings []alert.Reading
	for i := range before {
		readings = append(readings, listed("page", nil, span{"2026-01-01", "2026-01-05", before[i]}, span{"2026-01-06", "2026-01-09", after[i]})...)
	}
	r := moves(t, readings)
	wantEvents(t, r, "2026-01-07 3.44->3.99")
	if len(r.Events[0].Also) != 3 {
		t.Errorf("also %+v, want the three others", r.Events[0].Also)
	}
}

func TestMoveCountsOfOneListAreOneEvent(t *testing.T) {
	gpus := func(n int) func(*alert.Reading) { return func(r *alert.Reading) { r.GPUs = n } }
	r := moves(t,
		listed("page", gpus(1), span{"2026-01-01", "2026-01-05", "6.08"}, span{"2026-01-06", "2026-01-09", "6.99"}),
		listed("page", gpus(8), span{"2026-01-01", "2026-01-05", "5.74"}, span{"2026-01-06", "2026-01-09", "6.69"}),
		// Seen a night later: the same list still.
		listed("page", gpus(2), span{"2026-01-01", "2026-01-06", "5.97"}, span{"2026-01-07", "2026-01-09", "6.89"}),
	)
	wantEvents(t, r, "2026-01-07 5.74->6.69")
	if r.Events[0].GPUs != 8 {
		t.Errorf("told for %d GPUs, want 8: the lowest price", r.Events[0].GPUs)
	}
}

func TestMoveUnitRatioOnTwoChipsIsNeverTold(t *testing.T) {
	h100 := func(r *alert.Reading) { r.Class = "h100-sxm-80gb" }
	spans := []span{{"2026-01-01", "2026-01-05", "4.29"}, {"2026-01-06", "2026-01-09", "2.145"}}
	r := moves(t, listed("page", nil, spans...), listed("api", nil, spans...), listed("page", h100, spans...), listed("api", h100, spans...))
	wantEvents(t, r)
	if len(r.Held) > 0 {
		t.Errorf("held %+v, want nothing: a change of unit is decided", r.Held)
	}
	// What follows is measured against the new unit.
	after := append(spans[:1:1], span{"2026-01-06", "2026-01-19", "2.145"}, span{"2026-01-20", "2026-01-22", "1.99"})
	wantEvents(t, moves(t, listed("page", nil, after...), listed("page", h100, spans...)), "2026-01-21 2.145->1.99")
}

func TestMoveHeldPriceIsNoBaseline(t *testing.T) {
	r := moves(t, listed("page", nil, span{"2026-01-01", "2026-01-05", "4.29"}, span{"2026-01-06", "2026-01-12", "2.145"},
		span{"2026-01-13", "2026-01-16", "2.01"}))
	wantEvents(t, r)
	if len(r.Held) != 1 || r.Held[0].From != usd("4.29") || len(r.Held[0].Why) == 0 {
		t.Errorf("held %+v, want 4.29 -> 2.01 with its reason", r.Held)
	}
}

func TestMoveAfterAHeldReturnIsMeasuredFromTheTrustedPrice(t *testing.T) {
	gpus := func(r *alert.Reading) { r.GPUs = 8 }
	wantEvents(t, moves(t,
		listed("page", gpus, span{"2026-01-01", "2026-01-03", "3.99"}),
		listed("page", nil, span{"2026-01-01", "2026-01-05", "4.29"}, span{"2026-01-06", "2026-01-12", "3.99"}, span{"2026-01-13", "2026-01-16", "3.79"})),
		"2026-01-14 4.29->3.79")
}

func TestMoveOneNightAtAToldPriceChangesNothing(t *testing.T) {
	wantEvents(t, moves(t, listed("page", nil, span{"2026-01-01", "2026-01-05", "4.29"}, span{"2026-01-06", "2026-01-12", "3.99"},
		span{"2026-01-13", "2026-01-20", "3.79"}, span{"2026-01-21", "2026-01-21", "3.99"}, span{"2026-01-22", "2026-01-24", "3.79"},
		span{"2026-01-25", "2026-01-27", "3.59"})),
		"2026-01-07 4.29->3.99", "2026-01-14 3.99->3.79", "2026-01-26 3.79->3.59")
}

func TestMoveToASiblingsPriceWaits(t *testing.T) {
	nvl := func(r *alert.Reading) { r.Class = "h200-nvl-141gb" }
	community := func(r *alert.Reading) { r.Tier = "community" }
	secure := func(r *alert.Reading) { r.Tier = "secure" }
	cut := []span{{"2026-01-01", "2026-01-05", "4.29"}, {"2026-01-06", "2026-01-09", "3.79"}}
	wantEvents(t, moves(t, listed("page", nil, cut...), listed("page", nvl, span{"2026-01-01", "2026-01-09", "3.79"})))
	wantEvents(t, moves(t, listed("page", secure, cut...), listed("page", community, span{"2026-01-01", "2026-01-09", "3.79"})))
	wantEvents(t, moves(t, listed("page", secure, cut...), listed("api", secure, cut...), listed("page", community, span{"2026-01-01", "2026-01-09", "3.79"})),
		"2026-01-06 4.29->3.79")
}

func TestMoveContradictedDropWaits(t *testing.T) {
	cut := []span{{"2026-01-01", "2026-01-05", "4.29"}, {"2026-01-06", "2026-01-12", "3.99"}}
	wantEvents(t, moves(t, listed("page", nil, cut...), listed("api", nil, span{"2026-01-01", "2026-01-12", "4.29"})))
	wantEvents(t, moves(t, listed("page", nil, cut...), listed("api", nil, span{"2026-01-01", "2026-01-08", "4.29"})), "2026-01-09 4.29->3.99")
}

func TestMoveConfirmedByAPerson(t *testing.T) {
	_, in := reader(t)
	in.Readings = listed("page", nil, span{"2026-01-01", "2026-01-05", "4.29"}, span{"2026-01-06", "2026-01-09", "2.145"})
	in.Confirmed = []alert.Confirmed{{Provider: "crusoe", Day: day("2026-01-08")}}
	wantEvents(t, alert.Moves(in), "2026-01-08 4.29->2.145")
	in.Confirmed[0].Provider = "lambda"
	wantEvents(t, alert.Moves(in))
}

// A person is the second source of one held move, and of no other of that night.
func TestMoveConfirmedByItsID(t *testing.T) {
	tier := func(tier schema.Tier) func(*alert.Reading) { return func(r *alert.Reading) { r.Tier = tier } }
	other := func(r *alert.Reading) { r.Class, r.Price = "a100-sxm-80gb", r.Price/2 }
	cut := []span{{"2026-01-01", "2026-01-05", "4.29"}, {"2026-01-06", "2026-01-12", "3.79"}}
	_, in := reader(t)
	in.Readings = slices.Concat(listed("page", tier("secure"), cut...), listed("page", tier("community"), span{"2026-01-01", "2026-01-12", "3.79"}),
		listed("page", other, span{"2026-01-01", "2026-01-05", "4.29"}, span{"2026-01-06", "2026-01-12", "2.145"}))
	held := alert.Moves(in).Held
	i := slices.IndexFunc(held, func(h alert.Held) bool { return h.Tier == "secure" })
	if len(held) != 2 || held[0].ID == held[1].ID {
		t.Fatalf("held %+v, want the cut to a sibling's price and the half", held)
	}
	in.Confirmed = []alert.Confirmed{{Provider: held[i].Provider, Day: held[i].Since, Move: held[i].ID}}
	r := alert.Moves(in)
	wantEvents(t, r, "2026-01-06 4.29->3.79")
	if len(r.Held) != 1 || r.Held[0].ID != held[1-i].ID {
		t.Errorf("held %+v, want %+v", r.Held, held[1-i])
	}
	in.Confirmed[0].Provider = "lambda"
	wantEvents(t, alert.Moves(in))
}

func TestMoveInhibitedProviderSaysSoOnce(t *testing.T) {
	_, in := reader(t)
	in.Readings = listed("page", nil, span{"2026-01-01", "2026-01-05", "4.29"}, span{"2026-01-06", "2026-01-09", "3.99"})
	for d := day("2026-01-06"); d <= day("2026-01-08"); d++ {
		in.Nights = append(in.Nights, alert.Night{Day: d, Provider: "crusoe", State: alert.NightPartial})
	}
	r := alert.Moves(in)
	wantEvents(t, r)
	if len(r.Inhibited) != 1 || r.Inhibited[0].Day != day("2026-01-06") {
		t.Errorf("inhibited %+v, want the first night alone", r.Inhibited)
	}
}

func TestDriftToldOnceItSumsUp(t *testing.T) {
	var spans []span
	price := usd("4.00")
	last := day("2026-01-10")
	spans = append(spans, span{"2026-01-01", last.String(), price.String()})
	for range 7 { // 1 % of 4.00 a night
		last, price = last+1, price-usd("0.04")
		spans = append(spans, span{last.String(), last.String(), price.String()})
	}
	wantEvents(t, moves(t, listed("page", nil, spans...)), "2026-01-15 4.00->3.80")
	wantEvents(t, moves(t, listed("page", func(r *alert.Reading) { r.Provenance = alert.Aggregator }, spans...)))
	// Two sources show the first step, and the rest sums up to 5 % of that.
	for range 6 {
		last, price = last+1, price-usd("0.04")
		spans = append(spans, span{last.String(), last.String(), price.String()})
	}
	wantEvents(t, moves(t, listed("page", nil, spans...), listed("api", nil, spans...)), "2026-01-11 4.00->3.96", "2026-01-16 3.96->3.76", "2026-01-21 3.76->3.56")
	wantEvents(t, moves(t, listed("page", nil, spans...), listed("api", nil, spans[3:]...)), "2026-01-15 4.00->3.80", "2026-01-20 3.80->3.60")
}

func TestFlappingTellsOncePerCooldown(t *testing.T) {
	var one, two []span
	for i := range 30 {
		d := (day("2026-01-05") + schema.Day(i)).String()
		one = append(one, span{d, d, []string{"4.29", "3.99"}[i%2]})
		two = append(two, span{d, d, []string{"4.29", "4.29", "3.99", "3.99"}[i%4]})
	}
	base := span{"2026-01-01", "2026-01-04", "4.29"}
	for name, spans := range map[string][]span{"every night": one, "every second night": two} {
		spans = append([]span{base}, spans...)
		for sources, r := range map[string]alert.Result{
			"one source":  moves(t, listed("page", nil, spans...)),
			"two sources": moves(t, listed("page", nil, spans...), listed("api", nil, spans...)),
		} {
			for i := 1; i < len(r.Events); i++ {
				if r.Events[i].Day-r.Events[i-1].Day < 7 {
					t.Errorf("%s, %s: told %q", name, sources, brief(r.Events))
				}
			}
			if len(r.Events) > 4 {
				t.Errorf("%s, %s: told %q", name, sources, brief(r.Events))
			}
		}
	}
}

func TestLowerPriceTellsAgainInTheCooldown(t *testing.T) {
	r := moves(t, listed("page", nil, span{"2026-01-01", "2026-01-05", "4.29"}, span{"2026-01-06", "2026-01-08", "3.99"},
		span{"2026-01-09", "2026-01-12", "3.79"}))
	wantEvents(t, r, "2026-01-07 4.29->3.99", "2026-01-10 3.99->3.79")
	// A small further rise is part of the one told.
	wantEvents(t, moves(t, listed("page", nil, span{"2026-01-01", "2026-01-05", "5.29"}, span{"2026-01-06", "2026-01-08", "5.98"},
		span{"2026-01-09", "2026-01-20", "6.08"})), "2026-01-07 5.29->5.98")
}
