package pipeline_test

import (
	"path"
	"sync/atomic"
)

// bearable are damages that publish a wrong price because nothing tells it: the
// page states it in the right form, in the right unit and at a believable size.
type bearable struct {
	pattern string // night/source/damage/site
	why     string
	met     atomic.Int32
}

// undecidable lists them all. One that is decided must be taken out.
func undecidable() []*bearable {
	const (
		elsewhere = "a price of another row, as believable for this one: only a night before it tells"
		standing  = "the answer says of itself that it is sold at that price"
		moved     = "a price that moves by less than 40 %, to that of another row, is believed"
		half      = "0.50 is a believable price of a GPU this small, and others are sold at it"
	)
	return []*bearable{
		{pattern: "first/coreweave/prices-of-two-rows-exchanged/*", why: elsewhere},
		{pattern: "first/coreweave/prices-one-row-on/*", why: elsewhere},
		{pattern: "first/crusoe/prices-of-two-rows-exchanged/*", why: elsewhere},
		{pattern: "first/crusoe/prices-one-row-on/*", why: elsewhere},
		{pattern: "first/fluidstack/prices-of-two-rows-exchanged/*", why: elsewhere},
		{pattern: "first/fluidstack/prices-one-row-on/*", why: elsewhere},
		{pattern: "first/lambda/last-row-moved/table-*", why: "the one listing of its plan, in the tab of another count"},
		{pattern: "first/lambda/prices-of-two-rows-exchanged/table-*", why: elsewhere},
		{pattern: "first/lambda/prices-one-row-on/table-*", why: elsewhere},
		{pattern: "first/lambda-api/prices-of-two-rows-exchanged/*", why: elsewhere},
		{pattern: "first/runpod/fields-swapped/securePrice-communityPrice-row-*", why: elsewhere},
		{pattern: "first/runpod/flag-flipped/communityCloud-all", why: standing},
		{pattern: "first/runpod/half-dollar/communityPrice-row-24", why: half},
		{pattern: "first/runpod/prices-of-two-rows-exchanged/*", why: elsewhere},
		{pattern: "first/runpod-rest/half-dollar/price.community-row-24", why: half},
		{pattern: "first/runpod-rest/prices-of-two-rows-exchanged/*", why: elsewhere},
	}
}

// borne reports whether a damage is listed, and notes that it was met.
func borne(listed []*bearable, name string) bool {
	for _, b := range listed {
		if ok, err := path.Match(b.pattern, name); err == nil && ok {
			b.met.Add(1)
			return true
		}
	}
	return false
}
