package reports

import (
	"cmp"
	"errors"
	"fmt"
	"math/big"
	"slices"

	"mtok/reports/cost"
	"mtok/schema"
)

// standing is a fleet on one night: what it costs, what came out of it, and what
// the market asks for the same shape. What is not known stays so.
type standing struct {
	schema.Fleet
	hours   *big.Rat // paid for in a month without a name
	invoice schema.USD
	paid    schema.USD // per MTok, 0 where the tokens are unknown
	// What the fleet's configuration was measured to give, where it was.
	on             Resolved
	workload       string
	configurations int
	busy           *big.Rat // nil where unknown
	allIn          schema.USD
	market         market
	reasons        []string
}

// market is the cheapest eligible on-demand price of a fleet's shape tonight.
type market struct {
	seller  string // empty for none
	gpus    int    // the shape that was priced
	perGPU  *big.Rat
	invoice schema.USD // of the whole fleet for the same hours
	note    string
}

// paidHours are the hours of a month that a fleet is paid for.
func paidHours(f schema.Fleet, m cost.Month) *big.Rat {
	share := big.NewRat(1, 1)
	if f.HoursOn.IsSet() {
		share = new(big.Rat).Quo(f.HoursOn.Rat(), big.NewRat(24, 1))
	}
	return share.Mul(share, new(big.Rat).SetInt64(m.Hours()))
}

// stand works out a fleet for a month without a name.
func stand(n Night, f schema.Fleet, catalog *schema.Catalog, s Settings, provider schema.ProviderID) (standing, error) {
	st := standing{Fleet: f, hours: paidHours(f, cost.Month{})}
	var err error
	if st.invoice, err = schema.RoundUSD(new(big.Rat).Mul(f.USDPerGPUHour.Rat(), gpuHours(f.GPUs, st.hours))); err != nil {
		return standing{}, fmt.Errorf("fleet %q: %w", f.Name, err)
	}
	st.measure(catalog, s)
	if err := st.perToken(s); err != nil {
		return standing{}, fmt.Errorf("fleet %q: %w", f.Name, err)
	}
	if err := st.compare(n, catalog, s, provider); err != nil {
		return standing{}, fmt.Errorf("fleet %q: %w", f.Name, err)
	}
	return st, nil
}

func gpuHours(gpus int, hours *big.Rat) *big.Rat {
	return new(big.Rat).Mul(hours, new(big.Rat).SetInt64(int64(gpus)))
}

// measure finds the measurement of the fleet's class and model in the first
// workload that has one.
func (st *standing) measure(catalog *schema.Catalog, s Settings) {
	if st.Model == "" {
		st.reasons = append(st.reasons, "no model is said: no utilization")
		return
	}
	for _, w := range s.workloads(catalog) {
		if shapeOf(w.Model, catalog) != shapeOf(st.Model, catalog) {
			continue
		}
		measured, _, err := w.split(catalog)
		if err != nil {
			continue
		}
		for _, r := range measured {
			if r.Class == st.Class && r.Row.GPUs <= st.GPUs {
				st.on, st.workload, st.configurations = r, w.Name, st.GPUs/r.Row.GPUs
				if r.Row.AllowImplausible {
					st.reasons = append(st.reasons, "the throughput "+implausible)
				}
				return
			}
		}
	}
	st.reasons = append(st.reasons, fmt.Sprintf("no workload has a measurement of %s on %d or fewer %s: no utilization", st.Model, st.GPUs, st.Class))
}

// perToken is what a million tokens really cost, by the invoice and what came out.
func (st *standing) perToken(s Settings) error {
	if st.OutputTokensPerMonth == 0 {
		st.reasons = append(st.reasons, "tokens_per_month unknown: no cost per token")
		return nil
	}
	var err error
	if st.paid, err = cost.Paid(st.invoice, tokensOf(st.Fleet)); err != nil {
		return err
	}
	if err := st.withOverhead(s); err != nil || st.workload == "" {
		return err
	}
	all := new(big.Rat).Mul(st.on.Row.TokensPerSecond.Rat(), new(big.Rat).SetInt64(int64(st.configurations)))
	all.Mul(all, st.hours).Mul(all, big.NewRat(secondsPerHour, 1))
	st.busy = all.Quo(tokensOf(st.Fleet).Rat(), all)
	if st.busy.Cmp(big.NewRat(1, 1)) > 0 {
		st.reasons = append(st.reasons, "more tokens than the measurement allows: it does not fit this traffic")
	}
	return nil
}

const secondsPerHour = 3600

// withOverhead adds the items of [overhead] to the invoice; a multiplier is an
// assumption of the market's reports and no part of one. The whole fleet is one
// configuration at its mean rate over all the hours of the month: a monthly amount
// counts once, however many configurations there are and hours that are paid for.
// Spares are among the fleet's GPUs; power is drawn in the hours that are paid for.
func (st *standing) withOverhead(s Settings) error {
	if !s.Itemised() {
		return nil
	}
	hours := new(big.Rat).SetInt64(cost.Month{}.Hours())
	rate := new(big.Rat).Quo(tokensOf(st.Fleet).Rat(), new(big.Rat).Mul(hours, big.NewRat(secondsPerHour, 1)))
	on := new(big.Rat).Quo(st.hours, hours)
	s.Items.Replicas, s.Items.SpareReplicas = 1, 0
	s.Items.KWPerGPU = decimalOf(on.Mul(on, s.Items.KWPerGPU.Rat()))
	items, err := s.itemise(cost.Input{
		USDPerHour:      new(big.Rat).Quo(st.invoice.Rat(), hours),
		TokensPerSecond: decimalOf(rate), Utilization: schema.MustDecimal("1"),
	}, schema.TermOnDemand, st.GPUs, s.Items.Owned)
	if errors.Is(err, cost.ErrInput) {
		st.reasons = append(st.reasons, err.Error())
		return nil
	}
	st.allIn = items.AllIn
	return err
}

// decimalOf is a figure to so many decimals that no amount of money made of it
// differs.
func decimalOf(r *big.Rat) schema.Decimal { return schema.MustDecimal(r.FloatString(24)) }

func tokensOf(f schema.Fleet) schema.Decimal {
	return schema.MustDecimal(fmt.Sprint(f.OutputTokensPerMonth))
}

// compare puts tonight's market beside the fleet.
func (st *standing) compare(n Night, catalog *schema.Catalog, s Settings, provider schema.ProviderID) error {
	st.market = n.marketAt(provider, st.Class, st.GPUs, catalog, s)
	if st.market.seller == "" {
		return nil
	}
	var err error
	st.market.invoice, err = schema.RoundUSD(new(big.Rat).Mul(st.market.perGPU, gpuHours(st.GPUs, st.hours)))
	return err
}

// nodeGPUs is the node that clouds sell large parts in.
const nodeGPUs = 8

// marketFor is the cheapest eligible on-demand price of so many GPUs: of that very
// shape, else of nodes of 8 where the count is made of them.
func (n Night) marketFor(class schema.ClassID, gpus int, catalog *schema.Catalog, s Settings) market {
	return n.marketAt("", class, gpus, catalog, s)
}

// wholeRent is what must be paid an hour: a larger node is paid whole.
func wholeRent(p cost.Placement) *big.Rat {
	return new(big.Rat).Mul(p.USDPerHour, big.NewRat(int64(max(p.Replicas, 1)), 1))
}

// marketAt is that of one provider alone, of all where it is empty.
func (n Night) marketAt(provider schema.ProviderID, class schema.ClassID, gpus int, catalog *schema.Catalog, s Settings) market {
	if n.Empty {
		return market{note: "no prices were published"}
	}
	shapes := []int{gpus}
	if gpus > nodeGPUs && gpus%nodeGPUs == 0 {
		shapes = append(shapes, nodeGPUs)
	}
	for _, shape := range shapes {
		var asks []*schema.Observation
		for _, l := range n.current(catalog, s, Filter{Class: class, Provider: provider, Term: schema.TermOnDemand}, shape) {
			if l.counts() {
				asks = append(asks, &l.Observation)
			}
		}
		placed := slices.DeleteFunc(placements(shape, asks), func(p cost.Placement) bool { return p.Shape == cost.ShapeNone })
		if len(placed) == 0 {
			continue
		}
		best := slices.MinFunc(placed, func(a, b cost.Placement) int {
			return cmp.Or(wholeRent(a).Cmp(wholeRent(b)), comparePlacements(a, b))
		})
		m := market{seller: seller(best.Offer.Offer), gpus: shape, note: best.Note,
			perGPU: new(big.Rat).Mul(wholeRent(best), big.NewRat(1, int64(shape)))}
		if best.Shape == cost.ShapeLarger {
			m.note = fmt.Sprintf("must rent %d, all of which is counted", best.NodeGPUs)
		}
		if shape != gpus {
			m.note = fmt.Sprintf("as %d nodes of %d", gpus/shape, shape)
		}
		return m
	}
	return market{note: "nobody rents this shape on demand tonight"}
}
