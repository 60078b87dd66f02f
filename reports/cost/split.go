package cost

import (
	"fmt"
	"math/big"

	"mtok/schema"
)

// Method is a way to divide one rent between input and output tokens. None is
// right for all: a figure names its own.
type Method string

// The methods.
const (
	MethodOutput Method = "output_only"  // all of it on the output
	MethodTotal  Method = "total_tokens" // the same on every token
	MethodRatio  Method = "price_ratio"  // output dearer than input by a chosen factor
	MethodPhase  Method = "phase_split"  // each phase pays its own machines
)

// Split is the cost of a million input and of a million output tokens, in USD.
type Split struct {
	Method Method
	Input  schema.USD // 0 by MethodOutput: the output pays for it
	Output schema.USD
	// the same before rounding
	input, output *big.Rat
}

// Flow is a rent and the tokens that it moves.
type Flow struct {
	USDPerHour *big.Rat // of the whole configuration
	// Input and Output are tokens a second, at the utilization that is meant.
	Input, Output *big.Rat
}

// InputRate are the input tokens a second that go with an output rate where a
// request has these lengths. An unknown length is ErrInput.
func InputRate(output *big.Rat, inputTokens, outputTokens schema.Decimal) (*big.Rat, error) {
	if !inputTokens.IsSet() || outputTokens.Rat().Sign() <= 0 {
		return nil, fmt.Errorf("%w: the input rate needs both lengths", ErrInput)
	}
	rate := mul(output, inputTokens.Rat())
	return rate.Quo(rate, outputTokens.Rat()), nil
}

// OutputOnly puts the whole rent on the output tokens. It misleads for long
// prompts, whose reading it hides in the output.
func (f Flow) OutputOnly() (Split, error) {
	if !above(f.USDPerHour) || !above(f.Output) {
		return Split{}, fmt.Errorf("%w: rent and output rate must be above 0", ErrInput)
	}
	return newSplit(MethodOutput, new(big.Rat), perHour(f.USDPerHour, f.Output))
}

// TotalTokens gives every token the same cost.
func (f Flow) TotalTokens() (Split, error) { return f.weighted(MethodTotal, big.NewRat(1, 1)) }

// PriceRatio makes output tokens k times as dear as input tokens, as the API
// that it is compared with does: in = rent / (input + k*output), out = k*in.
func (f Flow) PriceRatio(k schema.Decimal) (Split, error) {
	if k.Rat().Sign() <= 0 {
		return Split{}, fmt.Errorf("%w: the price ratio must be above 0, is %s", ErrInput, given(k))
	}
	return f.weighted(MethodRatio, k.Rat())
}

func (f Flow) weighted(method Method, k *big.Rat) (Split, error) {
	switch {
	case !above(f.USDPerHour) || !above(f.Output):
		return Split{}, fmt.Errorf("%w: rent and output rate must be above 0", ErrInput)
	case f.Input == nil || f.Input.Sign() < 0:
		return Split{}, fmt.Errorf("%w: the input rate is not known", ErrInput)
	}
	input := perHour(f.USDPerHour, new(big.Rat).Add(f.Input, mul(k, f.Output)))
	return newSplit(method, input, mul(k, input))
}

// Phase is the rent and the token rate of the machines of one phase.
type Phase struct {
	USDPerHour      *big.Rat
	TokensPerSecond *big.Rat
}

// PhaseSplit lets input tokens pay the machines that read them and output tokens
// those that write them. Machines that do both are given the rate of each phase
// alone.
func PhaseSplit(prefill, decode Phase) (Split, error) {
	for _, p := range []Phase{prefill, decode} {
		if !above(p.USDPerHour) || !above(p.TokensPerSecond) {
			return Split{}, fmt.Errorf("%w: each phase needs a rent and a rate above 0", ErrInput)
		}
	}
	return newSplit(MethodPhase, perHour(prefill.USDPerHour, prefill.TokensPerSecond), perHour(decode.USDPerHour, decode.TokensPerSecond))
}

func newSplit(method Method, input, output *big.Rat) (Split, error) {
	s := Split{Method: method, input: input, output: output}
	var err error
	if s.Input, err = schema.RoundUSD(input); err != nil {
		return Split{}, fmt.Errorf("cost of input tokens: %w", err)
	}
	if s.Output, err = schema.RoundUSD(output); err != nil {
		return Split{}, fmt.Errorf("cost of output tokens: %w", err)
	}
	return s, nil
}

// Request is the cost of one request of these lengths, in exact dollars.
func (s Split) Request(inputTokens, outputTokens schema.Decimal) *big.Rat {
	sum := mul(s.input, inputTokens.Rat())
	sum.Add(sum, mul(s.output, outputTokens.Rat()))
	return sum.Quo(sum, big.NewRat(million, 1))
}

// perHour is the cost of a million tokens at a rent and a rate.
func perHour(usdPerHour, tokensPerSecond *big.Rat) *big.Rat {
	return perMillion(usdPerHour, mul(tokensPerSecond, big.NewRat(secondsPerHour, 1)))
}

func above(r *big.Rat) bool { return r != nil && r.Sign() > 0 }
