package validate_test

import (
	"fmt"
	"testing"

	"mtok/pipeline/validate"
	"mtok/schema"
)

// book is a market: one machine a price, verified, in one class.
func book(class string, prices ...string) []schema.Observation {
	var rows []schema.Observation
	for i, price := range prices {
		machine := fmt.Sprintf("%s-%d", class, i)
		rows = append(rows, row(class, machine+"/"+class, price, func(o *schema.Observation) {
			o.Offer.GroupKey, o.Offer.Attributes.Tier = machine, schema.TierVerified
		}))
	}
	return rows
}

// deep is a book of so many machines at prices around one.
func deep(class string, machines int, cents int) []schema.Observation {
	var prices []string
	for i := range machines {
		prices = append(prices, fmt.Sprintf("%d.%02d", (cents+i)/100, (cents+i)%100))
	}
	return book(class, prices...)
}

func TestJudgeMarket(t *testing.T) {
	both := append(deep("H100 SXM", 12, 200), deep("A100 SXM4", 4, 80)...)
	before := published(both, both, both)
	wantRules(t, "the same book", nightOf(both, before))

	// Hosts change prices, come and go: none of the rules for lists holds.
	wild := append(deep("H100 SXM", 5, 110), book("A100 SXM4", "0.40", "9.99", "1.90")...)
	wantRules(t, "a wild night", nightOf(wild, before))
	wantRules(t, "a short book of a shallow market", nightOf(deep("H100 SXM", 12, 200), before))

	wantRules(t, "a long book cut", nightOf(append(deep("H100 SXM", 3, 200), both[12:]...), before), "rows 0")
	empty := nightOf(both[12:], before)
	wantRules(t, "a model that is not asked for any more", empty)
	empty.Rejects = []schema.Reject{{Rule: "empty_book", Label: "h100-sxm"}}
	wantRules(t, "a long book emptied", empty, "class_gone 0")
	empty.Complete = false
	wantRules(t, "a partial night lacks nothing", empty)

	wantRules(t, "threefold", nightOf(append(deep("H100 SXM", 12, 620), both[12:]...), before), "market_jump 12")
	wantRules(t, "eightfold", nightOf(append(deep("H100 SXM", 12, 1640), both[12:]...), before), "unit_ratio 12")
	wantRules(t, "an eighth", nightOf(append(deep("H100 SXM", 12, 21), both[12:]...), before), "unit_ratio 12")
	few := append(deep("H100 SXM", 2, 900), deep("H100 SXM", 12, 200)[2:]...)
	wantRules(t, "two dear machines", nightOf(append(few, both[12:]...), before))
	pair := published(book("H200", "2.00", "2.10"))
	wantRules(t, "two machines are no median", nightOf(book("H200", "7.00", "7.10"), pair))
	unverified := append(deep("H100 SXM", 12, 620), both[12:]...)
	for i := range unverified {
		unverified[i].Offer.Attributes.Tier = schema.TierUnverified
	}
	wantRules(t, "no verified machine to compare", nightOf(unverified, before))
	changed := append(deep("H100 SXM", 12, 200), both[12:]...)
	changed[0].Offer.GPURaw, changed[0].Class = "H200", "H200"
	wantRules(t, "another chip in one machine", nightOf(changed, before), "class_changed 1")
}

func TestMarketIsKnownByItsPast(t *testing.T) {
	n := nightOf(nil, published(deep("H100 SXM", 12, 200)))
	n.Rejects = []schema.Reject{{Rule: "empty_book", Label: "h100-sxm"}}
	wantRules(t, "nobody offers anything", n, "class_gone 0")
	if validate.IsMarket(list()) || !validate.IsMarket(deep("x", 1, 100)) {
		t.Error("a market is known by its machines")
	}
}
