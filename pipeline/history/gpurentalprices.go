package history

import (
	"fmt"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"mtok/schema"
)

// GPURentalPrices reads a day of gpurentalprices.com: prices per GPU-hour of 34
// providers. The name tells the form factor at most providers; where a provider's
// own page sells one form alone, as CoreWeave and Crusoe do, hgx knows it.
func GPURentalPrices() Format {
	f := Format{
		Name: "gpurentalprices", Title: "gpurentalprices.com, one day", Version: 1,
		Expects:     `a JSON object with "date", "generated_at" and "offers"`,
		Licence:     "CC-BY-4.0",
		Attribution: "GPU rental price data by gpurentalprices.com (https://gpurentalprices.com), licensed under CC BY 4.0",
		Provenance:  Primary,
		Markets:     []schema.ProviderID{"vast", "tensordock", "spheron", "salad", "primeintellect", "sfcompute"},
	}
	f.Parse = func(_ string, body []byte) (Result, error) { return parseGPURentalPrices(f, body) }
	return f
}

type rentalDay struct {
	Date        *string          `json:"date"`
	GeneratedAt *string          `json:"generated_at"`
	Offers      []jsontext.Value `json:"offers"`
}

type rentalOffer struct {
	Provider  *string        `json:"provider"`
	GPU       *string        `json:"gpu"`
	VRAM      jsontext.Value `json:"vram_gb"`
	USD       jsontext.Value `json:"usd_hr"`
	Kind      *string        `json:"kind"`
	FetchedAt *string        `json:"fetched_at"`
	MinGPUs   *int           `json:"min_gpus"`
}

func isGPURentalPrices(body []byte) bool {
	var day rentalDay
	return json.Unmarshal(body, &day) == nil && day.Date != nil && day.GeneratedAt != nil && day.Offers != nil
}

func parseGPURentalPrices(f Format, body []byte) (Result, error) {
	var day rentalDay
	if err := json.Unmarshal(body, &day); err != nil {
		if text := found(body); len(body) == 0 || body[0] != '{' {
			return Result{}, otherFormat(f, text)
		}
		return Result{}, brokenf("%s: not whole JSON: %s", f.Name, clip(err.Error()))
	}
	if day.Offers == nil && day.GeneratedAt == nil {
		return Result{}, otherFormat(f, found(body))
	}
	if day.Date == nil || day.GeneratedAt == nil || day.Offers == nil {
		return Result{}, brokenf(`%s: "date", "generated_at" or "offers" is missing`, f.Name)
	}
	on, err := schema.ParseDay(*day.Date)
	if err != nil {
		return Result{}, brokenf("%s: date: %v", f.Name, err)
	}
	var r Result
	for i, value := range day.Offers {
		r.Read++
		var o rentalOffer
		if err := json.Unmarshal(value, &o); err != nil {
			r.Faults = append(r.Faults, Fault{i + 1, clip(err.Error())})
			continue
		}
		row, err := o.row(on)
		if err != nil {
			r.Faults = append(r.Faults, Fault{i + 1, err.Error()})
			continue
		}
		row.Line = i + 1
		r.Rows = append(r.Rows, row)
	}
	return r, nil
}

func (o rentalOffer) row(day schema.Day) (Row, error) {
	if o.Provider == nil || o.GPU == nil || o.Kind == nil || o.FetchedAt == nil || len(o.USD) == 0 || len(o.VRAM) == 0 {
		return Row{}, fmt.Errorf("an offer lacks provider, gpu, vram_gb, usd_hr, kind or fetched_at")
	}
	taken, err := time.Parse(time.RFC3339, *o.FetchedAt)
	if err != nil {
		return Row{}, fmt.Errorf("fetched_at %q is no time", clip(*o.FetchedAt))
	}
	vram, err := schema.ParseDecimal(string(o.VRAM))
	if err != nil {
		return Row{}, fmt.Errorf("vram_gb: %w", err)
	}
	mib, err := vram.Times(mibPerGB, 1_000_000) // Times counts in millionths
	if err != nil {
		return Row{}, fmt.Errorf("vram_gb: %w", err)
	}
	provider := providerOf(*o.Provider)
	name := fmt.Sprintf("%s/%s", *o.GPU, vram)
	row := Row{Day: day, Taken: taken, Listing: &Listing{As: hgx(provider, *o.GPU)}}
	row.Offer = perGPU(provider, schema.ImportedSKU("gpurentalprices", name), schema.TermOnDemand, "")
	switch *o.Kind {
	case "on-demand":
	case "spot":
		row.Offer.Term = schema.TermSpot
	case "secure", "community":
		row.Offer.Tier = schema.Tier(*o.Kind)
	case "serverless":
		row.Rule, row.Refused = "serverless", "billed by the second of use: no GPU is rented"
	default:
		row.Rule, row.Refused = "kind", fmt.Sprintf("kind %q is not known", clip(*o.Kind))
	}
	if o.MinGPUs != nil {
		row.Offer.GPUCount, row.Offer.PerGPU = *o.MinGPUs, false
	}
	row.Offer.GPURaw, row.Offer.VRAMMiB = *o.GPU, int64(mib)
	amount, err := schema.ParseDecimal(string(o.USD))
	if err != nil && row.Refused == "" {
		row.Rule, row.Refused = "amount", "no plain number"
	}
	row.Offer = priced(row.Offer, string(o.USD), amount)
	return row, nil
}

// hgx is the name of a GPU whose form the file leaves open. CoreWeave's and
// Crusoe's pages list H100 and H200 as HGX alone (both read on 2026-08-22, with
// these very prices), and CoreWeave's A100 is the 8-GPU HGX node.
func hgx(provider schema.ProviderID, gpu string) string {
	switch {
	case (provider == "coreweave" || provider == "crusoe") && (gpu == "h100" || gpu == "h200"):
		return gpu + " sxm"
	case provider == "coreweave" && gpu == "a100":
		return "a100 sxm"
	case gpu == "rtx-pro-6000-server":
		return "rtx-pro-6000-96gb"
	case gpu == "rtx-pro-6000-wk":
		return "rtx-pro-6000-ws-96gb"
	case gpu == "v100-sxm2":
		return "v100 sxm2"
	}
	return gpu
}
