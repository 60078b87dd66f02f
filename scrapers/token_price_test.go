package scrapers_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mtok/schema"
	"mtok/scrapers"
)

// mostPerMTok is above every price of tokens that there is.
const mostPerMTok = schema.USD(1_000_000_000)

// checkTokenPrices holds what is true of each listed price of tokens.
func checkTokenPrices(t *testing.T, p scrapers.Provider, got scrapers.Result) {
	t.Helper()
	seen := map[schema.TokenKey]bool{}
	for _, price := range got.TokenPrices {
		if seen[price.TokenKey] {
			t.Errorf("price of %+v stands twice", price.TokenKey)
		}
		seen[price.TokenKey] = true
		if price.Provider != p.ID || price.Source == "" || price.Model == "" || price.PriceText == "" || price.MinPromptTokens < 0 {
			t.Errorf("price is not complete: %+v", price)
		}
		if price.In == 0 && price.Out == 0 || strings.HasSuffix(price.Model, ":free") {
			t.Errorf("%s: no price", price.Model)
		}
		for _, usd := range []schema.USD{price.In, price.Out, price.CacheRead, price.CacheWrite} {
			if usd < 0 || usd > mostPerMTok {
				t.Errorf("%s: %s $/MTok", price.Model, usd)
			}
		}
	}
	if p.ID.ListsTokens() != (len(got.TokenPrices) > 0) {
		t.Errorf("%s: %d prices of tokens", p.ID, len(got.TokenPrices))
	}
}

// pricedModels are the models that have a price.
func pricedModels(r scrapers.Result) map[string]bool {
	models := map[string]bool{}
	for _, p := range r.TokenPrices {
		models[p.Model] = true
	}
	return models
}

// TestAPIsListTokens keeps the two lists of the registry apart.
func TestAPIsListTokens(t *testing.T) {
	for _, p := range scrapers.All() {
		if p.ID.ListsTokens() {
			t.Errorf("%s is among the providers of GPUs", p.ID)
		}
	}
	for _, p := range scrapers.APIs() {
		if !p.ID.ListsTokens() {
			t.Errorf("%s is among the price lists of APIs", p.ID)
		}
	}
}

// TestCapturedOpenRouter reads the whole list of 2026-08-01.
func TestCapturedOpenRouter(t *testing.T) {
	page := captured(t, scrapers.OpenRouter(), "night-2026-08-22", "openrouter", "models-api.json")
	got, err := scrapers.OpenRouter().Sources[0].Parse(page)
	if err != nil {
		t.Fatal(err)
	}
	checkTokenPrices(t, scrapers.OpenRouter(), got)
	models, tiers := pricedModels(got), 0
	for _, p := range got.TokenPrices {
		if p.MinPromptTokens > 0 {
			tiers++
		}
		if p.Model == "meta-llama/llama-3.3-70b-instruct" && (p.In != 130_000 || p.Out != 400_000) {
			t.Errorf("llama-3.3-70b at %s / %s", p.In, p.Out)
		}
	}
	rules := map[string]int{}
	for _, r := range got.Skipped {
		rules[r.Rule]++
	}
	if len(models) != 314 || len(models)+len(got.Skipped) != 336 || rules["variable_price"] != 5 || rules["unpriced"] != 17 || tiers < 44 {
		t.Errorf("%d models with a price, %d tiers, rejects %v", len(models), tiers, rules)
	}
	if got.Incomplete != "" {
		t.Error(got.Incomplete)
	}
}

// TestCapturedLiteLLM wants the rows in other units refused.
func TestCapturedLiteLLM(t *testing.T) {
	page := captured(t, scrapers.LiteLLM(), "api-prices", "litellm_subset_open_models.json")
	got, err := scrapers.LiteLLM().Sources[0].Parse(page)
	if err != nil {
		t.Fatal(err)
	}
	checkTokenPrices(t, scrapers.LiteLLM(), got)
	refused := 0
	for _, r := range got.Skipped {
		if r.Rule == "wrong_unit" && strings.HasPrefix(r.Label, "wandb/") {
			refused++
		}
	}
	if refused != 12 {
		t.Errorf("%d rows of wandb refused as of another unit, want 12", refused)
	}
	for _, p := range got.TokenPrices {
		if p.Endpoint == "wandb" && p.Out > 10_000_000 {
			t.Errorf("%s at %s $/MTok", p.Model, p.Out)
		}
	}
}

// captured is a page of the captures beside the checkout.
func captured(t *testing.T, p scrapers.Provider, path ...string) scrapers.Page {
	t.Helper()
	body, err := os.ReadFile(filepath.Join(append([]string{"..", "..", "shared", "captures"}, path...)...))
	if os.IsNotExist(err) {
		t.Skip("no captures beside the checkout")
	}
	if err != nil {
		t.Fatal(err)
	}
	return scrapers.Page{Source: p.Sources[0].Name, Status: 200, Body: body}
}

// TestTokenUnits proves that a list in another unit books nothing.
func TestTokenUnits(t *testing.T) {
	page := func(name string) []byte {
		body, err := fs.ReadFile(os.DirFS("testdata/openrouter"), name+"/page.json")
		if err != nil {
			t.Fatal(err)
		}
		return body
	}
	got, err := scrapers.OpenRouter().Sources[0].Parse(scrapers.Page{Source: "models-api", Body: page("per-million")})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range got.TokenPrices {
		if p.Model == "meta-llama/llama-3.3-70b-instruct" {
			t.Errorf("0.13 $ a token was booked as %s $/MTok", p.In)
		}
	}
}
