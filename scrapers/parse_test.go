package scrapers_test

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pelletier/go-toml/v2"

	"mtok/schema"
	"mtok/scrapers"
)

var update = flag.Bool("update", false, "write want.json of the cases that parse")

// notLayout is the first line of a want.err whose error is not ErrLayout.
const notLayout = "# not ErrLayout"

// caseMeta is meta.toml of a case.
type caseMeta struct {
	Source      string `toml:"source"`
	Key         string `toml:"key"`
	URL         string `toml:"url"`
	Status      int    `toml:"status"`
	ContentType string `toml:"content_type"`
	Canary      bool   `toml:"canary"` // a whole believable night
}

// TestParse walks testdata/<provider>/<case>: a new case is a new folder.
func TestParse(t *testing.T) {
	for _, p := range scrapers.Registry() {
		dirs, err := filepath.Glob(filepath.Join("testdata", string(p.ID), "*"))
		if err != nil {
			t.Fatal(err)
		}
		if len(dirs) == 0 {
			t.Errorf("%s has no cases", p.ID)
		}
		canaries := 0
		for _, dir := range dirs {
			meta, page := readCase(t, dir)
			if meta.Canary {
				canaries++
			}
			t.Run(string(p.ID)+"/"+filepath.Base(dir), func(t *testing.T) { parseCase(t, p, dir, meta, page) })
		}
		if canaries == 0 {
			t.Errorf("%s has no case that is a believable night (canary = true)", p.ID)
		}
	}
}

// TestCasesHaveProvider catches a folder that the loop would pass by.
func TestCasesHaveProvider(t *testing.T) {
	entries, err := os.ReadDir("testdata")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		known := slices.ContainsFunc(scrapers.Registry(), func(p scrapers.Provider) bool { return string(p.ID) == e.Name() })
		if !known && e.Name() != "fuzz" {
			t.Errorf("testdata/%s is of no provider", e.Name())
		}
	}
}

func parseCase(t *testing.T, p scrapers.Provider, dir string, meta caseMeta, page scrapers.Page) {
	parse := sourceOf(t, p, meta.Source).Parse
	got, err := parse(page)
	again, errAgain := parse(page)
	if diff := cmp.Diff(readable(t, got), readable(t, again)); diff != "" || (err == nil) != (errAgain == nil) {
		t.Fatalf("parsing twice differs: %v, %v, %s", err, errAgain, diff)
	}
	wantErr, errFile := os.ReadFile(filepath.Join(dir, "want.err"))
	wantJSON, jsonFile := os.ReadFile(filepath.Join(dir, "want.json"))
	if errFile == nil {
		if jsonFile == nil || meta.Canary {
			t.Fatal("a case with want.err has neither want.json nor canary")
		}
		checkError(t, got, err, string(wantErr))
		return
	}
	if err != nil {
		t.Fatalf("parse: %v", err)
	}
	text := readable(t, got)
	if *update {
		if err := os.WriteFile(filepath.Join(dir, "want.json"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if jsonFile != nil {
		t.Fatal(jsonFile)
	} else if diff := cmp.Diff(string(wantJSON), text); diff != "" {
		t.Errorf("want.json (-want +got):\n%s", diff)
	}
	checkOffers(t, p, got)
	checkTokenPrices(t, p, got)
	if meta.Canary {
		checkCanaries(t, p, got)
	}
}

func checkError(t *testing.T, got scrapers.Result, err error, want string) {
	t.Helper()
	want, other := strings.CutPrefix(strings.TrimSpace(want), notLayout)
	want = strings.TrimSpace(want)
	if err == nil {
		t.Fatalf("parsed, want an error with %q; offers: %v", want, got.Offers)
	}
	if errors.Is(err, scrapers.ErrLayout) == other {
		t.Errorf("error %v: is ErrLayout = %v", err, !other)
	}
	if want == "" || !strings.Contains(err.Error(), want) {
		t.Errorf("error %q, want it to contain %q", err, want)
	}
	if diff := cmp.Diff(readable(t, scrapers.Result{}), readable(t, got)); diff != "" {
		t.Errorf("an error comes with a result:\n%s", diff)
	}
}

// checkOffers holds what is true of each offer of each provider.
func checkOffers(t *testing.T, p scrapers.Provider, got scrapers.Result) {
	t.Helper()
	seen := map[schema.OfferKey]bool{}
	for _, o := range got.Offers {
		if seen[o.OfferKey] {
			t.Errorf("offer %+v stands twice", o.OfferKey)
		}
		seen[o.OfferKey] = true
		if o.Provider != p.ID || o.SKU == "" || o.GPURaw == "" || o.GPUCount < 1 || o.Term == "" || o.Basis == "" || o.Unit == "" {
			t.Errorf("offer is not complete: %+v", o)
		}
		if o.Amount.Rat().Sign() <= 0 || o.Currency == "" || !strings.Contains(printedDollars(o.PriceText), o.Amount.String()) {
			t.Errorf("%s: amount %q %s of price text %q", o.SKU, o.Amount, o.Currency, o.PriceText)
		}
		if (o.Term == schema.TermReserved) != (o.Commitment != schema.Commitment{}) {
			t.Errorf("%s: term %s with commitment %v", o.SKU, o.Term, o.Commitment)
		}
	}
	for _, r := range got.Skipped {
		if r.Rule == "" || r.Reason == "" {
			t.Errorf("a reject without rule or reason: %+v", r)
		}
	}
	for _, n := range got.Notices {
		if n.Provider != p.ID || n.Kind == "" {
			t.Errorf("a notice without provider or kind: %+v", n)
		}
	}
}

// printedDollars is a price text without its separators, cents as dollars.
func printedDollars(text string) string {
	text = strings.ReplaceAll(text, ",", "")
	cents, ok := strings.CutSuffix(text, " cents")
	if !ok {
		return text
	}
	cents = strings.Repeat("0", max(0, 3-len(cents))) + cents
	return cents[:len(cents)-2] + "." + cents[len(cents)-2:]
}

func sourceOf(t testing.TB, p scrapers.Provider, name string) scrapers.Source {
	t.Helper()
	i := slices.IndexFunc(p.Sources, func(s scrapers.Source) bool { return s.Name == name })
	if i < 0 {
		t.Fatalf("%s has no source %q", p.ID, name)
	}
	return p.Sources[i]
}

func readCase(t *testing.T, dir string) (caseMeta, scrapers.Page) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "meta.toml"))
	if err != nil {
		t.Fatal(err)
	}
	meta := caseMeta{Status: 200}
	if err := toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields().Decode(&meta); err != nil {
		t.Fatalf("%s/meta.toml: %v", dir, err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "page.*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%s: pages %v, %v; want one", dir, files, err)
	}
	body, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	return meta, scrapers.Page{
		Source: meta.Source, Key: meta.Key, URL: meta.URL, Status: meta.Status, ContentType: meta.ContentType, Body: body,
	}
}

func checkCanaries(t *testing.T, p scrapers.Provider, got scrapers.Result) {
	t.Helper()
	if n := len(got.Offers) + len(pricedModels(got)); n < p.Expect.MinOffers {
		t.Errorf("%d offers, the canary wants %d", n, p.Expect.MinOffers)
	}
	for _, band := range p.Expect.Tokens {
		if !pricedModels(got)[band.Model] {
			t.Errorf("no price of %s, whose band is to be proved", band.Model)
		}
	}
	catalog, err := schema.LoadCatalog()
	if err != nil {
		t.Fatal(err)
	}
	classes := map[schema.ClassID]bool{}
	for _, o := range got.Offers {
		classes[catalog.Match(p.ID, o.GPURaw, o.FormRaw, o.VRAMMiB)] = true
	}
	for _, want := range p.Expect.Classes {
		if !classes[want] {
			t.Errorf("no offer of class %s, which the canary wants; there are %v", want, classes)
		}
	}
}
