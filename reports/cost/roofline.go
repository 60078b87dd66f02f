package cost

import (
	"fmt"
	"math"
	"math/big"

	"mtok/schema"
)

// Config is a model on so many GPUs of a class: what physics can judge.
type Config struct {
	GPU       schema.GPUClass
	GPUs      int
	Model     schema.Model
	Precision Precision
	// InputTokens and OutputTokens are the lengths of a request. One that is not
	// set is read as the loosest, none, so that the bound stays one.
	InputTokens, OutputTokens schema.Decimal
	// Concurrency is how many requests run at once, 0 for as many as fit.
	Concurrency int
	// AcceptedPerStep is how many tokens a decode step keeps under speculative
	// decoding, PrefixCacheShare the share of input tokens that is not computed.
	// Not set: 1 and 0.
	AcceptedPerStep, PrefixCacheShare schema.Decimal
}

// Bound is what a configuration can't exceed, and the terms that it is made of.
// A nil figure is one that the known data do not limit.
type Bound struct {
	Config
	WeightBytes *big.Rat // of the whole model
	MemoryBytes *big.Rat // of all GPUs
	CacheBytes  *big.Rat // of one token
	Context     *big.Rat // mean tokens in the cache of one request
	Fits        bool     // the weights leave room
	MinGPUs     int      // the fewest GPUs of the class that hold the weights
	Capacity    *big.Rat // requests whose caches fit at once; nil where lengths are unknown
	Batch       *big.Rat // the lesser of Capacity and Concurrency
	StepBytes   *big.Rat // weights that a decode step reads
	Decode      *big.Rat // output tokens/s that memory bandwidth allows
	Compute     *big.Rat // output tokens/s that arithmetic allows
	// TokensPerSecond is the lesser of Decode and Compute: output tokens of the
	// whole configuration. It is 0 where the weights do not fit.
	TokensPerSecond *big.Rat
}

// Roofline computes the bound of a configuration, exactly. With W the bytes of
// the weights, kv those of a token in the cache, n GPUs of M bytes, BW bytes/s
// and F dense FLOP/s, and A active parameters:
//
//	context  c   = input + output/2
//	capacity     = (n*M - W) / (kv*c)
//	decode       = B*n*BW / (W + B*kv*c) * accepted, B = min(concurrency, capacity)
//	compute      = n*F / (2*A * (1 + input*(1-cached)/output))
//
// M is the class's memory_gb times 2^30: sellers count in GiB. Of a mixture of
// experts a step of B requests touches the active weights B times at most. A
// count below 1 or a model without parameters is ErrInput.
func Roofline(c Config) (Bound, error) { return c.bound(true) }

// Unlimited is the bound at the configuration's concurrency if memory had room
// for everything: what is left of a claim whose weights do not even fit.
func Unlimited(c Config) (Bound, error) { return c.bound(false) }

const gib, giga, tera = 1 << 30, 1_000_000_000, 1_000_000_000_000

func (c Config) bound(limited bool) (Bound, error) {
	if err := c.validate(); err != nil {
		return Bound{}, err
	}
	n := new(big.Rat).SetInt64(int64(c.GPUs))
	each := scaled(c.GPU.MemoryGB, gib)
	b := Bound{Config: c, WeightBytes: mul(scaled(c.Model.ParamsB, giga), c.Precision.bytes()),
		MemoryBytes: mul(n, each), CacheBytes: c.Precision.cacheBytes(c.Model)}
	b.Context = new(big.Rat).Add(c.InputTokens.Rat(), mul(c.OutputTokens.Rat(), big.NewRat(1, 2)))
	b.MinGPUs = fewest(b.WeightBytes, each)
	b.Fits = c.GPUs >= b.MinGPUs
	if limited && !b.Fits {
		b.TokensPerSecond = new(big.Rat)
		return b, nil
	}
	perRequest := mul(b.CacheBytes, b.Context)
	if limited && perRequest.Sign() > 0 {
		room := new(big.Rat).Sub(b.MemoryBytes, b.WeightBytes)
		b.Capacity = room.Quo(room, perRequest)
	}
	b.Batch = b.Capacity
	if c.Concurrency > 0 {
		b.Batch = lesser(b.Capacity, new(big.Rat).SetInt64(int64(c.Concurrency)))
	}
	b.StepBytes = c.stepBytes(b.WeightBytes, b.Batch)
	b.Decode = c.decode(b.Batch, b.StepBytes, perRequest)
	b.Compute = c.compute()
	b.TokensPerSecond = lesser(b.Decode, b.Compute)
	return b, nil
}

func (c Config) validate() error {
	one := big.NewRat(1, 1)
	switch {
	case c.GPUs < 1:
		return fmt.Errorf("%w: a configuration has 1 GPU or more, not %d", ErrInput, c.GPUs)
	case c.Concurrency < 0:
		return fmt.Errorf("%w: concurrency must be above 0, is %d", ErrInput, c.Concurrency)
	case c.GPU.MemoryGB.Rat().Sign() <= 0:
		return fmt.Errorf("%w: the memory of %s is not known", ErrInput, c.GPU.ID)
	case c.Model.ParamsB.Rat().Sign() <= 0 || c.Model.KVBytesPerToken <= 0:
		return fmt.Errorf("%w: parameters and cache of %s are not known", ErrInput, c.Model.ID)
	case c.AcceptedPerStep.IsSet() && c.AcceptedPerStep.Rat().Cmp(one) < 0:
		return fmt.Errorf("%w: a step keeps 1 token or more, not %s", ErrInput, c.AcceptedPerStep)
	case c.PrefixCacheShare.Rat().Cmp(one) >= 0:
		return fmt.Errorf("%w: the prefix-cache share must be below 1, is %s", ErrInput, c.PrefixCacheShare)
	case c.Precision != FP16 && c.Precision != FP8 && c.Precision != FP4:
		return fmt.Errorf("%w: %w %q", ErrInput, ErrPrecision, c.Precision)
	}
	return nil
}

// active are the parameters that one token passes through.
func (c Config) active() *big.Rat {
	if c.Model.ActiveParamsB.Rat().Sign() > 0 {
		return scaled(c.Model.ActiveParamsB, giga)
	}
	return scaled(c.Model.ParamsB, giga)
}

// stepBytes are the weights that one decode step must read. Requests of a batch
// may need the same experts, but never more than each its own.
func (c Config) stepBytes(all, batch *big.Rat) *big.Rat {
	if batch == nil {
		return all
	}
	touched := mul(c.active(), c.Precision.bytes())
	if batch.Cmp(big.NewRat(1, 1)) > 0 {
		touched = mul(touched, batch)
	}
	return lesser(all, touched)
}

func (c Config) decode(batch, stepBytes, perRequest *big.Rat) *big.Rat {
	if batch == nil || !c.GPU.BandwidthGBs.IsSet() {
		return nil
	}
	bandwidth := mul(scaled(c.GPU.BandwidthGBs, giga), new(big.Rat).SetInt64(int64(c.GPUs)))
	read := new(big.Rat).Add(stepBytes, mul(batch, perRequest))
	rate := new(big.Rat).Quo(mul(batch, bandwidth), read)
	if c.AcceptedPerStep.IsSet() {
		rate.Mul(rate, c.AcceptedPerStep.Rat())
	}
	return rate
}

func (c Config) compute() *big.Rat {
	flops := c.Precision.flops(c.GPU)
	if !flops.IsSet() {
		return nil
	}
	perToken := mul(c.active(), big.NewRat(2, 1))
	perToken.Mul(perToken, new(big.Rat).Add(big.NewRat(1, 1), c.inputPerOutput()))
	return new(big.Rat).Quo(mul(scaled(flops, tera), new(big.Rat).SetInt64(int64(c.GPUs))), perToken)
}

// inputPerOutput is how many input tokens are computed for an output token.
func (c Config) inputPerOutput() *big.Rat {
	if c.OutputTokens.Rat().Sign() <= 0 {
		return new(big.Rat)
	}
	computed := new(big.Rat).Sub(big.NewRat(1, 1), c.PrefixCacheShare.Rat())
	return computed.Quo(mul(computed, c.InputTokens.Rat()), c.OutputTokens.Rat())
}

// fewest is the least n with n * each > bytes.
func fewest(bytes, each *big.Rat) int {
	q := new(big.Rat).Quo(bytes, each)
	whole := new(big.Int).Quo(q.Num(), q.Denom())
	if !whole.IsInt64() || whole.Int64() >= math.MaxInt32 {
		return math.MaxInt32 // more than anybody has
	}
	return int(whole.Int64()) + 1
}

func scaled(d schema.Decimal, unit int64) *big.Rat {
	return mul(d.Rat(), new(big.Rat).SetInt64(unit))
}

func mul(a, b *big.Rat) *big.Rat { return new(big.Rat).Mul(a, b) }

// lesser of two figures, of which nil is without limit.
func lesser(a, b *big.Rat) *big.Rat {
	if a == nil || (b != nil && b.Cmp(a) < 0) {
		return b
	}
	return a
}
