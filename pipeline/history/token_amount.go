package history

import (
	"fmt"

	"mtok/schema"
)

// tokenPrice is an entry that is being read.
type tokenPrice = schema.ImportedTokenPrice

// readTokenPrice fills in the amounts, or says by which rule they are none. Zero is
// not free but a trial, or what is not sold, as the output of an embedding: it is
// never a price.
func readTokenPrice(p *tokenPrice, in, out, cached string) (rule, reason string) {
	free := false
	for _, part := range []struct {
		to   **schema.USD
		text string
	}{{&p.In, in}, {&p.Out, out}, {&p.CacheRead, cached}} {
		if part.text == "" {
			continue
		}
		amount, err := schema.ParseDecimal(part.text)
		if err != nil {
			return "amount", fmt.Sprintf("%q is no plain number", clip(part.text))
		}
		usd, err := amount.Times(1, 1)
		if err != nil || usd > maxTokenPrice {
			return "price_band", fmt.Sprintf("%s $ for a million tokens: another unit", part.text)
		}
		if free = free || usd == 0; usd > 0 {
			*part.to = &usd
		}
	}
	switch {
	case p.In != nil || p.Out != nil:
		return "", ""
	case free:
		return "free", "a price of nothing is a trial, not a price"
	}
	return schema.RuleUnpriced, "no price"
}

func sameTokenPrice(a, b tokenPrice) bool {
	equal := func(x, y *schema.USD) bool { return (x == nil) == (y == nil) && (x == nil || *x == *y) }
	return equal(a.In, b.In) && equal(a.Out, b.Out) && equal(a.CacheRead, b.CacheRead)
}
