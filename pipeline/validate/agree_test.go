package validate_test

import (
	"slices"
	"testing"

	"mtok/pipeline/validate"
	"mtok/schema"
	"mtok/scrapers"
)

// heldNight is a quarantine of a day before tonight; whole, or of rows of a night
// that is published beside them.
func heldNight(id int64, daysAgo schema.Day, rule string, whole bool, rows ...schema.Observation) validate.Held {
	return validate.Held{
		Quarantine: schema.Quarantine{ID: id, Day: tonight - daysAgo, Rule: rule, State: schema.QuarantineHeld}, Rows: rows, Whole: whole,
	}
}

// older makes a baseline of nights that end so many days before tonight.
func older(days schema.Day, nights ...[]schema.Observation) validate.Baseline {
	var known []schema.KnownOffer
	for i, rows := range nights {
		for _, o := range rows {
			known = append(known, schema.KnownOffer{Offer: o.Offer, Class: o.Class, Day: tonight - days - schema.Day(i), USDPerGPUHour: o.USDPerGPUHour})
		}
	}
	return validate.NewBaseline(tonight, known, func(schema.Day) bool { return true })
}

func TestNextNightConfirms(t *testing.T) {
	jumped := repriced(map[int]string{0: "4.10", 2: "6.10"}) // from 2.19 and 3.19
	near := repriced(map[int]string{0: "4.17", 2: "6.10"})   // within 2 % of it
	far := repriced(map[int]string{0: "4.20", 2: "6.10"})    // not
	short := list()[:8]
	flipped := repriced(map[int]string{0: "17.52", 2: "25.52"})
	for _, c := range []struct {
		name     string
		night    []schema.Observation
		held     []validate.Held
		baseline validate.Baseline
		rule     string // of what is held tonight
		confirms []int64
	}{
		{"nothing is held", jumped, nil, older(2, list()), "price_jump", nil},
		{"the same prices", jumped, []validate.Held{heldNight(1, 1, "price_jump", true, jumped...)}, older(2, list()), "", []int64{1}},
		{"within 2 %", near, []validate.Held{heldNight(1, 1, "price_jump", true, jumped...)}, older(2, list()), "", []int64{1}},
		{"beyond 2 %", far, []validate.Held{heldNight(1, 1, "price_jump", true, jumped...)}, older(2, list()), "price_jump", nil},
		{"back again", list(), []validate.Held{heldNight(1, 1, "price_jump", true, jumped...)}, older(2, list()), "", nil},
		{"a night in between said otherwise", jumped, []validate.Held{heldNight(1, 2, "price_jump", true, jumped...)}, older(1, list()), "price_jump", nil},
		{"two held nights that disagree", jumped, []validate.Held{
			heldNight(1, 2, "price_jump", true, jumped...), heldNight(2, 1, "price_jump", true, far...),
		}, older(3, list()), "price_jump", nil},
		{"the newer of two held nights", far, []validate.Held{
			heldNight(1, 2, "price_jump", true, jumped...), heldNight(2, 1, "price_jump", true, far...),
		}, older(3, list()), "", []int64{2}},
		{"fewer rows again", short, []validate.Held{heldNight(1, 1, "rows", true, short...)}, older(2, append(list(), row("h100", "x", "2.2"))), "", []int64{1}},
		{"fewer rows, but others", list()[2:10], []validate.Held{heldNight(1, 1, "rows", true, short...)}, older(2, append(list(), row("h100", "x", "2.2"))), "rows", nil},
		{"a unit that is misread every night", flipped, []validate.Held{heldNight(1, 1, "unit_ratio", true, flipped...)}, older(2, list()), "unit_ratio", nil},
		{"a jump within a misread night", jumped, []validate.Held{heldNight(1, 1, "unit_ratio", true, jumped...)}, older(2, list()), "price_jump", nil},
		{"an undecided night that has no baseline any more", flipped, []validate.Held{heldNight(1, 1, "unit_ratio", true, flipped...)}, validate.Baseline{}, "unit_ratio", nil},
		{"a jump that has no baseline any more", jumped, []validate.Held{heldNight(1, 1, "price_jump", true, jumped...)}, validate.Baseline{}, "", []int64{1}},
		{"a band that is judged otherwise today", list(), []validate.Held{heldNight(1, 1, "canary_price_band", true, list()...)}, older(2, list()), "", nil},
		{"a held offer of which nothing is kept", list(), []validate.Held{heldNight(1, 1, "price_jump", false)}, older(2, list()), "", nil},
		{"fewer rows again, but not in between", short, []validate.Held{heldNight(1, 2, "rows", true, short...)}, older(1, append(list(), row("h100", "x", "2.2"))), "rows", nil},
		{"an older held night that a newer one contradicts", jumped, []validate.Held{
			heldNight(1, 2, "price_jump", true, jumped...), heldNight(2, 1, "price_jump", true, far...),
		}, validate.Baseline{}, "", nil},
		{"an offer that was new in a misread night", append(list(), row("r100", "r100", "9.10")), []validate.Held{
			heldNight(1, 1, "unit_ratio", true, append(flipped, row("r100", "r100", "9.10"))...),
		}, older(2, list()), "", nil},
		{"a changed class has nothing to agree with", jumped, []validate.Held{heldNight(1, 1, "class_changed", true, jumped...)}, validate.Baseline{}, "class_changed", nil},
	} {
		got := validate.Decided(nightOf(c.night, c.baseline), c.held)
		rule := ""
		if got.Hold != nil {
			rule = got.Hold.Rule
		}
		if rule != c.rule || !slices.Equal(got.Confirms, c.confirms) {
			t.Errorf("%s: holds by %q, confirms %v; want %q, %v", c.name, rule, got.Confirms, c.rule, c.confirms)
		}
	}
}

// longList is a list of which one offer is no tenth.
func longList(price string) []schema.Observation {
	rows := repriced(map[int]string{0: price})
	for _, class := range []string{"a10", "l4"} {
		rows = append(rows, row(class, class, "0.79"))
	}
	return rows
}

func TestSingleOfferIsHeldAndConfirmedAlone(t *testing.T) {
	jumped, flipped := longList("4.10"), longList("17.52")
	only := func(o schema.Observation) []schema.OfferKey { return []schema.OfferKey{o.Offer.OfferKey} }
	rest := longList("2.19")[1:] // published beside the held offer
	before := func() validate.Baseline { return older(1, rest, longList("2.19")) }

	got := validate.Decided(nightOf(jumped, older(1, longList("2.19"))), nil)
	if got.Hold == nil || !slices.Equal(got.Hold.Offers, only(jumped[0])) {
		t.Fatalf("the first night: %+v", got)
	}
	waits := []validate.Held{heldNight(7, 1, "price_jump", false, jumped[0])}
	if got = validate.Decided(nightOf(jumped, before()), waits); got.Hold != nil || !slices.Equal(got.Confirms, []int64{7}) {
		t.Errorf("the second night: %+v, want 7 confirmed", got)
	}
	partial := nightOf(jumped, before())
	partial.Complete = false
	if got = validate.Decided(partial, waits); got.Hold == nil || got.Confirms != nil {
		t.Errorf("a partial night confirms: %+v", got)
	}
	if got = validate.Decided(nightOf(longList("2.19"), before()), waits); got.Hold != nil || got.Confirms != nil {
		t.Errorf("a price that is back: %+v", got)
	}
	another := longList("4.10")
	another[4].USDPerGPUHour = dollars("9.00")
	if got = validate.Decided(nightOf(another, before()), waits); got.Hold == nil || !slices.Equal(got.Hold.Offers, only(another[4])) || !slices.Equal(got.Confirms, []int64{7}) {
		t.Errorf("another jump: %+v, want it held alone and 7 confirmed", got)
	}
	banded := nightOf(jumped, before())
	banded.Expect.Bands = []scrapers.PriceBand{{Class: "h100", Term: schema.TermOnDemand, Band: schema.Band{Low: dollars("1.00"), High: dollars("4.00")}}}
	if got = validate.Decided(banded, waits); got.Hold == nil || got.Confirms != nil {
		t.Errorf("held by another rule tonight: %+v, want nothing confirmed", got)
	}
	misread := []validate.Held{heldNight(8, 1, "unit_ratio", false, flipped[0])}
	if got = validate.Decided(nightOf(flipped, older(1, rest)), misread); got.Hold == nil || !slices.Equal(got.Hold.Offers, only(flipped[0])) {
		t.Errorf("an undecided offer without a baseline: %+v", got)
	}
}

func TestMarketConfirmsByMostOfItsAsks(t *testing.T) {
	before := older(2, deep("H100 SXM", 12, 200))
	dear := deep("H100 SXM", 12, 650)
	waits := []validate.Held{heldNight(1, 1, "market_jump", true, dear...)}
	again := deep("H100 SXM", 12, 650)
	again[3].USDPerGPUHour = dollars("9.10") // one host of twelve
	if got := validate.Decided(nightOf(again[:10], before), waits); got.Hold != nil || !slices.Equal(got.Confirms, []int64{1}) {
		t.Errorf("most asks stand: %+v", got)
	}
	few := []validate.Held{heldNight(1, 1, "market_jump", true, dear[:5]...)}
	if got := validate.Decided(nightOf(dear, before), few); got.Hold == nil {
		t.Errorf("five of twelve asks were there: %+v", got)
	}
	if got := validate.Decided(nightOf(deep("H100 SXM", 12, 750), before), waits); got.Hold == nil || got.Confirms != nil {
		t.Errorf("other prices: %+v", got)
	}
}

func TestEveryRuleHasItsPlace(t *testing.T) {
	for rule, self := range map[string]bool{
		validate.RuleReclassified: false, validate.RuleUnitRatio: false, validate.RuleProviderBand: false, validate.RulePlaceholder: false,
		validate.RuleOneValue: false, validate.RuleSpotCopy: false, validate.RuleShareMoved: true, validate.RuleJump: true,
		validate.RuleMarketJump: true, validate.RuleClassMissing: true, validate.RuleMinOffers: true, validate.RuleRows: true,
		validate.RuleClassGone: true, validate.RuleUnmatched: true,
	} {
		if validate.SelfConfirms(rule) != self || validate.Confirmable(rule) != (rule != validate.RuleReclassified) {
			t.Errorf("%s: confirms itself %t, by hand %t", rule, validate.SelfConfirms(rule), validate.Confirmable(rule))
		}
	}
}
