package history

import (
	"regexp"
	"strconv"
	"strings"

	"mtok/schema"
)

// providerOf is the provider of a name as files print it. One of ours has our id.
func providerOf(name string) schema.ProviderID {
	slug := strings.Join(strings.FieldsFunc(strings.ToLower(name), func(r rune) bool {
		return r == ' ' || r == '-' || r == '_' || r == '.' || r == '/'
	}), "-")
	switch slug {
	case "vast-ai", "vastai":
		return "vast"
	case "runpod-io":
		return "runpod"
	case "lambda-labs", "lambdalabs":
		return "lambda"
	}
	return schema.ProviderID(slug)
}

const mibPerGB = 1024

// memoryInBrackets splits "A100 (80 GB)" into the name and the memory of one GPU;
// 0 where none is printed.
func memoryInBrackets(text string) (name string, mib int64) {
	name, rest, ok := strings.Cut(text, "(")
	name = strings.TrimSpace(name)
	if !ok {
		return name, 0
	}
	digits := strings.TrimSpace(strings.TrimSuffix(strings.TrimSuffix(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), ")")), "GB"), "gb"))
	gb, err := strconv.ParseInt(digits, 10, 32)
	if err != nil || gb < 0 {
		return name, 0
	}
	return name, gb * mibPerGB
}

// thousands is a number whose commas part thousands.
var thousands = regexp.MustCompile(`^\d{1,3}(,\d{3})+(\.\d+)?$`)

// amountOf reads a cell of a price: a plain number, with a dollar sign or not. A comma
// that parts no thousands is a decimal one, or a slip: "0,53" is not 53.
func amountOf(text string) (schema.Decimal, bool) {
	text = strings.TrimPrefix(strings.TrimSpace(text), "$")
	if thousands.MatchString(text) {
		text = strings.ReplaceAll(text, ",", "")
	}
	d, err := schema.ParseDecimal(text)
	return d, err == nil
}

// perGPU is an offer of single GPUs without a known node size.
func perGPU(provider schema.ProviderID, sku string, term schema.Term, tier schema.Tier) schema.Offer {
	return schema.Offer{
		OfferKey: schema.OfferKey{Provider: provider, SKU: sku, GPUCount: 1, Term: term, Tier: tier},
		Basis:    schema.BasisInstance, Unit: schema.UnitGPUHour, Currency: "USD", PerGPU: true,
	}
}

// instance is an offer of a whole instance.
func instance(provider schema.ProviderID, sku string, gpus int, term schema.Term) schema.Offer {
	return schema.Offer{
		OfferKey: schema.OfferKey{Provider: provider, SKU: sku, GPUCount: gpus, Term: term},
		Basis:    schema.BasisInstance, Unit: schema.UnitInstanceHour, Currency: "USD",
	}
}

// priced puts a price into an offer.
func priced(o schema.Offer, text string, amount schema.Decimal) schema.Offer {
	o.PriceText, o.Amount = strings.TrimSpace(text), amount
	return o
}

func count(text string) (int, bool) {
	n, err := strconv.Atoi(strings.TrimSpace(text))
	return n, err == nil && n > 0
}
