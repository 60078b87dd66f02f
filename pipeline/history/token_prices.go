package history

import (
	"fmt"
	"strings"

	"mtok/schema"
)

// TokenPrices reads the price history of modelpricewatch.com: USD per million
// tokens of a model at a provider.
func TokenPrices() Format {
	f := Format{
		Name: "token-prices", Title: "modelpricewatch.com, price history", Version: 1,
		Expects:     "CSV with the columns " + strings.Join(tokenPriceColumns(), ", "),
		Licence:     "CC-BY-4.0",
		Attribution: "LLM API price history by modelpricewatch.com (https://modelpricewatch.com), licensed under CC BY 4.0",
		Provenance:  Aggregator,
	}
	f.Parse = func(_ string, body []byte) (Result, error) { return parseTokenPrices(f, body) }
	return f
}

func tokenPriceColumns() []string {
	return []string{"model_id", "model", "provider", "date", "event", "source", "input_per_mtok", "output_per_mtok", "cached_input_per_mtok"}
}

// maxTokenPrice is above every price that was ever asked for a million tokens: what
// is dearer was written per token or per thousand.
const maxTokenPrice = schema.USD(1_000_000_000)

func parseTokenPrices(f Format, body []byte) (Result, error) {
	var r Result
	s, err := openSheet(f, body, tokenPriceColumns(), &r)
	if err != nil {
		return Result{}, err
	}
	at := map[string]int{} // the entry of a model and day
	for s.next() {
		c := s.cells
		if headerRow(c[3], c[6]) {
			r.reject(s.line, RuleHeader, c[0], c[6], "the header again")
			continue
		}
		day, err := schema.ParseDay(c[3])
		if err != nil {
			s.fault("date: %v", err)
			continue
		}
		text := tokenText(c[6], c[7], c[8])
		p := schema.ImportedTokenPrice{Day: day, Source: f.Name, Model: c[0], Endpoint: string(providerOf(c[2])), Text: text}
		rule, reason := readTokenPrice(&p, c[6], c[7], c[8])
		key := c[0] + " " + c[3]
		if i, twice := at[key]; twice && rule == "" {
			if rule, reason = schema.RuleDuplicate, "the same prices again"; !sameTokenPrice(p, r.Tokens[i]) {
				rule, reason = "contradiction", fmt.Sprintf("line %d has other prices for the day", r.TokenLines[i])
			}
		}
		if rule != "" {
			r.reject(s.line, rule, key, text, reason)
			continue
		}
		at[key] = len(r.Tokens)
		r.Tokens, r.TokenLines = append(r.Tokens, p), append(r.TokenLines, s.line)
	}
	return r, nil
}
