package validate_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"mtok/pipeline/validate"
	"mtok/schema"
	"mtok/scrapers"
)

// tonight is the day that the tests judge; the nights before it are published.
const tonight = schema.Day(20687)

// row is an on-demand offer of one GPU; its class stands in its name, as if the
// catalog knew it.
func row(class, sku, price string, more ...func(*schema.Observation)) schema.Observation {
	o := observation(sku, price, schema.ClassID(class))
	o.Day, o.Offer.GPURaw = tonight, class
	for _, change := range more {
		change(&o)
	}
	return o
}

func spot(o *schema.Observation) { o.Offer.Term = schema.TermSpot }

// list is a believable night of twelve offers of six classes.
func list() []schema.Observation {
	var rows []schema.Observation
	for i, class := range []string{"h100", "h200", "b200", "a100", "l40s", "gh200"} {
		for _, n := range []int{1, 8} {
			o := row(class, class, fmt.Sprintf("%d.%d9", 2+i, n))
			o.Offer.GPUCount = n
			rows = append(rows, o)
		}
	}
	return rows
}

// repriced is the list with prices of some of its rows changed.
func repriced(prices map[int]string) []schema.Observation {
	rows := list()
	for i, price := range prices {
		rows[i].USDPerGPUHour, rows[i].Offer.Amount = dollars(price), schema.MustDecimal(price)
		rows[i].Offer.PriceText = "$" + price
	}
	return rows
}

// published makes nights of the days before tonight, the newest first, each of
// the rows given.
func published(nights ...[]schema.Observation) validate.Baseline {
	var known []schema.KnownOffer
	for i, rows := range nights {
		for _, o := range rows {
			known = append(known, schema.KnownOffer{Offer: o.Offer, Class: o.Class, Day: tonight - 1 - schema.Day(i), USDPerGPUHour: o.USDPerGPUHour})
		}
	}
	return validate.NewBaseline(tonight, known, func(schema.Day) bool { return true })
}

func nightOf(rows []schema.Observation, b validate.Baseline) validate.Night {
	return validate.Night{
		Complete: true, Answered: true, Seen: rows, Baseline: b,
		ClassOf: func(o schema.Offer) schema.ClassID { return schema.ClassID(o.GPURaw) },
	}
}

// rules are those that a night breaks, each with its offers.
func rules(n validate.Night) []string {
	var out []string
	for _, b := range validate.Judge(n) {
		out = append(out, fmt.Sprintf("%s %d", b.Rule, len(b.Offers)))
	}
	slices.Sort(out)
	return out
}

func wantRules(t *testing.T, what string, n validate.Night, want ...string) {
	t.Helper()
	if got := rules(n); !slices.Equal(got, want) {
		t.Errorf("%s: broke %q, want %q", what, got, want)
	}
}

func TestJudgeBelieves(t *testing.T) {
	risen := list()
	for i := range risen { // Lambda's +15 % of 2026-02-18 and 2026-03-25
		risen[i].USDPerGPUHour = risen[i].USDPerGPUHour * 115 / 100
	}
	more := append(list(), row("r100", "r100", "9.10"))
	wantRules(t, "a first night", nightOf(list(), validate.Baseline{}))
	wantRules(t, "the same night", nightOf(list(), published(list())))
	wantRules(t, "15 % on the whole list", nightOf(risen, published(list())))
	wantRules(t, "RunPod's drop of 2026-07-07", nightOf(repriced(map[int]string{0: "1.99"}), published(repriced(map[int]string{0: "2.19"}))))
	wantRules(t, "a new class", nightOf(more, published(list())))
	wantRules(t, "a move of 40 %", nightOf(repriced(map[int]string{0: "2.80"}), published(repriced(map[int]string{0: "2.00"}))))
	wantRules(t, "an offer gone of a class that stays", nightOf(list()[1:], published(list())))
}

func TestJudgeMoves(t *testing.T) {
	was := map[int]string{0: "4.00", 1: "4.00", 2: "4.00", 3: "4.00"}
	for _, c := range []struct {
		name   string
		prices map[int]string
		want   []string
	}{
		{"a jump", map[int]string{0: "5.64", 1: "4.00", 2: "4.00", 3: "4.00"}, []string{"price_jump 1"}},
		{"a fall", map[int]string{0: "2.36", 1: "4.00", 2: "4.00", 3: "4.00"}, []string{"price_jump 1"}},
		{"half", map[int]string{0: "2.00", 1: "4.00", 2: "4.00", 3: "4.00"}, []string{"unit_ratio 1"}},
		{"an eighth, rounded", map[int]string{0: "0.507", 1: "4.00", 2: "4.00", 3: "4.00"}, []string{"unit_ratio 1"}},
		{"cents and a month", map[int]string{0: "400", 1: "2920", 2: "4.00", 3: "4.00"}, []string{"unit_ratio 2"}},
		{"a jump and a ratio", map[int]string{0: "32.00", 1: "5.65", 2: "4.00", 3: "4.00"}, []string{"price_jump 1", "unit_ratio 1"}},
		{"a third of the list", map[int]string{0: "6.10", 1: "6.10", 2: "6.10", 3: "6.10"}, []string{"share_moved 4"}},
		{"a quarter of the list", map[int]string{0: "6.10", 1: "6.10", 2: "6.10", 3: "4.00"}, []string{"price_jump 3"}},
	} {
		wantRules(t, c.name, nightOf(repriced(c.prices), published(repriced(was))), c.want...)
	}
	// The last price counts, however old, and of an unbelieved night none.
	b := published(list()[1:], list())
	wantRules(t, "against a price of two nights ago", nightOf(repriced(map[int]string{0: "17.52"}), b), "unit_ratio 1")
	judged := nightOf(repriced(map[int]string{0: "17.52"}), b)
	judged.Baseline.Today[judged.Seen[0].Offer.OfferKey] = dollars("17.52")
	wantRules(t, "published of this day already", judged)
	excluded := repriced(map[int]string{0: "17.52"})
	excluded[0].Excluded = "a broken machine"
	wantRules(t, "a price that never counts", nightOf(excluded, b))
}

func TestUnitRatio(t *testing.T) {
	for _, c := range []struct {
		before, after string
		want          int64
	}{
		{"49.24", "6.155", 8}, {"6.155", "49.24", 8}, {"3.99", "3.99", 0}, {"2.00", "4.06", 2}, {"2.00", "4.07", 0}, {"2.00", "3.94", 2}, {"2.00", "3.93", 0},
		{"2.99", "299", 100}, {"2.99", "29.9", 10}, {"2.99", "2182.70", 730}, {"2.99", "2990", 1000}, {"10.50", "42.00", 4}, {"3.29", "2.99", 0},
	} {
		if got := validate.UnitRatio(dollars(c.before), dollars(c.after)); got != c.want {
			t.Errorf("%s to %s: %d, want %d", c.before, c.after, got, c.want)
		}
	}
}

func TestJudgeShape(t *testing.T) {
	all := list()
	wantRules(t, "under 70 % of the rows", nightOf(all[:8], published(append(list(), row("h100", "x", "2.2")), all)), "class_gone 0", "rows 0")
	eightOfEleven := nightOf(append(all[:7:7], all[8]), published(all[:11]))
	wantRules(t, "over 70 % of the rows", eightOfEleven, "class_gone 0")
	wantRules(t, "a class gone", nightOf(all[2:], published(all, all, all)), "class_gone 0")
	wantRules(t, "a class that was not always there", nightOf(all[2:], published(all, all[2:], all)))
	wantRules(t, "a class gone long ago", nightOf(all[2:], published(all[2:], all, all)))
	partial := nightOf(all[:3], published(all))
	partial.Complete = false
	wantRules(t, "a partial night lacks nothing", partial)

	unknown := func(rows []schema.Observation, n int) []schema.Observation {
		rows = slices.Clone(rows)
		for i := range n {
			rows = append(rows, row(fmt.Sprintf("unmatched:x%d", i), "x", "1.1"))
			rows[len(rows)-1].Offer.SKU = fmt.Sprint("x", i)
		}
		return rows
	}
	wantRules(t, "a quarter unknown", nightOf(unknown(all, 4), published(all)), "unmatched_share 0")
	wantRules(t, "a fifth unknown", nightOf(unknown(all, 3), published(all)))
	wantRules(t, "as many unknown as ever", nightOf(unknown(all, 4), published(unknown(all, 4))))
	wantRules(t, "a few unknown more", nightOf(unknown(all, 7), published(unknown(all, 6))), "unmatched_share 0")
	wantRules(t, "unknown GPUs gone", nightOf(all, published(unknown(all, 1))))
}

func TestJudgeReclassified(t *testing.T) {
	rows := list()
	rows[0].Offer.GPURaw, rows[0].Class = "h200", "h200"
	wantRules(t, "another chip", nightOf(rows, published(list())), "class_changed 1")
	// The night before was held, or lacked the offer: what it was is not forgotten.
	wantRules(t, "another chip the night after", nightOf(rows, published(list()[1:], list())), "class_changed 1")
}

func TestJudgePatterns(t *testing.T) {
	same := list()
	for i := range 8 {
		same[i].USDPerGPUHour = dollars("2.99")
	}
	wantRules(t, "two thirds at one value", nightOf(same, validate.Baseline{}), "one_value 0")
	wantRules(t, "as the night before", nightOf(same, published(same)))
	same[0].USDPerGPUHour = dollars("3.10")
	wantRules(t, "fewer at one value", nightOf(same, validate.Baseline{}))
	twoClasses := list()
	for i := range twoClasses {
		twoClasses[i].Class, twoClasses[i].Offer.GPURaw = "a100", "a100"
		twoClasses[i].USDPerGPUHour = dollars("1.99")
	}
	wantRules(t, "one class at one value", nightOf(twoClasses, validate.Baseline{}))

	copied := list()
	for i := range 6 {
		o := copied[i]
		spot(&o)
		copied = append(copied, o)
	}
	wantRules(t, "spot as on demand", nightOf(copied, validate.Baseline{}), "spot_copy 0")
	wantRules(t, "as the night before", nightOf(copied, published(copied)))
	copied[len(copied)-1].USDPerGPUHour--
	wantRules(t, "one of six differs", nightOf(copied, validate.Baseline{}))
}

func TestJudgePlaceholders(t *testing.T) {
	for _, price := range []string{"0.01", "9.99", "99.99", "999", "999.99"} {
		rows := repriced(map[int]string{0: price})
		wantRules(t, price, nightOf(rows, validate.Baseline{}), "placeholder 1")
		wantRules(t, price+" as published", nightOf(rows, published(rows)))
	}
	halves := repriced(map[int]string{0: "0.50", 2: "0.50"})
	wantRules(t, "0.50 of two classes", nightOf(halves, validate.Baseline{}))
	wantRules(t, "0.50 of three classes", nightOf(repriced(map[int]string{0: "0.50", 2: "0.50", 4: "0.50"}), validate.Baseline{}), "placeholder 3")
	// INDEX: H200 3.59 to 0.50, where the band of a class would let it pass.
	was := repriced(map[int]string{0: "0.60", 2: "0.60"})
	wantRules(t, "moved to 0.50", nightOf(repriced(map[int]string{0: "0.50", 2: "0.60"}), published(was)), "placeholder 1")
	wantRules(t, "still at 0.50", nightOf(halves, published(halves)))
}

func TestJudgeCanaries(t *testing.T) {
	band := func(class schema.ClassID, low, high string) scrapers.PriceBand {
		return scrapers.PriceBand{Class: class, Term: schema.TermOnDemand, Band: schema.Band{Low: dollars(low), High: dollars(high)}}
	}
	judge := func(rows []schema.Observation, b validate.Baseline) validate.Night {
		n := nightOf(rows, b)
		n.Expect = scrapers.Expect{
			MinOffers: 10, Classes: []schema.ClassID{"h100", "b200"}, Bands: []scrapers.PriceBand{band("h100", "1.00", "7.00")},
		}
		return n
	}
	first := validate.Baseline{}
	wantRules(t, "a believable night", judge(list(), first))
	wantRules(t, "too few", judge(list()[:9], first), "canary_min_offers 0")
	wantRules(t, "a class missing", judge(list()[2:], first), "canary_class_missing 0")
	wantRules(t, "out of the provider's band", judge(repriced(map[int]string{0: "7.10"}), first), "canary_price_band 1")
	cluster := repriced(map[int]string{0: "7.10"})
	cluster[0].Offer.Tier = schema.TierCluster
	wantRules(t, "a cluster has no band", judge(cluster, first))

	partial := judge(list()[2:9], first)
	partial.Complete = false
	wantRules(t, "an incomplete page still has its classes", partial, "canary_class_missing 0")
	partial.Answered = false
	wantRules(t, "an unanswered request excuses", partial)

	// What somebody confirmed is not asked again.
	short, out := list()[2:10], repriced(map[int]string{0: "7.10"})
	wantRules(t, "published without the class", judge(short, published(short)))
	wantRules(t, "published out of the band", judge(out, published(out)))
}

func TestDecide(t *testing.T) {
	keys := func(n int) []schema.OfferKey {
		var out []schema.OfferKey
		for i := range n {
			out = append(out, schema.OfferKey{Provider: "lambda", SKU: fmt.Sprint(i)})
		}
		return out
	}
	breach := func(rule string, n int) validate.Breach {
		return validate.Breach{Rule: rule, Detail: "seen", Offers: keys(n)}
	}
	for _, c := range []struct {
		name     string
		breaches []validate.Breach
		rows     int
		market   bool
		rule     string
		held     int // offers; 0 for the whole night
	}{
		{"one offer of many", []validate.Breach{breach("price_jump", 1)}, 28, false, "price_jump", 1},
		{"one offer of ten", []validate.Breach{breach("price_jump", 1)}, 10, false, "price_jump", 0},
		{"two offers", []validate.Breach{breach("price_jump", 2)}, 100, false, "price_jump", 0},
		{"one offer by two rules", []validate.Breach{breach("price_jump", 1), breach("unit_ratio", 1)}, 28, false, "unit_ratio", 1},
		{"the night as a whole", []validate.Breach{breach("rows", 0), breach("price_jump", 1)}, 28, false, "price_jump", 0},
		{"nine machines of a hundred", []validate.Breach{breach("market_jump", 9)}, 100, true, "market_jump", 9},
		{"ten machines of a hundred", []validate.Breach{breach("market_jump", 10)}, 100, true, "market_jump", 0},
	} {
		hold := validate.Decide(c.breaches, c.rows, c.market)
		if hold == nil || hold.Rule != c.rule || len(hold.Offers) != c.held || !strings.Contains(hold.Error(), "seen") {
			t.Errorf("%s: %+v, want %s of %d offers", c.name, hold, c.rule, c.held)
		}
	}
	if hold := validate.Decide(nil, 28, false); hold != nil {
		t.Errorf("no breach: %+v", hold)
	}
}
