package reports

import (
	"fmt"

	"mtok/schema"
)

// DefaultWindow is how many days a trend shows where nobody says.
const DefaultWindow = 90

// Window says which days a trend is of. The zero value is the last DefaultWindow.
type Window struct {
	Days               int // up to the last day; 0 for DefaultWindow
	From, To           schema.Day
	FromNamed, ToNamed bool
}

// Span is the window's first and last day, both included, of a record that ends on
// the newest day.
func (w Window) Span(newest schema.Day) (from, to schema.Day) {
	to = newest
	if w.ToNamed {
		to = w.To
	}
	if w.FromNamed {
		return w.From, to
	}
	days := w.Days
	if days == 0 {
		days = DefaultWindow
	}
	return to - schema.Day(days) + 1, to
}

func (w Window) String() string {
	switch {
	case w.FromNamed && w.ToNamed:
		return fmt.Sprintf("%s to %s", w.From, w.To)
	case w.FromNamed:
		return "from " + w.From.String()
	case w.ToNamed:
		return "up to " + w.To.String()
	}
	return ""
}
