package validate

import (
	"fmt"
	"slices"

	"mtok/schema"
)

// The stable names of the row rules, kept with each reject.
const (
	RuleCurrency = "currency"
	RuleBasis    = "basis"
	RuleUnit     = "unit"
	RuleAmount   = "amount"
	RuleBand     = "price_band"
	RuleMemory   = "memory"     // the name prints another memory than was read
	RuleText     = "price_text" // the printed price says another one than was read
)

// Price is what a believed row costs.
type Price struct {
	PerGPUHour      schema.USD
	PerInstanceHour schema.USD
}

// unmatchedBand bounds the price of a GPU that the catalog does not know: wide,
// since the GPU may be anything, but no unit slip of a thousand passes.
const (
	unmatchedLow  = schema.USD(10_000)      // 0.01
	unmatchedHigh = schema.USD(100_000_000) // 100
)

// nodeCounts are the GPU counts of nodes that are sold: a count outside it has
// so far always been a vCPU number or a misread name.
func nodeCounts() []int { return []int{1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 72} }

// maxClusterGPUs bounds the minimum order of a cluster.
const maxClusterGPUs = 16_384

// Row judges one offer and derives both prices from the listed amount, exactly
// and rounded once. A reject says which rule the row broke and how.
func Row(o schema.Offer, class schema.GPUClass, known bool) (Price, *schema.Reject) {
	reject := func(rule, format string, args ...any) (Price, *schema.Reject) {
		return Price{}, &schema.Reject{
			SKU: o.SKU, Label: label(o), PriceText: o.PriceText, Rule: rule, Reason: fmt.Sprintf(format, args...),
		}
	}
	switch {
	case o.Currency != "USD":
		return reject(RuleCurrency, "listed in %q, only USD is booked", o.Currency)
	case o.Basis != schema.BasisInstance:
		return reject(RuleBasis, "price of a %s, not of a whole instance", o.Basis)
	case !countAllowed(o):
		return reject(schema.RuleGPUCount, "%d GPUs is no known node size", o.GPUCount)
	case !o.Amount.Positive():
		return reject(RuleAmount, "%q is not a positive amount", o.Amount)
	}
	if rule, err := nameAgrees(o); err != nil {
		return reject(rule, "%s", err)
	}
	price, err := derive(o)
	if err != nil {
		return reject(RuleUnit, "%s", err)
	}
	if band := bandOf(o.Term, class, known); !band.Holds(price.PerGPUHour) {
		return reject(RuleBand, "%s $/GPU-h is outside %s to %s", price.PerGPUHour, band.Low, band.High)
	}
	if err := printedAgrees(o); err != nil {
		return reject(RuleText, "%s", err)
	}
	return price, nil
}

// bandOf is the believable range of a class for one term. The floor of a class is
// below every on-demand and spot price seen; a spot price may fall to two thirds
// of it: the lowest that a list provider printed from 2022 to 2026 was RunPod's
// A100 at 0.60, over a floor of 0.51, and CoreWeave's H100 of 2026-08-22 divided
// by eight (0.31) must stay below. A floor of a bid may lie far below any price.
func bandOf(term schema.Term, class schema.GPUClass, known bool) schema.Band {
	band := schema.Band{Low: unmatchedLow, High: unmatchedHigh}
	if known {
		band = class.Band
	}
	switch term {
	case schema.TermSpot:
		band.Low = band.Low * 2 / 3
	case schema.TermBidFloor:
		band.Low = 1
	}
	return band
}

// SameInstance reports whether a price of one GPU and one of a whole instance, as
// two sources list them, are the same price: within half a per cent, since each
// may be rounded.
func SameInstance(perGPU, instance schema.USD, gpus int) bool {
	whole := int64(perGPU) * int64(gpus)
	return max(whole-int64(instance), int64(instance)-whole)*200 <= int64(instance)
}

func derive(o schema.Offer) (Price, error) {
	gpus, instances := int64(o.GPUCount), int64(1)
	switch o.Unit {
	case schema.UnitGPUHour:
		gpus, instances = 1, int64(o.GPUCount)
	case schema.UnitInstanceHour:
	default:
		return Price{}, fmt.Errorf("unknown unit %q", o.Unit)
	}
	gpu, err := o.Amount.Times(1, gpus)
	if err != nil {
		return Price{}, err
	}
	instance, err := o.Amount.Times(instances, 1)
	if err != nil {
		return Price{}, err
	}
	return Price{PerGPUHour: gpu, PerInstanceHour: instance}, nil
}

func countAllowed(o schema.Offer) bool {
	if o.Tier == schema.TierCluster {
		return o.GPUCount > 0 && o.GPUCount <= maxClusterGPUs
	}
	return slices.Contains(nodeCounts(), o.GPUCount)
}

func label(o schema.Offer) string {
	text := fmt.Sprintf("%s %dx %s", o.SKU, o.GPUCount, o.Term)
	if o.Region != "" {
		text += " " + o.Region
	}
	return text
}
