package scrapers

import (
	"maps"
	"regexp"
	"slices"
	"strconv"

	"mtok/schema"
)

// liteLLMTier is "input_cost_per_token_above_128k_tokens".
var liteLLMTier = regexp.MustCompile(`^(?:input|output)_cost_per_token_above_([1-9]\d{0,3})k_tokens$`)

// LiteLLM reads the community's price file of models, in USD per token as JSON
// numbers. It is kept by hand and lags: it checks the prices of others and is
// never a price of its own. Of 2026-08-01 it has rows in other units: 13 of wandb
// are a hundred thousand times too high.
func LiteLLM() Provider {
	return Provider{
		ID:       schema.ProviderLiteLLM,
		Name:     "LiteLLM",
		Homepage: "https://github.com/BerriAI/litellm",
		Version:  1,
		Sources: []Source{{
			Name:       "prices-file",
			Requests:   onePage("https://raw.githubusercontent.com/BerriAI/litellm/main/model_prices_and_context_window.json"),
			Parse:      parseLiteLLM,
			CrossCheck: true,
		}},
		Expect: Expect{
			MinOffers: 4,
			Tokens:    []TokenBand{{Model: "deepinfra/meta-llama/Llama-3.3-70B-Instruct", Low: 20_000, High: 5_000_000}},
		},
		StockNote: "checks other lists",
	}
}

func parseLiteLLM(page Page) (Result, error) {
	var file record
	if err := decodeJSON(page.Body, &file); err != nil {
		return Result{}, err
	}
	list := newTokenList(page)
	lookAlikes := 0
	for _, name := range slices.Sorted(maps.Keys(file)) {
		if name == "sample_spec" { // says in words what the fields are
			continue
		}
		var r rowReader
		fields := r.object("entry", file[name])
		mode := r.str("mode", fields["mode"])
		if r.err == nil && mode != "chat" && mode != "completion" && mode != "responses" {
			lookAlikes++ // images, sound, embeddings
			continue
		}
		list.liteLLM(&r, name, fields)
	}
	result, err := list.result(len(file))
	result.LookAlikes = lookAlikes
	if err != nil {
		return Result{}, err
	}
	return result, nil
}

// liteLLM reads one model's entry and its tiers.
func (l *tokenList) liteLLM(r *rowReader, name string, fields record) {
	key := schema.TokenKey{
		Provider: schema.ProviderLiteLLM, Source: l.source, Model: name, Endpoint: r.str("litellm_provider", fields["litellm_provider"]),
	}
	base, text := liteLLMAmounts(r, fields, "")
	if r.err == nil && !fields["input_cost_per_token"].given() && !fields["output_cost_per_token"].given() {
		r.fail(schema.RuleUnpriced, "listed without a price")
	}
	var p schema.TokenPrice
	if r.err == nil {
		p, r.err = base.price(key, text)
	}
	if r.err != nil {
		l.rejectRow(name, text, r.err)
		return
	}
	l.add(p)
	tiers := map[int64]string{}
	for field := range fields {
		if m := liteLLMTier.FindStringSubmatch(field); m != nil {
			k, err := strconv.ParseInt(m[1], 10, 64)
			if err == nil {
				tiers[k*1000] = "_above_" + m[1] + "k_tokens"
			}
		}
	}
	for _, from := range slices.Sorted(maps.Keys(tiers)) {
		var r rowReader
		amounts, text := liteLLMAmounts(&r, fields, tiers[from])
		key.MinPromptTokens = from
		if r.err == nil {
			p, r.err = amounts.or(base).price(key, text)
		}
		if r.err != nil {
			l.rejectRow(name+tiers[from], text, r.err)
			continue
		}
		l.add(p)
	}
}

func liteLLMAmounts(r *rowReader, fields record, tier string) (a tokenAmounts, text string) {
	in, out := "input_cost_per_token"+tier, "output_cost_per_token"+tier
	read, write := "cache_read_input_token_cost"+tier, "cache_creation_input_token_cost"+tier
	a.in, a.out = r.number(in, fields[in]), r.number(out, fields[out])
	a.cacheRead, a.cacheWrite = r.number(read, fields[read]), r.number(write, fields[write])
	return a, listedText(in, fields[in].text, out, fields[out].text, read, fields[read].text, write, fields[write].text)
}
