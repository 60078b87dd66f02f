package reports

import (
	"fmt"
	"math/big"
	"strings"

	"mtok/schema"
)

// compareDays is `report compare A B`: a row a day.
func compareDays(doc Document, p pair, s Settings, f Filter) Document {
	doc.Title = fmt.Sprintf("%s by %s, %s, %s to %s", p.to.class, p.from.class, termWords(p.from.term), p.from.from, p.from.to)
	doc.Columns = []Column{
		both("day", "day"), machine("from_class"), machine("to_class"), machine("term"),
		figure("from_usd_per_gpu_hour", string(p.from.class), hourDecimals), both("from_provider", "at"),
		figure("to_usd_per_gpu_hour", string(p.to.class), hourDecimals), both("to_provider", "at"),
		figure("ratio", "ratio", ratioDecimals), both("pays", "pays"),
		both("seller", "one seller"), figure("seller_ratio", "its ratio", ratioDecimals), both("seller_pays", "pays"),
		machine("break_even_ratio"), both("note", "notes"),
	}
	doc.Before = []string{p.evenLine()}
	days := p.days(s)
	for _, d := range days {
		doc.Rows = append(doc.Rows, p.dayRow(d))
	}
	if len(days) == 0 {
		doc.After = append(doc.After, fmt.Sprintf("No day from %s to %s has a price of both.", p.from.from, p.from.to))
		return doc
	}
	doc.Charts = []Chart{p.chart(days, "What "+string(p.to.class)+" costs by "+string(p.from.class))}
	doc.After = append(doc.After, fmt.Sprintf("ratio: the cheapest eligible %s by the cheapest eligible %s of the day; one seller: the cheapest that rents both.", p.to.class, p.from.class))
	if missing := int(p.from.to-p.from.from) + 1 - len(days); missing > 0 {
		doc.After = append(doc.After, count(missing, "day")+" of the window without a price of both: left out, not filled in.")
	}
	return doc
}

func (p pair) dayRow(d ratioDay) Row {
	row := Row{DayCell(d.day), Text(string(p.from.class)), Text(string(p.to.class)), Text(string(p.from.term))}
	for _, side := range []trendDay{d.from, d.to} {
		if side.price == nil {
			row = append(row, Null(), Null())
			continue
		}
		row = append(row, Money(side.price.Cheapest), Text(seller(schema.Offer{OfferKey: schema.OfferKey{
			Provider: side.price.CheapestProvider, Tier: side.price.CheapestTier}})))
	}
	row = append(row, ratioCell(d.market), p.pays(d.market))
	one, ok := d.seller.Tonight()
	if !ok {
		one = nil
	}
	where := Null()
	if ok {
		where = Text(d.seller.Where)
	}
	var notes []string
	for _, side := range []struct {
		class schema.ClassID
		trendDay
	}{{p.from.class, d.from}, {p.to.class, d.to}} {
		if side.age > 0 {
			notes = append(notes, fmt.Sprintf("%s carried from %s", side.class, side.price.Day))
		}
		if side.missing != "" {
			notes = append(notes, fmt.Sprintf("%s: %s was not read in full", side.class, side.missing))
		}
	}
	return append(row, where, ratioCell(one), p.pays(one), p.evenCell(), Text(strings.Join(notes, "; ")))
}

// chart draws the ratios and, across the window, the one that they are held to.
func (p pair) chart(days []ratioDay, title string) Chart {
	c := Chart{Title: title, Unit: unitRatio, From: p.from.from, To: p.from.to}
	var market, one []ChartPoint
	for _, d := range days {
		broken := d.from.judged || d.to.judged
		if n, ok := micros(d.market); ok {
			market = append(market, ChartPoint{Day: d.day, Micros: n, Carried: d.carried(), Broken: broken})
		}
		if r, ok := d.seller.Tonight(); ok {
			if n, ok := micros(r); ok {
				one = append(one, ChartPoint{Day: d.day, Micros: n, Broken: broken})
			}
		}
	}
	c.add("cheapest to cheapest", false, market)
	c.add("at one seller", false, one)
	if n, ok := micros(p.even.Ratio); ok && p.known {
		var even []ChartPoint
		for day := p.from.from; day <= p.from.to; day++ {
			even = append(even, ChartPoint{Day: day, Micros: n})
		}
		c.add("break-even", false, even)
	}
	return c
}

func micros(r *big.Rat) (int64, bool) {
	if r == nil {
		return 0, false
	}
	n, err := schema.RoundUSD(r)
	return int64(n), err == nil
}

// comparePairs is `report compare` without classes: a row a pair.
func comparePairs(doc Document, pairs []pair, w Workload, s Settings, f Filter, from, to schema.Day) Document {
	doc.Title = fmt.Sprintf("Price of each class by the first of %s, %s, %s to %s", w.Name, termWords(f.trendTerm()), from, to)
	doc.Columns = []Column{
		both("to_class", "class"), both("from_class", "by"), machine("term"),
		figure("break_even_ratio", "pays below", ratioDecimals), both("last_day", "last"), figure("ratio", "ratio", ratioDecimals),
		both("pays", "pays"), figure("min_ratio", "min", ratioDecimals), figure("max_ratio", "max", ratioDecimals),
		both("sparkline", "cheapest to cheapest"), both("seller", "one seller"), figure("seller_ratio", "its ratio", ratioDecimals),
		both("seller_pays", "pays"), figure("days", "days", 0),
	}
	for _, p := range pairs {
		days := p.days(s)
		if len(days) == 0 {
			doc.After = append(doc.After, fmt.Sprintf("%s by %s: no day has a price of both.", p.to.class, p.from.class))
			continue
		}
		doc.Rows = append(doc.Rows, p.pairRow(days))
		doc.Charts = append(doc.Charts, p.chart(days, fmt.Sprintf("%s by %s", p.to.class, p.from.class)))
		doc.After = append(doc.After, p.evenLine())
	}
	switch {
	case len(pairs) == 0:
		doc.After = append(doc.After, w.Name+" has one class alone: nothing to compare.")
	case len(doc.Rows) > 0:
		doc.After = append(doc.After, sparkLegend(), "Day by day: mtok report compare CLASS CLASS")
	}
	return doc
}

func (p pair) pairRow(days []ratioDay) Row {
	c := p.chart(days, "")
	row := Row{Text(string(p.to.class)), Text(string(p.from.class)), Text(string(p.from.term)), p.evenCell()}
	var market []ChartPoint
	for _, l := range c.Lines {
		if l.Name == "cheapest to cheapest" {
			market = l.Points
		}
	}
	sum := summarise(market)
	last, low, high := Null(), Null(), Null()
	var ratio *big.Rat
	if sum.fresh > 0 {
		ratio = big.NewRat(sum.last.Micros, 1_000_000)
		last = DayCell(sum.last.Day)
		low, high = ratioCell(big.NewRat(sum.low.Micros, 1_000_000)), ratioCell(big.NewRat(sum.high.Micros, 1_000_000))
	}
	row = append(row, last, ratioCell(ratio), p.pays(ratio), low, high, Text(sparkline(p.from.from, p.from.to, market)))
	where, one := Null(), (*big.Rat)(nil)
	for _, d := range days {
		if r, ok := d.seller.Tonight(); ok {
			one, where = r, Text(d.seller.Where+" on "+d.day.String())
		}
	}
	return append(row, where, ratioCell(one), p.pays(one), Int(sum.fresh))
}
