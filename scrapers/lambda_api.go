package scrapers

import (
	"cmp"
	"fmt"
	"maps"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"mtok/schema"
)

var (
	// lambdaDescription is "8x H100 (80 GB SXM5)": the type's name says neither
	// memory nor form factor, or says them wrong: gpu_8x_a100 is SXM, gpu_4x_a100
	// is PCIe.
	lambdaDescription = regexp.MustCompile(`^([1-9]\d{0,2})x (.+ \(([1-9]\d{0,3} GB)(?: [A-Za-z0-9]+)?\))$`)
	lambdaRegion      = regexp.MustCompile(`^[a-z]+(?:-[a-z0-9]+)+$`)
)

// lambdaPlan is the page's name for a GPU that the API describes otherwise.
// What is not here keeps a SKU of its own, and is not taken for another plan.
func lambdaPlan(description string) (string, bool) {
	plan, ok := map[string]string{
		"A10 (24 GB PCIe)":   "NVIDIA A10",
		"A100 (40 GB PCIe)":  "NVIDIA A100 PCIe",
		"A100 (40 GB SXM4)":  "NVIDIA A100 SXM",
		"A100 (80 GB SXM4)":  "NVIDIA A100 SXM",
		"A6000 (48 GB)":      "NVIDIA A6000",
		"B200 (180 GB SXM6)": "NVIDIA B200 SXM6",
		"GH200 (96 GB)":      "NVIDIA GH200",
		"H100 (80 GB PCIe)":  "NVIDIA H100 PCIe",
		"H100 (80 GB SXM5)":  "NVIDIA H100 SXM",
		"RTX 6000 (24 GB)":   "NVIDIA Quadro RTX 6000",
		"Tesla V100 (16 GB)": "NVIDIA Tesla V100",
	}[description]
	return plan, ok
}

// lambdaAPI reads the instance types: US cents per instance-hour, and the
// regions that have one free. The offers have the identities of the rows in the
// page's Instances section, which prints USD per GPU-hour. 1-Click Clusters are
// not in the API.
func lambdaAPI() Source {
	return Source{
		Name: "instance-types-api",
		Requests: func(s Settings) ([]Request, error) {
			return []Request{{URL: "https://cloud.lambda.ai/api/v1/instance-types", Header: bearer(s.APIKey)}}, nil
		},
		Parse:      parseLambdaAPI,
		KeyEnv:     "LAMBDA_API_KEY",
		CrossCheck: true,
	}
}

func parseLambdaAPI(page Page) (Result, error) {
	var answer record
	if err := decodeJSON(page.Body, &answer); err != nil {
		return Result{}, err
	}
	if failed := answer["error"]; failed.given() {
		return Result{}, layoutf("the API answers an error: %s", clip(failed.text))
	}
	types, err := answer["data"].object()
	if err != nil {
		return Result{}, layoutf("data: %v", err)
	}
	list := offerList{source: page.Source}
	var offers []schema.Offer
	lookAlikes := 0
	for _, name := range slices.Sorted(maps.Keys(types)) {
		offer, priced, err := lambdaType(types[name])
		switch {
		case err != nil:
			list.rejectRow(name, priced, err)
		case offer.GPUCount == 0:
			lookAlikes++ // a CPU instance
		default:
			offers = append(offers, offer)
		}
	}
	lambdaMerge(&list, offers)
	list.apart(lambdaSame)
	if len(list.offers) == 0 {
		return Result{}, layoutf("%d types and none with a price: %s", len(types), firstReason(list.skip))
	}
	return Result{Offers: list.offers, Skipped: list.skip, LookAlikes: lookAlikes}, nil
}

// lambdaType reads one type; GPUCount 0 is a CPU instance.
func lambdaType(f field) (offer schema.Offer, priced string, err error) {
	var r rowReader
	fields := r.object("type", f)
	instance := r.object("instance_type", fields["instance_type"])
	specs := r.object("specs", instance["specs"])
	gpus, given := r.whole("gpus", specs["gpus"])
	price := instance["price_cents_per_hour"]
	cents, hasPrice := r.whole("price_cents_per_hour", price)
	description := r.str("description", instance["description"])
	if r.err == nil && !given {
		r.fail(ruleCount, "specs.gpus is missing")
	}
	if r.err == nil && gpus == 0 && lambdaDescription.MatchString(description) {
		r.fail(ruleCount, "%s, but specs.gpus is 0", description)
	}
	if r.err != nil || gpus == 0 {
		return offer, price.text, r.err
	}
	m := lambdaDescription.FindStringSubmatch(description)
	switch {
	case m == nil:
		r.fail(ruleField, "description is %s", cmp.Or(clip(description), "missing"))
	case m[1] != strconv.FormatInt(gpus, 10):
		r.fail(ruleCount, "%s, but specs.gpus is %d", description, gpus)
	case !hasPrice:
		r.fail(schema.RuleUnpriced, "listed without a price")
	case cents == 0:
		r.fail(schema.RuleUnpriced, "0 cents are no price")
	}
	stock, points := lambdaStock(&r, fields["regions_with_capacity_available"], int(gpus))
	if r.err != nil {
		return offer, price.text, r.err
	}
	gb, err := count("memory", strings.TrimSuffix(m[3], " GB"))
	if err != nil {
		return offer, price.text, err
	}
	amount, err := schema.ParseDecimal(big.NewRat(cents, 100).FloatString(2))
	if err != nil {
		return offer, price.text, err
	}
	sku := "instances/" + m[2]
	if plan, known := lambdaPlan(m[2]); known {
		sku = "instances/" + plan + "/" + m[3]
	}
	return schema.Offer{
		OfferKey: schema.OfferKey{
			Provider: "lambda", SKU: sku, GPUCount: int(gpus), Term: schema.TermOnDemand,
		},
		GPURaw:      m[2],
		VRAMMiB:     int64(gb) * 1024,
		Basis:       schema.BasisInstance,
		Unit:        schema.UnitInstanceHour,
		PriceText:   price.text + " cents",
		Currency:    "USD",
		Amount:      amount,
		Stock:       stock,
		StockPoints: points,
	}, price.text, nil
}

// lambdaStock reads the regions that have the type free; none of them is sold
// out, and an answer without the list says nothing.
func lambdaStock(r *rowReader, f field, gpus int) (schema.Stock, schema.StockPoints) {
	regions, err := f.array()
	r.note("regions_with_capacity_available", err)
	if !f.given() || r.err != nil {
		return schema.StockUnknown, nil
	}
	var points schema.StockPoints
	for _, element := range regions {
		region := r.object("region", element)
		name := r.str("region name", region["name"])
		if !lambdaRegion.MatchString(name) {
			r.fail(ruleField, "region is %s", clip(element.text))
			return schema.StockUnknown, nil
		}
		points = append(points, schema.StockPoint{GPUs: gpus, Region: name, Level: schema.LevelAvailable})
	}
	if len(points) == 0 {
		return schema.StockSoldOut, nil
	}
	return schema.StockAvailable, points
}

// lambdaMerge makes one offer of types that differ only in what an offer does
// not hold: 8x V100 stands twice, with 88 and with 92 vCPUs, at one price. Two
// prices under one identity are none.
func lambdaMerge(list *offerList, offers []schema.Offer) {
	groups := map[schema.OfferKey][]schema.Offer{}
	for _, o := range offers {
		groups[o.OfferKey] = append(groups[o.OfferKey], o)
	}
	for _, o := range offers {
		group := groups[o.OfferKey]
		delete(groups, o.OfferKey) // at its first offer
		if len(group) == 0 {
			continue
		}
		merged := group[0]
		for _, other := range group[1:] {
			if other.PriceText != merged.PriceText {
				list.reject(merged.SKU, other.PriceText, schema.RuleDuplicate,
					fmt.Sprintf("listed %d times at different prices", len(group)))
				merged.SKU = ""
				break
			}
			merged.Stock, merged.StockPoints = lambdaMergeStock(merged, other)
		}
		if merged.SKU != "" {
			list.offers = append(list.offers, merged)
		}
	}
}

func lambdaMergeStock(a, b schema.Offer) (schema.Stock, schema.StockPoints) {
	points := slices.Clone(a.StockPoints)
	for _, p := range b.StockPoints {
		if !slices.Contains(points, p) {
			points = append(points, p)
		}
	}
	switch {
	case len(points) > 0:
		return schema.StockAvailable, points
	case a.Stock == b.Stock:
		return a.Stock, nil
	}
	return schema.StockUnknown, nil
}
