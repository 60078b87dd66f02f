package history

import (
	"fmt"
	"slices"

	"mtok/schema"
)

// totals finds the price of an instance in the column of one GPU: the same GPU in
// a larger number at as many times the price. No list sells eight GPUs at eight
// times the price of each of them alone. Where rows of two classes are such, the
// source filled the column of that day's nodes so, and none of them is believed.
func (g *ring) totals(rows []int, market bool, out map[int]fault) {
	if !slices.ContainsFunc(rows, func(i int) bool { return g.seen[i].Said.Offer.GPUCount > 1 }) {
		return
	}
	single := map[kind]schema.USD{} // the dearest of one GPU
	for _, i := range rows {
		if o := g.seen[i].Said; o.Offer.GPUCount == 1 && o.Offer.Unit == schema.UnitGPUHour {
			k := kindOf(o)
			single[k] = max(single[k], o.USDPerGPUHour)
		}
	}
	proof, classes := "", map[schema.ClassID]bool{}
	for _, i := range rows {
		if o := g.seen[i].Said; total(o, single[kindOf(o)], market) {
			proof = fmt.Sprintf("%s %s for each of %d GPUs, %s for one", o.Class, o.USDPerGPUHour, o.Offer.GPUCount, single[kindOf(o)])
			out[i] = fault{RuleTotal, proof + ": the price of the instance"}
			classes[o.Class] = true
		}
	}
	for _, i := range rows {
		o := g.seen[i].Said
		if _, refused := out[i]; len(classes) > 1 && !refused && o.Offer.GPUCount > 1 && o.Offer.Unit == schema.UnitGPUHour {
			out[i] = fault{RuleTotal, "the source mixes prices of instances and of GPUs on this day: " + proof}
		}
	}
}

// kind is what one price is compared within.
type kind struct {
	class schema.ClassID
	term  schema.Term
	tier  schema.Tier
}

func kindOf(o *schema.Observation) kind { return kind{o.Class, o.Offer.Term, o.Offer.Tier} }

// total reports whether a price per GPU is that of the instance. Of a list the
// ratio is exact but for what the prices of two sizes differ; in a market only a
// large one says something.
func total(o *schema.Observation, one schema.USD, market bool) bool {
	n := schema.USD(o.Offer.GPUCount)
	return n >= 2 && one > 0 && o.Offer.Unit == schema.UnitGPUHour && (n > 2 || !market) && o.USDPerGPUHour >= one*n*3/4
}

const (
	// spikeDays and spikeSeen bound what stands for so short that it was never a
	// price, where the price from before comes back to the cent.
	spikeDays = 7
	spikeSeen = 5
)

// point is one price of an offer's series.
type point struct {
	row int
	day schema.Day
	usd schema.USD
}

// reverted finds prices that stood for a few days and then were what they had been
// before: another GPU's price under this name, or two tiers that take turns. No
// list price on record did that.
func (g *ring) reverted(days []strandDay, out map[int]fault) {
	lines := map[int32][]point{} // by offer
	var offers []int32
	for _, d := range days {
		for _, i := range d.rows {
			if _, refused := out[i]; refused {
				continue
			}
			of := g.offers[i]
			line := lines[of]
			if line == nil {
				offers = append(offers, of)
			}
			lines[of] = append(line, point{i, d.day, g.seen[i].Said.USDPerGPUHour})
		}
	}
	for _, of := range offers {
		line := lines[of]
		for i := 1; i < len(line); i++ {
			if n := spike(line[i-1:]); n > 0 {
				for _, p := range line[i : i+n] {
					out[p.row] = fault{RuleReverted, fmt.Sprintf("%s since %s, and %s again on %s: stood %d day(s)",
						p.usd, line[i].day, line[i-1].usd, line[i+n].day, line[i+n].day-line[i].day)}
				}
				line = slices.Delete(line, i, i+n)
				i--
			}
		}
	}
}

// spike is how many points after the first differ from it before its price comes
// back, 0 where it does not, or not soon.
func spike(line []point) int {
	if len(line) < 3 || line[1].usd == line[0].usd {
		return 0
	}
	for n := 2; n < len(line) && n <= spikeSeen+1; n++ {
		if line[n].day-line[1].day > spikeDays {
			return 0
		}
		if line[n].usd == line[0].usd {
			return n - 1
		}
	}
	return 0
}
