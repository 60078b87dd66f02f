package validate_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"mtok/pipeline/validate"
	"mtok/schema"
)

// firstNight is a night without a baseline, of a provider as the program knows it.
func firstNight(rows []schema.Observation, known []schema.Observation) validate.Night {
	n := nightOf(rows, validate.Baseline{})
	for _, o := range known {
		n.Shipped.Offers = append(n.Shipped.Offers, schema.KnownOffer{Offer: o.Offer, Class: o.Class, Day: tonight - 1, USDPerGPUHour: o.USDPerGPUHour})
	}
	return n
}

// TestFirstNightBesideTheShippedOne: a first night is asked where its prices stand, not
// how high they are.
func TestFirstNightBesideTheShippedOne(t *testing.T) {
	known := list() // 2.19 2.89 3.19 3.89 4.19 4.89 ...
	drifted := map[int]string{}
	for i := range known {
		drifted[i] = fmt.Sprintf("%d.%02d", 1+i/2, 37+i)
	}
	resize := list()
	resize[0].Offer.GPUCount = 2
	others := list()
	for i := range others {
		others[i].Offer.SKU += "-other"
	}
	unread := func(prices map[int]string) validate.Night {
		n := firstNight(repriced(prices)[1:], known)
		n.Rejects = []schema.Reject{{SKU: "h100", Label: "h100 1x", PriceText: "$99", Rule: validate.RuleBand}}
		return n
	}
	for name, c := range map[string]struct {
		night validate.Night
		want  []string
	}{
		"as it is known":                 {firstNight(list(), known), nil},
		"nothing is known":               {firstNight(repriced(map[int]string{0: "2.89", 1: "2.19"}), nil), nil},
		"two rows":                       {firstNight(repriced(map[int]string{0: "2.89", 1: "2.19"}), known), []string{"prices_exchanged 2"}},
		"one row on":                     {firstNight(repriced(map[int]string{0: "2.89", 1: "3.19", 2: "3.89", 3: "4.19"}), known), []string{"prices_exchanged 3"}},
		"prices that moved since":        {firstNight(repriced(drifted), known), nil},
		"half of it, as cuts go":         {firstNight(repriced(map[int]string{0: "1.10", 1: "1.50"}), known), nil},
		"one moved to another's":         {firstNight(repriced(map[int]string{0: "2.89"}), known), nil},
		"with an unread one":             {unread(map[int]string{1: "2.19"}), []string{"prices_exchanged 1"}},
		"an unread one, many that moved": {unread(map[int]string{1: "2.19", 2: "3.05", 3: "3.77", 4: "4.01"}), nil},
		"another size":                   {firstNight(resize, known), []string{"gpu_count_changed 1"}},
		"none that is known":             {firstNight(others, known), []string{"other_offers 12"}},
		"half a dollar of a known one":   {firstNight(repriced(map[int]string{0: "0.5"}), known), []string{"placeholder 1"}},
		"half a dollar as it is known":   {firstNight(repriced(map[int]string{0: "0.5"}), repriced(map[int]string{0: "0.5"})), nil},
	} {
		if got := rules(c.night); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	// A person published them: the same day again, by a second run or a reparse.
	again := firstNight(others, known)
	for i := range others {
		again.Baseline.Today = map[schema.OfferKey]schema.USD{}
		for _, o := range others[:i+1] {
			again.Baseline.Today[o.Offer.OfferKey] = o.USDPerGPUHour
		}
		want := []string{fmt.Sprintf("other_offers %d", len(others)-1-i)}
		if i == len(others)-1 {
			want = nil
		}
		wantRules(t, fmt.Sprintf("%d unknown ones that the day has published", i+1), again, want...)
	}
	later := firstNight(repriced(map[int]string{0: "2.89", 1: "2.19"}), known)
	later.Baseline = published(repriced(map[int]string{0: "2.89", 1: "2.19"}))
	wantRules(t, "what a night has published", later)
}

// TestPricedAgain: a provider that published no price has some now.
func TestPricedAgain(t *testing.T) {
	n := nightOf(list(), validate.Baseline{})
	n.Shipped.Unpriced = true
	wantRules(t, "prices", n, "priced_again 0")
	n.Baseline.Today = map[schema.OfferKey]schema.USD{}
	for _, o := range n.Seen {
		n.Baseline.Today[o.Offer.OfferKey] = o.USDPerGPUHour
	}
	wantRules(t, "prices that the day has published", n)
	n.Baseline.Today = nil
	n.Seen = nil
	wantRules(t, "none", n)
	n.Seen, n.Baseline = list(), published(list())
	wantRules(t, "prices that are published", n)
}

// TestShippedEvidence says beside what a first night was held.
func TestShippedEvidence(t *testing.T) {
	v := validate.Decided(firstNight(repriced(map[int]string{0: "2.89", 1: "2.19"}), list()), nil)
	if v.Hold == nil || !strings.Contains(v.Hold.Evidence, "the night that comes with mtok") || validate.SelfConfirms(v.Hold.Rule) {
		t.Errorf("%+v", v.Hold)
	}
}
