package scrapers

import "mtok/schema"

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
		l.reject(o.SKU, o.PriceText, schema.RuleDuplicate, "listed twice at the same price")
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

// unread notes a listing of a known SKU that could not be understood.
func (l *offerList) unread(sku, label, priceText, rule, reason string) {
	l.reject(label, priceText, rule, reason)
	l.skip[len(l.skip)-1].SKU = sku
}

// onePage is the Requests of a source that is a single page.
func onePage(url string) func(Settings) ([]Request, error) {
	return func(Settings) ([]Request, error) { return []Request{{URL: url}}, nil }
}
