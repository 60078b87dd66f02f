package cost

import (
	"fmt"
	"time"

	"mtok/schema"
)

// Month is a calendar month, UTC. The zero value is a month without a name: an
// average one, of 730 hours.
type Month struct {
	year  int
	month time.Month
}

// averageHours are a twelfth of 365 days.
const averageHours = 730

const monthLayout = "2006-01"

// The years that a month may be of: one outside of them is a slip.
const (
	firstYear = 2000
	lastYear  = 2100
)

// ParseMonth reads YYYY-MM, of the years 2000 to 2100.
func ParseMonth(text string) (Month, error) {
	t, err := time.Parse(monthLayout, text)
	if err != nil {
		return Month{}, fmt.Errorf("%q is not a month (YYYY-MM)", text)
	}
	if t.Year() < firstYear || t.Year() > lastYear {
		return Month{}, fmt.Errorf("%q is not a month of the years %d to %d", text, firstYear, lastYear)
	}
	return Month{t.Year(), t.Month()}, nil
}

// MonthOf returns the month of a day.
func MonthOf(d schema.Day) Month { return Month{d.Time().Year(), d.Time().Month()} }

// Named reports whether it is a certain month.
func (m Month) Named() bool { return m.month != 0 }

// First is the first day of a named month.
func (m Month) First() schema.Day {
	return schema.DayOf(time.Date(m.year, m.month, 1, 0, 0, 0, 0, time.UTC))
}

// Last is the last day of a named month.
func (m Month) Last() schema.Day {
	return schema.DayOf(time.Date(m.year, m.month+1, 0, 0, 0, 0, 0, time.UTC))
}

// Hours are those of the month: 720 for a November, 730 without a name.
func (m Month) Hours() int64 {
	if !m.Named() {
		return averageHours
	}
	return int64(m.Last()-m.First()+1) * 24
}

// String prints YYYY-MM, or "month of 730 hours".
func (m Month) String() string {
	if !m.Named() {
		return fmt.Sprintf("month of %d hours", averageHours)
	}
	return fmt.Sprintf("%04d-%02d", m.year, int(m.month))
}
