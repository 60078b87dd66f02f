package validate

import (
	"fmt"
	"slices"
	"strings"

	"mtok/schema"
)

// Breach is a batch rule that a night broke.
type Breach struct {
	Rule   string
	Detail string
	// Offers are those that broke it; empty where the night as a whole did.
	Offers []schema.OfferKey
}

// Error names the rule and what was seen.
func (b *Breach) Error() string { return b.Rule + ": " + b.Detail }

// The stable names of the batch rules, those first whose breach is the least
// believable: a night that breaks several is held by the first.
const (
	RuleReclassified   = "class_changed"
	RuleUnitRatio      = "unit_ratio"
	RuleProviderBand   = "canary_price_band"
	RulePlaceholder    = "placeholder"
	RuleOneValue       = "one_value"
	RuleSpotCopy       = "spot_copy"
	RuleExchanged      = "prices_exchanged"
	RuleResized        = "gpu_count_changed"
	RuleStrange        = "other_offers"
	RuleUnpricedBefore = "priced_again"
	RuleShareMoved     = "share_moved"
	RuleJump           = "price_jump"
	RuleMarketJump     = "market_jump"
	RuleClassMissing   = "canary_class_missing"
	RuleMinOffers      = "canary_min_offers"
	RuleRows           = "rows"
	RuleClassGone      = "class_gone"
	RuleUnmatched      = "unmatched_share"
)

// weight is the place of a rule in that order.
func weight(rule string) int {
	return slices.Index([]string{
		RuleReclassified, RuleUnitRatio, RuleProviderBand, RulePlaceholder, RuleOneValue, RuleSpotCopy, RuleExchanged,
		RuleResized, RuleStrange, RuleUnpricedBefore, RuleShareMoved, RuleJump, RuleMarketJump, RuleClassMissing, RuleMinOffers, RuleRows, RuleClassGone, RuleUnmatched,
	}, rule)
}

// SelfConfirms reports whether a second night that says the same lifts a rule. It
// does where the prices are of a believable size and only their change, or what
// is absent, was not: a layout or a unit that is read wrongly is read wrongly
// every night, so that its agreement with itself proves nothing, and a person
// decides.
func SelfConfirms(rule string) bool {
	switch rule {
	case RuleShareMoved, RuleJump, RuleMarketJump, RuleClassMissing, RuleMinOffers, RuleRows, RuleClassGone, RuleUnmatched:
		return true
	}
	return false
}

// Confirmable reports whether anybody can publish what a rule holds. The class of
// an offer stands with its identity: published under a known key, the price of
// another chip would count as one of the old chip's.
func Confirmable(rule string) bool { return rule != RuleReclassified }

// Hold is what of a night is kept back, and why.
type Hold struct {
	Rule     string
	Evidence string
	// Offers are those that are held; empty where the whole night is.
	Offers []schema.OfferKey
}

// Error names the rule and the evidence.
func (h *Hold) Error() string { return h.Rule + ": " + h.Evidence }

// holdShare is the share of a night's rows, in per cent, from which on the whole
// night is held.
const holdShare = 10

// Decide makes one decision of all breaches, nil of none. A single offer that is
// not believed is held alone, so that one odd row does not hide a provider. Two
// or more, or a tenth of the night, say that the page may be read wrongly, and
// hold the night. In a market every host sets prices of its own: there the tenth
// decides alone.
func Decide(breaches []Breach, rows int, market bool) *Hold {
	if len(breaches) == 0 {
		return nil
	}
	sorted := slices.SortedStableFunc(slices.Values(breaches), func(a, b Breach) int { return weight(a.Rule) - weight(b.Rule) })
	hold := &Hold{Rule: sorted[0].Rule}
	whole := false
	seen := map[schema.OfferKey]bool{}
	var texts []string
	for i, b := range sorted {
		if texts = append(texts, b.Error()); i == 0 {
			texts[0] = b.Detail
		}
		whole = whole || len(b.Offers) == 0
		for _, key := range b.Offers {
			if !seen[key] {
				hold.Offers = append(hold.Offers, key)
			}
			seen[key] = true
		}
	}
	hold.Evidence = strings.Join(texts, "; ")
	if n := len(hold.Offers); whole || n*100 >= rows*holdShare || !market && n > 1 {
		hold.Offers = nil
	}
	return hold
}

// shownOffers is how many offers a breach names.
const shownOffers = 3

// offerBreach makes a breach of offers, of which texts say what each did; nil of
// none.
func offerBreach(rule string, offers []schema.OfferKey, texts []string) []Breach {
	if len(offers) == 0 {
		return nil
	}
	return []Breach{{Rule: rule, Detail: few(texts), Offers: offers}}
}

// few joins the first texts.
func few(texts []string) string {
	shown := strings.Join(texts[:min(len(texts), shownOffers)], ", ")
	if more := len(texts) - shownOffers; more > 0 {
		shown += fmt.Sprintf(" and %d more", more)
	}
	return shown
}
