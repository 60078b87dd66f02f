package history

import (
	"strings"
	"time"

	"mtok/schema"
)

// Nixj9 reads the rows of gpu-market-intel: the least, middle and highest price of
// a GPU's name at a provider. What the columns hold differs: at Lambda one list
// price; at RunPod the community price in on_demand_hr and the secure one in
// max_price_hr; at Vast.ai what interruptible machines ask.
func Nixj9() Format {
	f := Format{
		Name: "nixj9", Title: "nixj9/gpu-market-intel", Version: 1,
		Expects:     "CSV with the columns " + strings.Join(nixj9Columns(), ", "),
		Licence:     "MIT",
		Attribution: "nixj9/gpu-market-intel (https://github.com/nixj9/gpu-market-intel), MIT",
		Provenance:  Primary,
		Markets:     []schema.ProviderID{"vast"},
	}
	f.Parse = func(_ string, body []byte) (Result, error) { return parseNixj9(f, body) }
	return f
}

func nixj9Columns() []string {
	return []string{"timestamp", "provider", "gpu", "min_price_hr", "median_price_hr", "max_price_hr", "on_demand_hr",
		"spot_price_hr", "num_offers", "availability"}
}

func parseNixj9(f Format, body []byte) (Result, error) {
	var r Result
	s, err := openSheet(f, body, nixj9Columns(), &r)
	if err != nil {
		return Result{}, err
	}
	for s.next() {
		c := s.cells
		taken, err := time.Parse(time.DateTime, c[0])
		if err != nil {
			if headerRow(c[0], c[3]) {
				r.reject(s.line, RuleHeader, c[2], "", "the header again")
			} else {
				s.fault("timestamp %q is no time", clip(c[0]))
			}
			continue
		}
		row := Row{Line: s.line, Day: schema.DayOf(taken), Taken: taken}
		add := func(text string, term schema.Term, tier schema.Tier) {
			if text == "" {
				return
			}
			row := row.with(Listing{As: c[2]})
			row.Offer = perGPU(providerOf(c[1]), schema.ImportedSKU(f.Name, c[2]), term, tier)
			row.Offer.GPURaw = c[2]
			amount, ok := amountOf(text)
			if !ok {
				row.Rule, row.Refused = "amount", "no plain number"
			}
			row.Offer = priced(row.Offer, text, amount)
			if row.Offer.Provider == "lambda" {
				row.Offer.Stock = nixj9Stock(c[9])
			}
			r.Rows = append(r.Rows, row)
		}
		before := len(r.Rows)
		switch providerOf(c[1]) {
		case "runpod":
			add(c[6], schema.TermOnDemand, schema.TierCommunity)
			add(c[5], schema.TermOnDemand, schema.TierSecure)
		case "vast":
			add(c[7], schema.TermSpot, "")
		default:
			add(c[6], schema.TermOnDemand, "")
		}
		if len(r.Rows) == before {
			r.reject(s.line, schema.RuleUnpriced, c[1]+" "+c[2], "", "no price")
		}
	}
	return r, nil
}

func nixj9Stock(text string) schema.Stock {
	switch text {
	case "Available":
		return schema.StockAvailable
	case "Unavailable":
		return schema.StockSoldOut
	}
	return schema.StockUnknown
}
