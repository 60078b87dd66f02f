package validate

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"mtok/schema"
)

// Printed is a price cell as its words say it.
type Printed struct {
	// Qualifier is set where the figure is no single price: "from", "up to",
	// "about".
	Qualifier string
	Amount    schema.Decimal // as printed, in whole units of the currency
	Currency  string         // ISO 4217; empty where none is printed
	// Unit is what the price is for, empty where the cell does not say: the unit
	// then stands in the heading. An hour is the only period that is read.
	Unit schema.Unit
	// Was is the earlier price of "$2.99 (was $3.99)"; not set for most.
	Was schema.Decimal
	// Footnote is the mark at the figure or its unit, as printed.
	Footnote string
}

// The kinds of text that give no price. Each error of ParsePrice is one of them
// and says more.
var (
	ErrUnpriced  = errors.New("no price")
	ErrAmbiguous = errors.New("ambiguous price")
	ErrAmounts   = errors.New("more than one amount")
	ErrNegative  = errors.New("negative price")
	ErrPeriod    = errors.New("price for another period than an hour")
	ErrPrice     = errors.New("not a price")
)

// maxPriceText bounds what is read as a price cell: a longer one holds more.
const maxPriceText = 80

// ParsePrice reads a price cell that was written for people: qualifier, amount
// with its currency, unit, footnote. It takes no part of a text for the whole:
// what is left over, and what could be read in two ways, is an error.
func ParsePrice(text string) (Printed, error) {
	if !utf8.ValidString(text) || utf8.RuneCountInString(text) > maxPriceText || strings.ContainsFunc(text, hidden) {
		return Printed{}, fmt.Errorf("%w: too long, or with characters that are not shown", ErrPrice)
	}
	c := cursor{rest: strings.TrimFunc(text, unicode.IsSpace)}
	if !strings.ContainsFunc(c.rest, unicode.IsNumber) {
		return Printed{}, fmt.Errorf("%w in %q", ErrUnpriced, c.rest)
	}
	p := Printed{Qualifier: c.qualifier()}
	if err := c.money(&p); err != nil {
		return Printed{}, err
	}
	if c.accept("+") {
		p.Qualifier = qualifierFrom
	}
	if err := c.footnote(&p); err != nil {
		return Printed{}, err
	}
	if err := c.unit(&p); err != nil {
		return Printed{}, err
	}
	if err := c.footnote(&p); err != nil {
		return Printed{}, err
	}
	if err := c.was(&p); err != nil {
		return Printed{}, err
	}
	if c.rest != "" {
		return Printed{}, c.leftOver()
	}
	if !p.Amount.Positive() {
		return Printed{}, fmt.Errorf("%w: the amount is %s", ErrUnpriced, p.Amount)
	}
	return p, nil
}

// hidden reports a rune that changes how the text around it is shown, or is not
// shown itself.
func hidden(r rune) bool {
	return unicode.Is(unicode.Cf, r) || unicode.IsControl(r) && !unicode.IsSpace(r) || r == unicode.ReplacementChar
}

// cursor is what of a price cell is still to be read.
type cursor struct{ rest string }

// skip passes over white space.
func (c *cursor) skip() { c.rest = strings.TrimLeftFunc(c.rest, unicode.IsSpace) }

// accept passes over a prefix where it is next, in any case.
func (c *cursor) accept(prefix string) bool {
	if len(c.rest) < len(prefix) || !strings.EqualFold(c.rest[:len(prefix)], prefix) {
		return false
	}
	c.rest = c.rest[len(prefix):]
	return true
}

// word returns the letters that are next, without passing over them.
func (c *cursor) word() string {
	end := strings.IndexFunc(c.rest, func(r rune) bool { return !unicode.IsLetter(r) })
	if end < 0 {
		return c.rest
	}
	return c.rest[:end]
}

const (
	qualifierFrom  = "from"
	qualifierUpTo  = "up to"
	qualifierAbout = "about"
)

// qualifier reads what makes a figure a bound or an estimate.
func (c *cursor) qualifier() string {
	for _, q := range [][2]string{
		{"starting at", qualifierFrom}, {"starting from", qualifierFrom}, {"starts at", qualifierFrom},
		{"as low as", qualifierFrom}, {"from", qualifierFrom}, {"at least", qualifierFrom}, {"over", qualifierFrom},
		{"≥", qualifierFrom}, {">", qualifierFrom},
		{"up to", qualifierUpTo}, {"at most", qualifierUpTo}, {"under", qualifierUpTo}, {"≤", qualifierUpTo}, {"<", qualifierUpTo},
		{"about", qualifierAbout}, {"approx.", qualifierAbout}, {"around", qualifierAbout}, {"est.", qualifierAbout},
		{"~", qualifierAbout}, {"≈", qualifierAbout},
	} {
		if before := c.rest; c.accept(q[0]) {
			if next, _ := utf8.DecodeRuneInString(c.rest); unicode.IsLetter(next) {
				c.rest = before // "fromage" is not "from"
				continue
			}
			c.accept(":")
			c.skip()
			return q[1]
		}
	}
	return ""
}

// footnote reads a mark. A raised figure behind a whole amount may be its cents:
// "$2⁹⁹".
func (c *cursor) footnote(p *Printed) error {
	rest, raised := c.rest, false
	for {
		r, size := utf8.DecodeRuneInString(rest)
		switch {
		case strings.ContainsRune("*†‡§", r) && size > 0:
			rest = rest[size:]
		case strings.ContainsRune("¹²³⁰⁴⁵⁶⁷⁸⁹", r) && size > 0:
			rest, raised = rest[size:], true
		case r == '^' && len(rest) > 1 && isDigit(rest[1]):
			rest, raised = strings.TrimLeft(rest[1:], "0123456789"), true
		case r == '[' && len(rest) > 2 && isDigit(rest[1]) && rest[2] == ']':
			rest = rest[3:]
		default:
			mark := c.rest[:len(c.rest)-len(rest)]
			if raised && p.Unit == "" && !strings.Contains(p.Amount.String(), ".") {
				return fmt.Errorf("%w: %s may be cents or a footnote of %s", ErrAmbiguous, mark, p.Amount)
			}
			p.Footnote += mark
			c.rest = rest
			return nil
		}
	}
}

// was reads the earlier price of "$2.99 (was $3.99)": the words say which of the
// two counts. A price that is struck through has no words and is two amounts.
func (c *cursor) was(p *Printed) error {
	in := *c
	in.skip()
	if !in.accept("(was ") {
		return nil
	}
	var old Printed
	if err := in.money(&old); err != nil {
		return err
	}
	if err := in.unit(&old); err != nil {
		return err
	}
	if !in.accept(")") || old.Currency != p.Currency {
		return fmt.Errorf("%w in %q", ErrAmounts, c.rest)
	}
	p.Was, *c = old.Amount, in
	return nil
}

// leftOver says what it means that not all of the text was read.
func (c *cursor) leftOver() error {
	if strings.ContainsFunc(c.rest, unicode.IsNumber) {
		return fmt.Errorf("%w: %q is left", ErrAmounts, c.rest)
	}
	return fmt.Errorf("%w: %q is left", ErrPrice, c.rest)
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }
