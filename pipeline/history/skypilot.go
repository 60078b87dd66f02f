package history

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"mtok/schema"
)

// SkyPilot reads the catalogs of Vast.ai and Fluidstack. They give the price of
// the instance and no day. Of Vast.ai they hold the middle ask of a group, and a
// spot price of 0.00 on every row, which is none.
func SkyPilot() Format {
	f := Format{
		Name: "skypilot", Title: "SkyPilot catalog of Vast.ai or Fluidstack", Version: 1,
		Expects:     "CSV with the columns " + strings.Join(skyPilotColumns(), ", "),
		Licence:     "Apache-2.0",
		Attribution: "SkyPilot catalog (https://github.com/skypilot-org/skypilot-catalog), Apache-2.0",
		Provenance:  Aggregator, Undated: true,
		Markets: []schema.ProviderID{"vast"},
	}
	f.Parse = func(_ string, body []byte) (Result, error) { return parseSkyPilot(f, body) }
	return f
}

func skyPilotColumns() []string {
	return []string{"InstanceType", "AcceleratorName", "AcceleratorCount", "GpuInfo", "Price", "SpotPrice", "Region"}
}

var (
	skyVast       = regexp.MustCompile(`^(\d{1,3})x-(.+)-\d+-\d+$`)
	skyFluidstack = regexp.MustCompile(`^(.+)::(\d{1,3})$`)
	skyTotal      = regexp.MustCompile(`'TotalGpuMemoryInMiB': (\d{1,9})\b`)
	skyMemory     = regexp.MustCompile(`_\d+GB$`)
)

func parseSkyPilot(f Format, body []byte) (Result, error) {
	var r Result
	s, err := openSheet(f, body, skyPilotColumns(), &r)
	if err != nil {
		return Result{}, err
	}
	for s.next() {
		c := s.cells
		provider, name, gpus, ok := skyInstance(c[0])
		listed, isCount := count(c[2])
		switch {
		case c[2] == "" || c[1] == "":
			r.reject(s.line, "no_gpu", c[0], c[4], "an instance without a GPU")
			continue
		case headerRow(c[2], c[4]):
			r.reject(s.line, RuleHeader, c[0], c[4], "the header again")
			continue
		case !ok:
			r.reject(s.line, RuleProvider, c[0], c[4], "not an instance type of Vast.ai or Fluidstack")
			continue
		case !isCount || listed != gpus:
			r.reject(s.line, schema.RuleGPUCount, c[0], c[4], fmt.Sprintf("%d GPUs in the name, %q in the row", gpus, clip(c[2])))
			continue
		}
		row := Row{Line: s.line, Listing: &Listing{As: name}}
		row.Offer = instance(provider, schema.ImportedSKU(f.Name, c[0]), gpus, schema.TermOnDemand)
		row.Offer.Region, row.Offer.GPURaw, row.Offer.FormRaw = c[6], c[1], ""
		row.Offer.VRAMMiB = skyVRAM(c[3], gpus)
		amount, isNumber := amountOf(c[4])
		if !isNumber {
			row.Rule, row.Refused = "amount", "no plain number"
		}
		row.Offer = priced(row.Offer, c[4], amount)
		r.Rows = append(r.Rows, row)
		skySpot(&r, row, c[5])
	}
	return r, nil
}

// skySpot adds the spot price of a row, where it is one.
func skySpot(r *Result, row Row, text string) {
	amount, ok := amountOf(text)
	if text == "" {
		return
	}
	row = row.with(*row.Listing)
	row.Offer.Term, row.Rule, row.Refused = schema.TermSpot, "", ""
	switch {
	case !ok:
		row.Rule, row.Refused = "amount", "no plain number"
	case !amount.Positive():
		row.Rule, row.Refused = RuleSpotZero, "a spot price of nothing is a column that was not filled"
	}
	row.Offer = priced(row.Offer, text, amount)
	r.Rows = append(r.Rows, row)
}

func skyInstance(text string) (provider schema.ProviderID, name string, gpus int, ok bool) {
	if m := skyVast.FindStringSubmatch(text); m != nil {
		gpus, ok = count(m[1])
		return "vast", strings.ReplaceAll(m[2], "_", " "), gpus, ok
	}
	if m := skyFluidstack.FindStringSubmatch(text); m != nil {
		gpus, ok = count(m[2])
		return "fluidstack", strings.ReplaceAll(skyMemory.ReplaceAllString(m[1], ""), "_", " "), gpus, ok
	}
	return "", "", 0, false
}

// skyVRAM is the memory of one GPU. The field of one GPU holds the total at Vast.ai
// and that of one GPU at Fluidstack; the total is right at both.
func skyVRAM(info string, gpus int) int64 {
	m := skyTotal.FindStringSubmatch(info)
	if m == nil {
		return 0
	}
	total, err := strconv.ParseInt(m[1], 10, 64)
	if err != nil {
		return 0
	}
	return total / int64(gpus)
}
