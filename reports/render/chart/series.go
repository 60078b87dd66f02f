package chart

import (
	"github.com/go-analyze/charts"

	"mtok/reports"
)

// seriesOf turns lines into series: one a run between two breaks, so that no line
// crosses a break. Carried points are hollow circles of their own, in turns of two
// series, so that no line joins them.
func seriesOf(c reports.Chart, days int) (charts.LineSeriesList, []charts.Color) {
	var list charts.LineSeriesList
	var colours []charts.Color
	add := func(values []float64, shape charts.SymbolShape, size float64, colour charts.Color) {
		list = append(list, charts.LineSeries{Values: values, Symbol: charts.Symbol{Shape: shape, Size: size}})
		colours = append(colours, colour)
	}
	for i, line := range c.Lines {
		colour := lineColour(i, line.Imported)
		fresh := charts.SymbolNone
		if days <= dots {
			fresh = charts.SymbolDot
		}
		run, carried := blank(days), [2][]float64{blank(days), blank(days)}
		breaks := blank(days)
		drawn, hollow, broken := false, [2]bool{}, false
		alone, single := blank(days), false
		for k, p := range line.Points {
			at := int(p.Day - c.From)
			if at < 0 || at >= days {
				continue
			}
			value := float64(p.Micros) / 1e6
			if p.Broken {
				if drawn {
					add(run, fresh, 2.5, colour)
				}
				run, drawn = blank(days), false
				breaks[at], broken = value, true
			}
			if p.Carried {
				carried[at%2][at], hollow[at%2] = value, true
				continue
			}
			if isAlone(line.Points, k) {
				alone[at], single = value, true
				continue
			}
			run[at], drawn = value, true
		}
		if single {
			add(alone, charts.SymbolDot, 2.5, colour)
		}
		if drawn {
			add(run, fresh, 2.5, colour)
		}
		for k, values := range carried {
			if hollow[k] {
				add(values, charts.SymbolCircle, 3.5, colour)
			}
		}
		if broken {
			add(breaks, charts.SymbolDiamond, 4, colour)
		}
	}
	return list, colours
}

// isAlone reports whether no line leads to or from a point: it is a full dot, for a
// hollow one is a carried price.
func isAlone(points []reports.ChartPoint, i int) bool {
	joined := func(a, b reports.ChartPoint) bool {
		return b.Day == a.Day+1 && !a.Carried && !b.Carried && !b.Broken
	}
	before := i > 0 && joined(points[i-1], points[i])
	after := i+1 < len(points) && joined(points[i], points[i+1])
	return !before && !after
}

// blank are days without a price: nothing is drawn there.
func blank(days int) []float64 {
	out := make([]float64, days)
	for i := range out {
		out[i] = charts.GetNullValue()
	}
	return out
}
