package alert

import "mtok/schema"

// Point is one day of a series. A failed read is no value: Known is then false.
type Point struct {
	Day   schema.Day
	AsOf  schema.Day // of the newest price that went in, 0 for the day itself
	Value schema.USD
	Known bool
	N     int // prices behind the value
	// Inhibited says that the provider behind the value was partial or quarantined
	// that day: the value, if any, raises nothing.
	Inhibited bool
}

// fresh reports whether a point is a value that may raise an alert.
func (p Point) fresh() bool {
	return p.Known && !p.Inhibited && (p.AsOf == 0 || p.AsOf == p.Day)
}

// at returns the point of a day.
func at(points []Point, day schema.Day) (Point, bool) {
	for _, p := range points {
		if p.Day == day {
			return p, true
		}
	}
	return Point{}, false
}

// before returns the fresh points of the nights before a day, at most so many days
// old; all of them where nights is 0.
func before(points []Point, day schema.Day, nights int) []Point {
	var some []Point
	for _, p := range points {
		if p.fresh() && p.Day < day && (nights == 0 || day-p.Day <= schema.Day(nights)) {
			some = append(some, p)
		}
	}
	return some
}
