package reports

import (
	"fmt"

	"mtok/reports/cost"
	"mtok/schema"
)

// Calculation is `cost`: one cost computed from typed numbers, under the keys of
// `report mtok`, all-in as Compute has it. GPUs is 0 where nobody said how many there
// are, physical nil where nobody named a configuration.
func (s Settings) Calculation(in cost.Input, gpus int, result cost.PerMTok, physical *Physical) (Document, error) {
	perHour, err := schema.RoundUSD(in.USDPerHour)
	if err != nil {
		return Document{}, fmt.Errorf("price per hour: %w", err)
	}
	doc := Document{Name: "cost", Title: "$ per 1M output tokens", Empty: true,
		Columns: []Column{
			figure("shape_gpus", "gpus", 0),
			{Key: "tokens_per_second", Header: "tok/s", View: Everywhere, Align: AlignRight},
			figure("usd_per_hour", "$/h", hourDecimals),
			figure("raw_usd_per_mtok", "flat out", mtokDecimals),
			figure("utilized_usd_per_mtok", percent(in.Utilization), mtokDecimals),
			figure("all_in_usd_per_mtok", "all-in*", mtokDecimals),
			machine("utilization"), machine("overhead"),
		},
		Rows: []Row{{countCell(gpus), Number(in.TokensPerSecond), Money(perHour), Money(result.Raw),
			Money(result.Utilized), Money(result.AllIn), Number(in.Utilization), Number(in.Overhead)}},
		After: []string{s.calculationNote(in, gpus)},
	}
	if physical != nil {
		physical.addPhysics(&doc)
	}
	return doc, nil
}

// calculationNote says what the all-in cost of a calculation is made of.
func (s Settings) calculationNote(in cost.Input, gpus int) string {
	if !in.Overhead.IsSet() {
		return s.itemsLine(in, gpus)
	}
	line := fmt.Sprintf("* %s busy x %s overhead.", percent(in.Utilization), in.Overhead)
	if s.Itemised() {
		line += " As typed: the items of [overhead] are left out."
	}
	return line
}
