package alert

import (
	"strings"

	"mtok/schema"
)

// Observed makes a Reading of what a night of our own saw. An import was never seen
// by us and raises nothing. An unknown GPU has a class of its own below
// schema.UnmatchedPrefix: it may mean anything, so that it is no value.
func Observed(o schema.Observation) Reading {
	r := Reading{
		Day: o.Day, Provider: o.Offer.Provider, Class: o.Class, GPUs: o.Offer.GPUCount, SKU: o.Offer.SKU,
		Region: o.Offer.Region, Tier: o.Offer.Tier, Term: o.Offer.Term, Commitment: o.Offer.Commitment,
		Price: o.USDPerGPUHour, Provenance: Primary, Source: o.Source,
		Market: o.Offer.GroupKey != "", Machine: o.Offer.GroupKey,
		Held: o.Quarantine != 0, Excluded: o.Excluded,
	}
	if o.Origin == schema.OriginImport {
		r.Provenance = Static
	}
	if strings.HasPrefix(string(o.Class), schema.UnmatchedPrefix) {
		r.Excluded = "unknown GPU"
	}
	return r
}
