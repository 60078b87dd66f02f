package schema

import (
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"strings"
)

// Positive reports whether a number was given that is not 0.
func (d Decimal) Positive() bool { return strings.ContainsAny(d.text, "123456789") }

// maxFastDigits are the digits that a uint64 holds whatever they are.
const maxFastDigits = 19

// Times returns the amount, in dollars, times num and divided by den, rounded
// once, half away from zero: RoundUSD without the cost of exact fractions, which
// is most of the time of a night of ten thousand offers. den must be above 0.
func (d Decimal) Times(num, den int64) (USD, error) {
	if d.IsSet() && num >= 0 && den > 0 {
		if usd, ok := d.fastTimes(uint64(num), uint64(den)); ok {
			return usd, nil
		}
	}
	if den <= 0 {
		return 0, fmt.Errorf("%w: divided by %d", ErrMoney, den)
	}
	return RoundUSD(new(big.Rat).Mul(d.Rat(), big.NewRat(num, den)))
}

// fastTimes computes in 128 bits; it is false where those do not hold it.
func (d Decimal) fastTimes(num, den uint64) (USD, bool) {
	whole, frac, _ := strings.Cut(d.text, ".")
	if len(whole)+len(frac) > maxFastDigits || den > math.MaxUint32 || num > math.MaxUint32 {
		return 0, false
	}
	digits := uint64(0)
	for _, part := range [2]string{whole, frac} {
		for i := range len(part) {
			digits = digits*10 + uint64(part[i]-'0')
		}
	}
	scale := uint64(1)
	for range frac {
		scale *= 10
	}
	overflow, divisor := bits.Mul64(scale, den)
	top, low := bits.Mul64(digits, num*microPerUSD)
	// Half of the divisor must fit beside the rest, and the quotient an int64.
	if overflow != 0 || divisor > math.MaxInt64 || top >= divisor/2 || num > math.MaxUint64/microPerUSD {
		return 0, false
	}
	quotient, rest := bits.Div64(top, low, divisor)
	if rest >= divisor-rest {
		quotient++
	}
	if quotient > math.MaxInt64 {
		return 0, false
	}
	return USD(quotient), true
}
