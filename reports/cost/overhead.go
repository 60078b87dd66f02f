package cost

import (
	"fmt"
	"math/big"

	"mtok/schema"
)

// Items are the costs beside the rent by name, in the place of a multiplier. One
// that is not set costs nothing.
type Items struct {
	StorageGB            schema.Decimal // of the whole deployment
	StorageUSDPerGBMonth schema.Decimal
	EgressUSDPerGB       schema.Decimal
	BytesPerToken        schema.Decimal // sent out for an output token; DefaultBytesPerToken where not set
	OpsUSDMonth          schema.Decimal // people and tools, of the whole deployment
	// Replicas are the configurations that serve, 1 where 0; SpareReplicas are
	// rented beside them and serve nothing.
	Replicas, SpareReplicas int
	// InterruptedShare is the share of paid time lost to interruptions, below 1.
	// It counts on spot alone.
	InterruptedShare schema.Decimal
	Spot             bool
	// Power counts where the machine is owned: a rent has it within.
	Owned     bool
	GPUs      int            // of one configuration
	KWPerGPU  schema.Decimal // with its share of server and cooling
	PUE       schema.Decimal // 1 where not set
	USDPerKWh schema.Decimal
}

// DefaultBytesPerToken are sent out for an output token: a streamed answer wraps
// each one, of about 4 bytes, into an event of JSON.
const DefaultBytesPerToken = 250

// Item is one line of an itemised cost.
type Item struct {
	Name    string
	PerMTok schema.USD
	// Words say what it was made of.
	Words string
}

// Itemised is the cost of a million output tokens with everything by name.
type Itemised struct {
	Items []Item // the rent first; what costs nothing is left out
	AllIn schema.USD
}

// Itemise computes the all-in cost from named items. Monthly amounts are spread
// over the hours of the month; each item and the sum are rounded once. A
// multiplier beside items would count twice: ErrInput, as is any impossible item.
func Itemise(in Input, items Items, month Month) (Itemised, error) {
	if !in.Overhead.IsSet() {
		in.Overhead = schema.MustDecimal("1")
	}
	if in.Overhead.Rat().Cmp(big.NewRat(1, 1)) != 0 {
		return Itemised{}, fmt.Errorf("%w: items stand in the place of the overhead of %s, not beside it", ErrInput, in.Overhead)
	}
	if err := in.validate(); err != nil {
		return Itemised{}, err
	}
	if err := items.validate(); err != nil {
		return Itemised{}, err
	}
	var out Itemised
	sum := new(big.Rat)
	for _, l := range items.lines(in, month) {
		if l.usd.Sign() == 0 {
			continue
		}
		rounded, err := schema.RoundUSD(l.usd)
		if err != nil {
			return Itemised{}, fmt.Errorf("%s per million tokens: %w", l.name, err)
		}
		sum.Add(sum, l.usd)
		out.Items = append(out.Items, Item{l.name, rounded, l.words})
	}
	var err error
	out.AllIn, err = schema.RoundUSD(sum)
	return out, err
}

func (items Items) validate() error {
	one := big.NewRat(1, 1)
	switch {
	case items.Replicas < 0 || items.SpareReplicas < 0:
		return fmt.Errorf("%w: replicas can't be negative", ErrInput)
	case items.InterruptedShare.Rat().Cmp(one) >= 0:
		return fmt.Errorf("%w: the interrupted share must be below 1, is %s", ErrInput, items.InterruptedShare)
	case items.Owned && items.GPUs < 1:
		return fmt.Errorf("%w: the power of an owned machine needs its GPUs", ErrInput)
	case items.PUE.IsSet() && items.PUE.Rat().Cmp(one) < 0:
		return fmt.Errorf("%w: PUE must be 1 or more, is %s", ErrInput, items.PUE)
	}
	return nil
}

// line is an item before rounding.
type line struct {
	name  string
	usd   *big.Rat // per million output tokens
	words string
}

func (items Items) lines(in Input, month Month) []line {
	serving := int64(max(items.Replicas, 1))
	spares := big.NewRat(int64(items.SpareReplicas), serving)
	busy := mul(in.TokensPerSecond.Rat(), in.Utilization.Rat())
	kept := busy
	if items.Spot {
		kept = mul(busy, new(big.Rat).Sub(big.NewRat(1, 1), items.InterruptedShare.Rat()))
	}
	// a monthly amount of the deployment, by the hour and serving configuration
	hourly := func(monthly *big.Rat) *big.Rat { return mul(monthly, big.NewRat(1, month.Hours()*serving)) }
	rented := mul(in.USDPerHour, new(big.Rat).Add(big.NewRat(1, 1), spares))
	lost := new(big.Rat).Sub(perHour(rented, kept), perHour(rented, busy))
	storage := mul(items.StorageGB.Rat(), items.StorageUSDPerGBMonth.Rat())
	return []line{
		{"rent", perHour(in.USDPerHour, busy), fmt.Sprintf("%s $/h at %s busy", in.USDPerHour.FloatString(2), in.Utilization)},
		{"spare replicas", perHour(mul(in.USDPerHour, spares), busy), fmt.Sprintf("%d beside %d serving", items.SpareReplicas, serving)},
		{"spot interruptions", lost, fmt.Sprintf("%s of paid time lost", items.InterruptedShare)},
		{"storage", perHour(hourly(storage), kept), fmt.Sprintf("%s GB at %s $ a month, %s", items.StorageGB, items.StorageUSDPerGBMonth, month)},
		{"egress", items.egress(), fmt.Sprintf("%s bytes a token at %s $/GB", short(items.bytesPerToken(), 2), items.EgressUSDPerGB)},
		{"operations", perHour(hourly(items.OpsUSDMonth.Rat()), kept), fmt.Sprintf("%s $ a month, %s", items.OpsUSDMonth, month)},
		{"power", perHour(mul(items.power(), new(big.Rat).Add(big.NewRat(1, 1), spares)), kept),
			fmt.Sprintf("%s kW x %d GPUs x PUE %s at %s $/kWh", items.KWPerGPU, items.GPUs, short(items.pue(), 2), items.USDPerKWh)},
	}
}

// egress is per million output tokens, whatever the rate.
func (items Items) egress() *big.Rat {
	perToken := mul(items.bytesPerToken(), items.EgressUSDPerGB.Rat())
	return mul(perToken, big.NewRat(million, giga))
}

func (items Items) bytesPerToken() *big.Rat {
	if items.BytesPerToken.IsSet() {
		return items.BytesPerToken.Rat()
	}
	return new(big.Rat).SetInt64(DefaultBytesPerToken)
}

// power is USD per hour of one configuration; nothing on a rented one.
func (items Items) power() *big.Rat {
	if !items.Owned {
		return new(big.Rat)
	}
	kw := mul(items.KWPerGPU.Rat(), big.NewRat(int64(items.GPUs), 1))
	return mul(mul(kw, items.pue()), items.USDPerKWh.Rat())
}

func (items Items) pue() *big.Rat {
	if items.PUE.IsSet() {
		return items.PUE.Rat()
	}
	return big.NewRat(1, 1)
}
