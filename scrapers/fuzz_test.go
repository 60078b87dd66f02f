package scrapers_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pelletier/go-toml/v2"

	"mtok/schema"
	"mtok/scrapers"
)

// FuzzParse gives each provider whatever bytes: a parser may refuse a page, but
// never panics, and what it accepts are complete offers at a positive price.
// The seeds are all cases of testdata.
func FuzzParse(f *testing.F) {
	providers := scrapers.Registry()
	for i, p := range providers {
		for _, c := range seeds(f, p.ID) {
			f.Add(uint8(i), c.Key, c.Status, c.Body)
		}
	}
	f.Fuzz(func(t *testing.T, provider uint8, key string, status int, body []byte) {
		p := providers[int(provider)%len(providers)]
		for _, s := range p.Sources {
			page := scrapers.Page{Source: s.Name, Key: key, URL: p.Homepage, Status: status, Body: body}
			got, err := s.Parse(page)
			if err != nil {
				if len(got.Offers) != 0 || len(got.TokenPrices) != 0 || len(got.Notices) != 0 {
					t.Fatalf("error %v with offers %v, notices %v", err, got.Offers, got.Notices)
				}
				continue
			}
			// The book of a market may be empty, and says so.
			if len(got.Offers) == 0 && len(got.TokenPrices) == 0 && len(got.Notices) == 0 && (p.ID != "vast" || len(got.Skipped) == 0) {
				t.Fatal("neither an offer, nor a notice, nor an error")
			}
			fuzzOffers(t, p.ID, got.Offers)
			checkTokenPrices(t, p, got)
			again, err := s.Parse(page)
			if diff := cmp.Diff(readable(t, got), readable(t, again)); diff != "" || err != nil {
				t.Fatalf("parsing twice differs: %v, %s", err, diff)
			}
		}
	})
}

// seeds are the pages of a provider's cases, at the status of each.
func seeds(f *testing.F, id schema.ProviderID) []scrapers.Page {
	f.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", string(id), "*", "page.*"))
	if err != nil || len(files) == 0 {
		f.Fatalf("no cases of %s: %v", id, err)
	}
	var pages []scrapers.Page
	for _, file := range files {
		body, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		text, err := os.ReadFile(filepath.Join(filepath.Dir(file), "meta.toml"))
		if err != nil {
			f.Fatal(err)
		}
		meta := caseMeta{Status: 200}
		if err := toml.Unmarshal(text, &meta); err != nil {
			f.Fatalf("%s: %v", file, err)
		}
		pages = append(pages, scrapers.Page{Key: meta.Key, Status: meta.Status, Body: body})
	}
	return pages
}

func fuzzOffers(t *testing.T, id schema.ProviderID, offers []schema.Offer) {
	t.Helper()
	seen := map[schema.OfferKey]bool{}
	for _, o := range offers {
		if o.Provider != id || o.SKU == "" || o.GPURaw == "" || o.GPUCount < 1 || o.Term == "" || seen[o.OfferKey] {
			t.Fatalf("incomplete or repeated key: %+v", o)
		}
		seen[o.OfferKey] = true
		if _, err := schema.RoundUSD(o.Amount.Rat()); err != nil || o.Amount.Rat().Sign() <= 0 || o.Currency != "USD" {
			t.Fatalf("%s: amount %q %q, %v", o.SKU, o.Amount, o.Currency, err)
		}
		if o.VRAMMiB < 0 || (o.Unit != schema.UnitGPUHour && o.Unit != schema.UnitInstanceHour) {
			t.Fatalf("%s: VRAM %d MiB, unit %q", o.SKU, o.VRAMMiB, o.Unit)
		}
	}
}
