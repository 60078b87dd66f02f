package validate

import (
	"fmt"

	"mtok/schema"
)

const (
	// jumpPercent is the move of a list price from which on it is not believed at
	// once. Lambda moved its whole list by 15 % on 2026-02-18 and again on
	// 2026-03-25; the largest true move of a list price on record is 21 %.
	jumpPercent = 40
	// ratioPermille is how near to a ratio of units a move lies: 1.5 %.
	ratioPermille = 15
)

// UnitRatio finds the ratio of units by which a price rose or fell, 0 where the
// move is near none.
func UnitRatio(before, after schema.USD) int64 {
	return schema.UnitRatio(before, after, ratioPermille)
}

// jumped reports whether a price moved by more than jumpPercent.
func jumped(before, after schema.USD) bool {
	return max(after-before, before-after)*100 > before*jumpPercent
}

// moves holds each price of a list against the offer's own last one.
func moves(n Night) []Breach {
	var ratios, jumps []schema.OfferKey
	var ratioTexts, jumpTexts []string
	matched := 0
	for _, o := range n.Seen {
		known, ok := n.Baseline.Known[o.Offer.OfferKey]
		if !ok || o.Excluded != "" {
			continue
		}
		matched++
		before, after := known.USDPerGPUHour, o.USDPerGPUHour
		if n.Baseline.believed(o) {
			continue
		}
		text := fmt.Sprintf("%s %s to %s $/GPU-h (%s to %s)", label(o.Offer), before, after, known.Offer.PriceText, o.Offer.PriceText)
		if ratio := UnitRatio(before, after); ratio != 0 {
			ratios = append(ratios, o.Offer.OfferKey)
			ratioTexts = append(ratioTexts, fmt.Sprintf("%s, a ratio of %d", text, ratio))
		} else if jumped(before, after) {
			jumps = append(jumps, o.Offer.OfferKey)
			jumpTexts = append(jumpTexts, text)
		}
	}
	rule := RuleJump
	if far := len(ratios) + len(jumps); far > 1 && far*4 > matched {
		rule = RuleShareMoved
		if len(jumps) > 0 {
			jumpTexts[0] = fmt.Sprintf("%d of %d known prices moved by more than %d %%: %s", far, matched, jumpPercent, jumpTexts[0])
		}
	}
	return append(offerBreach(RuleUnitRatio, ratios, ratioTexts), offerBreach(rule, jumps, jumpTexts)...)
}
