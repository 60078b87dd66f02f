package history

import (
	"fmt"
	"strings"

	"mtok/pipeline/validate"
	"mtok/schema"
)

// finding is what a listing comes to on any day: a price, or why it is none.
type finding struct {
	fault
	price *schema.Observation
}

// row judges a row by itself.
func (g *ring) row(row *Row) {
	at, met := g.found[row.Listing]
	if !met {
		at = g.listing(row)
		g.found[row.Listing] = at
	}
	why := at.fault
	if row.Refused == "" && row.Offer.Provider != "" {
		if rule, reason := g.dated(row); rule != "" {
			why = fault{rule, reason}
		}
	}
	if why.rule != "" {
		g.reject(row, why.rule, why.reason)
		return
	}
	g.lines = append(g.lines, row.Line)
	g.seen = append(g.seen, schema.ImportedPrice{Day: row.Day, Said: at.price})
}

// dated are the rules of the day that a price is said to be of.
func (g *ring) dated(row *Row) (rule, reason string) {
	switch {
	case row.Day <= 0 || row.Day > g.Today:
		return RuleDay, fmt.Sprintf("%s is yet to come", row.Day)
	case !row.Taken.IsZero() && schema.DayOf(row.Taken) < row.Day:
		return RuleCarried, fmt.Sprintf("read on %s, carried forward to %s", schema.DayOf(row.Taken), row.Day)
	}
	return "", ""
}

// listing judges what a row says, whatever its day.
func (g *ring) listing(row *Row) finding {
	k := g.classOf(row)
	if rule, reason := g.refused(row, k); rule != "" {
		return finding{fault: fault{rule, reason}}
	}
	price, reject := validate.Row(row.Offer, k.class, k.found)
	if reject != nil {
		return finding{fault: fault{reject.Rule, reject.Reason}}
	}
	if !k.band.Holds(price.PerGPUHour) && !k.found && k.band.High > 0 {
		rule := validate.RuleBand
		if price.PerGPUHour == halfDollar {
			rule = validate.RulePlaceholder
		}
		reason := fmt.Sprintf("%s $/GPU-h is outside %s to %s, whatever form is meant", price.PerGPUHour, k.band.Low, k.band.High)
		return finding{fault: fault{rule, reason}}
	}
	return finding{price: &schema.Observation{
		Source: g.source(row), Offer: row.Offer, Class: k.id, Origin: schema.OriginImport,
		USDPerGPUHour: price.PerGPUHour, USDPerInstanceHour: price.PerInstanceHour,
	}}
}

// halfDollar is what RunPod prints for GPUs that it does not sell.
const halfDollar = schema.USD(500_000)

// refused are the rules that need no price.
func (g *ring) refused(row *Row, k known) (rule, reason string) {
	o := &row.Offer
	usd, err := o.Amount.Times(1, 1)
	half := err == nil && usd == halfDollar && o.Unit == schema.UnitGPUHour
	switch {
	case row.Refused != "":
		return row.Rule, row.Refused
	case o.Provider == "":
		return RuleProvider, "no provider"
	case o.Provider == "lambda" && o.Term == schema.TermOnDemand && strings.EqualFold(o.GPURaw, "H200"):
		// Its list never had an H200 (pages of 2024-11 to 2026-08): sources that look
		// for a part of a name file the GH200 of 1.99 and 2.29 there.
		return RuleMislabelled, "Lambda lists no H200: this is its GH200"
	// The table that was kept by hand from 2022 on has RunPod's one list price.
	case o.Provider == "runpod" && o.Tier == "" && g.format.Name != "the-full-stack":
		return RuleOneKey, "RunPod sells secure and community at two prices; this does not say which"
	case half && k.found && k.class.Band.Low > halfDollar:
		return validate.RulePlaceholder, "0.50 is what is printed for a GPU that is not sold"
	}
	return "", ""
}
