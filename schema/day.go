package schema

import (
	"fmt"
	"time"
)

// Day is a logical day: days since 1970-01-01, UTC.
type Day int64

const (
	dayLayout  = "2006-01-02"
	secsPerDay = 24 * 60 * 60
)

// DayOf returns the UTC day that t falls on.
func DayOf(t time.Time) Day {
	secs := t.Unix()
	day := secs / secsPerDay
	if secs%secsPerDay < 0 {
		day--
	}
	return Day(day)
}

// ParseDay reads YYYY-MM-DD.
func ParseDay(text string) (Day, error) {
	t, err := time.Parse(dayLayout, text)
	if err != nil {
		return 0, fmt.Errorf("%q is not a day (YYYY-MM-DD)", clip(text))
	}
	return DayOf(t), nil
}

// Time returns midnight UTC, the start of the day.
func (d Day) Time() time.Time { return time.Unix(d.Slot(), 0).UTC() }

// Slot returns midnight UTC in unix seconds: the slot of a nightly run.
func (d Day) Slot() int64 { return int64(d) * secsPerDay }

// String prints YYYY-MM-DD.
func (d Day) String() string { return d.Time().Format(dayLayout) }

// MarshalText prints YYYY-MM-DD.
func (d Day) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads YYYY-MM-DD.
func (d *Day) UnmarshalText(text []byte) error {
	v, err := ParseDay(string(text))
	if err != nil {
		return err
	}
	*d = v
	return nil
}
