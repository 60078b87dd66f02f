package history

import (
	"fmt"
	"strings"

	"mtok/schema"
)

// FullStack reads all versions of the cloud GPU table of the-full-stack, which was
// kept by hand: instance prices, from 2024 on without the dollar sign. Of several
// versions of one day the last counts.
func FullStack() Format {
	f := Format{
		Name: "the-full-stack", Title: "the-full-stack/website, all versions of its cloud GPU table", Version: 1,
		Expects:     "CSV with the columns " + strings.Join(fullStackColumns(), ", "),
		Licence:     "MIT",
		Attribution: "The Full Stack, cloud GPU table (https://github.com/the-full-stack/website), MIT",
		Provenance:  Static,
	}
	f.Parse = func(_ string, body []byte) (Result, error) { return parseFullStack(f, body) }
	return f
}

func fullStackColumns() []string {
	return []string{"commit_date", "commit", "cloud", "gpu_type", "gpus", "on_demand_instance", "per_gpu", "spot", "name"}
}

func parseFullStack(f Format, body []byte) (Result, error) {
	var r Result
	s, err := openSheet(f, body, fullStackColumns(), &r)
	if err != nil {
		return Result{}, err
	}
	var commits []string // of each row of r
	for s.next() {
		c := s.cells
		day, err := schema.ParseDay(c[0])
		if err != nil {
			s.fault("commit_date: %v", err)
			continue
		}
		label := strings.TrimSpace(fmt.Sprintf("%s %sx %s %s", c[2], c[4], c[3], c[8]))
		if headerRow(c[4], c[5]) {
			r.reject(s.line, RuleHeader, label, c[5], "the header of the table, among its rows")
			continue
		}
		gpus, ok := count(c[4])
		if !ok {
			r.reject(s.line, schema.RuleGPUCount, label, c[5], fmt.Sprintf("%q GPUs: no one instance", clip(c[4])))
			continue
		}
		row := Row{Line: s.line, Day: day}
		as, mib := memoryInBrackets(c[3])
		offers := fullStackOffers(f, c, gpus)
		for _, o := range offers {
			o.GPURaw, o.VRAMMiB = c[3], mib
			rule, reason := fullStackFault(o, c[2], c[6], gpus)
			r.Rows = append(r.Rows, row.with(Listing{As: as, Offer: o, Rule: rule, Refused: reason}))
			commits = append(commits, c[1])
		}
		if len(offers) == 0 {
			r.reject(s.line, schema.RuleUnpriced, label, c[5], "no price")
		}
	}
	r.supersede(commits)
	return r, nil
}

// fullStackOffers are the prices of a row: on demand, per GPU where the instance
// has none, and spot.
func fullStackOffers(f Format, c []string, gpus int) []schema.Offer {
	provider, sku := providerOf(c[2]), schema.ImportedSKU(f.Name, strings.TrimSuffix(c[3]+"/"+c[8], "/"))
	var out []schema.Offer
	onDemand := instance(provider, sku, gpus, schema.TermOnDemand)
	if c[5] != "" {
		amount, _ := amountOf(c[5])
		out = append(out, priced(onDemand, c[5], amount))
	} else if c[6] != "" {
		onDemand.Unit = schema.UnitGPUHour
		amount, _ := amountOf(c[6])
		out = append(out, priced(onDemand, c[6], amount))
	}
	if c[7] != "" {
		amount, _ := amountOf(c[7])
		out = append(out, priced(instance(provider, sku, gpus, schema.TermSpot), c[7], amount))
	}
	return out
}

// oneGPUPriced is how the first versions with RunPod name it, of 2023-05-20 to -22.
// They have the price of one GPU for the whole instance, and divide it by the count
// once more: 1.69 for eight A100, where the version after them has 15.12.
const oneGPUPriced = "RunPod.io"

// fullStackFault holds the price of an instance against that of one GPU, which is
// printed with two decimals and rounded either way.
func fullStackFault(o schema.Offer, cloud, perGPU string, gpus int) (rule, reason string) {
	if cloud == oneGPUPriced && gpus > 1 {
		return RuleOneGPU, fmt.Sprintf("%s is the price of one GPU, not of %d", o.PriceText, gpus)
	}
	one, ok := amountOf(perGPU)
	if o.Term != schema.TermOnDemand || o.Unit != schema.UnitInstanceHour || !ok {
		return "", ""
	}
	whole, err := o.Amount.Times(1, 1)
	single, err2 := one.Times(int64(gpus), 1)
	const cent = 10_000
	if diff := max(whole-single, single-whole); err != nil || err2 != nil || diff > schema.USD(gpus*cent)+whole/100 {
		return RuleContradicts, fmt.Sprintf("%s for %d GPUs, but %s for one", o.PriceText, gpus, perGPU)
	}
	return "", ""
}

// RuleContradicts is for a row whose own figures do not agree.
const RuleContradicts = "figures_contradict"

// supersede leaves of the rows of one offer and day those of the last commit.
func (r *Result) supersede(commits []string) {
	type key struct {
		day schema.Day
		schema.OfferKey
	}
	last := map[key]string{}
	for i, row := range r.Rows {
		last[key{row.Day, row.Offer.OfferKey}] = commits[i]
	}
	kept := r.Rows[:0]
	for i, row := range r.Rows {
		if by := last[key{row.Day, row.Offer.OfferKey}]; by != commits[i] {
			r.reject(row.Line, RuleSuperseded, row.label(), row.Offer.PriceText, "commit "+by+" of the same day says it again")
			continue
		}
		kept = append(kept, row)
	}
	r.Rows = kept
}

// label names a row in a reject.
func (r Row) label() string {
	o := r.Offer
	text := fmt.Sprintf("%s %s %dx %s %s", r.Day, o.Provider, o.GPUCount, o.GPURaw, o.Term)
	for _, more := range []string{string(o.Tier), o.Region} {
		if more != "" {
			text += " " + more
		}
	}
	return text
}
