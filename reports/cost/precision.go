package cost

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"mtok/schema"
)

// Precision is how many bits a weight takes, under its usual name.
type Precision string

// The precisions. Formats of the same size are one: BF16 is as large as FP16.
const (
	FP16 Precision = "FP16"
	FP8  Precision = "FP8"
	FP4  Precision = "FP4"
)

// ErrPrecision is wrapped by the errors of ParsePrecision.
var ErrPrecision = errors.New("unknown precision")

// precisionNames are the names in use for each size, in lower case.
func precisionNames() map[string]Precision {
	return map[string]Precision{
		"fp16": FP16, "bf16": FP16, "float16": FP16, "bfloat16": FP16, "half": FP16,
		"fp8": FP8, "int8": FP8, "w8a8": FP8, "w8a16": FP8,
		"fp4": FP4, "nvfp4": FP4, "mxfp4": FP4, "int4": FP4, "w4a16": FP4, "awq": FP4, "gptq": FP4,
	}
}

// ParsePrecision reads a name of a precision in upper or lower case; the error
// names those that are alike.
func ParsePrecision(text string) (Precision, error) {
	names := precisionNames()
	if p, ok := names[strings.ToLower(strings.TrimSpace(text))]; ok {
		return p, nil
	}
	var known []string
	for name := range names {
		known = append(known, name)
	}
	slices.Sort(known)
	if near := schema.Near(text, known); len(near) > 0 {
		return "", fmt.Errorf("%w %q, did you mean %s?", ErrPrecision, text, strings.Join(near, ", "))
	}
	return "", fmt.Errorf("%w %q; known: %s", ErrPrecision, text, strings.Join(known, ", "))
}

// bytes is the size of one weight.
func (p Precision) bytes() *big.Rat {
	switch p {
	case FP8:
		return big.NewRat(1, 1)
	case FP4:
		return big.NewRat(1, 2)
	}
	return big.NewRat(2, 1)
}

// cacheBytes is what one token keeps in the cache: 16 bits a value beside 16-bit
// weights, 8 bits beside smaller ones.
func (p Precision) cacheBytes(m schema.Model) *big.Rat {
	switch {
	case p == FP16:
		return new(big.Rat).SetInt64(m.KVBytesPerToken)
	case m.KVBytesFP8 > 0:
		return new(big.Rat).SetInt64(m.KVBytesFP8)
	}
	return big.NewRat(m.KVBytesPerToken, 2)
}

// flops is the dense arithmetic of a GPU for weights of this size, in 1e12 a
// second. A GPU without units for so small a format computes in the next larger
// one. Not set where no figure is known.
func (p Precision) flops(g schema.GPUClass) schema.Decimal {
	best := g.BF16TFLOPS
	for _, unit := range []struct {
		tflops schema.Decimal
		usable bool
	}{{g.FP8TFLOPS, p != FP16}, {g.FP4TFLOPS, p == FP4}} {
		if unit.usable && unit.tflops.IsSet() {
			best = unit.tflops
		}
	}
	return best
}
