package scrapers

import (
	"fmt"
	"math/big"

	"mtok/schema"
)

// ruleApart is the rule of a Reject for prices of one thing that lie too far
// apart: one of them is in another unit, or in another row's place.
const ruleApart = "prices_apart"

// apart takes out the offers of a group whose prices per GPU lie more than half
// as much again apart, since either may be the wrong one. A list price per GPU
// differs little with the size of a node and from region to region: by 8 % at
// Lambda and not at all at CoreWeave on 2026-08-22.
func (l *offerList) apart(group func(schema.Offer) string) {
	type span struct{ low, high schema.Offer }
	spans := map[string]span{}
	for _, o := range l.offers {
		name := group(o)
		s, met := spans[name]
		if !met || perGPU(o).Cmp(perGPU(s.low)) < 0 {
			s.low = o
		}
		if !met || perGPU(o).Cmp(perGPU(s.high)) > 0 {
			s.high = o
		}
		spans[name] = s
	}
	kept := l.offers[:0]
	for _, o := range l.offers {
		s := spans[group(o)]
		if name := group(o); name == "" || !farApart(perGPU(s.low), perGPU(s.high)) {
			kept = append(kept, o)
			continue
		}
		l.unread(o.SKU, fmt.Sprintf("%s, %d GPUs %s", o.GPURaw, o.GPUCount, o.Region), o.PriceText, ruleApart,
			fmt.Sprintf("%s for %d GPUs beside %s for %d: per GPU too far apart", s.low.PriceText, s.low.GPUCount, s.high.PriceText, s.high.GPUCount))
	}
	l.offers = kept
}

// dearerInBulk takes out the offers of a group of which a larger node costs more
// per GPU than a smaller one: a discount may be none, but never is a surcharge,
// so that their prices stand in each other's place.
func (l *offerList) dearerInBulk(group func(schema.Offer) string) {
	wrong := map[string]string{}
	for _, a := range l.offers {
		for _, b := range l.offers {
			if name := group(a); name != "" && name == group(b) && a.GPUCount < b.GPUCount && perGPU(a).Cmp(perGPU(b)) < 0 {
				wrong[name] = fmt.Sprintf("%s for %d GPUs beside %s for %d: dearer per GPU", b.PriceText, b.GPUCount, a.PriceText, a.GPUCount)
			}
		}
	}
	kept := l.offers[:0]
	for _, o := range l.offers {
		if reason, ok := wrong[group(o)]; ok {
			l.unread(o.SKU, fmt.Sprintf("%s, %d GPUs", o.GPURaw, o.GPUCount), o.PriceText, ruleApart, reason)
			continue
		}
		kept = append(kept, o)
	}
	l.offers = kept
}

// farApart reports whether the higher of two prices is more than 1.5 times the
// lower one.
func farApart(a, b *big.Rat) bool {
	if a.Cmp(b) > 0 {
		a, b = b, a
	}
	limit := new(big.Rat).Mul(a, big.NewRat(3, 2))
	return b.Cmp(limit) > 0
}

// perGPU is the listed price of one GPU.
func perGPU(o schema.Offer) *big.Rat {
	if o.Unit == schema.UnitInstanceHour && o.GPUCount > 0 {
		return new(big.Rat).Quo(o.Amount.Rat(), big.NewRat(int64(o.GPUCount), 1))
	}
	return o.Amount.Rat()
}
