package reports

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"mtok/schema"
	"mtok/schema/stat"
)

// book is what a marketplace offers of one class on one night.
type book struct {
	provider schema.ProviderID
	class    schema.ClassID
	asks     []*schema.Observation // one a slice of a machine
	excluded map[string]int        // asks that never count, by reason
}

// Market is `report market`: the book of each marketplace and class of the night
// itself. What production can rent comes first, then all verified machines, then
// the lowest ask with what is wrong with it. The figures of the first two are the
// daily prices of tiers eligible and verified.
func Market(n Night, catalog *schema.Catalog, s Settings, f Filter) Document {
	doc := Document{Name: "market", Title: "Marketplaces, on demand, $/GPU-h; a machine counts once, at its cheapest ask",
		AsOf: n.AsOf, Empty: n.Empty, Before: f.only(), Columns: marketColumns()}
	books := n.books(catalog, f)
	var shown []listed
	for _, b := range books {
		doc.Rows = append(doc.Rows, b.row(n.AsOf, catalog, s.Eligibility))
		for _, o := range b.asks {
			shown = append(shown, listed{Seen: Seen{Observation: *o}})
		}
	}
	switch {
	case n.Empty:
	case len(books) == 0 && len(doc.Before) == 0:
		doc.After = append(doc.After, "No marketplace gave a price on this day.")
	case len(books) == 0:
		doc.After = append(doc.After, f.noPrice())
	default:
		doc.After = append(doc.After, "Eligible: "+s.Eligibility.words()+".", "Verified: verified, reliability 0.95 or more.")
		doc.After = append(doc.After, diskLines(books)...)
	}
	for _, b := range books {
		if len(b.excluded) > 0 {
			doc.After = append(doc.After, fmt.Sprintf("%s %s, in no figure: %s", b.provider, b.class, b.reasons()))
		}
	}
	doc.After = append(doc.After, n.marks(f, s.MaxAge, shown)...)
	return doc
}

// books are those of the night, by class in the order of the catalog.
func (n Night) books(catalog *schema.Catalog, f Filter) []book {
	type key struct {
		provider schema.ProviderID
		class    schema.ClassID
	}
	found := map[key]*book{}
	at := func(o *schema.Observation) *book {
		k := key{o.Offer.Provider, o.Class}
		if found[k] == nil {
			found[k] = &book{provider: k.provider, class: k.class, excluded: map[string]int{}}
		}
		return found[k]
	}
	var own []schema.Observation
	for i := range n.Observations {
		o := &n.Observations[i]
		if isMarketplace(o.Offer) && o.Offer.Term == schema.TermOnDemand && o.Origin != schema.OriginImport && f.keeps(o) {
			own = append(own, *o)
		}
	}
	for _, o := range countable(n.AsOf, own) {
		b := at(o)
		b.asks = append(b.asks, o)
	}
	out := map[offerID]string{}
	for i := range own {
		o := &own[i]
		if o.Day == n.AsOf && o.Quarantine == 0 && exclusion(o) != "" && out[identify(o)] < exclusion(o) {
			out[identify(o)] = exclusion(o)
		}
	}
	for i := range own {
		o := &own[i]
		if reason, ok := out[identify(o)]; ok {
			at(o).excluded[reason]++
			delete(out, identify(o))
		}
	}
	order := classOrder(catalog)
	sorted := slices.SortedFunc(maps.Values(found), func(a, b *book) int {
		return cmp.Or(order(a.class, b.class), cmp.Compare(a.provider, b.provider))
	})
	books := make([]book, 0, len(sorted))
	for _, b := range sorted {
		books = append(books, *b)
	}
	return books
}

func marketColumns() []Column {
	columns := []Column{machine("day"), machine("provider"), both("gpu_class", "class"), screen("market")}
	for _, tier := range []schema.Tier{TierEligible, schema.TierVerified} {
		columns = append(columns, figure(string(tier)+"_machines", string(tier), 0), machine(string(tier)+"_gpus"))
		for _, statistic := range []string{"min", "p10", "median"} {
			columns = append(columns, figure(fmt.Sprintf("%s_%s", tier, statistic), statistic, hourDecimals))
		}
	}
	return append(columns,
		figure("lowest_usd_per_gpu_hour", "lowest", hourDecimals), machine("lowest_gpu_count"), machine("lowest_tier"),
		machine("lowest_machine"), both("lowest_reason", "not eligible, because"),
		figure("machines", "machines", 0), figure("gpus", "GPUs", 0), figure("excluded", "excluded", 0),
		machine("excluded_reason"), machine("page"))
}

func (b book) row(day schema.Day, catalog *schema.Catalog, rules Eligibility) Row {
	class, _ := catalog.GPU(b.class)
	byTier := map[schema.Tier][]*schema.Observation{}
	for _, o := range b.asks {
		for _, tier := range dailyTiers(o, class, rules) {
			byTier[tier] = append(byTier[tier], o)
		}
	}
	row := Row{DayCell(day), Text(string(b.provider)), Text(string(b.class)), Text(string(b.provider))}
	row = append(row, tierCells(byTier[TierEligible])...)
	row = append(row, tierCells(byTier[schema.TierVerified])...)
	all := groupUp(b.asks)
	lowest, page := make(Row, 5), Null()
	if len(b.asks) > 0 {
		o := all.cheapest()
		lowest = Row{Money(o.USDPerGPUHour), Int(o.Offer.GPUCount), Text(string(tierOf(o.Offer))), Text(o.Offer.GroupKey),
			Text(strings.Join(rules.Judge(*o, class, o.Offer.GPUCount), "; "))}
		page = pageCell(o.PageSHA256)
	}
	excluded := 0
	for _, n := range b.excluded {
		excluded += n
	}
	row = append(row, lowest...)
	return append(row, Int(len(all.groups)), Int(all.gpus()), Int(excluded), Text(b.reasons()), page)
}

// tierCells are the machines, GPUs and prices of one tier.
func tierCells(asks []*schema.Observation) Row {
	p := groupUp(asks)
	if len(asks) == 0 {
		return Row{Int(0), Int(0), Null(), Null(), Null()}
	}
	usd := p.usd()
	return Row{Int(len(p.groups)), Int(p.gpus()), Money(stat.Min(usd)), Money(stat.P10(usd)), Money(stat.Median(usd))}
}

// reasons counts the excluded asks by reason.
func (b book) reasons() string {
	var parts []string
	for _, reason := range slices.Sorted(maps.Keys(b.excluded)) {
		parts = append(parts, fmt.Sprintf("%s: %s", count(b.excluded[reason], "ask"), reason))
	}
	return strings.Join(parts, "; ")
}

// diskLines say which disk the asks of a marketplace include.
func diskLines(books []book) []string {
	var out []string
	for _, b := range books {
		for _, o := range b.asks {
			gb := o.Offer.Attributes.StorageGB
			if gb == nil {
				continue
			}
			if line := fmt.Sprintf("%s: prices include %d GB of disk.", b.provider, *gb); !slices.Contains(out, line) {
				out = append(out, line)
			}
		}
	}
	slices.Sort(out)
	return out
}
