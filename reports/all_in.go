package reports

import (
	"fmt"
	"strings"

	"mtok/reports/cost"
	"mtok/schema"
)

// Itemised reports whether any item costs anything, so that the items stand in the
// place of the multiplier.
func (s Settings) Itemised() bool {
	i := s.Items
	costs := func(all ...schema.Decimal) bool {
		for _, d := range all {
			if d.Rat().Sign() == 0 {
				return false
			}
		}
		return true
	}
	return i.SpareReplicas > 0 || i.Owned || costs(i.EgressUSDPerGB) || costs(i.OpsUSDMonth) || costs(i.InterruptedShare) ||
		costs(i.StorageGB, i.StorageUSDPerGBMonth)
}

// compute is the cost of a configuration that is rented under a term: all-in by
// the multiplier, or by the items in its place. A rent has its power within.
func (s Settings) compute(in cost.Input, term schema.Term, gpus int) (cost.PerMTok, error) {
	per, err := cost.Compute(in)
	if err != nil || !s.Itemised() {
		return per, err
	}
	items, err := s.itemise(in, term, gpus, false)
	per.AllIn = items.AllIn
	return per, err
}

// Compute is the cost of a configuration that is rented on demand for a typed price:
// all-in by the overhead of the input, or where that is not set by the items.
func (s Settings) Compute(in cost.Input, gpus int) (cost.PerMTok, error) {
	if in.Overhead.IsSet() {
		return cost.Compute(in)
	}
	in.Overhead = schema.MustDecimal("1")
	return s.compute(in, schema.TermOnDemand, gpus)
}

// itemsLine says of what an all-in cost is made, on one line.
func (s Settings) itemsLine(in cost.Input, gpus int) string {
	line := fmt.Sprintf("* %s busy, with the items of [overhead]", percent(in.Utilization))
	items, err := s.itemise(in, schema.TermOnDemand, gpus, false)
	if err != nil {
		return line + "."
	}
	var parts []string
	for _, item := range items.Items {
		parts = append(parts, item.Name+" "+item.PerMTok.Fixed(mtokDecimals))
	}
	return line + ": " + strings.Join(parts, " + ") + "."
}

// itemise is the cost by items; monthly amounts go by a month without a name.
func (s Settings) itemise(in cost.Input, term schema.Term, gpus int, owned bool) (cost.Itemised, error) {
	items := s.Items
	items.Spot, items.Owned, items.GPUs = term == schema.TermSpot, owned, gpus
	in.Overhead = schema.Decimal{}
	return cost.Itemise(in, items, cost.Month{})
}

// allInNote says what the column "all-in" is made of.
func (s Settings) allInNote() string {
	if s.Itemised() {
		return fmt.Sprintf("* %s busy, with the items of [overhead] in the place of a multiplier.", percent(s.Utilization))
	}
	return fmt.Sprintf("* %s busy x %s overhead: assumptions, set yours in config.toml.", percent(s.Utilization), s.Overhead)
}

// overheadCell is the multiplier, null where items stand in its place.
func (s Settings) overheadCell() Cell {
	if s.Itemised() {
		return Null()
	}
	return Number(s.Overhead)
}

// overheadWords are the step of a formula from utilized to all-in.
func (s Settings) overheadWords() string {
	if s.Itemised() {
		return "with the items of [overhead]"
	}
	return "x " + s.Overhead.String()
}
