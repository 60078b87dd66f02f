package history

import "mtok/schema"

// The stable names of the rules that an import is judged by, besides those of
// pipeline/validate.
const (
	RuleHeader      = "repeated_header"
	RuleSuperseded  = "superseded"       // a later version of the same day says it again
	RuleCarried     = "carried_forward"  // the price was read on an earlier day
	RuleMislabelled = "mislabelled"      // the GPU of another name
	RuleOneKey      = "tiers_in_one_key" // secure and community under one key
	RuleTotal       = "instance_total"   // the price of the instance where that of one GPU is due
	RuleOneGPU      = "price_of_one_gpu" // the price of one GPU where that of the instance is due
	RuleSpotZero    = "spot_zero"
	RuleStatic      = "frozen_table" // constants in a scraper's code
	RuleReverted    = "reverted"     // a price that stood for days and came back as it was
	RuleDay         = "day"
	RuleProvider    = "provider"
)

func (r *Result) reject(line int, rule, label, price, reason string) {
	r.Rejects = append(r.Rejects, Reject{Line: line, Reject: schema.Reject{
		Label: label, PriceText: price, Rule: rule, Reason: reason,
	}})
}
