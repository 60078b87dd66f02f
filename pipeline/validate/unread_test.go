package validate_test

import (
	"testing"

	"mtok/pipeline/validate"
	"mtok/schema"
)

func TestUnread(t *testing.T) {
	reject := func(sku, rule string) schema.Reject {
		return schema.Reject{SKU: sku, Label: sku, Rule: rule, Reason: "not like $3.90"}
	}
	known := func(o schema.Observation) []schema.KnownOffer {
		return []schema.KnownOffer{{Offer: o.Offer, Class: o.Class, Day: tonight - 1, USDPerGPUHour: o.USDPerGPUHour}}
	}
	h100, machine := row("h100", "h100", "2.19"), deep("H100 SXM", 1, 200)[0]
	for _, c := range []struct {
		name     string
		standing []schema.KnownOffer
		seen     []schema.Observation
		reject   schema.Reject
		unread   int
	}{
		{"a price that can't be read", known(h100), nil, reject("h100", "price_text"), 1},
		{"a price out of its band", known(h100), nil, reject("h100", "price_band"), 1},
		{"read elsewhere on the page", known(h100), []schema.Observation{h100}, reject("h100", "price_text"), 0},
		{"listed without a price", known(h100), nil, reject("h100", "unpriced"), 0},
		{"another listing", known(h100), nil, reject("h200", "price_text"), 0},
		{"gone long ago", nil, nil, reject("h100", "price_text"), 0},
		{"a machine that can't be read", known(machine), nil, reject(machine.Offer.SKU, "field"), 1},
		{"a machine at an absurd price", known(machine), nil, reject(machine.Offer.SKU, "price_band"), 0},
	} {
		if got := validate.Unread(c.standing, c.seen, []schema.Reject{c.reject}); len(got) != c.unread {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}
