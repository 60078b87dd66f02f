package schema_test

import (
	"errors"
	"strings"
	"testing"
	"unicode"

	"mtok/schema"
)

// FuzzDecimal reads whatever text as a number: what is taken is plain digits and
// comes back as it was written; as money it survives being printed and read.
func FuzzDecimal(f *testing.F) {
	for _, text := range []string{
		"3.99", "49.24", "0.0000005", "00.10", "9223372036854.775807", "9223372036854.775808", "1e9", "1/3", "-1", "+1", "1.", ".5", "1,000.00",
		"١٢", "NaN", "Inf", "0x10", "1_000", "", " 1",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d, err := schema.ParseDecimal(text)
		usd, moneyErr := schema.ParseUSD(text)
		if err != nil {
			if moneyErr == nil || !errors.Is(moneyErr, schema.ErrMoney) {
				t.Fatalf("%q is no number, but money: %s, %v", text, usd, moneyErr)
			}
			return
		}
		if d.String() != text || strings.Trim(text, ".0123456789") != "" || strings.Count(text, ".") > 1 || d.Rat().Sign() < 0 {
			t.Fatalf("%q was taken as %s, %s", text, d, d.Rat())
		}
		var again schema.Decimal
		if err := again.UnmarshalText([]byte(d.String())); err != nil || again != d {
			t.Fatalf("%q read again: %s, %v", text, again, err)
		}
		if moneyErr != nil {
			if !errors.Is(moneyErr, schema.ErrMoney) {
				t.Fatalf("%q: %v", text, moneyErr)
			}
			return
		}
		if back, err := schema.ParseUSD(usd.String()); err != nil || back != usd {
			t.Fatalf("%q is %s, read again %s, %v", text, usd, back, err)
		}
		off := usd.Rat()
		off.Sub(off, d.Rat())
		if off.Abs(off).Cmp(schema.MustDecimal("0.0000005").Rat()) > 0 {
			t.Fatalf("%q was rounded to %s", text, usd)
		}
	})
}

// FuzzMatch names whatever GPU: the class is one of the catalog, or an unmatched
// one whose name is safe to print; case and separators change nothing.
func FuzzMatch(f *testing.F) {
	catalog, err := schema.LoadCatalog()
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range []string{"NVIDIA H100 SXM", "H100", "GH200 SXM", "RTX PRO 6000 S", "A100 PCIE", "8x B200", "L40S", "", "..", "ß", "\xff"} {
		f.Add("lambda", name, "", int64(0))
		f.Add("vast", name, "SXM", int64(80*1024))
	}
	f.Fuzz(func(t *testing.T, provider, name, form string, vram int64) {
		got := catalog.Explain(schema.ProviderID(provider), name, form, vram)
		if again := catalog.Match(schema.ProviderID(provider), name, form, vram); again != got.Class || got.Rule == "" {
			t.Fatalf("%q is %s by %q, then %s", name, got.Class, got.Rule, again)
		}
		rest, unmatched := strings.CutPrefix(string(got.Class), schema.UnmatchedPrefix)
		if _, known := catalog.GPU(got.Class); known == unmatched {
			t.Fatalf("%q is %q, of the catalog: %t", name, got.Class, known)
		}
		if unmatched && (rest == "" || strings.ContainsFunc(rest, func(r rune) bool {
			return r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
		})) {
			t.Fatalf("%q is %q", name, got.Class)
		}
		loose := "  " + strings.ReplaceAll(strings.ToLower(name), " ", " - ")
		if class := catalog.Match(schema.ProviderID(provider), loose, form, vram); class != got.Class && ascii(name) {
			t.Fatalf("%q is %s, %q is %s", name, got.Class, loose, class)
		}
	})
}

func ascii(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r > unicode.MaxASCII })
}
