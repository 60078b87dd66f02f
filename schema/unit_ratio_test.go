package schema_test

import (
	"testing"

	"mtok/schema"
)

func TestUnitRatio(t *testing.T) {
	for _, c := range []struct {
		before, after string
		permille      int64
		want          int64
	}{
		{"49.24", "6.155", 10, 8}, {"49.24", "6.16", 10, 8}, {"6.155", "49.24", 10, 8}, {"3.29", "2.99", 10, 0},
		{"2", "4.04", 10, 2}, {"2", "4.041", 10, 0}, {"2", "4.041", 15, 2}, {"2", "2", 10, 0}, {"0.01", "10", 10, 1000},
	} {
		before, err := schema.ParseUSD(c.before)
		if err != nil {
			t.Fatal(err)
		}
		after, err := schema.ParseUSD(c.after)
		if err != nil {
			t.Fatal(err)
		}
		if got := schema.UnitRatio(before, after, c.permille); got != c.want {
			t.Errorf("%s to %s within %d: %d, want %d", c.before, c.after, c.permille, got, c.want)
		}
	}
}
