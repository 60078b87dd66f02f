package pipeline_test

import (
	"slices"
	"strings"
	"testing"

	"mtok/pipeline"
	"mtok/schema"
	"mtok/scrapers"
	"mtok/scrapers/recorded"
)

// TestNextNightPublishesBoth: a list that rises by half is held; the next night
// that says the same publishes both, and the held day is owed its figures.
func TestNextNightPublishesBoth(t *testing.T) {
	h := newHouse(t)
	goodNight(t, h)
	dear, other := risen(t, "lambda/pricing-page.html", 150), risen(t, "lambda/pricing-page.html", 170)
	if got := h.onNight(night, scrapers.Lambda(), dear); got.Status != schema.StatusQuarantined {
		t.Fatalf("the first dear night is %s", got.Status)
	}
	// Another price than the held one: both are held.
	if got := h.onNight(night+1, scrapers.Lambda(), other); got.Status != schema.StatusQuarantined || len(h.held()) != 2 {
		t.Fatalf("a night that disagrees is %s, %d held", got.Status, len(h.held()))
	}
	h.settle()
	if got := h.onNight(night+2, scrapers.Lambda(), other); got.Status != schema.StatusComplete {
		t.Fatalf("the night that agrees is %s: %v", got.Status, got.Err)
	}
	if a, b, c := len(h.rows(night)), len(h.rows(night+1)), len(h.rows(night+2)); a != 0 || b != 28 || c != 28 {
		t.Errorf("%d, %d and %d rows published; want none of the night that was contradicted, 28 of the others", a, b, c)
	}
	if held := h.held(); len(held) != 1 || held[0].Day != night {
		t.Errorf("held: %+v; want the first dear night", held)
	}
	if days := h.unsettled(); !slices.Equal(days, []schema.Day{night + 1, night + 2}) {
		t.Errorf("%v are owed their figures", days)
	}
	decided, err := h.store.DayQuarantines(t.Context(), "lambda", night+1)
	if err != nil || len(decided) != 1 || decided[0].State != schema.QuarantineConfirmed || decided[0].DecidedBy != "night of "+(night+2).String() {
		t.Errorf("decided %+v, %v", decided, err)
	}
	// What was confirmed is the baseline of the next.
	if got := h.onNight(night+3, scrapers.Lambda(), other); got.Status != schema.StatusComplete {
		t.Errorf("the night after is %s: %v", got.Status, got.Err)
	}
}

func (h *house) unsettled() []schema.Day {
	h.t.Helper()
	days, err := h.store.UnsettledDays(h.t.Context())
	if err != nil {
		h.t.Fatal(err)
	}
	return days
}

// settle takes all days for recomputed.
func (h *house) settle() {
	h.t.Helper()
	for _, day := range h.unsettled() {
		err := h.store.Recompute(h.t.Context(), day, func([]schema.Observation) (schema.Daily, error) { return schema.Daily{Day: day}, nil })
		if err != nil {
			h.t.Fatal(err)
		}
	}
}

// TestRerunOfTheDayConfirmsNothing: the same page on the same day is no second
// night.
func TestRerunOfTheDayConfirmsNothing(t *testing.T) {
	h := newHouse(t)
	goodNight(t, h)
	dear := risen(t, "lambda/pricing-page.html", 150)
	for range 2 {
		if got := h.onNight(night, scrapers.Lambda(), dear); got.Status != schema.StatusQuarantined {
			t.Errorf("%s, want quarantined", got.Status)
		}
	}
	if len(h.held()) != 1 || len(h.rows(night)) != 0 {
		t.Errorf("%d held, %d rows published; want the newer one held alone", len(h.held()), len(h.rows(night)))
	}
}

// TestLongHeldNightIsNoNightBefore: what was held three weeks ago has no next
// night.
func TestLongHeldNightIsNoNightBefore(t *testing.T) {
	h := newHouse(t)
	dear := risen(t, "lambda/pricing-page.html", 150)
	h.onNight(night-21, scrapers.Lambda(), recorded.Night())
	h.onNight(night-20, scrapers.Lambda(), dear)
	if got := h.onNight(night, scrapers.Lambda(), dear); got.Status != schema.StatusComplete || len(h.held()) != 1 {
		t.Errorf("%s (%v), %d held; want it published and the old one undecided", got.Status, got.Err, len(h.held()))
	}
}

func TestSingleOfferHeldIsNotGone(t *testing.T) {
	h := newHouse(t)
	goodNight(t, h)
	dear := altered(t, "lambda/pricing-page.html", "$2.29", "$3.43")
	got := h.onNight(night, scrapers.Lambda(), dear)
	if got.Status != schema.StatusPartial || got.ErrorKind != "price_jump" || !strings.Contains(got.Detail, "2.29 to 3.43") {
		t.Errorf("%s %q %q; want partial, price_jump, old and new price", got.Status, got.ErrorKind, got.Detail)
	}
	if rows := h.rows(night); len(rows) != 27 {
		t.Errorf("%d rows published, want 27 of 28", len(rows))
	}
	// A partial night does not say that an offer is gone; see reports.Freshness.
	complete, err := h.store.LastCompleteDays(t.Context())
	if err != nil || complete["lambda"] != night-1 {
		t.Errorf("the last complete night is %s, %v", complete["lambda"], err)
	}
	// Back again: nothing is held of that night, and what was held stays out.
	if got := h.onNight(night+1, scrapers.Lambda(), recorded.Night()); got.Status != schema.StatusComplete || len(h.held()) != 1 {
		t.Errorf("back again: %s (%v), %d held", got.Status, got.Err, len(h.held()))
	}
	if got := h.onNight(night+2, scrapers.Lambda(), dear); got.Status != schema.StatusPartial || len(h.held()) != 2 {
		t.Errorf("up again after a night that said otherwise: %s, %d held; want it held anew", got.Status, len(h.held()))
	}
	if got := h.onNight(night+3, scrapers.Lambda(), dear); got.Status != schema.StatusComplete || len(h.rows(night+2)) != 28 || len(h.held()) != 1 {
		t.Errorf("twice in a row: %s (%v), %d rows of the first, %d held", got.Status, got.Err, len(h.rows(night+2)), len(h.held()))
	}
}

// TestClassChangeIsRememberedOverHeldNights: the second night under the name of
// another chip has no published row of the night before to be held against.
func TestClassChangeIsRememberedOverHeldNights(t *testing.T) {
	h := newHouse(t)
	goodNight(t, h)
	pages := altered(t, "coreweave/pricing-page.html", "NVIDIA HGX H100", "NVIDIA HGX H200")
	for day := night; day < night+3; day++ {
		if got := h.onNight(day, scrapers.CoreWeave(), pages); got.Status != schema.StatusQuarantined || got.ErrorKind != "class_changed" {
			t.Errorf("%s: %s %q", day, got.Status, got.ErrorKind)
		}
	}
}

// TestUnreadListingIsNotForgotten: a listing that can't be read for several nights
// is not gone in any of them.
func TestUnreadListingIsNotForgotten(t *testing.T) {
	h := newHouse(t)
	goodNight(t, h)
	pages := altered(t, "crusoe/pricing-page.html", "$4.29/GPU-hr", "From $4.29/GPU-hr")
	for day := night; day < night+3; day++ {
		if got := h.onNight(day, scrapers.Crusoe(), pages); got.Status != schema.StatusPartial || got.ErrorKind != "unread" {
			t.Errorf("%s: %s %q", day, got.Status, got.ErrorKind)
		}
	}
}

// TestShortNightIsHeld: half of RunPod's types vanish from a well-formed answer.
func TestShortNightIsHeld(t *testing.T) {
	h := newHouse(t)
	goodNight(t, h)
	short := altered(t, "runpod/graphql.json", `"communityCloud": true`, `"communityCloud": false`)
	if got := h.onNight(night, scrapers.RunPod(), short); got.Status != schema.StatusQuarantined || len(h.rows(night)) != 0 {
		t.Errorf("%s %q: %d rows", got.Status, got.ErrorKind, len(h.rows(night)))
	}
	// The provider does sell less: the next night publishes both.
	if got := h.onNight(night+1, scrapers.RunPod(), short); got.Status != schema.StatusComplete || len(h.rows(night)) == 0 {
		t.Errorf("the night that agrees: %s (%v), %d rows of the held one", got.Status, got.Err, len(h.rows(night)))
	}
}

// TestFrozenPageIsNoticed: CoreWeave's page stands while Lambda's prices move.
func TestFrozenPageIsNoticed(t *testing.T) {
	h := newHouse(t)
	first := night - 20
	frozen := func(day schema.Day) []schema.Notice {
		return h.onNight(day, scrapers.CoreWeave(), recorded.Night()).Notices
	}
	h.onNight(first+10, scrapers.Lambda(), recorded.Night())
	for day := first; day < first+13; day++ {
		if got := frozen(day); len(got) != 0 {
			t.Fatalf("noticed after %d nights: %+v", day-first+1, got)
		}
	}
	if got := frozen(first + 13); len(got) != 0 {
		t.Errorf("noticed while nothing moved: %+v", got)
	}
	h.onNight(first+14, scrapers.Lambda(), risen(t, "lambda/pricing-page.html", 115))
	got := frozen(first + 14)
	if len(got) != 1 || got[0].Kind != pipeline.NoticeFrozen || !strings.Contains(got[0].Detail, "since "+first.String()) || !strings.Contains(got[0].Detail, "lambda") {
		t.Errorf("notices %+v; want frozen since %s while lambda moved", got, first)
	}
	if rows := h.rows(first + 14); len(rows) < 32 {
		t.Errorf("%d rows published: a frozen page is no fault", len(rows))
	}
	changed := altered(t, "coreweave/pricing-page.html", "$1.25", "$1.26")
	if got := h.onNight(first+15, scrapers.CoreWeave(), changed); len(got.Notices) != 0 || got.Status != schema.StatusComplete {
		t.Errorf("a page that moved: %+v, %s (%v)", got.Notices, got.Status, got.Err)
	}
}

// TestNoPublicPriceIsNoFault: a provider that had prices and then says that it
// publishes none is not short of any.
func TestNoPublicPriceIsNoFault(t *testing.T) {
	h := newHouse(t)
	h.onNight(night-1, scrapers.Crusoe(), recorded.Night())
	silent := scrapers.Crusoe()
	silent.Sources = []scrapers.Source{silent.Sources[0]}
	silent.Sources[0].Parse = func(scrapers.Page) (scrapers.Result, error) {
		return scrapers.Result{Notices: []schema.Notice{{Provider: "crusoe", Kind: schema.NoticeNoPublicPrice, Detail: "by contract"}}}, nil
	}
	if got := h.onNight(night, silent, recorded.Night()); got.Status != schema.StatusComplete {
		t.Errorf("%s %q: %v", got.Status, got.ErrorKind, got.Err)
	}
}
