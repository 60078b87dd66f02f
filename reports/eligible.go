package reports

import (
	"cmp"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"mtok/schema"
)

// TierEligible is, beside schema.TierVerified, the tier that daily prices have for
// a marketplace, where the tier of an offer is an attribute of the night.
const TierEligible schema.Tier = "eligible"

// verifiedPPM is the reliability that daily prices of tier verified ask for, in
// millionths. It is no setting: the series must mean the same in every database.
const verifiedPPM = 950_000

// Eligibility are the rules of what production can rent. They are applied to
// stored attributes, so that the past can be judged again under other rules.
type Eligibility struct {
	Community      bool           // count community tiers
	Verified       bool           // at a marketplace, only verified machines
	Datacenter     bool           // at a marketplace, only datacenters
	MinReliability schema.Decimal // at a marketplace, 0 to 1
	MinDays        int            // at a marketplace, days that the machine stays
	NVLink         bool           // for two or more SXM GPUs
}

// DefaultEligibility asks for secure tiers, and at a marketplace for verified
// machines in a datacenter, reliable in 95 of 100, offered for 30 days or more,
// with NVLink where it is needed.
func DefaultEligibility() Eligibility {
	return Eligibility{Verified: true, Datacenter: true, NVLink: true, MinDays: 30,
		MinReliability: schema.MustDecimal("0.95")}
}

// Validate reports a rule that nothing or no number can meet.
func (e Eligibility) Validate() error {
	if e.MinReliability.Rat().Cmp(big.NewRat(1, 1)) > 0 {
		return fmt.Errorf("eligible reliability must be 0 to 1, is %q", e.MinReliability)
	}
	if e.MinDays < 0 {
		return fmt.Errorf("eligible days must not be negative, is %d", e.MinDays)
	}
	return nil
}

// words are the rules that a marketplace is judged by.
func (e Eligibility) words() string {
	parts := []string{"not sold out"}
	if e.Verified {
		parts = append(parts, "verified")
	}
	if e.Datacenter {
		parts = append(parts, "in a datacenter")
	}
	if e.MinReliability.Rat().Sign() > 0 {
		parts = append(parts, fmt.Sprintf("reliability %s or more", e.MinReliability))
	}
	if e.MinDays > 0 {
		parts = append(parts, fmt.Sprintf("%d days left or more", e.MinDays))
	}
	if e.NVLink {
		parts = append(parts, "NVLink for two or more SXM GPUs")
	}
	return strings.Join(parts, ", ")
}

// Judge says why an offer is not eligible for a configuration of so many GPUs;
// no reason means that it is. The term is not judged: each term has its own
// minimum, and a bid floor has none.
func (e Eligibility) Judge(o schema.Observation, class schema.GPUClass, gpus int) []string {
	var why []string
	if stockOn(o.Offer, gpus) == schema.StockSoldOut {
		why = append(why, "sold out")
	}
	if tierOf(o.Offer) == schema.TierCommunity && !e.Community {
		why = append(why, "community tier")
	}
	if isMarketplace(o.Offer) {
		why = append(why, e.judgeMachine(o.Offer)...)
	}
	if e.NVLink && gpus > 1 && strings.HasPrefix(class.FormFactor, "SXM") {
		why = append(why, judgeNVLink(o.Offer)...)
	}
	return why
}

func (e Eligibility) judgeMachine(o schema.Offer) []string {
	var why []string
	switch tier := tierOf(o); {
	case !e.Verified || tier == schema.TierVerified:
	case tier == schema.TierDeverified:
		why = append(why, "deverified")
	default:
		why = append(why, "unverified")
	}
	if e.Datacenter && (o.Attributes.Datacenter == nil || !*o.Attributes.Datacenter) {
		why = append(why, "not in a datacenter")
	}
	if !reliable(o.Attributes, e.MinReliability) {
		why = append(why, "reliability below "+e.MinReliability.String())
	}
	switch days := o.Attributes.MaxDays; {
	case e.MinDays == 0:
	case days == nil:
		why = append(why, "days left unknown")
	case *days < int64(e.MinDays):
		why = append(why, fmt.Sprintf("%d d left", *days))
	}
	return why
}

func judgeNVLink(o schema.Offer) []string {
	switch nv := o.Attributes.NVLink; {
	case nv != nil && !*nv:
		return []string{"no NVLink"}
	case nv == nil && isMarketplace(o):
		return []string{"NVLink unknown"}
	}
	return nil
}

func reliable(a schema.Attributes, least schema.Decimal) bool {
	ppm := millionths(least)
	return ppm == 0 || a.ReliabilityPPM != nil && *a.ReliabilityPPM >= ppm
}

// millionths rounds a share up to whole millionths, against which a whole number
// of them compares as against the share itself. It is asked for each machine of a
// market, so that it reads the digits.
func millionths(share schema.Decimal) int64 {
	const places, most = 6, 12
	whole, frac, _ := strings.Cut(share.String(), ".")
	if whole = strings.TrimLeft(whole, "0"); len(whole) > most {
		return math.MaxInt64 // more than any machine has
	}
	n, err := strconv.ParseInt("0"+whole+(frac + "000000")[:places], 10, 64)
	if err != nil {
		return 0 // not set
	}
	if len(frac) > places && strings.Trim(frac[places:], "0") != "" {
		n++
	}
	return n
}

// verified reports whether a machine counts in the daily prices of that tier.
func verified(o schema.Offer) bool {
	ppm := o.Attributes.ReliabilityPPM
	return tierOf(o) == schema.TierVerified && ppm != nil && *ppm >= verifiedPPM
}

// stockOn is the stock of what must be rented for so many GPUs: that many of a
// listing per GPU, else the offer as it is.
func stockOn(o schema.Offer, gpus int) schema.Stock {
	if !o.PerGPU {
		gpus = o.GPUCount
	}
	return o.StockFor(gpus)
}

// tierOf is the tier of the night where that is no part of an offer's identity,
// else that of the offer.
func tierOf(o schema.Offer) schema.Tier { return cmp.Or(o.Attributes.Tier, o.Tier) }

// isMarketplace reports whether the offer is a slice of somebody's machine.
func isMarketplace(o schema.Offer) bool { return o.GroupKey != "" }
