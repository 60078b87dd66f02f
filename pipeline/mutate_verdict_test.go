package pipeline_test

import (
	"fmt"
	"strings"

	"mtok/pipeline"
	"mtok/schema"
)

// verdict is how a damaged night fared.
type verdict int

const (
	// right: each price of the truth is published, and no other.
	right verdict = iota
	// rejected: what is published is true; what is not has a reject that the
	// good night has not, or makes the night partial.
	rejected
	// held: the night is quarantined.
	held
	// failed: the page was refused as a whole.
	failed
	// gone: what is published is true, but a listing is away without a reason:
	// right only where the damage itself takes it away.
	gone
	// wrong: a price is published that is not true: another price, class or
	// standing under a known identity, or an identity that does not exist.
	wrong
	verdicts // how many there are
)

func (v verdict) String() string {
	return [verdicts]string{"right", "rejected", "held", "failed", "gone", "WRONG"}[v]
}

// finding is a verdict with what led to it.
type finding struct {
	verdict
	detail string
}

// judgeNight holds the published rows of a damaged night against the truth.
func judgeNight(p prepared, m mutation, night pipeline.Outcome, rows []schema.Observation) finding {
	there := make(map[schema.OfferKey]bool, len(rows))
	apart := false
	for _, o := range rows {
		was, fault := p.truthOf(m, o)
		if fault != "" {
			return finding{wrong, fault}
		}
		unknown := isUnknown(o.Class)
		apart = apart || unknown
		there[was] = there[was] || !unknown
	}
	how := fmt.Sprintf("%s %s, rejects %v", night.Status, night.ErrorKind, night.Rules)
	switch {
	case night.Status == schema.StatusQuarantined:
		return finding{held, how}
	case night.Status == schema.StatusFailed:
		return finding{failed, how}
	}
	missing := ""
	for key, o := range p.truth {
		// A floor of a bid is no listing of its own.
		if !there[key] && key.Term != schema.TermBidFloor && !isUnknown(o.Class) {
			missing = nameOf(key)
		}
	}
	switch {
	case missing == "":
		return finding{right, how}
	case apart || night.Status == schema.StatusPartial || p.moreRejects(night):
		return finding{rejected, how}
	}
	return finding{gone, missing + " is away without a reason"}
}

func (p prepared) moreRejects(night pipeline.Outcome) bool {
	for rule, n := range night.Rules {
		if n > p.rejects[rule] {
			return true
		}
	}
	return false
}

func isUnknown(class schema.ClassID) bool {
	return strings.HasPrefix(string(class), schema.UnmatchedPrefix)
}

func nameOf(k schema.OfferKey) string {
	return fmt.Sprintf("%s %dx %s %s %s", k.SKU, k.GPUCount, k.Term, k.Region, k.Tier)
}

// truthOf finds the offer of the truth that a published row is, and says what is
// wrong with the row; empty when it is true.
//
// A row of a class that the catalog does not know enters no class's figure, and
// a floor of a bid none at all: it is only held to be the floor that it was. An
// offer that is listed under another identity at the true price of its class,
// count, term and tier is as right as before.
func (p prepared) truthOf(m mutation, o schema.Observation) (was schema.OfferKey, fault string) {
	key := o.Offer.OfferKey
	for _, s := range m.states {
		if s.key == key && s.perGPU == o.USDPerGPUHour.String() {
			return key, ""
		}
	}
	truth, known := p.truth[key]
	if !known {
		was, found := p.elsewhere(o)
		if !found {
			return key, fmt.Sprintf("%s, %s at %s: there is no such offer", nameOf(key), o.Class, o.USDPerGPUHour)
		}
		return was, ""
	}
	switch {
	case key.Term != schema.TermBidFloor && (o.USDPerGPUHour != truth.USDPerGPUHour || o.USDPerInstanceHour != truth.USDPerInstanceHour):
		return key, fmt.Sprintf("%s at %s, true is %s", nameOf(key), o.USDPerGPUHour, truth.USDPerGPUHour)
	case o.Class != truth.Class && !isUnknown(o.Class):
		return key, fmt.Sprintf("%s as %s, true is %s", nameOf(key), o.Class, truth.Class)
	case o.Excluded == "" && truth.Excluded != "":
		return key, fmt.Sprintf("%s counts, but is %s", nameOf(key), truth.Excluded)
	}
	return key, ""
}

// elsewhere finds an offer of the truth that differs in its identity alone.
func (p prepared) elsewhere(o schema.Observation) (schema.OfferKey, bool) {
	k := o.Offer.OfferKey
	for key, truth := range p.truth {
		same := key.GPUCount == k.GPUCount && key.Term == k.Term && key.Commitment == k.Commitment && key.Tier == k.Tier && key.Region == k.Region
		price := truth.USDPerGPUHour == o.USDPerGPUHour || k.Term == schema.TermBidFloor
		class := truth.Class == o.Class || isUnknown(truth.Class) && isUnknown(o.Class)
		if same && price && class && truth.Excluded == o.Excluded {
			return key, true
		}
	}
	return k, false
}
