package history

import (
	"fmt"
	"strings"

	"mtok/pipeline/validate"
	"mtok/schema"
	"mtok/scrapers"
)

// Judge decides which rows of a file are prices.
type Judge struct {
	Catalog *schema.Catalog
	// Expect gives what is believable at a provider; the zero value for one that is
	// not ours.
	Expect func(schema.ProviderID) scrapers.Expect
	// Today is the last day that a row may be of.
	Today schema.Day
}

// Verdict is what is left of a file.
type Verdict struct {
	Kept    []schema.Observation
	Lines   []int // of Kept
	Rejects []Reject
}

// gpuName is what a class is found by.
type gpuName struct {
	provider schema.ProviderID
	name     string
	vramMiB  int64
}

// known is a class with the band that its prices lie in.
type known struct {
	id    schema.ClassID
	class schema.GPUClass
	found bool
	band  schema.Band // of an unmatched name, that of all classes that it may mean
}

// ring is one file that is being judged.
type ring struct {
	Judge
	format  Format
	classes map[gpuName]known
	seen    []schema.Observation
	lines   []int
	rejects []Reject
}

// Judge holds each row against the rules: those of a row first, then of rows that
// say the same twice, then of the series that they make.
func (j Judge) Judge(f Format, r Result) Verdict {
	return j.Weigh(f, []Sifted{j.rows(f, r)})[0]
}

// sift judges each row by itself.
func (g *ring) sift(rows []Row) {
	for i := range rows {
		g.row(&rows[i])
	}
}

func (g *ring) reject(row *Row, rule, reason string) {
	g.rejects = append(g.rejects, Reject{Line: row.Line, Reject: schema.Reject{
		Source: g.source(row), Label: row.label(), PriceText: row.Offer.PriceText, Rule: rule, Reason: reason,
	}})
}

func (g *ring) source(row *Row) string {
	if row.Source != "" {
		return row.Source
	}
	return g.format.Name
}

// row judges a row by itself.
func (g *ring) row(row *Row) {
	k := g.classOf(row)
	if rule, reason := g.refused(row, k); rule != "" {
		g.reject(row, rule, reason)
		return
	}
	price, reject := validate.Row(row.Offer, k.class, k.found)
	if reject != nil {
		g.reject(row, reject.Rule, reject.Reason)
		return
	}
	if !k.band.Holds(price.PerGPUHour) && !k.found && k.band.High > 0 {
		rule := validate.RuleBand
		if price.PerGPUHour == halfDollar {
			rule = validate.RulePlaceholder
		}
		g.reject(row, rule, fmt.Sprintf("%s $/GPU-h is outside %s to %s, whatever form is meant", price.PerGPUHour, k.band.Low, k.band.High))
		return
	}
	g.lines = append(g.lines, row.Line)
	g.seen = append(g.seen, schema.Observation{
		Day: row.Day, Slot: row.Day.Slot(), Source: g.source(row), Offer: row.Offer, Class: k.id, Origin: schema.OriginImport,
		USDPerGPUHour: price.PerGPUHour, USDPerInstanceHour: price.PerInstanceHour,
	})
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
	case row.Day <= 0 || row.Day > g.Today:
		return RuleDay, fmt.Sprintf("%s is yet to come", row.Day)
	case !row.Taken.IsZero() && schema.DayOf(row.Taken) < row.Day:
		return RuleCarried, fmt.Sprintf("read on %s, carried forward to %s", schema.DayOf(row.Taken), row.Day)
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

// classOf finds the class of a row; of an unknown name the memory is part.
func (g *ring) classOf(row *Row) known {
	name := row.As
	if name == "" {
		name = row.Offer.GPURaw
	}
	key := gpuName{row.Offer.Provider, name, row.Offer.VRAMMiB}
	if k, ok := g.classes[key]; ok {
		return k
	}
	id := g.Catalog.Match(key.provider, name, "", key.vramMiB)
	k := known{id: id}
	if k.class, k.found = g.Catalog.GPU(id); !k.found {
		if gb := (key.vramMiB + mibPerGB/2) / mibPerGB; gb > 0 && !strings.HasSuffix(string(id), "gb") {
			k.id += schema.ClassID(fmt.Sprintf("-%dgb", gb))
		}
		k.band = g.family(name)
	}
	g.classes[key] = k
	return k
}

// family is the band that holds those of all classes whose name begins with that of
// a row: whatever form of H100 is meant, none costs 0.50.
func (g *ring) family(name string) (band schema.Band) {
	prefix := strings.ToLower(strings.TrimSpace(name)) + "-"
	for _, class := range g.Catalog.GPUs {
		if !strings.HasPrefix(string(class.ID), prefix) {
			continue
		}
		if band.High == 0 {
			band = class.Band
		}
		band.Low, band.High = min(band.Low, class.Band.Low), max(band.High, class.Band.High)
	}
	return band
}
