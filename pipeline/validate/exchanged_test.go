package validate_test

import (
	"slices"
	"strings"
	"testing"

	"mtok/pipeline/validate"
	"mtok/schema"
)

func TestExchanged(t *testing.T) {
	before := published(list()) // 2.19 2.89 3.19 3.89 4.19 4.89 ...
	for name, c := range map[string]struct {
		prices map[int]string
		want   []string
	}{
		"two rows":                            {map[int]string{0: "2.89", 1: "2.19"}, []string{"prices_exchanged 2"}},
		"three in a round":                    {map[int]string{2: "3.89", 3: "4.19", 4: "3.19"}, []string{"prices_exchanged 3"}},
		"a round and a true cut":              {map[int]string{0: "2.89", 1: "2.19", 4: "4.09"}, []string{"prices_exchanged 2"}},
		"to the price of another that stays":  {map[int]string{0: "2.89"}, nil},
		"to the price of another that moved":  {map[int]string{0: "2.89", 1: "3.05"}, nil},
		"a ladder that moves by its own step": {map[int]string{0: "2.89", 1: "3.19", 2: "3.89", 3: "4.19"}, nil},
		"every price by 15 %, as a list does": {map[int]string{0: "2.52", 1: "3.32", 2: "3.67", 3: "4.47", 4: "4.82", 5: "5.62"}, nil},
	} {
		got := rules(nightOf(repriced(c.prices), before))
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestExchangedWithUnread has a price go round by an offer that can't be read
// tonight.
func TestExchangedWithUnread(t *testing.T) {
	before := published(list())
	rows := repriced(map[int]string{1: "2.19"})[1:]
	n := nightOf(rows, before)
	n.Complete = false
	if got := rules(n); len(got) > 0 {
		t.Errorf("a price that a gone listing had: %q", got)
	}
	n.Rejects = []schema.Reject{{SKU: "h100", Label: "h100 1x", PriceText: "$99", Rule: validate.RuleBand}}
	if got := rules(n); !slices.Equal(got, []string{"prices_exchanged 1"}) {
		t.Errorf("a price that an unread listing had: %q", got)
	}
}

// TestExchangedAsPrinted exchanges the prices of two instances of different size.
func TestExchangedAsPrinted(t *testing.T) {
	instance := func(perGPU, price string, i int) func([]schema.Observation) {
		return func(rows []schema.Observation) {
			rows[i].USDPerGPUHour, rows[i].Offer.PriceText = dollars(perGPU), price
		}
	}
	rows := func(changes ...func([]schema.Observation)) []schema.Observation {
		out := list()
		for _, change := range changes {
			change(out)
		}
		return out
	}
	before := published(rows(instance("2.40", "$4.80", 0), instance("1.65", "$6.60", 1)))
	night := nightOf(rows(instance("3.30", "$6.60", 0), instance("1.20", "$4.80", 1)), before)
	if got := rules(night); !slices.Equal(got, []string{"prices_exchanged 2"}) {
		t.Errorf("%q", got)
	}
}

func TestResized(t *testing.T) {
	before := published(list())
	resize := func(count int, price string, keep bool) []schema.Observation {
		rows := list()
		moved := rows[0] // h100, one GPU, 2.19
		moved.Offer.GPUCount, moved.USDPerGPUHour = count, dollars(price)
		if keep {
			return append(rows, moved)
		}
		rows[0] = moved
		return rows
	}
	for name, c := range map[string]struct {
		rows []schema.Observation
		want []string
	}{
		"the same price of a GPU":       {resize(2, "2.19", false), []string{"gpu_count_changed 1"}},
		"the same price of an instance": {resize(2, "1.095", false), []string{"gpu_count_changed 1"}},
		"another size beside it":        {resize(2, "2.19", true), nil},
		"another size at its own price": {resize(2, "2.05", false), nil},
	} {
		if got := rules(nightOf(c.rows, before)); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	partial := nightOf(resize(2, "2.19", false), before)
	partial.Complete = false
	if got := rules(partial); len(got) > 0 {
		t.Errorf("a partial night says that a size is gone: %q", got)
	}
	if validate.SelfConfirms(validate.RuleExchanged) || validate.SelfConfirms(validate.RuleResized) {
		t.Error("a row that is read wrongly is read wrongly every night")
	}
}

// Evidence is the same whatever the order of what stood: of several sizes that
// are gone at one price, the smallest is named.
func TestResizedNamesTheSmallest(t *testing.T) {
	one := row("h100", "h100", "2.19")
	var before []schema.Observation
	for _, n := range []int{1, 2, 8} {
		o := one
		o.Offer.GPUCount = n
		before = append(before, o)
	}
	moved := one
	moved.Offer.GPUCount = 4
	for range 20 {
		breaches := validate.Judge(nightOf([]schema.Observation{moved}, published(before)))
		i := slices.IndexFunc(breaches, func(b validate.Breach) bool { return b.Rule == validate.RuleResized })
		if i < 0 || !strings.Contains(breaches[i].Detail, "listing of 1 GPUs") {
			t.Fatalf("%+v", breaches)
		}
	}
}
