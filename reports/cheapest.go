package reports

import (
	"context"
	"math/big"

	"mtok/reports/cost"
	"mtok/schema"
)

// hoursPerMonth is a month without a name: 8,760 hours / 12.
const hoursPerMonth = 730

// Best is the cheapest eligible on-demand price of a class's default
// configuration on one day.
type Best struct {
	Row        schema.Throughput
	Provider   schema.ProviderID
	Tier       schema.Tier
	On         cost.Placement
	PerGPUHour schema.USD // as listed
	PerMonth   schema.USD // 730 hours of the configuration
	FlatOut    schema.USD // per MTok, busy all the time
	Busy       []Busy     // per MTok at the shares shown beside it
}

// Busy is a cost per MTok at a share of the measured throughput.
type Busy struct {
	Share   string // "65 %"
	PerMTok schema.USD
}

// Cheapest loads the night and finds the best price of each class that has a
// default configuration, in catalog order; a class that nobody rents has none.
func (l Loader) Cheapest(ctx context.Context, f Filter) ([]Best, error) {
	night, err := LoadNight(ctx, l.Source, f, l.Settings.MaxAge)
	if err != nil || night.Empty {
		return nil, err
	}
	var out []Best
	for _, row := range defaults(l.Catalog) {
		g := f
		g.Class = row.Class
		placed := placeClass(row, night.current(l.Catalog, l.Settings, g, row.GPUs), l.Settings)
		if len(placed) == 0 || !placed[0].priced() || placed[0].line.rank() != 0 {
			continue
		}
		best, err := bestOf(placed[0], l.Settings)
		if err != nil {
			return nil, err
		}
		out = append(out, best)
	}
	return out, nil
}

func bestOf(p placed, s Settings) (Best, error) {
	month, err := schema.RoundUSD(new(big.Rat).Mul(p.on.USDPerHour, big.NewRat(hoursPerMonth, 1)))
	if err != nil {
		return Best{}, err
	}
	best := Best{
		Row: p.row, Provider: p.line.Offer.Provider, Tier: tierOf(p.line.Offer), On: p.on,
		PerGPUHour: p.line.USDPerGPUHour, PerMonth: month, FlatOut: p.perM.Raw,
	}
	for i, u := range besides(s) {
		best.Busy = append(best.Busy, Busy{Share: percent(u), PerMTok: p.extra[i]})
	}
	return best, nil
}
