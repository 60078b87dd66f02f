package reports

import (
	"context"
	"fmt"
	"math/big"
	"strings"

	"mtok/schema"
)

// pair is two classes over a window.
type pair struct {
	from, to record
	sellers  map[schema.Day]SwitchPrices // of one seller that rents both
	even     Switch
	known    bool // that there is an even
}

// ratioDay is one day of a pair.
type ratioDay struct {
	day      schema.Day
	from, to trendDay
	market   *big.Rat // cheapest to cheapest; nil where one has no price
	seller   SwitchPrices
}

func (d ratioDay) carried() bool { return d.from.age > 0 || d.to.age > 0 }

// Compare loads and builds `report compare`: what one class costs by another, day
// by day for the two classes of the filter, else the first class of the workload
// beside each of its others.
func (l Loader) Compare(ctx context.Context, f Filter) (Document, error) {
	from, to, newest, published, err := l.span(ctx, f)
	if err != nil {
		return Document{}, err
	}
	doc := Document{Name: "compare", AsOf: newest, Empty: !published}
	w, err := l.Settings.Workload(l.Catalog, f.Workload)
	if err != nil {
		return doc, err
	}
	if f.Other != "" {
		p, err := l.loadPair(ctx, f, w, f.Class, f.Other, from, to)
		if err != nil {
			return doc, err
		}
		doc = compareDays(doc, p, l.Settings, f)
		if f.undated(to, published) {
			doc = doc.unpublished(from, to)
		}
		return doc, nil
	}
	measured, _, err := w.split(l.Catalog)
	if err != nil {
		return doc, err
	}
	var pairs []pair
	seen := map[schema.ClassID]bool{}
	for i, m := range measured {
		if seen[m.Class] || i > 0 && m.Class == measured[0].Class {
			continue
		}
		seen[m.Class] = true
		if i == 0 {
			continue
		}
		p, err := l.loadPair(ctx, f, w, measured[0].Class, m.Class, from, to)
		if err != nil {
			return doc, err
		}
		pairs = append(pairs, p)
	}
	doc = comparePairs(doc, pairs, w, l.Settings, f, from, to)
	if f.undated(to, published) {
		doc = doc.unpublished(from, to)
	}
	return doc, nil
}

func (l Loader) loadPair(ctx context.Context, f Filter, w Workload, a, b schema.ClassID, from, to schema.Day) (pair, error) {
	var p pair
	var err error
	if p.from, err = l.loadHistory(ctx, f, a, from, to); err != nil {
		return p, err
	}
	if p.to, err = l.loadHistory(ctx, f, b, from, to); err != nil {
		return p, err
	}
	p.even, p.known = SwitchRatio(l.Catalog, a, b, w.Model)
	old, err := l.History.ClassPrices(ctx, a, p.from.term, from, to)
	if err != nil {
		return p, fmt.Errorf("prices of %s: %w", a, err)
	}
	offered, err := l.History.ClassPrices(ctx, b, p.from.term, from, to)
	if err != nil {
		return p, fmt.Errorf("prices of %s: %w", b, err)
	}
	p.sellers = sellerDays(old, offered, l.Settings.Eligibility, f.Provider)
	return p, nil
}

// sellerDays takes both prices of a day from one seller: of those that rent both
// classes the one that asks least for the first.
func sellerDays(old, offered []schema.DailyPrice, rules Eligibility, only schema.ProviderID) map[schema.Day]SwitchPrices {
	type key struct {
		day        schema.Day
		provider   schema.ProviderID
		tier       schema.Tier
		commitment schema.Commitment
	}
	keyOf := func(p schema.DailyPrice) key { return key{p.Day, p.Provider, p.Tier, p.Commitment} }
	of := map[key]schema.USD{}
	for _, p := range offered {
		if p.Origin != schema.OriginImport {
			of[keyOf(p)] = p.Min
		}
	}
	out := map[schema.Day]SwitchPrices{}
	for _, p := range old {
		to, both := of[keyOf(p)]
		best, known := out[p.Day]
		if !both || p.Origin == schema.OriginImport || !rules.counts(p.Tier) || only != "" && p.Provider != only ||
			known && best.From <= p.Min {
			continue
		}
		out[p.Day] = SwitchPrices{From: p.Min, To: to,
			Where: seller(schema.Offer{OfferKey: schema.OfferKey{Provider: p.Provider, Tier: p.Tier, Term: p.Term}})}
	}
	return out
}

// days are those of the window on which a ratio is known, by market or by seller.
func (p pair) days(s Settings) []ratioDay {
	from, to := p.from.days(s), p.to.days(s)
	var out []ratioDay
	for i := range from {
		d := ratioDay{day: from[i].day, from: from[i], to: to[i], seller: p.sellers[from[i].day]}
		if a, b := d.from.price, d.to.price; a != nil && b != nil {
			d.market = new(big.Rat).Quo(b.Cheapest.Rat(), a.Cheapest.Rat())
		}
		if _, ok := d.seller.Tonight(); ok || d.market != nil {
			out = append(out, d)
		}
	}
	return out
}

// evenLine says below which ratio the second class pays.
func (p pair) evenLine() string {
	if !p.known {
		return fmt.Sprintf("No break-even ratio: %s and %s were not measured under the same conditions.", p.from.class, p.to.class)
	}
	line := strings.TrimSuffix(p.even.Sentence(SwitchPrices{}), ".")
	return fmt.Sprintf("%s: throughput rows %s and %s.", line, p.even.From.ID, p.even.To.ID)
}

// pays is whether a ratio is below the break-even one; null where there is none.
func (p pair) pays(ratio *big.Rat) Cell {
	if !p.known || ratio == nil {
		return Null()
	}
	return Bool(ratio.Cmp(p.even.Ratio) < 0)
}

// ratioDecimals are those of a ratio of prices on a screen; machine formats have
// four.
const ratioDecimals = 2

func ratioCell(r *big.Rat) Cell {
	if r == nil {
		return Null()
	}
	return Cell{Kind: KindNumber, Text: r.FloatString(4)}
}

func (p pair) evenCell() Cell {
	if !p.known {
		return Null()
	}
	return ratioCell(p.even.Ratio)
}
