package history

import (
	"fmt"
	"strings"

	"mtok/schema"
)

// Observations reads a table of day prices from many sources: price per GPU, each
// row with its source, what the figure is (a list price, a median) and who read
// it. The column flag, somebody's judgement of the row, is not looked at.
func Observations() Format {
	f := Format{
		Name: "observations", Title: "day prices from many sources", Version: 1,
		Expects:     "CSV with the columns " + strings.Join(observationColumns(), ", "),
		Licence:     "of each source",
		Attribution: "the sources named in each row",
		Provenance:  Aggregator, RowByRow: true,
		Markets: []schema.ProviderID{"vast"},
	}
	f.Parse = func(_ string, body []byte) (Result, error) { return parseObservations(f, body) }
	return f
}

func observationColumns() []string {
	return []string{"date", "provider", "gpu_class", "form", "tier", "gpu_count", "usd_per_gpu_hr", "stat", "source", "provenance"}
}

func parseObservations(f Format, body []byte) (Result, error) {
	var r Result
	s, err := openSheet(f, body, observationColumns(), &r)
	if err != nil {
		return Result{}, err
	}
	var known listings
	for s.next() {
		c := s.cells
		if headerRow(c[0], c[6]) {
			r.reject(s.line, RuleHeader, c[2], c[6], "the header again")
			continue
		}
		day, err := schema.ParseDay(c[0])
		if err != nil {
			s.fault("date: %v", err)
			continue
		}
		r.Rows = append(r.Rows, Row{Line: s.line, Day: day, Listing: known.of(f, c)})
	}
	return r, nil
}

// bareListing is a listing without its price.
func bareListing(f Format, c []string) Listing {
	l := Listing{Source: c[8]}
	if c[9] != string(Primary) {
		l.Source += " (" + c[9] + ")"
	}
	name, mib := classMemory(c[2])
	l.As = strings.TrimSpace(name + " " + c[3])
	sku := strings.TrimSpace(c[2] + " " + c[3])
	if strings.HasPrefix(c[7], "report") {
		sku += " " + c[7]
	}
	l.Offer = perGPU(providerOf(c[1]), schema.ImportedSKU(f.Name, sku), schema.TermOnDemand, "")
	l.Offer.GPURaw, l.Offer.FormRaw, l.Offer.VRAMMiB, l.Offer.Note = c[2], c[3], mib, c[7]
	tier, _, _ := strings.Cut(c[4], "(")
	switch {
	case tier == "secure" || tier == "community":
		l.Offer.Tier = schema.Tier(tier)
	case tier == "spot" || tier == "interruptible":
		l.Offer.Term = schema.TermSpot
	case strings.HasPrefix(tier, "executable:"):
		l.Offer.Region = strings.TrimPrefix(tier, "executable:")
	case tier == "on_demand" || tier == "on-demand" || tier == "marketplace":
	default:
		l.Rule, l.Refused = "tier", fmt.Sprintf("tier %q is not known", clip(c[4]))
	}
	if c[5] != "" {
		gpus, ok := count(c[5])
		if l.Offer.GPUCount, l.Offer.PerGPU = gpus, false; !ok {
			l.Rule, l.Refused = schema.RuleGPUCount, fmt.Sprintf("%q GPUs", clip(c[5]))
		}
	}
	if strings.HasPrefix(c[9], string(Static)) {
		l.Rule, l.Refused = RuleStatic, "a constant in the source's code, not an observation"
	}
	return l
}

// classMemory splits "A100-80" into the chip and the memory of one GPU.
func classMemory(class string) (name string, mib int64) {
	name, digits, ok := strings.Cut(class, "-")
	if gb, isNumber := count(digits); ok && isNumber {
		return name, int64(gb) * mibPerGB
	}
	return class, 0
}
