package cost

import (
	"fmt"
	"math/big"

	"mtok/schema"
)

// Verdict is what physics says of a throughput.
type Verdict string

// The verdicts.
const (
	VerdictPlausible Verdict = "plausible"
	VerdictWarn      Verdict = "warn" // above 0.8 of the bound; no known measurement is
	VerdictReject    Verdict = "reject"
	VerdictUnknown   Verdict = "unknown" // nothing to judge by
)

// The reasons of a verdict other than plausible.
const (
	ReasonNoFit      = "weights_do_not_fit"
	ReasonAbove      = "above_bound"
	ReasonNear       = "near_bound"
	ReasonNoFigures  = "no_bound"         // neither bandwidth nor arithmetic is known
	ReasonDecodeOnly = "decode_gpus_only" // part of the GPUs is not counted
)

// Claim is a throughput as somebody states it.
type Claim struct {
	TokensPerSecond schema.Decimal
	// CountsInput says that input tokens are counted too.
	CountsInput bool
	// DecodeGPUsOnly says that the figure is per decode GPU of a deployment whose
	// prefill runs on others: no bound of the whole applies to it.
	DecodeGPUsOnly bool
}

// Judgement is a verdict with what it rests on.
type Judgement struct {
	Verdict Verdict
	Reason  string   // empty for a plausible claim
	Output  *big.Rat // the claim in output tokens/s
	Ratio   *big.Rat // Output over the bound, nil without a bound
	// Arithmetic is the way to the verdict, a line a step.
	Arithmetic []string
}

// Judge compares a claim with the bound. A missing throughput, or 0, is ErrInput,
// as is one with input tokens in it where the lengths are not known.
func (b Bound) Judge(claim Claim) (Judgement, error) {
	output, err := claim.output(b.Config)
	if err != nil {
		return Judgement{}, err
	}
	j := Judgement{Output: output, Arithmetic: b.arithmetic()}
	if claim.CountsInput {
		j.Arithmetic = append(j.Arithmetic, fmt.Sprintf("claim: %s tok/s with %s in and %s out counted are %s output tok/s",
			grouped(claim.TokensPerSecond.Rat(), 0), b.InputTokens, b.OutputTokens, grouped(output, 0)))
	}
	switch {
	case claim.DecodeGPUsOnly:
		j.Verdict, j.Reason = VerdictUnknown, ReasonDecodeOnly
		j.Arithmetic = append(j.Arithmetic, "the figure is per decode GPU and leaves the prefill GPUs out: no bound applies")
		return j, nil
	case !b.Fits:
		j.Verdict, j.Reason = VerdictReject, ReasonNoFit
		if line := b.memoryAside(output); line != "" {
			j.Arithmetic = append(j.Arithmetic, line)
		}
		return j, nil
	case b.TokensPerSecond == nil:
		j.Verdict, j.Reason = VerdictUnknown, ReasonNoFigures
		return j, nil
	}
	j.Ratio = new(big.Rat).Quo(output, b.TokensPerSecond)
	switch {
	case j.Ratio.Cmp(big.NewRat(1, 1)) > 0:
		j.Verdict, j.Reason = VerdictReject, ReasonAbove
	case j.Ratio.Cmp(big.NewRat(4, 5)) > 0:
		j.Verdict, j.Reason = VerdictWarn, ReasonNear
	default:
		j.Verdict = VerdictPlausible
	}
	j.Arithmetic = append(j.Arithmetic, fmt.Sprintf("claim: %s tok/s is %s of the bound", grouped(output, 0), j.Ratio.FloatString(2)))
	return j, nil
}

// output is the claim in output tokens.
func (claim Claim) output(c Config) (*big.Rat, error) {
	rate := claim.TokensPerSecond.Rat()
	if rate.Sign() <= 0 {
		return nil, fmt.Errorf("%w: tokens per second must be above 0, is %s", ErrInput, given(claim.TokensPerSecond))
	}
	if !claim.CountsInput {
		return rate, nil
	}
	if !c.InputTokens.IsSet() || c.OutputTokens.Rat().Sign() <= 0 {
		return nil, fmt.Errorf("%w: input and output length are needed to take the input tokens out of a claim", ErrInput)
	}
	all := new(big.Rat).Add(c.InputTokens.Rat(), c.OutputTokens.Rat())
	return rate.Quo(mul(rate, c.OutputTokens.Rat()), all), nil
}

// JudgeRow judges a measured row by its own configuration. A precision that is
// not stated is read as the smallest, the loosest. An unknown class, model or
// precision is ErrInput.
func JudgeRow(catalog *schema.Catalog, row schema.Throughput) (Bound, Judgement, error) {
	c, err := RowConfig(catalog, row)
	if err != nil {
		return Bound{}, Judgement{}, err
	}
	b, err := Roofline(c)
	if err != nil {
		return Bound{}, Judgement{}, err
	}
	j, err := b.Judge(Claim{TokensPerSecond: row.TokensPerSecond})
	return b, j, err
}

// RowConfig is the configuration that a row was measured on.
func RowConfig(catalog *schema.Catalog, row schema.Throughput) (Config, error) {
	c := Config{GPUs: row.GPUs, Precision: FP4, InputTokens: row.InputTokens, OutputTokens: row.OutputTokens,
		Concurrency: row.Concurrency, AcceptedPerStep: row.AcceptedPerStep, PrefixCacheShare: row.PrefixCacheShare}
	var ok bool
	if c.GPU, ok = catalog.GPU(row.Class); !ok {
		return Config{}, fmt.Errorf("%w: class %q is not known", ErrInput, row.Class)
	}
	if c.Model, ok = catalog.Model(row.Model); !ok {
		return Config{}, fmt.Errorf("%w: model %q is not known", ErrInput, row.Model)
	}
	if row.Precision != "" {
		p, err := ParsePrecision(row.Precision)
		if err != nil {
			return Config{}, fmt.Errorf("%w: %w", ErrInput, err)
		}
		c.Precision = p
	}
	return c, nil
}

// CheckUserRow refuses a user's row that breaks physics, with the arithmetic. A
// row with allow_implausible is kept.
func CheckUserRow(catalog *schema.Catalog, row schema.Throughput) error {
	_, j, err := JudgeRow(catalog, row)
	if err != nil {
		return fmt.Errorf("throughput %q: %w", row.ID, err)
	}
	if j.Verdict != VerdictReject || row.AllowImplausible {
		return nil
	}
	return fmt.Errorf("throughput %q: %w", row.ID, &ImplausibleError{j})
}
