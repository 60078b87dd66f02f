package reports

import (
	"fmt"
	"math/big"
	"strings"

	"mtok/schema"
)

// switchLines say below which price the output of another class is cheaper than
// that of the workload's first one, and what tonight's prices are: at one seller
// that rents both, and between the cheapest of each.
func switchLines(n Night, w Workload, measured []Resolved, catalog *schema.Catalog, s Settings, f Filter) []string {
	if len(measured) == 0 || f.Class != "" || f.Provider != "" || f.Term != "" {
		return nil
	}
	from := measured[0]
	var out []string
	seen := map[schema.ClassID]bool{from.Class: true}
	for _, to := range measured[1:] {
		if seen[to.Class] {
			continue
		}
		seen[to.Class] = true
		ratio, ok := SwitchRatio(catalog, from.Class, to.Class, w.Model)
		if !ok {
			continue
		}
		old, offered := n.perGPUHour(from.Row, catalog, s), n.perGPUHour(to.Row, catalog, s)
		line := strings.TrimSuffix(ratio.Sentence(oneSeller(old, offered)), ".")
		a, okA := cheapestSeller(old)
		b, okB := cheapestSeller(offered)
		if okA && okB && a.seller != b.seller {
			line += fmt.Sprintf("; cheapest eligible of each: %sx (%s at %s, %s at %s)",
				new(big.Rat).Quo(b.price, a.price).FloatString(2), fixedRat(b.price), b.seller, fixedRat(a.price), a.seller)
		}
		out = append(out, line+".")
	}
	return out
}

// sellerPrice is what a seller asks per GPU-hour of a configuration.
type sellerPrice struct {
	seller string
	price  *big.Rat
}

// perGPUHour lists the eligible on-demand sellers of a configuration, the cheapest
// first.
func (n Night) perGPUHour(row schema.Throughput, catalog *schema.Catalog, s Settings) []sellerPrice {
	var out []sellerPrice
	lines := n.current(catalog, s, Filter{Class: row.Class, Term: schema.TermOnDemand}, row.GPUs)
	for _, p := range placeClass(row, lines, s) {
		if p.priced() && p.line.counts() {
			out = append(out, sellerPrice{seller(p.line.Offer), new(big.Rat).Mul(p.on.USDPerHour, big.NewRat(1, int64(row.GPUs)))})
		}
	}
	return out
}

// oneSeller takes both prices from the seller that asks least for the old class,
// of those that rent both; empty where none does.
func oneSeller(old, offered []sellerPrice) SwitchPrices {
	for _, a := range old {
		for _, b := range offered {
			if a.seller != b.seller {
				continue
			}
			from, errFrom := schema.RoundUSD(a.price)
			to, errTo := schema.RoundUSD(b.price)
			if errFrom == nil && errTo == nil {
				return SwitchPrices{From: from, To: to, Where: a.seller}
			}
		}
	}
	return SwitchPrices{}
}

func cheapestSeller(all []sellerPrice) (sellerPrice, bool) {
	if len(all) == 0 {
		return sellerPrice{}, false
	}
	return all[0], true
}

func fixedRat(r *big.Rat) string { return r.FloatString(hourDecimals) }
