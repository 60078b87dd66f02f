package validate

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"mtok/schema"
)

// printedAgrees holds a parser's reading of a price against the words that it
// read it from: a second reading of the same cell, which knows nothing of the
// page. A JSON answer prints a bare number in a field that has a meaning; what
// was written for people must name its currency. An offer without a text has
// nothing to be held against.
func printedAgrees(o schema.Offer) error {
	if o.PriceText == "" || o.PriceText == o.Amount.String() {
		return nil
	}
	if amount, isNumber := jsonNumber(o.PriceText); isNumber {
		if amount == nil || amount.Cmp(o.Amount.Rat()) != 0 {
			return fmt.Errorf("%s was read as %s", o.PriceText, o.Amount)
		}
		return nil
	}
	p, err := ParsePrice(o.PriceText)
	switch {
	case err != nil:
		return err
	case p.Qualifier != "":
		return fmt.Errorf("%q: %s %s is no single price", o.PriceText, p.Qualifier, p.Amount)
	case p.Currency != o.Currency:
		return fmt.Errorf("%q is in %s, read as %s", o.PriceText, orNone(p.Currency), o.Currency)
	case p.Unit != "" && p.Unit != o.Unit:
		return fmt.Errorf("%q is per %s, read as per %s", o.PriceText, p.Unit, o.Unit)
	case p.Amount.Rat().Cmp(o.Amount.Rat()) != 0:
		return fmt.Errorf("%q is %s, read as %s", o.PriceText, p.Amount, o.Amount)
	}
	return nil
}

func orNone(currency string) string {
	if currency == "" {
		return "no currency"
	}
	return currency
}

// maxExponent bounds what is computed of a number's exponent.
const maxExponent = 30

// jsonNumber reads a number as JSON writes it, without a sign. The value is nil
// where it is out of any price's range.
func jsonNumber(text string) (value *big.Rat, isNumber bool) {
	mantissa, exponent, hasExponent := strings.Cut(strings.ToLower(text), "e")
	whole, _, _ := strings.Cut(mantissa, ".")
	d, err := schema.ParseDecimal(mantissa)
	if err != nil || len(whole) > 1 && whole[0] == '0' {
		return nil, false
	}
	if !hasExponent {
		return d.Rat(), true
	}
	n, err := strconv.Atoi(exponent)
	if err != nil {
		return nil, false
	}
	if n < -maxExponent || n > maxExponent {
		return nil, true
	}
	power := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(n, -n))), nil))
	if n < 0 {
		power.Inv(power)
	}
	return new(big.Rat).Mul(d.Rat(), power), true
}
