package scrapers

import (
	"fmt"
	"strings"

	"mtok/schema"
)

// The rules of a Reject of a list of token prices.
const (
	ruleVariable = "variable_price" // the price depends on what answers
	ruleUnit     = "wrong_unit"     // no token costs that much, or that little
)

// maxPerMTok is what a million tokens may cost: more is a price of another unit.
// The dearest listed on 2026-08-01 was 600; 13 rows of LiteLLM's file were 500 to
// 71,000, a hundred thousand times too high.
const maxPerMTok = schema.USD(1000_000_000)

// tokenAmounts are the prices of one row of a list, per token, as listed.
type tokenAmounts struct{ in, out, cacheRead, cacheWrite schema.Decimal }

// price makes a TokenPrice of them, or says by which rule they are none. The
// amounts that are 0 are no price: trials, rate-limited copies, kinds that are
// billed otherwise.
func (a tokenAmounts) price(key schema.TokenKey, text string) (schema.TokenPrice, error) {
	p := schema.TokenPrice{TokenKey: key, PriceText: text}
	for _, v := range []struct {
		what string
		is   schema.Decimal
		to   *schema.USD
	}{{"input", a.in, &p.In}, {"output", a.out, &p.Out}, {"cache read", a.cacheRead, &p.CacheRead}, {"cache write", a.cacheWrite, &p.CacheWrite}} {
		if v.is.Rat().Sign() == 0 {
			continue
		}
		usd, err := schema.PerMTok(v.is)
		switch {
		case err != nil || usd > maxPerMTok:
			return p, &fault{ruleUnit, fmt.Sprintf("%s at %s a token is above %s $/MTok: another unit", v.what, v.is, maxPerMTok)}
		case usd == 0:
			return p, &fault{ruleUnit, fmt.Sprintf("%s at %s a token is below a millionth of a dollar per MTok", v.what, v.is)}
		}
		*v.to = usd
	}
	if p.In == 0 && p.Out == 0 {
		return p, &fault{schema.RuleUnpriced, "0 is no price"}
	}
	return p, nil
}

// tokenList gathers the prices of one list under their identities.
type tokenList struct {
	offerList // for its rejects
	prices    []schema.TokenPrice
	at        map[schema.TokenKey]int
	twice     map[schema.TokenKey]bool
}

func newTokenList(page Page) *tokenList {
	return &tokenList{offerList: offerList{source: page.Source}, at: map[schema.TokenKey]int{}, twice: map[schema.TokenKey]bool{}}
}

// add keeps a price. Two prices under one identity are none.
func (l *tokenList) add(p schema.TokenPrice) {
	i, known := l.at[p.TokenKey]
	switch {
	case !known:
		l.at[p.TokenKey] = len(l.prices)
		l.prices = append(l.prices, p)
	case l.prices[i].PriceText == p.PriceText:
		l.reject(p.Model, p.PriceText, schema.RuleDuplicate, "listed twice at the same price")
	default:
		l.twice[p.TokenKey] = true
		l.reject(p.Model, p.PriceText, schema.RuleDuplicate, "listed twice at different prices: neither counts")
	}
}

// result is what the list gives; one without any price is not understood.
func (l *tokenList) result(rows int) (Result, error) {
	var prices []schema.TokenPrice
	for _, p := range l.prices {
		if !l.twice[p.TokenKey] {
			prices = append(prices, p)
		}
	}
	if len(prices) == 0 {
		return Result{}, layoutf("%d rows and none with a price: %s", rows, firstReason(l.skip))
	}
	return Result{TokenPrices: prices, Skipped: l.skip}, nil
}

// listedText joins the amounts of a row as they are listed.
func listedText(parts ...string) string {
	var given []string
	for i := 0; i+1 < len(parts); i += 2 {
		if parts[i+1] != "" {
			given = append(given, parts[i]+" "+clip(strings.Trim(parts[i+1], `"`)))
		}
	}
	return strings.Join(given, ", ")
}
