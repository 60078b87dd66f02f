package history

import (
	"fmt"
	"path"
	"strings"

	"mtok/schema"
)

// GPUHunt reads the catalog of one provider as dstack's gpuhunt writes it. The
// file's name is the provider, the price that of the instance, and no day is
// given.
func GPUHunt() Format {
	f := Format{
		Name: "gpuhunt", Title: "dstack gpuhunt, catalog of one provider (PROVIDER.csv)", Version: 1,
		Expects:     "CSV named PROVIDER.csv with the columns " + strings.Join(gpuHuntColumns(), ", "),
		Licence:     "MPL-2.0",
		Attribution: "dstack gpuhunt (https://github.com/dstackai/gpuhunt), MPL-2.0",
		Provenance:  Primary, Undated: true,
		Markets: []schema.ProviderID{"vast", "tensordock", "cudo"},
	}
	f.Parse = func(name string, body []byte) (Result, error) { return parseGPUHunt(f, name, body) }
	return f
}

func gpuHuntColumns() []string {
	return []string{"instance_name", "location", "price", "gpu_count", "gpu_name", "gpu_memory", "spot"}
}

func parseGPUHunt(f Format, name string, body []byte) (Result, error) {
	var r Result
	s, err := openSheet(f, body, gpuHuntColumns(), &r)
	if err != nil {
		return Result{}, err
	}
	provider := providerOf(strings.TrimSuffix(path.Base(name), ".csv"))
	for s.next() {
		c := s.cells
		if headerRow(c[2], c[3]) {
			r.reject(s.line, RuleHeader, c[0], c[2], "the header again")
			continue
		}
		if c[3] == "0" || c[3] == "" {
			r.reject(s.line, "no_gpu", c[0], c[2], "an instance without a GPU")
			continue
		}
		gpus, ok := count(c[3])
		if !ok {
			r.reject(s.line, schema.RuleGPUCount, c[0], c[2], fmt.Sprintf("%q GPUs", clip(c[3])))
			continue
		}
		row := Row{Line: s.line, Listing: &Listing{As: huntName(c[4])}}
		row.Offer = instance(provider, schema.ImportedSKU(f.Name, c[0]), gpus, schema.TermOnDemand)
		row.Offer.Region, row.Offer.GPURaw = c[1], c[4]
		if gb, err := schema.ParseDecimal(c[5]); err == nil {
			if mib, err := gb.Times(mibPerGB, 1_000_000); err == nil {
				row.Offer.VRAMMiB = int64(mib)
			}
		}
		switch strings.ToLower(c[6]) {
		case "true":
			row.Offer.Term = schema.TermSpot
		case "false", "":
		default:
			s.fault("spot %q is neither True nor False", clip(c[6]))
			continue
		}
		amount, isNumber := amountOf(c[2])
		if !isNumber {
			row.Rule, row.Refused = "amount", "no plain number"
		}
		row.Offer = priced(row.Offer, c[2], amount)
		r.Rows = append(r.Rows, row)
	}
	return r, nil
}

// huntName writes a name without blanks as others do: "RTX4090", "H100NVL",
// "RTXPRO6000". A bare "H100" stays what it is, a name that leaves the form open.
func huntName(name string) string {
	for _, form := range []string{"NVL", "SXM"} {
		if base, ok := strings.CutSuffix(name, form); ok && strings.HasPrefix(base, "H") {
			return base + " " + form
		}
	}
	if rest, ok := strings.CutPrefix(name, "RTX"); ok && rest != "" && !strings.HasPrefix(rest, " ") {
		return "RTX " + rest
	}
	return name
}
