package validate

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"mtok/schema"
)

// money reads an amount with its currency before or behind it.
func (c *cursor) money(p *Printed) error {
	before, err := c.currency()
	if err != nil {
		return err
	}
	c.skip()
	switch r, _ := utf8.DecodeRuneInString(c.rest); {
	case strings.ContainsRune("-−–—(", r):
		return fmt.Errorf("%w: %q", ErrNegative, c.rest)
	case c.rest == "" || !isDigit(c.rest[0]):
		return fmt.Errorf("%w: %q is no amount", ErrPrice, c.rest)
	}
	number := c.number()
	behind := *c
	behind.skip()
	if unit := strings.ToLower(behind.word()); unit == "cents" || unit == "cent" || behind.accept("¢") {
		behind.accept(unit)
		return c.cents(p, number, before, behind)
	}
	after, err := behind.currency()
	if err != nil {
		return err
	}
	if after != "" {
		*c = behind
	}
	if p.Currency, err = oneCurrency(before, after); err != nil {
		return err
	}
	p.Amount, err = readAmount(number, p.Currency)
	return err
}

// cents reads an amount in hundredths of a dollar.
func (c *cursor) cents(p *Printed, number, before string, behind cursor) error {
	if before != "" {
		return fmt.Errorf("%w: %s and cents", ErrAmbiguous, before)
	}
	amount, err := readAmount(number, "USD")
	if err != nil {
		return err
	}
	whole, frac, _ := strings.Cut(amount.String(), ".")
	const places = 2
	if short := places + 1 - len(whole); short > 0 {
		whole = strings.Repeat("0", short) + whole
	}
	at := len(whole) - places
	p.Amount, err = schema.ParseDecimal(whole[:at] + "." + whole[at:] + frac)
	p.Currency, *c = "USD", behind
	return err
}

// spacers are the blanks that stand between groups of three digits; a plain
// blank may as well stand between two numbers.
const spacers = "\u00a0\u2009\u202f'’"

// number passes over a run of digits and of what may stand between them. A point
// or comma at its end belongs to it, so that "2." is seen.
func (c *cursor) number() string {
	end := 0
	for end < len(c.rest) {
		r, size := utf8.DecodeRuneInString(c.rest[end:])
		digitNext := end+size < len(c.rest) && isDigit(c.rest[end+size])
		if !isDigit(c.rest[end]) && r != '.' && r != ',' && !(strings.ContainsRune(spacers, r) && digitNext) {
			break
		}
		end += size
	}
	number := c.rest[:end]
	c.rest = c.rest[end:]
	return number
}

// maxAmountDigits is more than any price has.
const maxAmountDigits = 24

// readAmount reads a number in the forms in which prices are printed. A single
// point or comma with three digits behind it may be either kind of separator,
// and a comma before the cents of a dollar amount is no form of dollars: each is
// ambiguous. A number of groups and decimals tells which is which.
func readAmount(number, currency string) (schema.Decimal, error) {
	var kinds []rune // of separators, in their order
	count := map[rune]int{}
	for _, r := range number {
		if r > unicode.MaxASCII || !isDigit(byte(r)) {
			if count[r] == 0 {
				kinds = append(kinds, r)
			}
			count[r]++
		}
	}
	if len(number) > maxAmountDigits || len(kinds) > 2 {
		return schema.Decimal{}, fmt.Errorf("%w: %q is no amount", ErrPrice, number)
	}
	whole, frac := number, ""
	if len(kinds) == 2 || len(kinds) == 1 && count[kinds[0]] == 1 && (kinds[0] == '.' || kinds[0] == ',') {
		mark := kinds[len(kinds)-1]
		if count[mark] != 1 || mark != '.' && mark != ',' {
			return schema.Decimal{}, fmt.Errorf("%w: %q is no amount", ErrPrice, number)
		}
		whole, frac, _ = strings.Cut(number, string(mark))
		if frac == "" {
			return schema.Decimal{}, fmt.Errorf("%w: %q ends in its separator", ErrPrice, number)
		}
		if len(kinds) == 1 && (len(frac) == 3 && len(whole) <= 3 && whole[0] != '0' || mark == ',' && (currency == "USD" || currency == "")) {
			return schema.Decimal{}, fmt.Errorf("%w: %q", ErrAmbiguous, number)
		}
	}
	if len(kinds) == 2 || len(kinds) == 1 && frac == "" {
		var ok bool
		if whole, ok = ungroup(whole, string(kinds[0])); !ok {
			return schema.Decimal{}, fmt.Errorf("%w: %q is not in groups of three", ErrPrice, number)
		}
	}
	if len(whole) > 1 && whole[0] == '0' {
		return schema.Decimal{}, fmt.Errorf("%w: %q has a leading zero", ErrPrice, number)
	}
	if frac != "" {
		whole += "." + frac
	}
	amount, err := schema.ParseDecimal(whole)
	if err != nil {
		return amount, fmt.Errorf("%w: %w", ErrPrice, err)
	}
	return amount, nil
}

// ungroup takes out the separators between groups of three digits.
func ungroup(text, separator string) (string, bool) {
	groups := strings.Split(text, separator)
	for i, g := range groups {
		if i > 0 && len(g) != 3 || i == 0 && (len(g) < 1 || len(g) > 3 || len(groups) > 1 && g[0] == '0') {
			return "", false
		}
	}
	return strings.Join(groups, ""), true
}
