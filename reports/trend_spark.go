package reports

import "mtok/schema"

// sparkCells is how wide a sparkline is at most: longer windows show the last price
// of each of so many parts.
const sparkCells = 30

// The marks of a sparkline that are no price.
const (
	sparkGap     = '·'
	sparkCarried = '◦'
	sparkBreak   = '|'
)

// sparkline draws prices from low to high; nothing is drawn where nothing is known.
func sparkline(from, to schema.Day, points []ChartPoint) string {
	days := int(to-from) + 1
	if days <= 0 || len(points) == 0 {
		return ""
	}
	cells := min(days, sparkCells)
	last, broken := make([]*ChartPoint, cells), make([]bool, cells)
	low, high := points[0].Micros, points[0].Micros
	for i := range points {
		p := &points[i]
		if p.Day < from || p.Day > to {
			continue
		}
		at := int(p.Day-from) * cells / days
		if last[at] == nil || !p.Carried || last[at].Carried {
			last[at] = p
		}
		broken[at] = broken[at] || p.Broken
		low, high = min(low, p.Micros), max(high, p.Micros)
	}
	levels := []rune("▁▂▃▄▅▆▇█")
	var out []rune
	for i, p := range last {
		if broken[i] {
			out = append(out, sparkBreak)
		}
		switch {
		case p == nil:
			out = append(out, sparkGap)
		case p.Carried:
			out = append(out, sparkCarried)
		case high == low:
			out = append(out, levels[len(levels)/2])
		default:
			out = append(out, levels[(p.Micros-low)*int64(len(levels)-1)/(high-low)])
		}
	}
	return string(out)
}
