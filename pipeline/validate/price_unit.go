package validate

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"mtok/schema"
)

// anyDollar is the currency of a bare dollar sign, which is the US dollar unless
// the text says another.
const anyDollar = "$"

// currencyCodes are the codes that are known as currencies; any other word is
// no part of a price.
func currencyCodes() []string {
	return []string{
		"USD", "EUR", "GBP", "CAD", "AUD", "NZD", "HKD", "SGD", "JPY", "CNY", "RMB", "INR", "CHF", "SEK", "NOK", "DKK",
		"PLN", "CZK", "BRL", "MXN", "KRW", "RUB", "TRY", "ZAR", "ILS", "AED", "TWD",
	}
}

// currencySigns are the signs and what stands for a currency with a sign; the
// longer before those that they begin with.
func currencySigns() [][2]string {
	return [][2]string{
		{"US $", "USD"}, {"US$", "USD"}, {"USD$", "USD"}, {"AU$", "AUD"}, {"A$", "AUD"}, {"CA$", "CAD"}, {"C$", "CAD"},
		{"HK$", "HKD"}, {"NZ$", "NZD"}, {"NT$", "TWD"}, {"MX$", "MXN"}, {"R$", "BRL"}, {"S$", "SGD"},
		{"CN¥", "CNY"}, {"JP¥", "JPY"}, {"$", anyDollar}, {"€", "EUR"}, {"£", "GBP"}, {"¥", "JPY or CNY"}, {"₹", "INR"},
		{"₩", "KRW"}, {"₽", "RUB"}, {"₺", "TRY"}, {"₪", "ILS"}, {"zł", "PLN"}, {"kr", "SEK, NOK or DKK"},
	}
}

// currency reads a sign, a code, or a code and a sign ("USD $2.99").
func (c *cursor) currency() (string, error) {
	code := ""
	if word := strings.ToUpper(c.word()); slices.Contains(currencyCodes(), word) {
		code = word
		c.rest = c.rest[len(word):]
		next := *c
		next.skip()
		if strings.HasPrefix(next.rest, "$") || strings.HasPrefix(next.rest, "€") || strings.HasPrefix(next.rest, "£") {
			*c = next
		}
	}
	for _, s := range currencySigns() {
		before := c.rest
		if !c.accept(s[0]) {
			continue
		}
		if last, _ := utf8.DecodeLastRuneInString(s[0]); unicode.IsLetter(last) && c.word() != "" {
			c.rest = before // "krill" is not "kr"
			continue
		}
		if code == "" {
			return s[1], nil
		}
		return oneCurrency(code, s[1])
	}
	return code, nil
}

// oneCurrency joins what is printed before and behind an amount.
func oneCurrency(a, b string) (string, error) {
	dollar := func(code string) bool { return strings.HasSuffix(code, "D") }
	switch {
	case a == b || b == "" || b == anyDollar && dollar(a):
	case a == "" || a == anyDollar && dollar(b):
		a = b
	default:
		return "", fmt.Errorf("%w: both %s and %s", ErrAmbiguous, a, b)
	}
	if a == anyDollar {
		a = "USD"
	}
	return a, nil
}

// unit reads what the price is for: "/hr", "/GPU/hr", " per GPU hour", "/GPU-hr",
// "/instance". Words that no price unit has are left.
func (c *cursor) unit(p *Printed) error {
	in := *c
	in.skip()
	lead := in.accept("/") || strings.EqualFold(in.word(), "per") || strings.EqualFold(in.word(), "hourly")
	if !lead {
		return nil
	}
	period := false
	for {
		in.skip()
		for in.accept("/") || in.accept("-") {
			in.skip()
		}
		word := in.word()
		switch strings.ToLower(word) {
		case "per", "a", "an":
		case "gpu", "gpus", "card":
			if err := p.setUnit(schema.UnitGPUHour); err != nil {
				return err
			}
		case "instance", "node", "server", "vm", "pod", "machine":
			if err := p.setUnit(schema.UnitInstanceHour); err != nil {
				return err
			}
		case "h", "hr", "hrs", "hour", "hours", "hourly":
			if period {
				return fmt.Errorf("%w: two periods in %q", ErrPrice, c.rest)
			}
			period = true
		case "mo", "month", "monthly", "mth", "yr", "year", "yearly", "annum", "day", "daily", "week", "weekly", "wk",
			"min", "minute", "s", "sec", "second":
			return fmt.Errorf("%w: %q", ErrPeriod, c.rest)
		default:
			if next, _ := utf8.DecodeRuneInString(in.rest); unicode.IsLetter(next) || unicode.IsDigit(next) {
				return in.leftOver()
			}
			c.rest = in.rest
			return nil
		}
		in.rest = in.rest[len(word):]
	}
}

// setUnit notes what the price is for; two things are none.
func (p *Printed) setUnit(u schema.Unit) error {
	if p.Unit != "" && p.Unit != u {
		return fmt.Errorf("%w: per GPU and per instance", ErrAmbiguous)
	}
	p.Unit = u
	return nil
}
