package reports

import (
	"fmt"
	"math/big"

	"mtok/schema"
)

// summary is what a series did over a window. Carried points are in its picture
// and in none of its figures.
type summary struct {
	points                 []ChartPoint
	first, last, low, high ChartPoint
	fresh, carried         int
	breaks                 []schema.Day
}

func summarise(points []ChartPoint) summary {
	s := summary{points: points}
	for _, p := range points {
		if p.Broken {
			s.breaks = append(s.breaks, p.Day)
		}
		if p.Carried {
			s.carried++
			continue
		}
		if s.fresh == 0 {
			s.first, s.low, s.high = p, p, p
		}
		if p.Micros < s.low.Micros {
			s.low = p
		}
		if p.Micros > s.high.Micros {
			s.high = p
		}
		s.last = p
		s.fresh++
	}
	return s
}

// comparable reports whether the last figure may be set against the first: there
// are two, and both were made with the same inputs.
func (s summary) comparable() bool { return s.fresh > 1 && len(s.breaks) == 0 }

// change is the last figure less the first.
func (s summary) change() schema.USD { return schema.USD(s.last.Micros - s.first.Micros) }

// share is the change in percent of the first figure, to one decimal.
func (s summary) share() string {
	r := new(big.Rat).SetFrac64(100*int64(s.change()), s.first.Micros)
	text := r.FloatString(1)
	if text == "-0.0" {
		return "0.0"
	}
	return text
}

// line says it in words; decimals are those of its figures.
func (s summary) line(decimals int) string {
	if s.fresh == 0 {
		return "no price"
	}
	if s.fresh == 1 {
		return fmt.Sprintf("%s on %s, the only day", schema.USD(s.first.Micros).Fixed(decimals), s.first.Day)
	}
	at := func(p ChartPoint) string { return schema.USD(p.Micros).Fixed(decimals) + " on " + p.Day.String() }
	text := fmt.Sprintf("first %s, last %s, lowest %s, highest %s", at(s.first), at(s.last), at(s.low), at(s.high))
	switch {
	case len(s.breaks) > 0:
		text += fmt.Sprintf("; no change stated: other inputs from %s on", s.breaks[len(s.breaks)-1])
	default:
		text += fmt.Sprintf("; change %s (%s %%)", signedFixed(s.change(), decimals), signedText(s.share()))
	}
	return text
}

func signedFixed(u schema.USD, decimals int) string { return signedText(u.Fixed(decimals)) }

func signedText(text string) string {
	if r, ok := new(big.Rat).SetString(text); ok && r.Sign() > 0 {
		return "+" + text
	}
	return text
}

// cells are first, last, lowest, highest and change with its share; null where
// they are not known.
func (s summary) cells() Row {
	row := make(Row, 8)
	if s.fresh == 0 {
		return row
	}
	row[0], row[1] = DayCell(s.first.Day), Money(schema.USD(s.first.Micros))
	row[2], row[3] = DayCell(s.last.Day), Money(schema.USD(s.last.Micros))
	row[4], row[5] = Money(schema.USD(s.low.Micros)), Money(schema.USD(s.high.Micros))
	if s.comparable() {
		row[6] = Money(s.change())
		row[7] = Cell{Kind: KindNumber, Text: s.share()}
	}
	return row
}

// pricePoints is a series of own prices over a window.
func pricePoints(days []trendDay, of func(*schema.DailyMarket) schema.USD) []ChartPoint {
	var out []ChartPoint
	for _, d := range days {
		if d.price != nil {
			out = append(out, ChartPoint{Day: d.day, Micros: int64(of(d.price)), Carried: d.age > 0, Broken: d.judged})
		}
	}
	return out
}

func costPoints(days []trendDay, of func(trendDay) *schema.DailyTokenCost, value func(*schema.DailyTokenCost) schema.USD) []ChartPoint {
	var out []ChartPoint
	for _, d := range days {
		if c := of(d); c != nil {
			out = append(out, ChartPoint{Day: d.day, Micros: int64(value(c)), Broken: d.broken})
		}
	}
	return out
}

func importedPoints(days []trendDay) []ChartPoint {
	var out []ChartPoint
	for _, d := range days {
		if d.imported != nil {
			out = append(out, ChartPoint{Day: d.day, Micros: int64(d.imported.Cheapest)})
		}
	}
	return out
}

func cheapestPrice(m *schema.DailyMarket) schema.USD { return m.Cheapest }
func medianPrice(m *schema.DailyMarket) schema.USD   { return m.Median }

func cheapestCost(d trendDay) *schema.DailyTokenCost { return d.cheapest }
func importedCost(d trendDay) *schema.DailyTokenCost { return d.importedCost }
func rawCost(c *schema.DailyTokenCost) schema.USD    { return c.Raw }
