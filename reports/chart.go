package reports

import (
	"fmt"
	"strings"

	"mtok/schema"
)

// Chart is a picture of series over days, before any format. A day without a
// point is a gap and stays one: nothing is drawn between the points beside it.
type Chart struct {
	Title    string
	Unit     string // "$/GPU-h"
	From, To schema.Day
	Lines    []ChartLine
}

// ChartLine is one series of a Chart.
type ChartLine struct {
	Name string
	// Imported marks prices that somebody else recorded.
	Imported bool
	Points   []ChartPoint // in the order of days
}

// ChartPoint is one day of a series.
type ChartPoint struct {
	Day    schema.Day
	Micros int64 // millionths of the unit
	// Carried is a price of an earlier day that still stands: a hollow point.
	Carried bool
	// Broken says that it was made with other inputs than the point before it: the
	// line is cut there, for the step between them is no move of prices.
	Broken bool
}

// Drawn reports whether there is anything to draw.
func (c Chart) Drawn() bool {
	for _, l := range c.Lines {
		if len(l.Points) > 0 {
			return true
		}
	}
	return false
}

// Text says in words what the picture shows.
func (c Chart) Text() string {
	parts := []string{fmt.Sprintf("%s, %s to %s, in %s.", c.Title, c.From, c.To, c.Unit)}
	for _, l := range c.Lines {
		if len(l.Points) > 0 {
			parts = append(parts, l.text())
		}
	}
	return strings.Join(parts, " ")
}

func (l ChartLine) text() string {
	first, last := l.Points[0], l.Points[len(l.Points)-1]
	low, high := first, first
	carried := 0
	var breaks []string
	for _, p := range l.Points {
		if p.Micros < low.Micros {
			low = p
		}
		if p.Micros > high.Micros {
			high = p
		}
		if p.Carried {
			carried++
		}
		if p.Broken {
			breaks = append(breaks, p.Day.String())
		}
	}
	show := func(p ChartPoint) string { return schema.USD(p.Micros).String() }
	text := fmt.Sprintf("%s: %s on %s, %s on %s, lowest %s, highest %s", l.Name, show(first), first.Day, show(last), last.Day, show(low), show(high))
	if gaps := int(last.Day-first.Day) + 1 - len(l.Points); gaps > 0 {
		text += ", " + count(gaps, "day") + " without a price"
	}
	if carried > 0 {
		text += ", " + count(carried, "day") + " carried"
	}
	if len(breaks) > 0 {
		text += ", other inputs from " + strings.Join(breaks, ", ") + " on"
	}
	return text + "."
}
