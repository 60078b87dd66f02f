package schema_test

import (
	"encoding/json"
	"errors"
	"math/big"
	"testing"

	"mtok/schema"
)

func TestParseUSD(t *testing.T) {
	tests := []struct {
		text string
		want schema.USD
	}{
		{"0", 0},
		{"3.90", 3_900_000},
		{"49.24", 49_240_000},
		{"0.78375", 783_750},
		{"0.0000005", 1}, // half away from zero
		{"0.0000004", 0},
		{"1.0000015", 1_000_002},
		{"9223372036854.775807", 9223372036854775807},
	}
	for _, tt := range tests {
		got, err := schema.ParseUSD(tt.text)
		if err != nil || got != tt.want {
			t.Errorf("ParseUSD(%q) = %d, %v, want %d", tt.text, got, err, tt.want)
		}
	}
}

func TestParseUSDRefuses(t *testing.T) {
	for _, text := range []string{
		"", " ", "1/3", "1e3", "1E-3", "0x10", "1_000", "NaN", "Inf", "-1", "+1", "1,000", "1,5", ".5", "5.", "1.2.3",
		" 1", "1 ", "$1", "1\n", "٣", "9223372036854.775808", "99999999999999999999",
	} {
		got, err := schema.ParseUSD(text)
		if !errors.Is(err, schema.ErrMoney) {
			t.Errorf("ParseUSD(%q) = %d, %v, want ErrMoney", text, got, err)
		}
	}
}

func TestRoundUSD(t *testing.T) {
	tests := []struct {
		name     string
		num, den int64
		want     schema.USD
	}{
		{"third", 1, 3, 333_333},
		{"two thirds", 2, 3, 666_667},
		{"half up", 1, 2_000_000, 1},
		{"half down from zero", -1, 2_000_000, -1},
		{"negative third", -1, 3, -333_333},
		{"exact quotient", 4924, 800, 6_155_000},
	}
	for _, tt := range tests {
		got, err := schema.RoundUSD(big.NewRat(tt.num, tt.den))
		if err != nil || got != tt.want {
			t.Errorf("%s: got %d, %v, want %d", tt.name, got, err, tt.want)
		}
	}
	if got, err := schema.RoundUSD(big.NewRat(1<<62, 1)); !errors.Is(err, schema.ErrMoney) {
		t.Errorf("out of range: got %d, %v, want ErrMoney", got, err)
	}
}

func TestUSDString(t *testing.T) {
	tests := []struct {
		usd  schema.USD
		want string
	}{
		{0, "0.00"},
		{6_155_000, "6.155"},
		{3_900_000, "3.90"},
		{783_750, "0.78375"},
		{42_000_000, "42.00"},
		{100_000_000, "100.00"},
		{1, "0.000001"},
		{-1_500_000, "-1.50"},
	}
	for _, tt := range tests {
		if got := tt.usd.String(); got != tt.want {
			t.Errorf("USD(%d) prints %q, want %q", int64(tt.usd), got, tt.want)
		}
	}
}

func TestUSDFixed(t *testing.T) {
	tests := []struct {
		usd      schema.USD
		decimals int
		want     string
	}{
		{6_155_000, 2, "6.16"},
		{413_670, 3, "0.414"},
		{500, 3, "0.001"},
		{499, 3, "0.000"},
		{-5_000, 2, "-0.01"},
		{3_900_000, 0, "4"},
	}
	for _, tt := range tests {
		if got := tt.usd.Fixed(tt.decimals); got != tt.want {
			t.Errorf("USD(%d).Fixed(%d) = %q, want %q", int64(tt.usd), tt.decimals, got, tt.want)
		}
	}
}

func TestUSDRoundTripsAsText(t *testing.T) {
	for _, usd := range []schema.USD{0, 1, 783_750, 6_155_000, 49_240_000, 9223372036854775807} {
		text, err := json.Marshal(usd)
		if err != nil {
			t.Fatal(err)
		}
		var back schema.USD
		if err := json.Unmarshal(text, &back); err != nil || back != usd {
			t.Errorf("%d went through %s as %d, %v", usd, text, back, err)
		}
	}
	var bare schema.USD
	if err := json.Unmarshal([]byte("1.5"), &bare); err == nil {
		t.Error("a bare JSON number was read as money")
	}
}
