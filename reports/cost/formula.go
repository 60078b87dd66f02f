package cost

import (
	"errors"
	"fmt"
	"math/big"

	"mtok/schema"
)

// ErrInput is wrapped by every error about what a cost was to be made of.
var ErrInput = errors.New("no cost can be computed")

// Input is what one cost is made of.
type Input struct {
	// USDPerHour is the price of the whole configuration. It is exact: the
	// share of a larger node need not end in decimals.
	USDPerHour *big.Rat
	// TokensPerSecond are output tokens of the whole configuration.
	TokensPerSecond schema.Decimal
	// Utilization is the average throughput over the measured one, in (0, 1].
	Utilization schema.Decimal
	// Overhead multiplies the rent, 1 for none.
	Overhead schema.Decimal
}

// PerMTok are costs in USD per million output tokens, each rounded once.
type PerMTok struct {
	Raw      schema.USD // busy all the time
	Utilized schema.USD
	AllIn    schema.USD // utilized with the overhead
}

// Compute applies the formula:
//
//	raw = usd_per_hour / (tokens_per_second * 3600) * 1e6
//	utilized = raw / utilization
//	all_in = utilized * overhead
//
// A missing or impossible input is ErrInput; a result beyond the range of USD
// is schema.ErrMoney.
func Compute(in Input) (PerMTok, error) {
	if err := in.validate(); err != nil {
		return PerMTok{}, err
	}
	raw := perHour(in.USDPerHour, in.TokensPerSecond.Rat())
	utilized := new(big.Rat).Quo(raw, in.Utilization.Rat())
	allIn := new(big.Rat).Mul(utilized, in.Overhead.Rat())

	var out PerMTok
	for _, v := range []struct {
		exact *big.Rat
		to    *schema.USD
	}{{raw, &out.Raw}, {utilized, &out.Utilized}, {allIn, &out.AllIn}} {
		rounded, err := schema.RoundUSD(v.exact)
		if err != nil {
			return PerMTok{}, fmt.Errorf("cost per million tokens: %w", err)
		}
		*v.to = rounded
	}
	return out, nil
}

func (in Input) validate() error {
	one := big.NewRat(1, 1)
	switch {
	case in.USDPerHour == nil || in.USDPerHour.Sign() <= 0:
		return fmt.Errorf("%w: the price per hour must be above 0", ErrInput)
	case in.TokensPerSecond.Rat().Sign() <= 0:
		return fmt.Errorf("%w: tokens per second must be above 0", ErrInput)
	}
	if err := CheckUtilization(in.Utilization); err != nil {
		return err
	}
	if in.Overhead.Rat().Cmp(one) < 0 {
		return fmt.Errorf("%w: overhead must be 1 (none) or more, is %s", ErrInput, given(in.Overhead))
	}
	return nil
}

// CheckUtilization returns ErrInput unless u lies in (0, 1].
func CheckUtilization(u schema.Decimal) error {
	if r := u.Rat(); r.Sign() <= 0 || r.Cmp(big.NewRat(1, 1)) > 0 {
		return fmt.Errorf("%w: utilization must be above 0 and at most 1, is %s", ErrInput, given(u))
	}
	return nil
}

func given(d schema.Decimal) string {
	if !d.IsSet() {
		return "not given"
	}
	return d.String()
}
