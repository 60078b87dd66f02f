package alert

import (
	"fmt"
	"math/big"
	"strings"

	"mtok/schema"
)

// ThresholdKind says how a Threshold is meant.
type ThresholdKind string

// The kinds: any change, so many per cent of the baseline, or a price.
const (
	ThresholdAny     ThresholdKind = "any"
	ThresholdPercent ThresholdKind = "percent"
	ThresholdTarget  ThresholdKind = "target"
)

// Threshold is from where on a rule tells: "any", "15 %" or "2.50".
type Threshold struct {
	Kind    ThresholdKind
	Percent schema.Decimal
	Target  schema.USD
}

func percentThreshold(text string) Threshold {
	return Threshold{Kind: ThresholdPercent, Percent: schema.MustDecimal(text)}
}

// String is the form that UnmarshalText reads.
func (t Threshold) String() string {
	switch t.Kind {
	case ThresholdPercent:
		return t.Percent.String() + " %"
	case ThresholdTarget:
		return t.Target.String()
	}
	return string(t.Kind)
}

// MarshalText is String.
func (t Threshold) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// UnmarshalText reads "any", a percentage or an amount in USD.
func (t *Threshold) UnmarshalText(text []byte) error {
	said := strings.TrimSpace(string(text))
	if said == string(ThresholdAny) {
		*t = Threshold{Kind: ThresholdAny}
		return nil
	}
	if number, ok := strings.CutSuffix(said, "%"); ok {
		p, err := schema.ParseDecimal(strings.TrimSpace(number))
		if err != nil || p.Rat().Sign() == 0 {
			return fmt.Errorf("threshold %q is not a percentage above 0", said)
		}
		*t = Threshold{Kind: ThresholdPercent, Percent: p}
		return nil
	}
	target, err := schema.ParseUSD(said)
	if err != nil || target <= 0 {
		return fmt.Errorf("threshold %q: want \"any\", a percentage such as \"15 %%\", or a price in USD such as \"2.50\"", said)
	}
	*t = Threshold{Kind: ThresholdTarget, Target: target}
	return nil
}

// reached reports whether a move reaches the threshold: any move, one of so many
// per cent, or one that crosses the target.
func (t Threshold) reached(from, to schema.USD) bool {
	switch t.Kind {
	case ThresholdPercent:
		return percentApart(from, to, t.Percent)
	case ThresholdTarget:
		return to < from && from > t.Target && to <= t.Target || to > from && from < t.Target && to >= t.Target
	}
	return from != to
}

// percentApart reports whether a value lies at least so many per cent of another
// away from it.
func percentApart(from, to schema.USD, percent schema.Decimal) bool {
	apart := new(big.Rat).SetInt64(int64(max(to-from, from-to)) * 100)
	return apart.Cmp(new(big.Rat).Mul(percent.Rat(), new(big.Rat).SetInt64(int64(from)))) >= 0
}
