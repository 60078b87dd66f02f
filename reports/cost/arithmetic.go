package cost

import (
	"fmt"
	"math/big"
	"strings"
)

// ImplausibleError says that a throughput can't be, and why.
type ImplausibleError struct{ Judgement Judgement }

// Error names the reason and gives the arithmetic.
func (e *ImplausibleError) Error() string {
	return e.Judgement.Reason + ": " + strings.Join(e.Judgement.Arithmetic, "; ")
}

// Estimate is what an unmeasured configuration may give: never a measurement.
type Estimate struct{ Low, High *big.Rat }

// Estimate is 0.30 to 0.45 of the bound: of the published measurements half lie
// below the first and fewer than one in five above the second. It is false where
// there is no bound.
func (b Bound) Estimate() (Estimate, bool) {
	if b.TokensPerSecond == nil || b.TokensPerSecond.Sign() <= 0 {
		return Estimate{}, false
	}
	return Estimate{Low: mul(b.TokensPerSecond, big.NewRat(30, 100)), High: mul(b.TokensPerSecond, big.NewRat(45, 100))}, true
}

// String calls it what it is.
func (e Estimate) String() string {
	return fmt.Sprintf("estimate, not measured: %s to %s output tok/s (0.30 to 0.45 of the bound)", grouped(e.Low, 0), grouped(e.High, 0))
}

// arithmetic shows the bound, a line a step.
func (b Bound) arithmetic() []string {
	out := []string{b.fitLine()}
	if !b.Fits {
		return out
	}
	if line := b.batchLine(); line != "" {
		out = append(out, line)
	}
	if b.Decode != nil {
		out = append(out, b.decodeLine())
	}
	if b.Compute != nil {
		out = append(out, b.computeLine())
	}
	if b.TokensPerSecond == nil {
		return append(out, "bound: none, the bandwidth or arithmetic of the class is not known, or no length and no concurrency is given")
	}
	return append(out, fmt.Sprintf("bound: %s output tok/s, the lesser", grouped(b.TokensPerSecond, 0)))
}

func (b Bound) fitLine() string {
	line := fmt.Sprintf("weights: %sB parameters x %s bytes = %s GB; memory: %d x %s GiB = %s GB",
		b.Model.ParamsB, short(b.Precision.bytes(), 1), gigabytes(b.WeightBytes), b.GPUs, b.GPU.MemoryGB, gigabytes(b.MemoryBytes))
	if b.Fits {
		return line
	}
	return fmt.Sprintf("%s: they do not fit, %d GPUs would hold them", line, b.MinGPUs)
}

func (b Bound) batchLine() string {
	switch {
	case b.Capacity == nil && b.Concurrency == 0:
		return ""
	case b.Capacity == nil:
		return fmt.Sprintf("batch: %d requests", b.Concurrency)
	}
	line := fmt.Sprintf("batch: %s GB left / (%s tokens x %s bytes of cache) = %s requests at once",
		gigabytes(new(big.Rat).Sub(b.MemoryBytes, b.WeightBytes)), grouped(b.Context, 0), grouped(b.CacheBytes, 0), grouped(b.Capacity, 1))
	switch {
	case b.Concurrency == 0:
		return line
	case b.CappedByMemory():
		return fmt.Sprintf("%s, fewer than the %d asked for", line, b.Concurrency)
	}
	return fmt.Sprintf("%s; %d asked for", line, b.Concurrency)
}

// CappedByMemory reports whether fewer requests fit than were asked for.
func (b Bound) CappedByMemory() bool {
	return b.Capacity != nil && b.Concurrency > 0 && b.Capacity.Cmp(new(big.Rat).SetInt64(int64(b.Concurrency))) < 0
}

func (b Bound) decodeLine() string {
	line := fmt.Sprintf("decode: %s x %d x %s GB/s / (%s GB + %s x %s GB)",
		grouped(b.Batch, 1), b.GPUs, b.GPU.BandwidthGBs, gigabytes(b.StepBytes), grouped(b.Batch, 1), b.requestGB())
	if b.AcceptedPerStep.IsSet() {
		line += fmt.Sprintf(" x %s tokens a step", b.AcceptedPerStep)
	}
	return fmt.Sprintf("%s = %s tok/s", line, grouped(b.Decode, 0))
}

func (b Bound) requestGB() string {
	each := mul(b.CacheBytes, b.Context)
	return each.Quo(each, big.NewRat(giga, 1)).FloatString(3)
}

func (b Bound) computeLine() string {
	active := new(big.Rat).Quo(b.active(), big.NewRat(giga, 1))
	return fmt.Sprintf("compute: %d x %s TFLOPS / (2 x %sB x (1 + %s input per output)) = %s tok/s",
		b.GPUs, b.Precision.flops(b.GPU), short(active, 2), short(b.inputPerOutput(), 2), grouped(b.Compute, 0))
}

// memoryAside says what would be left of a claim if the memory were endless.
func (b Bound) memoryAside(output *big.Rat) string {
	free, err := Unlimited(b.Config)
	if err != nil || free.TokensPerSecond == nil {
		return ""
	}
	at := ""
	if b.Concurrency > 0 {
		at = fmt.Sprintf(" at batch %d", b.Concurrency)
	}
	times := new(big.Rat).Quo(output, free.TokensPerSecond)
	return fmt.Sprintf("if memory were infinite: at most %s tok/s%s; the claim of %s is %s times that",
		grouped(free.TokensPerSecond, 0), at, grouped(output, 0), times.FloatString(1))
}

func gigabytes(bytes *big.Rat) string {
	return new(big.Rat).Quo(bytes, big.NewRat(giga, 1)).FloatString(1)
}

// short prints up to so many decimals, without zeros at the end.
func short(r *big.Rat, decimals int) string {
	text := r.FloatString(decimals)
	if strings.Contains(text, ".") {
		text = strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
	}
	return text
}

// grouped prints a figure with commas at the thousands.
func grouped(r *big.Rat, decimals int) string {
	whole, frac, hasPoint := strings.Cut(r.FloatString(decimals), ".")
	sign := ""
	if strings.HasPrefix(whole, "-") {
		sign, whole = "-", whole[1:]
	}
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if hasPoint {
		whole += "." + frac
	}
	return sign + whole
}
