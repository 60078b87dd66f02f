package validate

import (
	"fmt"
	"slices"

	"mtok/schema"
)

// Unread lists the offers that stand and that tonight's pages still show but
// that could not be read: they are not gone. What a host of a market asks outside
// any believable price was read, and is nothing that can be rented.
func Unread(standing []schema.KnownOffer, seen []schema.Observation, rejects []schema.Reject) []string {
	faulty := faults(rejects)
	var unread []string
	for _, k := range unreadOffers(standing, seen, rejects) {
		r := faulty[k.Offer.SKU]
		unread = append(unread, fmt.Sprintf("%s: %s", r.Label, r.Reason))
	}
	slices.Sort(unread)
	return slices.Compact(unread)
}

// unreadOffers are the offers of which Unread speaks.
func unreadOffers(standing []schema.KnownOffer, seen []schema.Observation, rejects []schema.Reject) []schema.KnownOffer {
	read := make(map[schema.OfferKey]bool, len(seen))
	for _, o := range seen {
		read[o.Offer.OfferKey] = true
	}
	faulty := faults(rejects)
	var unread []schema.KnownOffer
	for _, k := range standing {
		r, ok := faulty[k.Offer.SKU]
		absurd := k.Offer.GroupKey != "" && r.Rule == RuleBand
		if ok && !absurd && !read[k.Offer.OfferKey] {
			unread = append(unread, k)
		}
	}
	return unread
}

// faults are the rejects by the SKU of the listing, but for those that say what
// is so.
func faults(rejects []schema.Reject) map[string]schema.Reject {
	faulty := make(map[string]schema.Reject)
	for _, r := range rejects {
		if r.SKU != "" && r.Rule != schema.RuleUnpriced && r.Rule != schema.RuleDuplicate {
			faulty[r.SKU] = r
		}
	}
	return faulty
}
