package cost_test

import (
	"testing"

	"mtok/reports/cost"
	"mtok/schema"
)

func TestMonth(t *testing.T) {
	for text, hours := range map[string]int64{"2026-11": 720, "2026-12": 744, "2026-02": 672, "2028-02": 696} {
		m, err := cost.ParseMonth(text)
		if err != nil || m.Hours() != hours || m.String() != text || !m.Named() {
			t.Errorf("%s: %d hours, %q, %v, want %d", text, m.Hours(), m, err, hours)
		}
	}
	var nameless cost.Month
	if nameless.Hours() != 730 || nameless.Named() || nameless.String() != "month of 730 hours" {
		t.Errorf("no name: %d hours, %q", nameless.Hours(), nameless)
	}
	for _, text := range []string{"", "2026", "2026-13", "2026-11-01", "11-2026", "0000-01", "1999-12", "2101-01"} {
		if m, err := cost.ParseMonth(text); err == nil {
			t.Errorf("%q was taken for %s", text, m)
		}
	}
	day, err := schema.ParseDay("2026-12-31")
	if err != nil {
		t.Fatal(err)
	}
	if m := cost.MonthOf(day); m.String() != "2026-12" || m.Last() != day || m.First().String() != "2026-12-01" {
		t.Errorf("month of %s: %s, %s to %s", day, m, m.First(), m.Last())
	}
}
