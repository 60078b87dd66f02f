// Package chart draws a reports.Chart as SVG. It is the only importer of
// go-analyze/charts, and the only place below cmd where a figure becomes a float:
// it is drawn, and never comes back.
package chart

import (
	"fmt"
	"strings"

	"github.com/go-analyze/charts"

	"mtok/reports"
	"mtok/schema"
)

// Size is that of a picture in pixels.
type Size struct {
	Width, Height int
	// Labels is how many days stand below the picture, Short without their year.
	Labels int
	Short  bool
}

// Wide is for a desktop, Narrow for a phone: a picture that is made smaller to fit
// would have letters that nobody can read.
func Wide() Size   { return Size{Width: 1120, Height: 320, Labels: 6} }
func Narrow() Size { return Size{Width: 360, Height: 250, Labels: 3, Short: true} }

// dots is up to how many days each price has a dot of its own.
const dots = 45

// SVG draws a chart. What stands in it are days and numbers alone: no text of a
// provider's page enters it, and names of lines belong to the page around it.
func SVG(c reports.Chart, size Size) (string, error) {
	if c.To < c.From || !c.Drawn() {
		return "", fmt.Errorf("chart %q: nothing to draw", c.Title)
	}
	days := int(c.To-c.From) + 1
	list, colours := seriesOf(c, days)
	p := charts.NewPainter(charts.PainterOptions{OutputFormat: charts.ChartOutputSVG, Width: size.Width, Height: size.Height})
	opt := charts.NewLineChartOptionWithSeries(list)
	opt.Theme = theme(colours)
	opt.Padding = charts.NewBox(8, 12, 22, 8)
	opt.Legend.Show = charts.Ptr(false)
	opt.Symbol.Shape = charts.SymbolNone
	opt.LineStrokeWidth = 2
	opt.XAxis = charts.XAxisOption{Labels: labels(c, days, size.Short), LabelCount: labelCount(size, days), BoundaryGap: charts.Ptr(false)}
	opt.XAxis.LabelFontStyle.FontSize = 10
	axis := charts.YAxisOption{ValueFormatter: number(c)}
	axis.LabelFontStyle.FontSize = 10
	opt.YAxis = []charts.YAxisOption{axis}
	if err := p.LineChart(opt); err != nil {
		return "", fmt.Errorf("chart %q: %w", c.Title, err)
	}
	body, err := p.Bytes()
	if err != nil {
		return "", fmt.Errorf("chart %q: %w", c.Title, err)
	}
	return themed(string(body)), nil
}

// labelCount leaves room between the labels of a few days.
func labelCount(size Size, days int) int {
	if days < 2*size.Labels {
		return max(2, days/2)
	}
	return size.Labels
}

// longAxis is from how many days on a short label is a month: two of its days would
// look alike.
const longAxis = 300

// labels are the days of the axis.
func labels(c reports.Chart, days int, short bool) []string {
	layout := "2006-01-02"
	switch {
	case short && days < longAxis:
		layout = "01-02"
	case short:
		layout = "2006-01"
	}
	out := make([]string, days)
	for i := range out {
		out[i] = (c.From + schema.Day(i)).Time().Format(layout)
	}
	return out
}

// number writes the values of the axis with as many decimals as their unit has on
// screens.
func number(c reports.Chart) charts.ValueFormatter {
	decimals := 2
	if strings.Contains(c.Unit, "1M") {
		decimals = 3
	}
	return func(f float64) string { return charts.FormatValueHumanize(f, decimals, false) }
}
