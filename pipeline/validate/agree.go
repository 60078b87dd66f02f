package validate

import (
	"cmp"
	"fmt"
	"slices"

	"mtok/schema"
)

// Held is a quarantine that nobody decided, of an earlier night.
type Held struct {
	schema.Quarantine
	Rows []schema.Observation // that it holds
	// Whole says that nothing of that night is published: it was held as a whole.
	Whole bool
}

// Verdict is what a night is worth, beside the nights that are held.
type Verdict struct {
	Hold     *Hold   // nil where all of it is published
	Confirms []int64 // held quarantines that it agrees with
}

const (
	// agreePercent is the share of a night's offers that must be there in both
	// nights, and in a market also the share of them that must agree.
	agreePercent = 90
	// marketKept is the share of a market's asks that must still stand.
	marketKept = 50
)

// Decided judges a night beside the held ones before it, which are to be of the
// last nights. A price that breaks a rule by its move alone is believed when the
// next complete night has it too, within 2 %: the move is then lifted from both
// nights. What only a person may lift stays held, also when the price that it was
// held against has grown too old to be a baseline.
func Decided(n Night, held []Held) Verdict {
	slices.SortFunc(held, func(a, b Held) int { return cmp.Or(cmp.Compare(b.Day, a.Day), cmp.Compare(b.ID, a.ID)) })
	newest := map[schema.OfferKey]int{} // index of held
	for i := len(held) - 1; i >= 0; i-- {
		for _, o := range held[i].Rows {
			newest[o.Offer.OfferKey] = i
		}
	}
	w := waiting{night: n, held: held, newest: newest, prices: map[schema.OfferKey]schema.USD{}}
	for _, o := range n.Seen {
		w.prices[o.Offer.OfferKey] = o.USDPerGPUHour
	}
	breaches := append(Judge(n), w.stillHeld()...)
	if n.Complete {
		breaches = w.lift(breaches)
	}
	v := Verdict{Hold: Decide(breaches, len(n.Seen), n.market())}
	if n.Complete && (v.Hold == nil || len(v.Hold.Offers) > 0) {
		v.Confirms = w.confirmed(v.Hold)
	}
	return v
}

// waiting is a night beside the held ones, the newest of which come first.
type waiting struct {
	night  Night
	held   []Held
	newest map[schema.OfferKey]int // the newest held night that has the offer
	prices map[schema.OfferKey]schema.USD
}

// heldPrice is the newest held price of an offer, unless a newer one is
// published: then another night has said otherwise.
func (w waiting) heldPrice(key schema.OfferKey) (by Held, price schema.USD, ok bool) {
	i, ok := w.newest[key]
	if !ok || w.night.Baseline.Known[key].Day >= w.held[i].Day {
		return Held{}, 0, false
	}
	for _, o := range w.held[i].Rows {
		if o.Offer.OfferKey == key {
			price = o.USDPerGPUHour
		}
	}
	return w.held[i], price, true
}

// stillHeld finds prices that wait for a person and have no baseline any more.
func (w waiting) stillHeld() []Breach {
	var breaches []Breach
	for _, o := range w.night.Seen {
		key := o.Offer.OfferKey
		by, price, ok := w.heldPrice(key)
		_, known := w.night.Baseline.Known[key]
		alone := len(w.night.Baseline.Known) == 0
		if !ok || known || SelfConfirms(by.Rule) || !agrees(price, o.USDPerGPUHour) || by.Whole && !alone || w.night.Baseline.believed(o) {
			continue
		}
		breaches = append(breaches, Breach{
			Rule: by.Rule, Detail: fmt.Sprintf("%s at %s $/GPU-h is held since %s and was not decided", label(o.Offer), o.USDPerGPUHour, by.Day),
			Offers: []schema.OfferKey{key},
		})
	}
	return breaches
}

// lift takes out of the breaches what the held night before says too.
func (w waiting) lift(breaches []Breach) []Breach {
	var left []Breach
	for _, b := range breaches {
		switch {
		case !SelfConfirms(b.Rule):
		case len(b.Offers) == 0:
			if w.sameNight() {
				continue
			}
		case w.night.market():
			if w.mostAgree(b.Offers) {
				continue
			}
		default:
			b.Offers = slices.DeleteFunc(slices.Clone(b.Offers), w.repeats)
			if len(b.Offers) == 0 {
				continue
			}
		}
		left = append(left, b)
	}
	return left
}

// repeats reports whether tonight's price of an offer is the one that waits to be
// said again.
func (w waiting) repeats(key schema.OfferKey) bool {
	by, price, ok := w.heldPrice(key)
	tonight, listed := w.prices[key]
	return ok && listed && SelfConfirms(by.Rule) && agrees(price, tonight)
}

// mostAgree is repeats for the asks of a market.
func (w waiting) mostAgree(keys []schema.OfferKey) bool {
	both, same := 0, 0
	for _, key := range keys {
		if _, _, ok := w.heldPrice(key); ok {
			both++
			if w.repeats(key) {
				same++
			}
		}
	}
	return both*100 >= len(keys)*marketKept && same*100 >= both*agreePercent
}

// sameNight reports whether tonight says what the newest held night said as a
// whole, and nothing complete was published in between.
func (w waiting) sameNight() bool {
	i := slices.IndexFunc(w.held, func(h Held) bool { return h.Whole })
	return i >= 0 && w.undisputed(w.held[i]) && w.agreesWith(w.held[i])
}

// undisputed reports whether a held night is the last word on what it says.
func (w waiting) undisputed(h Held) bool {
	if !SelfConfirms(h.Rule) || len(h.Rows) == 0 {
		return false
	}
	if h.Whole {
		last := w.night.Baseline.newest()
		first := slices.IndexFunc(w.held, func(other Held) bool { return other.Whole })
		return w.held[first].ID == h.ID && (last == nil || last.Day < h.Day)
	}
	return !slices.ContainsFunc(h.Rows, func(o schema.Observation) bool {
		by, _, ok := w.heldPrice(o.Offer.OfferKey)
		return !ok || by.ID != h.ID
	})
}

// agreesWith compares tonight with a held night, offer by offer.
func (w waiting) agreesWith(h Held) bool {
	both, same := 0, 0
	for _, o := range h.Rows {
		if tonight, listed := w.prices[o.Offer.OfferKey]; listed {
			both++
			if agrees(tonight, o.USDPerGPUHour) {
				same++
			}
		}
	}
	switch {
	case !h.Whole:
		return same == len(h.Rows)
	case w.night.market():
		return both*100 >= len(h.Rows)*marketKept && same*100 >= both*agreePercent
	}
	return same == both && both*100 >= max(len(h.Rows), len(w.prices))*agreePercent
}

// confirmed lists the held nights that tonight, so far as it is published,
// agrees with.
func (w waiting) confirmed(hold *Hold) []int64 {
	var ids []int64
	for _, h := range w.held {
		if !w.undisputed(h) || !w.agreesWith(h) {
			continue
		}
		again := hold != nil && slices.ContainsFunc(h.Rows, func(o schema.Observation) bool {
			return slices.Contains(hold.Offers, o.Offer.OfferKey)
		})
		if !again {
			ids = append(ids, h.ID)
		}
	}
	return ids
}
