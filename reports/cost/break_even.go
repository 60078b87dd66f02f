package cost

import (
	"fmt"
	"math/big"

	"mtok/schema"
)

// Mix is how much input goes with how much output: the mean lengths of a request.
type Mix struct{ Input, Output schema.Decimal }

// inputPerOutput is the input tokens of one output token; ErrInput where the mix
// is not known.
func (m Mix) inputPerOutput() (*big.Rat, error) {
	if !m.Input.IsSet() || m.Output.Rat().Sign() <= 0 {
		return nil, fmt.Errorf("%w: the mix of input and output is not known", ErrInput)
	}
	return new(big.Rat).Quo(m.Input.Rat(), m.Output.Rat()), nil
}

// APIPrice is what an API asks, in USD per million tokens.
type APIPrice struct {
	In, Out   schema.USD
	CacheRead schema.USD // of input that is read from the cache, 0 where none is listed
	// CachedShare is how much of the input that is. It counts only where a price is
	// listed: none is assumed.
	CachedShare schema.Decimal
	// Fee is a share of the bill that comes on top, such as 0.055.
	Fee schema.Decimal
}

// PerMTok is what a million output tokens cost by the API, with the input that goes
// with them: out + (input per output) * in, and the fee on both. It is exact.
func (p APIPrice) PerMTok(m Mix) (*big.Rat, error) {
	ratio, err := m.inputPerOutput()
	if err != nil {
		return nil, err
	}
	if p.In <= 0 || p.Out <= 0 {
		return nil, fmt.Errorf("%w: the API lists no price of input and output", ErrInput)
	}
	one := big.NewRat(1, 1)
	in := p.In.Rat()
	if share := p.CachedShare.Rat(); p.CacheRead > 0 && share.Sign() > 0 {
		if share.Cmp(one) > 0 {
			return nil, fmt.Errorf("%w: the cached share must be at most 1, is %s", ErrInput, p.CachedShare)
		}
		fresh := mul(in, new(big.Rat).Sub(one, share))
		in = fresh.Add(fresh, mul(p.CacheRead.Rat(), share))
	}
	sum := mul(in, ratio)
	return mul(sum.Add(sum, p.Out.Rat()), new(big.Rat).Add(one, p.Fee.Rat())), nil
}

// BreakEven is how busy a configuration must be to be cheaper than an API.
type BreakEven struct {
	// Rent and AllIn are shares of the measured throughput, by the rent alone and
	// with everything else; above 1 it never is. AllIn is nil where no load at all
	// would do, since each token alone costs more.
	Rent, AllIn *big.Rat
	// FullPerDay are the output tokens that the configuration gives in a day at its
	// measured throughput, PerDay those at which the rent is earned.
	FullPerDay, PerDay *big.Rat
}

// Never reports whether the configuration is not cheaper at any load.
func Never(share *big.Rat) bool { return share == nil || share.Cmp(big.NewRat(1, 1)) > 0 }

// BreakEvenAt finds the break-even against what the API asks for a million output
// tokens and their input. The utilization of the input is not used. Items stand in
// the place of the overhead where they are given.
func BreakEvenAt(in Input, items *Items, api *big.Rat) (BreakEven, error) {
	in.Utilization = schema.MustDecimal("1")
	if items != nil {
		in.Overhead = schema.MustDecimal("1")
	}
	if err := in.validate(); err != nil {
		return BreakEven{}, err
	}
	if api == nil || api.Sign() <= 0 {
		return BreakEven{}, fmt.Errorf("%w: the API's price must be above 0", ErrInput)
	}
	raw := perHour(in.USDPerHour, in.TokensPerSecond.Rat())
	full := mul(in.TokensPerSecond.Rat(), big.NewRat(secondsPerDay, 1))
	b := BreakEven{Rent: new(big.Rat).Quo(raw, api), FullPerDay: full}
	b.PerDay = mul(full, b.Rent)
	byTime, byToken := mul(raw, in.Overhead.Rat()), new(big.Rat)
	if items != nil {
		if err := items.validate(); err != nil {
			return BreakEven{}, err
		}
		byTime, byToken = items.split(in, Month{})
	}
	// What a token costs falls with the load only as far as it is paid by time.
	if margin := new(big.Rat).Sub(api, byToken); margin.Sign() > 0 {
		b.AllIn = new(big.Rat).Quo(byTime, margin)
	}
	return b, nil
}

const secondsPerDay = 24 * 60 * 60

// split parts the all-in cost at full load into what is paid by time, which a
// token bears the more of the less busy the machine is, and by token.
func (items Items) split(in Input, month Month) (byTime, byToken *big.Rat) {
	byTime, byToken = new(big.Rat), items.egress()
	for _, l := range items.lines(in, month) {
		byTime.Add(byTime, l.usd)
	}
	return byTime.Sub(byTime, byToken), byToken
}

// MonthPicture sets a month of rent beside the same tokens by API.
type MonthPicture struct {
	Rent, API schema.USD
	// OutputTokens are those of the month, InputTokens what goes with them.
	OutputTokens, InputTokens *big.Rat
}

// PictureOfMonth prices so many output tokens, with their input, at what a million
// of them cost by API, beside a rent per hour over so many hours.
func PictureOfMonth(usdPerHour, hours, outputTokens *big.Rat, m Mix, api *big.Rat) (MonthPicture, error) {
	ratio, err := m.inputPerOutput()
	if err != nil {
		return MonthPicture{}, err
	}
	p := MonthPicture{OutputTokens: outputTokens, InputTokens: mul(outputTokens, ratio)}
	if p.Rent, err = schema.RoundUSD(mul(usdPerHour, hours)); err != nil {
		return MonthPicture{}, fmt.Errorf("rent of a month: %w", err)
	}
	if p.API, err = schema.RoundUSD(mul(mul(outputTokens, big.NewRat(1, million)), api)); err != nil {
		return MonthPicture{}, fmt.Errorf("tokens of a month by API: %w", err)
	}
	return p, nil
}
