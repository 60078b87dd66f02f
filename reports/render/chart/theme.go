package chart

import (
	"fmt"
	"strings"

	"github.com/go-analyze/charts"
)

// The colours of a drawing stand for what they colour: the page gives each of them
// its colour, a light and a dark one.
const (
	codeBack = iota + 1
	codeText
	codeGrid
	codeAxis
	codeImport
	codeLine // of the first line; those after it follow
)

// lineColours is how many colours lines have: a further one begins again.
const lineColours = 5

func code(n int) charts.Color { return charts.ColorRGB(1, 2, uint8(n)) }

func lineColour(i int, imported bool) charts.Color {
	if imported {
		return code(codeImport)
	}
	return code(codeLine + i%lineColours)
}

// Variable is the CSS variable that colours a line.
func Variable(i int, imported bool) string {
	if imported {
		return "--import"
	}
	return fmt.Sprintf("--line%d", i%lineColours)
}

func theme(colours []charts.Color) charts.ColorPalette {
	return charts.MakeTheme(charts.ThemeOption{
		AxisStrokeColor: code(codeAxis), AxisSplitLineColor: code(codeGrid), BackgroundColor: code(codeBack),
		TextColor: code(codeText), TextColorXAxis: code(codeText), TextColorYAxis: code(codeText), SeriesColors: colours,
	})
}

// themed puts the variables of the page in the place of the colours.
func themed(svg string) string {
	pairs := []string{}
	put := func(n int, variable string) {
		c := code(n)
		for _, text := range []string{fmt.Sprintf("rgb(%d,%d,%d)", c.R, c.G, c.B), fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B)} {
			pairs = append(pairs, text, "var("+variable+")")
		}
	}
	put(codeBack, "--card")
	put(codeText, "--soft")
	put(codeGrid, "--grid")
	put(codeAxis, "--axis")
	put(codeImport, "--import")
	for i := range lineColours {
		put(codeLine+i, Variable(i, false))
	}
	svg = strings.NewReplacer(pairs...).Replace(svg)
	// Within a page an SVG needs no name space, and the page has its own letters.
	svg = strings.Replace(svg, ` xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"`, "", 1)
	return strings.ReplaceAll(svg, "font-family:'Roboto Medium',sans-serif", "font-family:inherit")
}
