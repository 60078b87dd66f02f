package scrapers

import "mtok/schema"

// ruleDuplicate is the rule of a Reject for a listing that stands twice on one
// page at one price.
const ruleDuplicate = "duplicate"

// offerList gathers the offers of one page under their identities.
type offerList struct {
	source string
	offers []schema.Offer
	skip   []schema.Reject
	seen   map[schema.OfferKey]string
}

// add keeps an offer. A second listing of the same identity is skipped when its
// price is the same, and an error when it differs: then the parser does not
// understand what tells the two apart, and either price may be the wrong one.
func (l *offerList) add(o schema.Offer) error {
	text, dup := l.seen[o.OfferKey]
	if dup && text != o.PriceText {
		return layoutf("%s listed at both %s and %s", o.SKU, text, clip(o.PriceText))
	}
	if dup {
		l.reject(o.SKU, o.PriceText, ruleDuplicate, "listed twice at the same price")
		return nil
	}
	if l.seen == nil {
		l.seen = make(map[schema.OfferKey]string)
	}
	l.seen[o.OfferKey] = o.PriceText
	l.offers = append(l.offers, o)
	return nil
}

// reject notes a row that gives no price.
func (l *offerList) reject(label, priceText, rule, reason string) {
	l.skip = append(l.skip, schema.Reject{
		Source: l.source, Label: clip(label), PriceText: clip(priceText), Rule: rule, Reason: reason,
	})
}

// onePage is the Requests of a source that is a single page.
func onePage(url string) func(Settings) ([]Request, error) {
	return func(Settings) ([]Request, error) { return []Request{{URL: url}}, nil }
}
