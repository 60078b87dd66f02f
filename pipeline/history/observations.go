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
	known := map[listing]*listed{}
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
		row := observationRow(f, c, known)
		row.Day, row.Line = day, s.line
		r.Rows = append(r.Rows, row)
	}
	return r, nil
}

// listing is a row but for its day and price: most stand on many days.
type listing [8]string

// listed is what a listing comes to, with the price that it had last.
type listed struct {
	bare  Row // without a price
	price string
	row   Row
}

// observationRow reads the cells of a listing once, and a price once as long as it
// stands: so the rows of a listing share their words, too.
func observationRow(f Format, c []string, known map[listing]*listed) Row {
	key := listing{c[1], c[2], c[3], c[4], c[5], c[7], c[8], c[9]}
	l := known[key]
	if l == nil {
		l = &listed{bare: listedRow(f, c)}
		known[key] = l
	} else if l.price == c[6] {
		return l.row
	}
	l.price = strings.Clone(c[6])
	l.row = l.bare
	amount, ok := amountOf(l.price)
	if !ok && l.row.Refused == "" {
		l.row.Rule, l.row.Refused = "amount", "no plain number"
	}
	l.row.Offer = priced(l.row.Offer, l.price, amount)
	return l.row
}

func listedRow(f Format, c []string) Row {
	row := Row{Source: c[8]}
	if c[9] != string(Primary) {
		row.Source += " (" + c[9] + ")"
	}
	name, mib := classMemory(c[2])
	row.As = strings.TrimSpace(name + " " + c[3])
	sku := strings.TrimSpace(c[2] + " " + c[3])
	if strings.HasPrefix(c[7], "report") {
		sku += " " + c[7]
	}
	row.Offer = perGPU(providerOf(c[1]), schema.ImportedSKU(f.Name, sku), schema.TermOnDemand, "")
	row.Offer.GPURaw, row.Offer.FormRaw, row.Offer.VRAMMiB, row.Offer.Note = c[2], c[3], mib, c[7]
	tier, _, _ := strings.Cut(c[4], "(")
	switch {
	case tier == "secure" || tier == "community":
		row.Offer.Tier = schema.Tier(tier)
	case tier == "spot" || tier == "interruptible":
		row.Offer.Term = schema.TermSpot
	case strings.HasPrefix(tier, "executable:"):
		row.Offer.Region = strings.TrimPrefix(tier, "executable:")
	case tier == "on_demand" || tier == "on-demand" || tier == "marketplace":
	default:
		row.Rule, row.Refused = "tier", fmt.Sprintf("tier %q is not known", clip(c[4]))
	}
	if c[5] != "" {
		gpus, ok := count(c[5])
		if row.Offer.GPUCount, row.Offer.PerGPU = gpus, false; !ok {
			row.Rule, row.Refused = schema.RuleGPUCount, fmt.Sprintf("%q GPUs", clip(c[5]))
		}
	}
	if strings.HasPrefix(c[9], string(Static)) {
		row.Rule, row.Refused = RuleStatic, "a constant in the source's code, not an observation"
	}
	return row
}

// classMemory splits "A100-80" into the chip and the memory of one GPU.
func classMemory(class string) (name string, mib int64) {
	name, digits, ok := strings.Cut(class, "-")
	if gb, isNumber := count(digits); ok && isNumber {
		return name, int64(gb) * mibPerGB
	}
	return class, 0
}
