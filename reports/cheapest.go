package reports

import (
	"context"
	"math/big"
	"slices"

	"mtok/reports/cost"
	"mtok/schema"
)

// hoursPerMonth is a month without a name: 8,760 hours / 12.
const hoursPerMonth = 730

// Tonight is what the screen of a night says of prices.
type Tonight struct {
	Best     []Best
	Workload Workload
	// Model is that of every row of Best, empty where they are mixed: Reference
	// then holds for the rows whose caveats name no other.
	Model     string
	Reference schema.Throughput
	// Offered counts the measured configurations whose class anybody offers on
	// demand, rentable or not.
	Offered int
}

// Best is the cheapest eligible on-demand price of a configuration of a workload
// on one day.
type Best struct {
	Row        schema.Throughput
	Provider   schema.ProviderID
	Tier       schema.Tier
	On         cost.Placement
	PerGPUHour schema.USD // as listed
	// What must be rented, the whole node where the configuration is a share of
	// one, per hour and per 730 hours.
	Rent, RentPerMonth schema.USD
	FlatOut            schema.USD // per MTok, busy all the time
	AllIn              schema.USD // per MTok, at the utilization of the settings
	Busy               []Busy     // per MTok at the shares shown beside it
	Caveats            []string
}

// Busy is a cost per MTok at a share of the measured throughput.
type Busy struct {
	Share   string // "65 %"
	PerMTok schema.USD
}

// Cheapest loads the night and finds the best price of each configuration of the
// workload that the filter names, see CheapestOf. Where the filter names a day, the prices are of that very day.
func (l Loader) Cheapest(ctx context.Context, f Filter) (Tonight, error) {
	f.Term = schema.TermOnDemand
	night, err := loadNight(ctx, l.Source, f, schema.ObservationFilter{Term: f.Term}, l.Settings.MaxAge)
	if err != nil || night.Empty || f.DayNamed && f.Day != night.AsOf {
		return Tonight{}, err
	}
	w, err := l.Settings.Workload(l.Catalog, f.Workload)
	if err != nil {
		return Tonight{}, err
	}
	return CheapestOf(night, w, l.Catalog, l.Settings, f)
}

// CheapestOf finds the cheapest eligible on-demand price of each measured
// configuration of a workload, in the workload's order; one that nobody rents, or
// that nobody measured, has none. An unknown name in the workload is an error.
func CheapestOf(night Night, w Workload, catalog *schema.Catalog, s Settings, f Filter) (Tonight, error) {
	measured, _, err := w.split(catalog)
	if err != nil {
		return Tonight{}, err
	}
	f.Term = schema.TermOnDemand
	out := Tonight{Workload: w, Reference: reference(measured)}
	var best []placed
	for _, r := range measured {
		if !f.keepsClass(r.Class) {
			continue
		}
		all := placeWorkload(night, []Resolved{r}, catalog, s, f)
		if slices.ContainsFunc(all, func(p placed) bool { return p.line.Age == 0 }) {
			out.Offered++
		}
		if len(all) > 0 && all[0].priced() && all[0].line.counts() {
			best = append(best, all[0])
		}
	}
	out.Model, _ = commonModel(best, out.Reference)
	for _, p := range best {
		b, err := bestOf(p, s)
		if err != nil {
			return Tonight{}, err
		}
		if p.on.Shape == cost.ShapePerGPU && p.on.Note != "" {
			b.Caveats = append(b.Caveats, p.on.Note)
		}
		b.Caveats = append(b.Caveats, caveats(p.row, out.Reference, out.Model, catalog)...)
		b.Caveats = append(b.Caveats, workloadNotes(p.notes)...)
		out.Best = append(out.Best, b)
	}
	return out, nil
}

func bestOf(p placed, s Settings) (Best, error) {
	rent := new(big.Rat).Mul(p.on.USDPerHour, big.NewRat(int64(p.on.Replicas), 1))
	best := Best{
		Row: p.row, Provider: p.line.Offer.Provider, Tier: tierOf(p.line.Offer), On: p.on,
		PerGPUHour: p.line.USDPerGPUHour, FlatOut: p.perM.Raw, AllIn: p.perM.AllIn,
	}
	var err error
	if best.Rent, err = schema.RoundUSD(rent); err != nil {
		return Best{}, err
	}
	if best.RentPerMonth, err = schema.RoundUSD(rent.Mul(rent, big.NewRat(hoursPerMonth, 1))); err != nil {
		return Best{}, err
	}
	for i, u := range besides(s) {
		best.Busy = append(best.Busy, Busy{Share: percent(u), PerMTok: p.extra[i]})
	}
	return best, nil
}

// Load says what the throughputs of the rows promise.
func (t Tonight) Load() string {
	load := ""
	for i, b := range t.Best {
		switch {
		case i == 0:
			load = b.Row.Load()
		case b.Row.Load() != load:
			return "measured under different loads: mtok report mtok"
		}
	}
	if len(t.Best) > 0 && t.Best[0].Row.Ceiling() {
		return "all requests queued, no latency promise: a ceiling"
	}
	return load
}
