package reports

import (
	"math/big"
	"slices"

	"mtok/reports/cost"
	"mtok/schema"
)

// ComparedAPI is what a workload's configuration is compared with by alerts: the
// endpoint that is named for it, else the list's price, else the cheapest endpoint.
type ComparedAPI struct {
	In, Out schema.USD // 0 for a price that is none of one endpoint
	PerMTok *big.Rat   // output, with the input that goes with it
}

// CompareAPI finds it among the lists of one day; false where none has a price.
func CompareAPI(w Workload, precision string, lists []APIList, s Settings) (ComparedAPI, bool) {
	quotes, _ := apiQuotes(w, precision, pricing(lists), s)
	if len(quotes) == 0 {
		return ComparedAPI{}, false
	}
	q := quotes[0]
	return ComparedAPI{In: q.price.In, Out: q.price.Out, PerMTok: q.perMTok}, true
}

// Measured are the configurations of the first workload that has any of a class, with
// the workload, the smallest first; of every class where it is empty.
func (s Settings) Measured(catalog *schema.Catalog, workload string, class schema.ClassID) (Workload, []Resolved) {
	for _, w := range s.workloads(catalog) {
		if workload != "" && w.Name != workload {
			continue
		}
		measured, _, err := w.split(catalog)
		if err != nil {
			continue
		}
		if class != "" {
			measured = slices.DeleteFunc(measured, func(r Resolved) bool { return r.Class != class })
		}
		if len(measured) > 0 {
			return w, measured
		}
	}
	return Workload{}, nil
}

// Ask is the cheapest price of a shape that can be rented on demand.
type Ask struct {
	Seller string     // with its tier
	PerGPU schema.USD // per GPU-hour
	Note   string     // such as that it is made of several nodes
}

// CheapestAsk finds it among tonight's fresh prices; false where nobody rents the
// shape.
func (n Night) CheapestAsk(class schema.ClassID, gpus int, catalog *schema.Catalog, s Settings) (Ask, bool) {
	m := n.marketFor(class, gpus, catalog, s)
	if m.seller == "" {
		return Ask{}, false
	}
	per, err := schema.RoundUSD(m.perGPU)
	return Ask{m.seller, per, m.note}, err == nil
}

// StockOf is what tonight says of so many GPUs of a class at a provider, at any where
// it is empty: available where any offer is, unknown where nobody says.
func (n Night) StockOf(class schema.ClassID, provider schema.ProviderID, tier schema.Tier, gpus int) (stock schema.Stock, listed bool) {
	for _, o := range n.Observations {
		if o.Day != n.AsOf || o.Class != class || provider != "" && o.Offer.Provider != provider || tier != "" && tierOf(o.Offer) != tier ||
			o.Offer.Term != schema.TermOnDemand || !o.Offer.PerGPU && gpus != 0 && o.Offer.GPUCount != gpus {
			continue
		}
		listed = true
		switch s := stockOn(o.Offer, gpus); {
		case s == schema.StockAvailable:
			return s, true
		case s == schema.StockSoldOut:
			stock = s
		}
	}
	return stock, listed
}

// Lowest is the cheapest on-demand list price of a class tonight, whatever its tier.
func (n Night) Lowest(class schema.ClassID) (provider schema.ProviderID, tier schema.Tier, price schema.USD, ok bool) {
	for i := range n.Observations {
		o := &n.Observations[i]
		if o.Day == n.AsOf && o.Class == class && o.Offer.Term == schema.TermOnDemand && published(o) && !isMarketplace(o.Offer) &&
			(!ok || o.USDPerGPUHour < price) {
			provider, tier, price, ok = o.Offer.Provider, tierOf(o.Offer), o.USDPerGPUHour, true
		}
	}
	return provider, tier, price, ok
}

// CostAt is what a million output tokens cost at a price per GPU-hour, flat out and at
// the utilization of the settings, by the rent alone.
func (s Settings) CostAt(row schema.Throughput, perGPU schema.USD) (flatOut, busy schema.USD, err error) {
	per, err := cost.Compute(cost.Input{
		USDPerHour:      new(big.Rat).Mul(perGPU.Rat(), new(big.Rat).SetInt64(int64(row.GPUs))),
		TokensPerSecond: row.TokensPerSecond, Utilization: s.Utilization, Overhead: schema.MustDecimal("1"),
	})
	return per.Raw, per.Utilized, err
}

// CountsInMarket reports whether an ask of a marketplace is one that its middle is
// taken of: verified, reliable, and not sold out.
func CountsInMarket(o schema.Offer) bool {
	return verified(o) && o.StockFor(o.GPUCount) != schema.StockSoldOut
}
