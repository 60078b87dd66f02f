package schema

import (
	"errors"
	"fmt"
	"math/big"
	"strings"
)

// USD is an amount in micro-dollars (1 USD = 1,000,000). Sums, comparisons and
// ordering are exact in Go and in both databases; no float ever holds money.
type USD int64

const microPerUSD = 1_000_000

// ErrMoney is wrapped by every error of parsing or rounding an amount.
var ErrMoney = errors.New("not an amount of money")

// ParseUSD reads a plain decimal such as "49.24": digits, at most one point,
// no sign, symbol, thousands separator or exponent. More than six decimals are
// rounded half away from zero.
func ParseUSD(text string) (USD, error) {
	d, err := ParseDecimal(text)
	if err != nil {
		return 0, fmt.Errorf("%w: %w", ErrMoney, err)
	}
	return RoundUSD(d.Rat())
}

// RoundUSD rounds an exact amount in dollars to micro-dollars, half away from
// zero. It is to be called once, at the end of a calculation. An amount beyond
// the range of USD is an error, never a wrapped number.
func RoundUSD(dollars *big.Rat) (USD, error) {
	micro := new(big.Rat).Mul(dollars, big.NewRat(microPerUSD, 1))
	n := roundHalfAway(micro)
	if !n.IsInt64() {
		return 0, fmt.Errorf("%w: %s dollars is out of range", ErrMoney, dollars.FloatString(2))
	}
	return USD(n.Int64()), nil
}

// Rat returns the exact amount in dollars.
func (u USD) Rat() *big.Rat { return big.NewRat(int64(u), microPerUSD) }

// String prints dollars with two to six decimals: the machine form ("6.155",
// "3.90", "0.78375").
func (u USD) String() string {
	text := u.Rat().FloatString(6)
	for range 4 {
		text = strings.TrimSuffix(text, "0")
	}
	return text
}

// Fixed prints dollars with exactly the given number of decimals, rounded half
// away from zero: the form for screens.
func (u USD) Fixed(decimals int) string { return u.Rat().FloatString(decimals) }

// MarshalText makes USD a decimal string in JSON and TOML.
func (u USD) MarshalText() ([]byte, error) { return []byte(u.String()), nil }

// UnmarshalText reads what MarshalText writes. A bare TOML integer does not come
// here but is taken as micro-dollars by the decoder: TOML files write money as
// strings, or are read into a Decimal.
func (u *USD) UnmarshalText(text []byte) error {
	v, err := ParseUSD(string(text))
	if err != nil {
		return err
	}
	*u = v
	return nil
}

func roundHalfAway(r *big.Rat) *big.Int {
	num, den := new(big.Int).Abs(r.Num()), r.Denom()
	n, rem := new(big.Int).QuoRem(num, den, new(big.Int))
	if rem.Lsh(rem, 1).Cmp(den) >= 0 {
		n.Add(n, big.NewInt(1))
	}
	if r.Sign() < 0 {
		n.Neg(n)
	}
	return n
}
