package cost

import (
	"fmt"
	"math/big"

	"mtok/schema"
)

// Rent is the invoice for so many GPUs over so many hours, rounded once.
func Rent(usdPerGPUHour schema.Decimal, gpus int, hours int64) (schema.USD, error) {
	if usdPerGPUHour.Rat().Sign() <= 0 || gpus < 1 || hours < 1 {
		return 0, fmt.Errorf("%w: an invoice needs a price, GPUs and hours above 0", ErrInput)
	}
	return schema.RoundUSD(mul(usdPerGPUHour.Rat(), big.NewRat(int64(gpus)*hours, 1)))
}

// Paid is what a million output tokens cost by an invoice and the tokens that
// came out: no throughput and no utilization is guessed. Without tokens there is
// no cost: ErrInput.
func Paid(invoice schema.USD, outputTokens schema.Decimal) (schema.USD, error) {
	switch {
	case invoice <= 0:
		return 0, fmt.Errorf("%w: the invoice must be above 0", ErrInput)
	case outputTokens.Rat().Sign() <= 0:
		return 0, fmt.Errorf("%w: the output tokens are unknown", ErrInput)
	}
	return schema.RoundUSD(perMillion(invoice.Rat(), outputTokens.Rat()))
}

// Achieved is the utilization that so many output tokens in so many hours are, of
// what the configurations rented were measured to give in all. Above 1 the
// measurement does not fit the traffic.
func Achieved(outputTokens, tokensPerSecond schema.Decimal, configurations int, hours int64) (*big.Rat, error) {
	most := mul(tokensPerSecond.Rat(), big.NewRat(int64(configurations)*hours*secondsPerHour, 1))
	if outputTokens.Rat().Sign() <= 0 || most.Sign() <= 0 {
		return nil, fmt.Errorf("%w: the achieved utilization needs tokens, a measured throughput, configurations and hours above 0", ErrInput)
	}
	return new(big.Rat).Quo(outputTokens.Rat(), most), nil
}

const (
	secondsPerHour = 3600
	million        = 1_000_000
)

// perMillion is the cost of a million tokens where so many cost an amount.
func perMillion(usd, tokens *big.Rat) *big.Rat {
	return new(big.Rat).Quo(mul(usd, big.NewRat(million, 1)), tokens)
}
