package schema_test

import (
	"testing"
	"time"

	"mtok/schema"
)

func TestDayOf(t *testing.T) {
	newYork := time.FixedZone("EST", -5*60*60)
	tests := []struct {
		at   time.Time
		want string
	}{
		{time.Date(2026, 8, 22, 23, 59, 58, 0, time.UTC), "2026-08-22"},
		{time.Date(2026, 8, 23, 0, 0, 0, 0, time.UTC), "2026-08-23"},
		{time.Date(2026, 8, 22, 19, 0, 0, 0, newYork), "2026-08-23"},
		{time.Date(2024, 2, 29, 12, 0, 0, 0, time.UTC), "2024-02-29"},
		{time.Date(1970, 1, 1, 0, 0, 0, 0, time.UTC), "1970-01-01"},
		{time.Date(1969, 12, 31, 23, 59, 59, 0, time.UTC), "1969-12-31"},
	}
	for _, tt := range tests {
		if got := schema.DayOf(tt.at).String(); got != tt.want {
			t.Errorf("DayOf(%s) = %s, want %s", tt.at, got, tt.want)
		}
	}
}

func TestParseDay(t *testing.T) {
	day, err := schema.ParseDay("2026-08-22")
	if err != nil {
		t.Fatal(err)
	}
	if want := time.Date(2026, 8, 22, 0, 0, 0, 0, time.UTC); !day.Time().Equal(want) || day.Slot() != want.Unix() {
		t.Errorf("2026-08-22 starts at %s, slot %d, want %s, %d", day.Time(), day.Slot(), want, want.Unix())
	}
	if next := (day + 10).String(); next != "2026-09-01" {
		t.Errorf("ten days on is %s, want 2026-09-01", next)
	}
	for _, text := range []string{"", "2026-8-22", "2026-02-30", "22.08.2026", "2026-08-22T00:00:00Z", "yesterday", "20260822"} {
		if got, err := schema.ParseDay(text); err == nil {
			t.Errorf("ParseDay(%q) = %s, want an error", text, got)
		}
	}
}

func TestDayRoundTripsAsText(t *testing.T) {
	for _, day := range []schema.Day{-1, 0, 20_687} {
		text, err := day.MarshalText()
		if err != nil {
			t.Fatal(err)
		}
		var back schema.Day
		if err := back.UnmarshalText(text); err != nil || back != day {
			t.Errorf("%d went through %s as %d, %v", day, text, back, err)
		}
	}
}
