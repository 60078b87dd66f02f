package scrapers

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"mtok/schema"
)

var (
	dollarPattern = regexp.MustCompile(`^\$(?:0|[1-9]\d{0,6}|[1-9]\d{0,2}(?:,\d{3}){1,2})\.\d{2}$`)
	countPattern  = regexp.MustCompile(`^(?:[1-9]\d{0,5}|[1-9]\d{0,2},\d{3})$`)
)

// dollars reads a price cell: "$49.24" or "$1,049.24" and nothing around it. A
// footnote mark, another currency, a second price or a unit glued to it is an
// error, since each may mean that the figure is not the one expected. Zero is
// no price either.
func dollars(text string) (schema.Decimal, error) {
	if !dollarPattern.MatchString(text) {
		return schema.Decimal{}, layoutf("price %q is not like $49.24", clip(text))
	}
	amount, err := schema.ParseDecimal(strings.ReplaceAll(text[1:], ",", ""))
	if err != nil || amount.Rat().Sign() <= 0 {
		return schema.Decimal{}, layoutf("price %q is not a positive amount", clip(text))
	}
	return amount, nil
}

// priceCell is dollars for a cell that may hold words in place of a price: a
// cell without any digit is unpriced, and gives an unset amount and no error.
func priceCell(text string) (schema.Decimal, error) {
	if !strings.ContainsFunc(text, unicode.IsNumber) {
		return schema.Decimal{}, nil
	}
	return dollars(text)
}

// count reads a positive whole number, with or without a thousands comma.
func count(what, text string) (int, error) {
	if !countPattern.MatchString(text) {
		return 0, layoutf("%s %q is not a whole number", what, clip(text))
	}
	n, err := strconv.Atoi(strings.ReplaceAll(text, ",", ""))
	if err != nil {
		return 0, layoutf("%s %q: %v", what, clip(text), err)
	}
	return n, nil
}

// clip keeps what an error quotes from a page short.
func clip(text string) string {
	const limit = 60
	if r := []rune(text); len(r) > limit {
		return string(r[:limit]) + "…"
	}
	return text
}
