package reports

import (
	"cmp"
	"fmt"
	"slices"

	"mtok/schema"
)

// Foreign is a price of another data set, with where it stands there.
type Foreign struct {
	schema.Observation
	Place string // "prices.json row 12"
}

// matched is one of their prices with ours of the same thing.
type matched struct {
	theirs Foreign
	ours   *schema.Observation // the nearest; nil where we have none
}

// Reconcile is `reconcile`: what another data set says of a day against what we
// observed ourselves. Listed is what is off by more than percent; the lines below
// count the rest, so that nothing is left out quietly.
func Reconcile(n Night, theirs []Foreign, catalog *schema.Catalog, percent int, f Filter) Document {
	doc := Document{Name: "reconcile", Title: fmt.Sprintf("Our prices against theirs, $/GPU-h: off by more than %d %%", percent),
		AsOf: n.AsOf, Before: f.only(), Columns: reconcileColumns()}
	own := ownPrices(n)
	var off []matched
	agree, unknown := 0, map[string]int{}
	for _, t := range theirs {
		if !f.keeps(&t.Observation) {
			continue
		}
		p := match(own, t)
		switch {
		case p.ours == nil:
			unknown[absence(own, t)]++
		case distance(p.ours.USDPerGPUHour, t.USDPerGPUHour)*100 > p.ours.USDPerGPUHour*schema.USD(percent):
			off = append(off, p)
		default:
			agree++
		}
	}
	order := classOrder(catalog)
	slices.SortStableFunc(off, func(a, b matched) int {
		return cmp.Or(order(a.theirs.Class, b.theirs.Class), compareIdentity(&a.theirs.Observation, &b.theirs.Observation))
	})
	for _, p := range off {
		doc.Rows = append(doc.Rows, p.row())
	}
	doc.After = append(doc.After, fmt.Sprintf("%d of their prices agree with ours within %d %%, %d do not.", agree, percent, len(off)))
	for _, why := range []string{absentProvider, absentClass, absentTerm} {
		if unknown[why] > 0 {
			doc.After = append(doc.After, fmt.Sprintf("%d not compared: %s.", unknown[why], why))
		}
	}
	return doc
}

// Why a price of theirs has none of ours beside it.
const (
	absentProvider = "we observed nothing of the provider on this day"
	absentClass    = "we observed no such GPU at the provider on this day, or its name leaves the form open"
	absentTerm     = "we observed the GPU there, but not under this term, tier and node size"
)

func absence(own []*schema.Observation, t Foreign) string {
	why := absentProvider
	for _, o := range own {
		if o.Offer.Provider == t.Offer.Provider {
			why = absentClass
			if o.Class == t.Class {
				return absentTerm
			}
		}
	}
	return why
}

// ownPrices are our published prices of the very day.
func ownPrices(n Night) []*schema.Observation {
	var own []schema.Observation
	for _, o := range n.Observations {
		if o.Origin != schema.OriginImport {
			own = append(own, o)
		}
	}
	return countable(n.AsOf, own)
}

// match finds our price that is nearest to one of theirs: of the same provider,
// class, term and tier, and of the same node size where theirs has one.
func match(own []*schema.Observation, t Foreign) matched {
	best := matched{theirs: t}
	for _, o := range own {
		same := o.Offer.Provider == t.Offer.Provider && o.Class == t.Class && o.Offer.Term == t.Offer.Term &&
			(tierOf(o.Offer) == tierOf(t.Offer) || isMarketplace(o.Offer) && tierOf(t.Offer) == "") && o.Offer.Commitment == t.Offer.Commitment
		if !same || !t.Offer.PerGPU && !o.Offer.PerGPU && o.Offer.GPUCount != t.Offer.GPUCount {
			continue
		}
		if best.ours == nil || distance(o.USDPerGPUHour, t.USDPerGPUHour) < distance(best.ours.USDPerGPUHour, t.USDPerGPUHour) {
			best.ours = o
		}
	}
	return best
}

func distance(a, b schema.USD) schema.USD { return max(a-b, b-a) }

// permille is by how many thousandths of ours theirs is off, rounded half away from
// zero.
func permille(ours, theirs schema.USD) int64 {
	n := (int64(distance(ours, theirs))*2000 + int64(ours)) / (2 * int64(ours))
	if theirs < ours {
		return -n
	}
	return n
}

func reconcileColumns() []Column {
	return []Column{
		machine("day"), both("gpu_class", "class"), both("provider", "provider"), both("tier", "tier"), both("term", "term"),
		{Key: "gpu_count", Header: "gpus", View: Everywhere, Align: AlignRight},
		figure("our_usd_per_gpu_hour", "ours", hourDecimals), figure("their_usd_per_gpu_hour", "theirs", hourDecimals),
		{Key: "off_permille", View: OnMachine}, {Header: "off", View: OnScreen, Align: AlignRight},
		machine("our_page"), machine("our_source"), machine("our_price_text"), screen("our evidence"),
		machine("their_source"), machine("their_price_text"), both("their_evidence", "their evidence"),
	}
}

func (p matched) row() Row {
	o, t := p.ours, p.theirs
	n, sign := permille(o.USDPerGPUHour, t.USDPerGPUHour), "+"
	if n < 0 {
		sign = "-"
	}
	off := max(n, -n)
	return Row{
		DayCell(t.Day), Text(string(t.Class)), Text(string(t.Offer.Provider)), Text(string(tierOf(t.Offer))), Text(string(t.Offer.Term)),
		Int(t.Offer.GPUCount), Money(o.USDPerGPUHour), Money(t.USDPerGPUHour),
		Cell{Kind: KindNumber, Text: fmt.Sprint(n)}, Text(fmt.Sprintf("%s%d.%d %%", sign, off/10, off%10)),
		pageCell(o.PageSHA256), Text(o.Source), Text(o.Offer.PriceText),
		Text(fmt.Sprintf("%s, page %s: %s, %q", o.Source, shortPage(o.PageSHA256), o.Offer.GPURaw, o.Offer.PriceText)),
		Text(t.Source), Text(t.Offer.PriceText), Text(fmt.Sprintf("%s: %s, %q", t.Place, t.Offer.GPURaw, t.Offer.PriceText)),
	}
}
