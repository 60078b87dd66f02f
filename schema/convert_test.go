package schema_test

import (
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"mtok/schema"
)

// TestTimesIsRoundUSD: the short way gives what exact fractions give.
func TestTimesIsRoundUSD(t *testing.T) {
	check := func(text string, num, den int64) {
		t.Helper()
		d := schema.MustDecimal(text)
		want, wantErr := schema.RoundUSD(new(big.Rat).Mul(d.Rat(), big.NewRat(num, den)))
		got, err := d.Times(num, den)
		if got != want || (err == nil) != (wantErr == nil) {
			t.Errorf("%s * %d / %d = %d, %v; want %d, %v", text, num, den, got, err, want, wantErr)
		}
	}
	for _, text := range []string{
		"0", "1", "0.0000005", "0.0000004999999999999", "0.00000049999999999999999999", "2.5", "49.24", "1.3168888888888888",
		"9223372036854.775807", "9223372036854.775808", "18446744073709551615", "99999999999999999999", "0.1000000000000000000",
	} {
		for _, shape := range [][2]int64{{1, 1}, {1, 2}, {1, 3}, {1, 7}, {1, 8}, {8, 1}, {256, 1}, {0, 5}, {1, 1_000_000_000_000}, {1 << 40, 3}} {
			check(text, shape[0], shape[1])
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		whole := strconv.FormatUint(random.Uint64N(1<<random.IntN(40)), 10)
		frac := strconv.FormatUint(random.Uint64(), 10)
		text := whole + "." + strings.Repeat("0", random.IntN(6)) + frac[:1+random.IntN(len(frac))]
		check(text, 1+random.Int64N(300), 1+random.Int64N(72))
	}
	if got, err := schema.MustDecimal("1").Times(1, 0); err == nil {
		t.Errorf("divided by 0: %d", got)
	}
	if got, err := (schema.Decimal{}).Times(1, 1); err != nil || got != 0 {
		t.Errorf("no number: %d, %v", got, err)
	}
}
