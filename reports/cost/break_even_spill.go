package cost

import (
	"fmt"
	"math/big"
	"sort"

	"mtok/schema"
)

// SpillOver is a load that some rented configurations serve as far as they can,
// while an API serves the rest.
type SpillOver struct {
	Configurations int
	Rent, API      schema.USD // of all the hours
	Total          schema.USD
	// Spilled is the share of the output tokens that the API serves.
	Spilled *big.Rat
}

// maxConfigurations bounds what is rented for a load: a larger one is a mistake
// in its unit.
const maxConfigurations = 1_000_000

// CheapestSpillOver finds how many configurations to rent for a load, given as
// output tokens hour by hour, when an API serves what is above their measured
// throughput at a price per million. It returns the cheapest, the fewest of equals,
// after none at all and before as many as the busiest hour needs: alternatives has
// those three. They are rented around the clock, by the rent alone.
func CheapestSpillOver(hourly []int64, in Input, api *big.Rat) (best SpillOver, alternatives []SpillOver, err error) {
	in.Utilization, in.Overhead = schema.MustDecimal("1"), schema.MustDecimal("1")
	if err := in.validate(); err != nil {
		return best, nil, err
	}
	l := loads{capacity: mul(in.TokensPerSecond.Rat(), big.NewRat(secondsPerHour, 1)), rent: in.USDPerHour, api: api}
	if api == nil || api.Sign() <= 0 || len(hourly) == 0 {
		return best, nil, fmt.Errorf("%w: a spill-over needs a load and the API's price", ErrInput)
	}
	peak := int64(0)
	for _, tokens := range hourly {
		if tokens < 0 {
			return best, nil, fmt.Errorf("%w: a load of %d tokens", ErrInput, tokens)
		}
		peak = max(peak, tokens)
		l.hourly = append(l.hourly, new(big.Rat).SetInt64(tokens))
	}
	needs := new(big.Rat).Quo(new(big.Rat).SetInt64(peak), l.capacity)
	if needs.Cmp(big.NewRat(maxConfigurations, 1)) > 0 {
		return best, nil, fmt.Errorf("%w: %d tokens in an hour need more than %d configurations", ErrInput, peak, maxConfigurations)
	}
	most := int(new(big.Int).Div(new(big.Int).Add(needs.Num(), new(big.Int).Sub(needs.Denom(), big.NewInt(1))), needs.Denom()).Int64())
	// Each further one takes less off the API than the one before: the first that
	// does not earn its rent ends the search.
	hours := mul(l.rent, big.NewRat(int64(len(hourly)), 1))
	n := sort.Search(most, func(n int) bool {
		saved := new(big.Rat).Sub(l.spilled(n), l.spilled(n+1))
		return mul(mul(saved, big.NewRat(1, million)), api).Cmp(hours) <= 0
	})
	for _, count := range []int{0, n, most} {
		s, err := l.with(count)
		if err != nil {
			return best, nil, err
		}
		alternatives = append(alternatives, s)
	}
	return alternatives[1], alternatives, nil
}

type loads struct {
	hourly              []*big.Rat // output tokens
	capacity, rent, api *big.Rat   // of one configuration: tokens an hour, USD an hour; USD per MTok
}

// spilled are the tokens above what n configurations serve.
func (l loads) spilled(n int) *big.Rat {
	served := mul(l.capacity, big.NewRat(int64(n), 1))
	sum := new(big.Rat)
	for _, tokens := range l.hourly {
		if rest := new(big.Rat).Sub(tokens, served); rest.Sign() > 0 {
			sum.Add(sum, rest)
		}
	}
	return sum
}

func (l loads) with(n int) (SpillOver, error) {
	over, all := l.spilled(n), l.spilled(0)
	rent := mul(l.rent, big.NewRat(int64(n)*int64(len(l.hourly)), 1))
	bill := mul(mul(over, big.NewRat(1, million)), l.api)
	s := SpillOver{Configurations: n, Spilled: new(big.Rat)}
	if all.Sign() > 0 {
		s.Spilled = over.Quo(over, all)
	}
	for _, v := range []struct {
		exact *big.Rat
		to    *schema.USD
	}{{rent, &s.Rent}, {bill, &s.API}, {new(big.Rat).Add(rent, bill), &s.Total}} {
		var err error
		if *v.to, err = schema.RoundUSD(v.exact); err != nil {
			return s, fmt.Errorf("spill-over: %w", err)
		}
	}
	return s, nil
}
