package scrapers

import (
	"cmp"
	"fmt"
	"math/big"
	"regexp"
	"strings"

	"mtok/schema"
)

const (
	runpodKeyEnv = "RUNPOD_API_KEY"
	// runpodMaxGPUs is the largest pod where an answer names none.
	runpodMaxGPUs = 8

	// ruleNotSold is the rule of a Reject for a price that is printed for a
	// cloud that does not sell the type: 0, 0.50, or one that looks real
	// (testdata/runpod/sentinels).
	ruleNotSold = "not_sold"
	// ruleNotWhole is the rule of a Reject for what is no whole GPU.
	ruleNotWhole = "not_a_gpu"

	runpodPlaceholder = "0.50 is also what is printed for types that are not sold"
	runpodUnverified  = "unverified: no answer with this field has been held against an invoice"
)

var (
	// runpodMIG marks a slice of a GPU: "... Server Edition MIG 1g.24gb".
	runpodMIG = regexp.MustCompile(`(?i)\bMIG\b`)
	// runpodID keeps an identity printable and short.
	runpodID = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9 ()./+_-]{0,99}$`)
)

// RunPod reads the list of GPU types: USD per GPU-hour, on demand, in two
// tiers. A price counts only if the type is sold on that cloud, as a boolean
// beside it says; a type that is sold out keeps its price. The web page's
// structured data is weeks behind and is no source, and its spot prices have
// equalled the on-demand ones on all types since 2026-07.
//
// SKU: the id, since display names change. The GraphQL API is deprecated and
// ends early in 2027; the REST API needs a key and lists the same offers.
func RunPod() Provider {
	return Provider{
		ID:       "runpod",
		Name:     "RunPod",
		Homepage: "https://www.runpod.io",
		Version:  1,
		Sources:  []Source{runpodGraphQL(), runpodREST()},
		Expect: Expect{
			MinOffers: 20,
			Classes:   []schema.ClassID{"h100-sxm-80gb", "h200-sxm-141gb"},
			Bands:     runpodBands(),
		},
		StockNote: "by GPU count",
	}
}

// runpodBands are around the secure prices of 2026-08-22; where a type is sold on
// the community cloud alone, around that price. A community price was 0.46 to
// 1.02 times the secure one.
func runpodBands() []PriceBand {
	on := schema.TermOnDemand
	return []PriceBand{
		about("a100-pcie-80gb", on, 1_390_000),
		about("a100-sxm-40gb", on, 1_000_000),
		about("a100-sxm-80gb", on, 1_590_000),
		about("a40-48gb", on, 440_000),
		about("b200-sxm-180gb", on, 6_790_000),
		about("b300-sxm-288gb", on, 7_890_000),
		about("h100-nvl-94gb", on, 3_190_000),
		about("h100-pcie-80gb", on, 2_890_000),
		about("h100-sxm-80gb", on, 3_290_000),
		about("h200-nvl-141gb", on, 3_790_000),
		about("h200-sxm-141gb", on, 4_590_000),
		about("l4-24gb", on, 490_000),
		about("l40-48gb", on, 820_000),
		about("l40s-48gb", on, 990_000),
		about("mi300x-192gb", on, 2_390_000),
		about("rtx-4090-24gb", on, 740_000),
		about("rtx-5090-32gb", on, 990_000),
		about("rtx-6000-ada-48gb", on, 840_000),
		about("rtx-a6000-48gb", on, 530_000),
		about("rtx-pro-6000-96gb", on, 2_090_000),
		about("rtx-pro-6000-maxq-96gb", on, 1_640_000),
		about("rtx-pro-6000-ws-96gb", on, 1_890_000),
		about("v100-sxm-16gb", on, 230_000),
	}
}

// runpodType is one GPU type as both sources list it.
type runpodType struct {
	id       string
	memoryGB int64
	clouds   [2]runpodCloud // secure, community
	lowest   field          // GraphQL's lowestPrice without an alias
}

// runpodCloud is a type on one of the two clouds.
type runpodCloud struct {
	tier      schema.Tier
	sold      *bool
	price     schema.Decimal
	printed   string // the price as printed
	spot      schema.Decimal
	spotAs    string
	maxGPUs   int
	stock     schema.StockPoints
	committed []runpodCommitment
	err       error // what is wrong on this cloud alone
}

// runpodCommitment is a price for a fixed number of days.
type runpodCommitment struct {
	name    string
	days    int
	price   schema.Decimal
	printed string
	err     error
}

// runpodIdentity reads what both sources call by the same or another name.
func runpodIdentity(r *rowReader, id, memory field) runpodType {
	t := runpodType{id: r.str("id", id)}
	t.memoryGB, _ = r.whole("memory", memory)
	if !runpodID.MatchString(t.id) {
		r.fail(ruleField, "id is %s", cmp.Or(clip(id.text), "missing"))
	}
	return t
}

// runpodOffers adds what each type is sold for. A type that stands twice and
// differs has no believable price at all.
func runpodOffers(list *offerList, types []runpodType) {
	byID := map[string]runpodType{}
	differs := map[string]bool{}
	for _, t := range types {
		if first, again := byID[t.id]; again && !first.same(t) {
			differs[t.id] = true
		}
		byID[t.id] = t
	}
	for _, t := range types {
		if differs[t.id] {
			list.reject(t.id, t.clouds[0].printed, schema.RuleDuplicate, "listed twice at different prices")
			continue
		}
		t.offers(list)
	}
}

func (t runpodType) same(other runpodType) bool {
	for i, c := range t.clouds {
		o := other.clouds[i]
		sold, otherSold := c.sold != nil && *c.sold, o.sold != nil && *o.sold
		if sold != otherSold || c.price.Rat().Cmp(o.price.Rat()) != 0 {
			return false
		}
	}
	return true
}

// offers adds what the type is sold for.
func (t runpodType) offers(list *offerList) {
	if t.id == "unknown" || runpodMIG.MatchString(t.id) {
		list.reject(t.id, t.clouds[0].printed, ruleNotWhole, "no whole GPU")
		return
	}
	for _, c := range t.clouds {
		label := t.id + ", " + string(c.tier)
		offer, err := t.onDemand(c)
		if c.err != nil {
			list.unreadRow(t.id, label, c.printed, c.err)
			continue
		}
		if err != nil {
			list.rejectRow(label, c.printed, err)
			continue
		}
		if offer == nil {
			continue // neither sold nor printed
		}
		if err := list.add(*offer); err != nil {
			list.rejectRow(label, c.printed, err)
			continue
		}
		if c.spot.Positive() && c.spot.Rat().Cmp(c.price.Rat()) != 0 {
			list.reject(label+", spot", c.spotAs, "spot_unverified", "differs from on demand, which no answer seen did")
		}
		for _, commitment := range c.committed {
			commitment.add(list, *offer, label)
		}
	}
}

// onDemand returns the offer on one cloud, nil where nothing is printed.
func (t runpodType) onDemand(c runpodCloud) (*schema.Offer, error) {
	switch {
	case c.err != nil:
		return nil, c.err
	case c.sold == nil && c.price.IsSet():
		return nil, &fault{ruleNotSold, "the answer does not say whether it is sold"}
	case c.sold == nil:
		return nil, nil
	case !*c.sold && c.price.IsSet():
		return nil, &fault{ruleNotSold, "not sold on this cloud, whatever is printed"}
	case !*c.sold:
		return nil, nil
	case !c.price.IsSet():
		return nil, &fault{schema.RuleUnpriced, "sold without a price"}
	case !c.price.Positive():
		return nil, &fault{ruleNotSold, "0 is no price, though it is said to be sold"}
	}
	offer := &schema.Offer{
		OfferKey: schema.OfferKey{
			Provider: "runpod", SKU: t.id, GPUCount: 1, Term: schema.TermOnDemand, Tier: c.tier,
		},
		GPURaw:      t.id,
		VRAMMiB:     t.memoryGB * 1024,
		Basis:       schema.BasisInstance,
		Unit:        schema.UnitGPUHour,
		PerGPU:      true,
		MaxGPUs:     c.maxGPUs,
		PriceText:   c.printed,
		Currency:    "USD",
		Amount:      c.price,
		StockPoints: c.stock,
	}
	offer.Stock = offer.StockFor(1)
	if c.price.Rat().Cmp(big.NewRat(1, 2)) == 0 {
		offer.Note = runpodPlaceholder
	}
	return offer, nil
}

// add adds the reserved offer of a commitment. No such price has been seen in
// an answer yet: one above the price without a commitment is not understood.
func (c runpodCommitment) add(list *offerList, onDemand schema.Offer, label string) {
	label += ", " + c.name
	switch {
	case c.err != nil:
		list.rejectRow(label, c.printed, c.err)
		return
	case !c.price.Positive():
		return
	case c.price.Rat().Cmp(onDemand.Amount.Rat()) > 0:
		list.reject(label, c.printed, "commitment", "dearer than "+onDemand.PriceText+" without a commitment")
		return
	}
	offer := onDemand
	offer.Term = schema.TermReserved
	offer.Commitment = schema.Commitment{MinDays: c.days, MaxDays: c.days}
	offer.PriceText, offer.Amount = c.printed, c.price
	offer.Stock, offer.StockPoints = schema.StockUnknown, nil
	offer.Note = runpodUnverified
	if err := list.add(offer); err != nil {
		list.rejectRow(label, c.printed, err)
	}
}

// runpodResult is the Result of a list of types. One at least must have a price;
// a field that is gone from all of them was renamed, and then the other cloud's
// prices alone would pass for the whole list.
func runpodResult(types []runpodType, nameless int, list offerList) (Result, error) {
	if err := runpodClouds(types); err != nil {
		return Result{}, err
	}
	for i, tier := range []schema.Tier{schema.TierSecure, schema.TierCommunity} {
		said, sold, priced := false, false, false
		for _, t := range types {
			c := t.clouds[i]
			said = said || c.sold != nil || c.err != nil
			if c.sold != nil && *c.sold {
				sold = true
				priced = priced || c.price.IsSet() || c.err != nil
			}
		}
		if !said && len(types) > 0 {
			return Result{}, layoutf("no type says whether it is sold on the %s cloud", tier)
		}
		if sold && !priced {
			return Result{}, layoutf("no type sold on the %s cloud has a price", tier)
		}
	}
	runpodOffers(&list, types)
	if len(list.offers) == 0 {
		return Result{}, layoutf("%d types and none with a price: %s", len(types), firstReason(list.skip))
	}
	return Result{Offers: list.offers, Skipped: list.skip, Incomplete: unnamed(nameless)}, nil
}

// runpodCounts are the GPU counts that stock is asked for.
func runpodCounts(s Settings) ([]int, error) {
	if len(s.GPUCounts) == 0 {
		return []int{1, 2, 4, 8}, nil
	}
	const most = 12 // two aliases each: the query must stay small
	seen := map[int]bool{}
	for _, n := range s.GPUCounts {
		if n < 1 || n > 72 || seen[n] || len(s.GPUCounts) > most {
			return nil, fmt.Errorf("GPU counts %v: at most %d different ones from 1 to 72", s.GPUCounts, most)
		}
		seen[n] = true
	}
	return s.GPUCounts, nil
}

// runpodLevel is a printed stock level as one word; null is none.
func runpodLevel(text string) string {
	switch level := strings.ToLower(text); level {
	case "high", "medium", "low", schema.LevelNone:
		return level
	case "":
		return schema.LevelNone
	}
	return "" // a word that is not known says nothing
}
