package scrapers

import (
	"cmp"
	"fmt"
	"math/big"
)

// spotDoubt says why the price of a cloud can't be believed beside its spot price.
// The two have been equal since 2026-07, and nothing seen was further off than half: a
// price of half of it, or of four times as much, is in another unit. What is
// printed for types that are not sold is judged as such.
func (c runpodCloud) spotDoubt() error {
	if !c.price.Positive() || !c.spot.Positive() || c.placeholder() {
		return nil
	}
	ratio := new(big.Rat).Quo(c.price.Rat(), c.spot.Rat())
	if ratio.Cmp(big.NewRat(1, 2)) <= 0 || ratio.Cmp(big.NewRat(4, 1)) >= 0 {
		return &fault{ruleApart, fmt.Sprintf("%s beside a spot price of %s", clip(c.printed), clip(c.spotAs))}
	}
	return nil
}

// placeholder reports the price that is also printed for types that are not sold.
func (c runpodCloud) placeholder() bool { return c.price.Rat().Cmp(big.NewRat(1, 2)) == 0 }

// both reports whether a type is sold at a price on both clouds.
func (t runpodType) both() bool {
	for _, c := range t.clouds {
		if c.err != nil || c.sold == nil || !*c.sold || !c.price.Positive() || c.placeholder() {
			return false
		}
	}
	return true
}

// dearer reports whether the community's hosts ask more for a type than the
// datacenters.
func (t runpodType) dearer() bool {
	return t.both() && t.clouds[1].price.Rat().Cmp(t.clouds[0].price.Rat()) > 0
}

// apart reports whether a type's two prices lie so far apart that one of them is
// in another unit, or in the other's place: the community's was 0.46 to 1.02 times
// the secure one. Where both equal the spot prices beside them, they are in their
// places, and a secure price far below the community's may be a real cut.
func (t runpodType) apart() bool {
	if !t.both() {
		return false
	}
	most := big.NewRat(4, 3)
	if t.clouds[0].spoken() && t.clouds[1].spoken() {
		most = big.NewRat(4, 1)
	}
	ratio := new(big.Rat).Quo(t.clouds[1].price.Rat(), t.clouds[0].price.Rat())
	return ratio.Cmp(big.NewRat(1, 4)) < 0 || ratio.Cmp(most) > 0
}

// spoken reports whether the spot price says the same as the price.
func (c runpodCloud) spoken() bool {
	return c.spot.Positive() && c.spot.Rat().Cmp(c.price.Rat()) == 0
}

// unread takes both prices of a type for unreadable.
func (t *runpodType) unread(why string) {
	for i := range t.clouds {
		t.clouds[i].err = &fault{ruleApart, why}
	}
}

// runpodClouds looks whether prices and booleans belong to the cloud that they
// stand for. One odd type is a fault of its own, several are the list's: types
// that are sold at 0 have the booleans of the other cloud, and the community's
// hosts ask less than the datacenters, on all types of 2026-08-22 and on all but
// one of 2026-07-18 (testdata/runpod/clouds-exchanged).
func runpodClouds(types []runpodType) error {
	free, spot, apart, both, dearer := 0, 0, 0, 0, 0
	for i := range types {
		t := &types[i]
		for _, c := range t.clouds {
			if c.err == nil && c.sold != nil && *c.sold && c.price.IsSet() && !c.price.Positive() {
				free++
			}
		}
		if t.both() {
			both++
		}
		if t.dearer() {
			dearer++
		}
		switch err := cmp.Or(t.clouds[0].spotDoubt(), t.clouds[1].spotDoubt()); {
		case err != nil:
			spot++
			t.unread(err.Error())
		case t.apart():
			apart++
			t.unread(fmt.Sprintf("%s secure beside %s on the community cloud", clip(t.clouds[0].printed), clip(t.clouds[1].printed)))
		}
	}
	switch {
	case free > 1:
		return layoutf("%d types are said to be sold at 0", free)
	case spot > 1:
		return layoutf("%d prices are far from the spot price beside them", spot)
	case apart > 1:
		return layoutf("%d types have prices on the two clouds that are far apart", apart)
	case dearer > 1 && dearer*2 > both:
		return layoutf("%d of %d types are dearer on the community cloud", dearer, both)
	}
	return nil
}
