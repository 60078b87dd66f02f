package validate_test

import (
	"errors"
	"fmt"
	"math/big"
	"strings"
	"testing"
	"testing/quick"

	"github.com/google/go-cmp/cmp"

	"mtok/pipeline/validate"
	"mtok/schema"
)

const (
	nbsp   = "\u00a0"
	narrow = "\u202f"
	thin   = "\u2009"
)

func TestParsePriceReads(t *testing.T) {
	const gpu, instance = schema.UnitGPUHour, schema.UnitInstanceHour
	for text, want := range map[string]validate.Printed{
		"$2.99":                              {Amount: usd("2.99"), Currency: "USD"},
		" $ 2.99 ":                           {Amount: usd("2.99"), Currency: "USD"},
		"US$2.99":                            {Amount: usd("2.99"), Currency: "USD"},
		"USD 2.99":                           {Amount: usd("2.99"), Currency: "USD"},
		"USD $2.99":                          {Amount: usd("2.99"), Currency: "USD"},
		"2.99 USD/GPU/hr":                    {Amount: usd("2.99"), Currency: "USD", Unit: gpu},
		"$2.99 USD":                          {Amount: usd("2.99"), Currency: "USD"},
		"2.99":                               {Amount: usd("2.99")},
		"$2":                                 {Amount: usd("2"), Currency: "USD"},
		"$0.5":                               {Amount: usd("0.5"), Currency: "USD"},
		"$0.500":                             {Amount: usd("0.500"), Currency: "USD"},
		"$2.9999":                            {Amount: usd("2.9999"), Currency: "USD"},
		"$1234.567":                          {Amount: usd("1234.567"), Currency: "USD"},
		"$1,049.24":                          {Amount: usd("1049.24"), Currency: "USD"},
		"$1,600.00":                          {Amount: usd("1600.00"), Currency: "USD"},
		"$1,234,567":                         {Amount: usd("1234567"), Currency: "USD"},
		"$1,234.567":                         {Amount: usd("1234.567"), Currency: "USD"},
		"$1" + nbsp + "234.50":               {Amount: usd("1234.50"), Currency: "USD"},
		"1" + narrow + "234,50" + nbsp + "€": {Amount: usd("1234.50"), Currency: "EUR"},
		"1" + thin + "234.50 USD":            {Amount: usd("1234.50"), Currency: "USD"},
		"CHF 1'234.50":                       {Amount: usd("1234.50"), Currency: "CHF"},
		"1.234,50 €":                         {Amount: usd("1234.50"), Currency: "EUR"},
		"€2.99":                              {Amount: usd("2.99"), Currency: "EUR"},
		"2,99 €":                             {Amount: usd("2.99"), Currency: "EUR"},
		"£2.99/hr":                           {Amount: usd("2.99"), Currency: "GBP"},
		"A$4":                                {Amount: usd("4"), Currency: "AUD"},
		"$2.99 CAD":                          {Amount: usd("2.99"), Currency: "CAD"},
		"C$2.99":                             {Amount: usd("2.99"), Currency: "CAD"},
		"3192 cents":                         {Amount: usd("31.92"), Currency: "USD"},
		"5 cents":                            {Amount: usd("0.05"), Currency: "USD"},
		"299¢/hr":                            {Amount: usd("2.99"), Currency: "USD"},
		"$3.90/GPU-hr":                       {Amount: usd("3.90"), Currency: "USD", Unit: gpu},
		"$2.99/GPU/hr":                       {Amount: usd("2.99"), Currency: "USD", Unit: gpu},
		"$2.99 / GPU / Hour":                 {Amount: usd("2.99"), Currency: "USD", Unit: gpu},
		"$2.99 per GPU per hour":             {Amount: usd("2.99"), Currency: "USD", Unit: gpu},
		"$2.99/hr per GPU":                   {Amount: usd("2.99"), Currency: "USD", Unit: gpu},
		"$23.92/instance/hr":                 {Amount: usd("23.92"), Currency: "USD", Unit: instance},
		"$23.92 per node-hour":               {Amount: usd("23.92"), Currency: "USD", Unit: instance},
		"$23.92 hourly":                      {Amount: usd("23.92"), Currency: "USD"},
		"$2.99/hr":                           {Amount: usd("2.99"), Currency: "USD"},
		"$2.99*":                             {Amount: usd("2.99"), Currency: "USD", Footnote: "*"},
		"$2.99/GPU/hr¹":                      {Amount: usd("2.99"), Currency: "USD", Unit: gpu, Footnote: "¹"},
		"$2.99¹²/hr":                         {Amount: usd("2.99"), Currency: "USD", Footnote: "¹²"},
		"$2.99^1":                            {Amount: usd("2.99"), Currency: "USD", Footnote: "^1"},
		"$2.99†":                             {Amount: usd("2.99"), Currency: "USD", Footnote: "†"},
		"$2.99[1]/hr":                        {Amount: usd("2.99"), Currency: "USD", Footnote: "[1]"},
		"from $1.55/hr*":                     {Qualifier: "from", Amount: usd("1.55"), Currency: "USD", Footnote: "*"},
		"From: $1.55":                        {Qualifier: "from", Amount: usd("1.55"), Currency: "USD"},
		"Starting at $1.55/GPU/hr":           {Qualifier: "from", Amount: usd("1.55"), Currency: "USD", Unit: gpu},
		"$1.55+":                             {Qualifier: "from", Amount: usd("1.55"), Currency: "USD"},
		"~$3":                                {Qualifier: "about", Amount: usd("3"), Currency: "USD"},
		"up to $3.99":                        {Qualifier: "up to", Amount: usd("3.99"), Currency: "USD"},
		"<$4":                                {Qualifier: "up to", Amount: usd("4"), Currency: "USD"},
		"$2.99 (was $3.99)":                  {Amount: usd("2.99"), Currency: "USD", Was: usd("3.99")},
		"$2.99/GPU/hr (was $3.99/GPU/hr)":    {Amount: usd("2.99"), Currency: "USD", Unit: gpu, Was: usd("3.99")},
	} {
		got, err := validate.ParsePrice(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(schema.Decimal{})); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

func TestParsePriceRefuses(t *testing.T) {
	for text, want := range map[string]error{
		"":                          validate.ErrUnpriced,
		"Contact sales":             validate.ErrUnpriced,
		"N/A":                       validate.ErrUnpriced,
		"—":                         validate.ErrUnpriced,
		"$0.00":                     validate.ErrUnpriced,
		"$":                         validate.ErrUnpriced,
		"$2,99":                     validate.ErrAmbiguous,
		"2,99":                      validate.ErrAmbiguous,
		"$1,999":                    validate.ErrAmbiguous,
		"140.000":                   validate.ErrAmbiguous,
		"$140.000":                  validate.ErrAmbiguous,
		"1.234 €":                   validate.ErrAmbiguous,
		"$2⁹⁹":                      validate.ErrAmbiguous,
		"$2^99":                     validate.ErrAmbiguous,
		"US$2.99 CAD":               validate.ErrAmbiguous,
		"€2.99 USD":                 validate.ErrAmbiguous,
		"$299 cents":                validate.ErrAmbiguous,
		"$2.99/GPU/instance":        validate.ErrAmbiguous,
		".99":                       validate.ErrPrice,
		"$.99":                      validate.ErrPrice,
		"2.":                        validate.ErrPrice,
		"$2.":                       validate.ErrPrice,
		"$1,23,456.00":              validate.ErrPrice,
		"$0,123.00":                 validate.ErrPrice,
		"$12,34.50":                 validate.ErrPrice,
		"$1.234.5":                  validate.ErrPrice,
		"$1,234.50.6":               validate.ErrPrice,
		"$007":                      validate.ErrPrice,
		"1" + nbsp + "77":           validate.ErrPrice,
		"$2.99e3":                   validate.ErrAmounts,
		"NaN1":                      validate.ErrPrice,
		"8 GPUs":                    validate.ErrPrice,
		"$2.99 krill":               validate.ErrPrice,
		"$2.99 excl. VAT":           validate.ErrPrice,
		"fromage $2.99":             validate.ErrPrice,
		"$2.99\u202e":               validate.ErrPrice,
		"$2\u200b.99":               validate.ErrPrice,
		"$２.９９":                     validate.ErrPrice,
		"\xff$2.99":                 validate.ErrPrice,
		strings.Repeat("$2.99", 20): validate.ErrPrice,
		"1 770":                     validate.ErrAmounts,
		"1 234.50":                  validate.ErrAmounts,
		"$1.49 – $2.99":             validate.ErrAmounts,
		"$1.49-$2.99":               validate.ErrAmounts,
		"$1.49 to $2.99":            validate.ErrAmounts,
		"from $1.49 to $2.99":       validate.ErrAmounts,
		"$3.99$2.99":                validate.ErrAmounts,
		"$3.99 $2.99":               validate.ErrAmounts,
		"$3.99 now $2.99":           validate.ErrAmounts,
		"$2.99 (was 3.99 €)":        validate.ErrAmounts,
		"$2.99 (was $3.99) $4":      validate.ErrAmounts,
		"80GB $2.99":                validate.ErrAmounts,
		"2x $2.99":                  validate.ErrAmounts,
		"$2.99/2 GPUs":              validate.ErrAmounts,
		"$2.99 or 2.50 with a plan": validate.ErrAmounts,
		"−$1":                       validate.ErrNegative,
		"-$1":                       validate.ErrNegative,
		"$-1":                       validate.ErrNegative,
		"($1.00)":                   validate.ErrNegative,
		"$2,182.70/mo":              validate.ErrPeriod,
		"$2182.70 per month":        validate.ErrPeriod,
		"$71.76/day":                validate.ErrPeriod,
		"$26,000.50/year":           validate.ErrPeriod,
		"$0.05/min":                 validate.ErrPeriod,
		"$2.99/GPU/month":           validate.ErrPeriod,
	} {
		got, err := validate.ParsePrice(text)
		if !errors.Is(err, want) {
			t.Errorf("%q: %+v, %v; want %v", text, got, err, want)
		}
	}
}

func usd(text string) schema.Decimal { return schema.MustDecimal(text) }

// TestParsePriceRoundTrip: an amount of any size in any form that is not
// ambiguous comes back as itself, with whatever stands around it.
func TestParsePriceRoundTrip(t *testing.T) {
	forms := []struct{ before, group, point, after, currency string }{
		{"$", ",", ".", "", "USD"}, {"US$", "", ".", "/GPU/hr", "USD"}, {"", ".", ",", " €", "EUR"},
		{"", nbsp, ",", nbsp + "EUR", "EUR"}, {"USD ", narrow, ".", " per hour*", "USD"}, {"£", ",", ".", "/instance", "GBP"},
	}
	check := func(n uint32, cents uint8, form uint8) bool {
		f := forms[int(form)%len(forms)]
		whole := fmt.Sprint(n%10_000_000 + 1)
		frac := fmt.Sprintf("%02d", cents%100)
		text := f.before + grouped(whole, f.group) + f.point + frac + f.after
		got, err := validate.ParsePrice(text)
		want, _ := new(big.Rat).SetString(whole + "." + frac)
		if err != nil || got.Currency != f.currency || got.Amount.Rat().Cmp(want) != 0 {
			t.Logf("%q: %+v, %v", text, got, err)
			return false
		}
		return true
	}
	if err := quick.Check(check, &quick.Config{MaxCount: 5000}); err != nil {
		t.Error(err)
	}
}

func grouped(digits, separator string) string {
	for i := len(digits) - 3; i > 0 && separator != ""; i -= 3 {
		digits = digits[:i] + separator + digits[i:]
	}
	return digits
}

// TestParsePriceTakesNoPart: no text with a price and another number beside it
// gives a price.
func TestParsePriceTakesNoPart(t *testing.T) {
	for _, more := range []string{"80GB ", "8x ", "2 ", "$1 ", "H100 ", "up to 8 GPUs "} {
		for _, price := range []string{"$2.99", "$2.99/hr", "2.99 USD", "from $2.99"} {
			for _, text := range []string{more + price, price + " " + more} {
				if got, err := validate.ParsePrice(text); err == nil {
					t.Errorf("%q gave %+v", text, got)
				}
			}
		}
	}
}

// FuzzParsePrice: whatever the text, a price that is read is positive, plain, and
// printed there digit by digit.
func FuzzParsePrice(f *testing.F) {
	for _, seed := range []string{
		"$2.99", "$1,049.24", "1.234,50 €", "from $1.55/hr*", "$1.49 – $2.99", "$2.99 (was $3.99)", "3192 cents", "$2.99/GPU/hr¹",
		"$2^99", "140.000", "−$1", "Contact sales", "1\u202f234.50 USD", "$2.99/mo", ".99", "2.", "80GB $2.99",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := validate.ParsePrice(text)
		if err != nil {
			if p != (validate.Printed{}) {
				t.Errorf("%q: %v with %+v", text, err, p)
			}
			return
		}
		if !p.Amount.Positive() || p.Amount.Rat().Sign() <= 0 {
			t.Errorf("%q is %s", text, p.Amount)
		}
		digits := func(s string) string {
			return strings.Trim(strings.Map(func(r rune) rune {
				if r < '0' || r > '9' {
					return -1
				}
				return r
			}, s), "0")
		}
		if !strings.Contains(digits(text), digits(p.Amount.String())) {
			t.Errorf("%q has no %s", text, p.Amount)
		}
		again, err := validate.ParsePrice(strings.ToUpper(text))
		if strings.ToUpper(text) == text && (err != nil || again != p) {
			t.Errorf("%q is once %+v, once %+v, %v", text, p, again, err)
		}
	})
}
