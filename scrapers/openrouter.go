package scrapers

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"mtok/schema"
)

const (
	openRouterURL = "https://openrouter.ai/api/v1/models"
	// openRouterModels is the source of the list, openRouterEndpoints that of who
	// serves one model.
	openRouterModels    = "models-api"
	openRouterEndpoints = "endpoints-api"
)

// openRouterID is "meta-llama/llama-3.3-70b-instruct", of which the request key
// has dots for slashes.
var openRouterID = regexp.MustCompile(`^[a-z0-9]+(?:[.-][a-z0-9]+)*/[a-z0-9]+(?:[.-][a-z0-9]+)*$`)

// OpenRouter reads the market's list of models: one price a model, of an
// endpoint that it does not name, at a precision that it does not name; and for
// a few models who serves them, at which price and precision. Prices are decimal
// strings in USD per token. -1 stands for a price that depends on what the
// request is routed to, 0 for none: ":free" models are limited copies.
func OpenRouter() Provider {
	return Provider{
		ID:       schema.ProviderOpenRouter,
		Name:     "OpenRouter",
		Homepage: "https://openrouter.ai",
		Version:  1,
		Sources: []Source{
			{Name: openRouterModels, Requests: onePage(openRouterURL), Parse: parseOpenRouterModels},
			{Name: openRouterEndpoints, Requests: openRouterRequests, Parse: parseOpenRouterEndpoints, Optional: true},
		},
		// 336 models on 2026-08-01; a list that is much shorter than the last one
		// is caught by that. The band of one model that stands since 2024 catches a
		// price per thousand or per million tokens on the first night already.
		Expect: Expect{
			MinOffers: 8,
			Tokens:    []TokenBand{{Model: "meta-llama/llama-3.3-70b-instruct", Low: 20_000, High: 5_000_000}},
		},
		StockNote: "prices of tokens",
	}
}

// openRouterDefaults are the open models of the default workloads.
func openRouterDefaults() []string {
	return []string{"meta-llama/llama-3.3-70b-instruct", "openai/gpt-oss-120b"}
}

func openRouterRequests(s Settings) ([]Request, error) {
	models := s.Models
	if len(models) == 0 {
		models = openRouterDefaults()
	}
	var requests []Request
	for i, model := range models {
		if !openRouterID.MatchString(model) {
			return nil, fmt.Errorf("model %q is not like %q", model, openRouterDefaults()[0])
		}
		if slices.Contains(models[:i], model) {
			return nil, fmt.Errorf("model %q stands twice", model)
		}
		requests = append(requests, Request{
			Key: strings.ReplaceAll(model, "/", "."), URL: openRouterURL + "/" + model + "/endpoints",
		})
	}
	return requests, nil
}

func parseOpenRouterModels(page Page) (Result, error) {
	var answer record
	if err := decodeJSON(page.Body, &answer); err != nil {
		return Result{}, err
	}
	models, err := answer["data"].array()
	if err != nil || len(models) == 0 {
		return Result{}, layoutf("data is no list of models: %v", err)
	}
	list := newTokenList(page)
	nameless := 0
	for _, m := range models {
		var r rowReader
		fields := r.object("model", m)
		id := r.str("id", fields["id"])
		if r.err == nil && id == "" {
			r.fail(ruleField, "id is missing")
		}
		if id == "" {
			nameless++
		}
		key := schema.TokenKey{Provider: schema.ProviderOpenRouter, Source: openRouterModels, Model: id}
		list.row(&r, key, fields["pricing"], nil)
	}
	result, err := list.result(len(models))
	if err != nil {
		return Result{}, err
	}
	result.Incomplete = shorter(answer, len(models), nameless)
	return result, nil
}

// shorter says what a list lacks, empty where it is whole.
func shorter(answer record, rows, nameless int) string {
	if nameless > 0 {
		return unnamed(nameless)
	}
	var r rowReader
	total, given := r.whole("total_count", answer["total_count"])
	if links := r.object("links", answer["links"]); links["next"].given() {
		return "the list has another page"
	}
	if r.err == nil && given && total != int64(rows) {
		return fmt.Sprintf("%d of %d models", rows, total)
	}
	return ""
}

func parseOpenRouterEndpoints(page Page) (Result, error) {
	var answer record
	if err := decodeJSON(page.Body, &answer); err != nil {
		return Result{}, err
	}
	var r rowReader
	data := r.object("data", answer["data"])
	model := r.str("id", data["id"])
	endpoints, err := data["endpoints"].array()
	if r.err = errors.Join(r.err, err); r.err != nil {
		return Result{}, layoutf("%v", r.err)
	}
	if asked := strings.ReplaceAll(model, "/", "."); model == "" || len(endpoints) == 0 || page.Key != "" && page.Key != asked {
		return Result{}, layoutf("%d endpoints of %q, asked for %q", len(endpoints), clip(model), clip(page.Key))
	}
	list := newTokenList(page)
	for _, e := range endpoints {
		var r rowReader
		fields := r.object("endpoint", e)
		key := schema.TokenKey{
			Provider: schema.ProviderOpenRouter, Source: openRouterEndpoints, Model: model,
			Endpoint: r.str("tag", fields["tag"]), Precision: strings.ToLower(r.str("quantization", fields["quantization"])),
		}
		if name := r.str("provider_name", fields["provider_name"]); key.Endpoint == "" {
			key.Endpoint = name
		}
		if key.Precision == "unknown" {
			key.Precision = ""
		}
		if r.err == nil && key.Endpoint == "" {
			r.fail(ruleField, "provider_name is missing")
		}
		list.row(&r, key, fields["pricing"], fields)
	}
	return list.result(len(endpoints))
}

// row reads the prices of a model or, with its fields, of an endpoint.
func (l *tokenList) row(r *rowReader, key schema.TokenKey, pricing field, endpoint record) {
	fields := r.object("pricing", pricing)
	base, text, err := openRouterAmounts(r, fields)
	if err == nil && strings.HasSuffix(key.Model, ":free") {
		err = &fault{schema.RuleUnpriced, "a free copy is limited: no price"}
	}
	var p schema.TokenPrice
	if err == nil {
		p, err = base.price(key, text)
	}
	if err != nil {
		l.rejectRow(key.Model, text, err)
		return
	}
	if strings.HasPrefix(key.Model, "~") {
		p.Excluded = "an alias: another model tomorrow"
	}
	if endpoint != nil {
		l.endpoint(r, &p, endpoint)
	}
	if r.err != nil {
		l.rejectRow(key.Model, text, r.err)
		return
	}
	tiers, err := openRouterTiers(p, base, fields["overrides"])
	if err != nil { // where the dearer price begins is not known
		l.rejectRow(key.Model, text, err)
		return
	}
	l.add(p)
	for _, tier := range tiers {
		l.add(tier)
	}
}

// endpoint reads what is said of who answers.
func (l *tokenList) endpoint(r *rowReader, p *schema.TokenPrice, fields record) {
	for _, name := range []string{"uptime_last_1d", "uptime_last_30m"} {
		percent := r.number(name, fields[name])
		if ppm, ok := scaled(percent, 4); percent.IsSet() && ok && p.UptimePPM == nil {
			p.UptimePPM = &ppm // per cent with four decimals: millionths
		}
	}
	if status := fields["status"].text; strings.HasPrefix(status, "-") {
		p.Excluded = "out of service, status " + clip(status)
	}
}

// openRouterTiers reads the prices of longer prompts: what a tier does not name
// is that of the first.
func openRouterTiers(first schema.TokenPrice, base tokenAmounts, overrides field) ([]schema.TokenPrice, error) {
	var r rowReader
	elements, err := overrides.array()
	r.note("overrides", err)
	var tiers []schema.TokenPrice
	for _, element := range elements {
		fields := r.object("overrides", element)
		from, given := r.whole("min_prompt_tokens", fields["min_prompt_tokens"])
		if r.err == nil && (!given || from == 0) {
			r.fail(ruleField, "min_prompt_tokens of a tier is missing")
		}
		amounts, text, err := openRouterAmounts(&r, fields)
		r.note("tier", err)
		key := first.TokenKey
		key.MinPromptTokens = from
		p, err := amounts.or(base).price(key, text)
		r.note("tier", err)
		p.UptimePPM, p.Excluded = first.UptimePPM, first.Excluded
		tiers = append(tiers, p)
	}
	return tiers, r.err
}

// or takes what is not given from another.
func (a tokenAmounts) or(b tokenAmounts) tokenAmounts {
	for _, v := range []struct {
		to   *schema.Decimal
		from schema.Decimal
	}{{&a.in, b.in}, {&a.out, b.out}, {&a.cacheRead, b.cacheRead}, {&a.cacheWrite, b.cacheWrite}} {
		if !v.to.IsSet() {
			*v.to = v.from
		}
	}
	return a
}

// openRouterAmounts reads the four prices that are compared; per image, second
// or search there are others.
func openRouterAmounts(r *rowReader, fields record) (a tokenAmounts, text string, err error) {
	const in, out, read, write = "prompt", "completion", "input_cache_read", "input_cache_write"
	text = listedText(in, fields[in].text, out, fields[out].text, read, fields[read].text, write, fields[write].text)
	for _, v := range []struct {
		name string
		to   *schema.Decimal
	}{{in, &a.in}, {out, &a.out}, {read, &a.cacheRead}, {write, &a.cacheWrite}} {
		amount := r.str(v.name, fields[v.name])
		switch {
		case r.err != nil:
			return a, text, r.err
		case amount == "-1":
			return a, text, &fault{ruleVariable, v.name + " is -1: it depends on what answers"}
		case amount == "":
			continue
		}
		d, err := plainNumber(amount)
		if err != nil {
			return a, text, &fault{ruleField, v.name + " is " + clip(amount)}
		}
		*v.to = d
	}
	if !a.in.IsSet() && !a.out.IsSet() {
		return a, text, &fault{schema.RuleUnpriced, "listed without a price"}
	}
	return a, text, nil
}
