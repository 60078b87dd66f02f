package history

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"fmt"
	"maps"
	"slices"
	"strings"

	"mtok/schema"
)

// Compact writes the prices of a source as a bundle: a row for each time that a
// price stood, day after day. A day without the price ends the row, so that a hole
// stays a hole.
func Compact(f Format, kept []schema.ImportedPrice) ([]byte, error) {
	lines := map[schema.OfferKey][]schema.Observation{}
	for _, p := range kept {
		key := p.Said.Offer.OfferKey
		lines[key] = append(lines[key], p.Observation())
	}
	var rows [][]string
	for _, key := range slices.SortedFunc(maps.Keys(lines), compareKeys) {
		line := lines[key]
		slices.SortStableFunc(line, func(a, b schema.Observation) int { return cmp.Compare(a.Day, b.Day) })
		for i := 0; i < len(line); {
			n := i + 1
			for n < len(line) && line[n].Day == line[n-1].Day+1 && sameListing(line[n], line[i]) {
				n++
			}
			rows = append(rows, compactRow(f, line[i], line[n-1].Day))
			i = n
		}
	}
	return writeRows(bundleColumns(), rows)
}

// sameListing reports whether two days of an offer say the same: one number may be of
// an instance on one day and of a GPU on the next.
func sameListing(a, b schema.Observation) bool {
	x, y := a.Offer, b.Offer
	return x.PriceText == y.PriceText && x.Unit == y.Unit && x.PerGPU == y.PerGPU && x.GPURaw == y.GPURaw &&
		x.VRAMMiB == y.VRAMMiB && a.Class == b.Class && a.Source == b.Source
}

func compareKeys(a, b schema.OfferKey) int {
	return cmp.Or(cmp.Compare(a.Provider, b.Provider), cmp.Compare(a.SKU, b.SKU), cmp.Compare(a.GPUCount, b.GPUCount),
		cmp.Compare(a.Region, b.Region), cmp.Compare(a.Term, b.Term), cmp.Compare(a.Tier, b.Tier))
}

func compactRow(f Format, o schema.Observation, to schema.Day) []string {
	perGPU := "0"
	if o.Offer.PerGPU {
		perGPU = "1"
	}
	k := o.Offer
	return []string{
		o.Day.String(), to.String(), o.Source, string(k.Provider), strings.TrimPrefix(k.SKU, f.Name+":"), k.GPURaw,
		strings.TrimPrefix(string(o.Class), schema.UnmatchedPrefix), fmt.Sprint(k.VRAMMiB), fmt.Sprint(k.GPUCount), perGPU, k.Region,
		string(k.Term), string(k.Tier), string(k.Unit), k.PriceText,
	}
}

// CompactTokens is Compact for prices of tokens.
func CompactTokens(tokens []schema.ImportedTokenPrice) ([]byte, error) {
	lines := map[string][]schema.ImportedTokenPrice{}
	for _, p := range tokens {
		lines[p.Model+" "+p.Endpoint] = append(lines[p.Model+" "+p.Endpoint], p)
	}
	var rows [][]string
	for _, key := range slices.Sorted(maps.Keys(lines)) {
		line := lines[key]
		slices.SortStableFunc(line, func(a, b schema.ImportedTokenPrice) int { return cmp.Compare(a.Day, b.Day) })
		for i := 0; i < len(line); {
			n := i + 1
			for n < len(line) && line[n].Day == line[n-1].Day+1 && sameTokenPrice(line[n], line[i]) {
				n++
			}
			p := line[i]
			rows = append(rows, []string{p.Day.String(), line[n-1].Day.String(), p.Source, p.Model, p.Endpoint,
				usdText(p.In), usdText(p.Out), usdText(p.CacheRead)})
			i = n
		}
	}
	return writeRows(tokenBundleColumns(), rows)
}

func usdText(p *schema.USD) string {
	if p == nil {
		return ""
	}
	return p.String()
}

func writeRows(header []string, rows [][]string) ([]byte, error) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	err := w.WriteAll(append([][]string{header}, rows...))
	return b.Bytes(), err
}
