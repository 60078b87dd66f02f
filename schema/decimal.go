package schema

import (
	"fmt"
	"math/big"
	"strings"
)

// Decimal is an exact non-negative decimal as it was written: an amount in its
// listed unit, a throughput, a utilization. The zero value is "not given". It
// keeps the text, so that a figure is shown as its source prints it, and is
// comparable with ==.
type Decimal struct{ text string }

// maxDecimalLength bounds what ParseDecimal reads: longer text is no price and
// no throughput, but would cost time in exact arithmetic.
const maxDecimalLength = 40

// ParseDecimal reads digits with at most one point that has digits on both
// sides. Signs, exponents, separators, NaN and Inf are errors: big.Rat alone
// would take "1/3" and "1e9".
func ParseDecimal(text string) (Decimal, error) {
	whole, frac, hasPoint := strings.Cut(text, ".")
	if len(text) > maxDecimalLength || !allDigits(whole) || (hasPoint && !allDigits(frac)) {
		return Decimal{}, fmt.Errorf("%q is not a plain decimal number", clip(text))
	}
	return Decimal{text: text}, nil
}

// MustDecimal is ParseDecimal for constants in code and tests.
func MustDecimal(text string) Decimal {
	d, err := ParseDecimal(text)
	if err != nil {
		panic(err)
	}
	return d
}

// IsSet reports whether a number was given at all.
func (d Decimal) IsSet() bool { return d.text != "" }

// Rat returns the exact value; zero when nothing was given.
func (d Decimal) Rat() *big.Rat {
	r, ok := new(big.Rat).SetString(d.text)
	if !ok {
		return new(big.Rat)
	}
	return r
}

// String returns the text as written.
func (d Decimal) String() string { return d.text }

// MarshalText returns the text as written.
func (d Decimal) MarshalText() ([]byte, error) { return []byte(d.text), nil }

// UnmarshalText is ParseDecimal; a TOML number reaches it as its source text.
func (d *Decimal) UnmarshalText(text []byte) error {
	v, err := ParseDecimal(strings.ReplaceAll(string(text), "_", ""))
	if err != nil {
		return err
	}
	*d = v
	return nil
}

func allDigits(s string) bool {
	for _, r := range s {
		if r < '0' || r > '9' {
			return false
		}
	}
	return s != ""
}

func clip(s string) string {
	if len(s) > maxDecimalLength {
		return s[:maxDecimalLength] + "…"
	}
	return s
}
