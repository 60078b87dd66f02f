package reports

import (
	"cmp"
	"math/big"
	"slices"

	"mtok/reports/cost"
	"mtok/schema"
)

// placed is a configuration put on one seller's offers: a row of `report mtok`.
type placed struct {
	row   schema.Throughput
	notes []string // in what the measurement differs from the workload
	line  listed   // of the offer that prices it; where none does, of the seller alone
	on    cost.Placement
	perM  cost.PerMTok
	extra []schema.USD // raw cost at each of the utilizations shown beside
	// region is empty where the seller's regions cost the same.
	region  string
	regions int
	reasons []string
}

func (p placed) priced() bool { return p.on.Shape != cost.ShapeNone }

// stock is that of what must be rented.
func (p placed) stock() schema.Stock { return p.line.stock(p.on.NodeGPUs) }

// sale is what a seller offers at one price, regions and node sizes aside. What
// is eligible and what is not stand apart, so that a sold-out or doubtful offer
// never hides one that can be rented.
type sale struct {
	provider   schema.ProviderID
	tier       schema.Tier
	term       schema.Term
	commitment schema.Commitment
	eligible   bool
	age        int
}

// placeClass puts a configuration on every seller of its class; floors of bids
// are no price.
func placeClass(row schema.Throughput, lines []listed, s Settings) []placed {
	sales := map[sale][]listed{}
	for _, l := range lines {
		if l.Offer.Term == schema.TermBidFloor {
			continue
		}
		k := sale{l.Offer.Provider, tierOf(l.Offer), l.Offer.Term, l.Offer.Commitment, l.eligible(), l.Age}
		sales[k] = append(sales[k], l)
	}
	var all, out []placed
	for _, same := range sales {
		all = append(all, placeSale(row, same, s))
	}
	for _, p := range all {
		if p.priced() || !pricedOtherwise(p, all) {
			out = append(out, p)
		}
	}
	slices.SortFunc(out, comparePlaced)
	return out
}

// placeSale places the configuration in each region and keeps the cheapest.
func placeSale(row schema.Throughput, lines []listed, s Settings) placed {
	byRegion := map[string][]*schema.Observation{}
	byOffer := map[offerID]listed{}
	for i, l := range lines {
		byRegion[l.Offer.Region] = append(byRegion[l.Offer.Region], &lines[i].Observation)
		byOffer[identify(&l.Observation)] = l
	}
	p := placed{row: row, line: lines[0], regions: len(byRegion)}
	same := true
	for _, offers := range byRegion {
		on := cost.Place(row.GPUs, offers)
		switch {
		case p.on.Shape == "":
			p.on = on
		case on.Shape == cost.ShapeNone && !p.priced():
			p.on.Note = max(p.on.Note, on.Note) // any one, but the same in every order
		case on.Shape == cost.ShapeNone || !p.priced():
			same = false
			if !p.priced() {
				p.on = on
			}
		default:
			same = same && on.USDPerHour.Cmp(p.on.USDPerHour) == 0 && on.NodeGPUs == p.on.NodeGPUs
			if comparePlacements(on, p.on) < 0 {
				p.on = on
			}
		}
	}
	if p.priced() {
		p.line = byOffer[identify(&p.on.Offer)]
		if !same || p.regions == 1 {
			p.region = p.line.Offer.Region
		}
		if err := p.compute(s); err != nil {
			p.on = cost.Placement{Shape: cost.ShapeNone, Note: err.Error()}
		}
	}
	p.reasons = p.explainShape()
	return p
}

// explainShape lists what a reader must know besides the price.
func (p placed) explainShape() []string {
	var out []string
	if p.on.Note != "" {
		out = append(out, p.on.Note)
	}
	out = append(out, p.line.why...)
	if c := commitmentNote(p.line.Offer); c != "" {
		out = append(out, c)
	}
	if p.line.Offer.Note != "" {
		out = append(out, p.line.Offer.Note)
	}
	return out
}

func (p *placed) compute(s Settings) error {
	in := cost.Input{USDPerHour: p.on.USDPerHour, TokensPerSecond: p.row.TokensPerSecond,
		Utilization: s.Utilization, Overhead: s.Overhead}
	var err error
	if p.perM, err = s.compute(in, p.line.Offer.Term, p.row.GPUs); err != nil {
		return err
	}
	for _, u := range besides(s) {
		in.Utilization = u
		per, err := cost.Compute(in)
		if err != nil {
			return err
		}
		p.extra = append(p.extra, per.Utilized)
	}
	return nil
}

// besides are the utilizations shown between flat out and all-in: the setting,
// and a low one, since a single point misleads.
func besides(s Settings) []schema.Decimal {
	var out []schema.Decimal
	low := schema.MustDecimal("0.30")
	if s.Utilization.Rat().Cmp(big.NewRat(1, 1)) != 0 {
		out = append(out, s.Utilization)
	}
	if s.Utilization.Rat().Cmp(low.Rat()) != 0 {
		out = append(out, low)
	}
	return out
}

// pricedOtherwise reports whether the same seller prices the configuration.
func pricedOtherwise(p placed, all []placed) bool {
	return slices.ContainsFunc(all, func(q placed) bool {
		a, b := p.line.Offer, q.line.Offer
		return q.priced() && a.Provider == b.Provider && tierOf(a) == tierOf(b) && a.Term == b.Term && a.Commitment == b.Commitment
	})
}

func comparePlaced(a, b placed) int {
	if a.priced() != b.priced() {
		if a.priced() {
			return -1
		}
		return 1
	}
	order := cmp.Compare(a.line.rank(), b.line.rank())
	if order == 0 && a.priced() {
		order = a.on.USDPerHour.Cmp(b.on.USDPerHour)
	}
	return cmp.Or(order, cmp.Compare(a.line.Age, b.line.Age), compareIdentity(&a.line.Observation, &b.line.Observation))
}
