package schema_test

import (
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"

	"mtok/schema"
)

func TestParseDecimal(t *testing.T) {
	for _, text := range []string{"0", "0.30", "4418", "1746.12", "007", strings.Repeat("9", 40)} {
		got, err := schema.ParseDecimal(text)
		if err != nil || got.String() != text || !got.IsSet() {
			t.Errorf("ParseDecimal(%q) = %q, %v, want it as written", text, got, err)
		}
	}
	for _, text := range []string{"", ".5", "5.", "1/3", "1e3", "-1", "+1", "NaN", "Inf", "1,000", "0x1", "1 ", strings.Repeat("9", 41)} {
		if got, err := schema.ParseDecimal(text); err == nil {
			t.Errorf("ParseDecimal(%q) = %q, want an error", text, got)
		}
	}
}

func TestDecimalIsExact(t *testing.T) {
	sum := schema.MustDecimal("0.1").Rat()
	sum.Add(sum, schema.MustDecimal("0.2").Rat())
	if sum.Cmp(schema.MustDecimal("0.3").Rat()) != 0 {
		t.Errorf("0.1 + 0.2 = %s", sum)
	}
	var unset schema.Decimal
	if unset.IsSet() || unset.Rat().Sign() != 0 {
		t.Errorf("the zero value is %q, want nothing given", unset)
	}
}

// TOML figures must reach Decimal and USD as the text of the file, not through
// a float on the way.
func TestFromTOML(t *testing.T) {
	var got struct {
		Decimal schema.Decimal
		Money   schema.USD
	}
	for text, want := range map[string]string{
		"decimal = 4418":      "4418",
		"decimal = 1746.12":   "1746.12",
		"decimal = 0.30":      "0.30",
		"decimal = 12_000":    "12000",
		`decimal = "0.30"`:    "0.30",
		"decimal = 0.1000001": "0.1000001",
	} {
		got.Decimal = schema.Decimal{}
		if err := toml.Unmarshal([]byte(text), &got); err != nil || got.Decimal.String() != want {
			t.Errorf("%s: got %q, %v, want %q", text, got.Decimal, err, want)
		}
	}
	for text, want := range map[string]schema.USD{
		`money = "0.60"`: 600_000,
		"money = 0.60":   600_000,
		`money = "25"`:   25_000_000,
	} {
		got.Money = 0
		if err := toml.Unmarshal([]byte(text), &got); err != nil || got.Money != want {
			t.Errorf("%s: got %d, %v, want %d", text, got.Money, err, want)
		}
	}
	for _, text := range []string{
		"decimal = -1", "decimal = 1e3", "decimal = nan", "decimal = inf", "decimal = 0x10", `decimal = ""`, "decimal = true",
		"money = -0.5", "money = 1e3", "money = nan", `money = "1/3"`, `money = ""`,
	} {
		if err := toml.Unmarshal([]byte(text), &got); err == nil {
			t.Errorf("%s was read as %q and %d", text, got.Decimal, got.Money)
		}
	}
}
