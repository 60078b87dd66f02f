package scrapers

import (
	"cmp"
	"fmt"
	"maps"
	"math/big"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"

	"mtok/schema"
)

// runpodStockAlias is the name of a stock question in our query: "secure2".
var runpodStockAlias = regexp.MustCompile(`^(secure|community)([1-9]\d?)$`)

// runpodCommitments are the fields of prices with a commitment. A month counts
// 30 days, as it does at Lambda.
func runpodCommitments() []runpodCommitment {
	return []runpodCommitment{
		{name: "oneWeekPrice", days: 7},
		{name: "oneMonthPrice", days: 30},
		{name: "threeMonthPrice", days: 90},
		{name: "sixMonthPrice", days: 180},
		{name: "oneYearPrice", days: 365},
	}
}

func runpodGraphQL() Source {
	return Source{Name: "graphql", Requests: runpodQuery, Parse: parseRunPodGraphQL}
}

// runpodQuery asks for all types at once, with an alias for the stock of each
// cloud at each count: without an alias an answer does not say what it is of.
func runpodQuery(s Settings) ([]Request, error) {
	counts, err := runpodCounts(s)
	if err != nil {
		return nil, err
	}
	query := []string{
		"query { gpuTypes { id displayName memoryInGb maxGpuCount secureCloud communityCloud",
		"securePrice communityPrice secureSpotPrice communitySpotPrice",
	}
	for _, c := range runpodCommitments() {
		query = append(query, c.name)
	}
	for _, cloud := range []schema.Tier{schema.TierSecure, schema.TierCommunity} {
		for _, n := range counts {
			query = append(query, fmt.Sprintf("%s%d: lowestPrice(input: {gpuCount: %d, secureCloud: %t}) { stockStatus uninterruptablePrice }",
				cloud, n, n, cloud == schema.TierSecure))
		}
	}
	query = append(query, "} }")
	body, err := json.Marshal(map[string]string{"query": strings.Join(query, " ")})
	if err != nil {
		return nil, fmt.Errorf("query: %w", err)
	}
	return []Request{{
		Method: http.MethodPost,
		URL:    "https://api.runpod.io/graphql",
		Header: http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json"}},
		Body:   body,
	}}, nil
}

// parseRunPodGraphQL looks at errors first: GraphQL answers 200 with them, and
// what comes beside them may be a part.
func parseRunPodGraphQL(page Page) (Result, error) {
	var answer record
	if err := decodeJSON(page.Body, &answer); err != nil {
		return Result{}, err
	}
	if failed := answer["errors"]; failed.given() && failed.text != "[]" {
		return Result{}, layoutf("GraphQL errors: %s", clip(failed.text))
	}
	data, err := answer["data"].object()
	if err != nil {
		return Result{}, layoutf("data: %v", err)
	}
	types, err := data["gpuTypes"].array()
	if err != nil {
		return Result{}, layoutf("gpuTypes: %v", err)
	}
	list := offerList{source: page.Source}
	var read []runpodType
	nameless := 0
	for i, element := range types {
		var r rowReader
		fields := r.object("type", element)
		t := runpodIdentity(&r, fields["id"], fields["memoryInGb"])
		if r.err != nil {
			if list.unreadRow(t.id, cmp.Or(t.id, fmt.Sprintf("type %d", i+1)), "", r.err); !runpodID.MatchString(t.id) {
				nameless++
			}
			continue
		}
		t.clouds = [2]runpodCloud{
			runpodGraphQLCloud(fields, schema.TierSecure), runpodGraphQLCloud(fields, schema.TierCommunity),
		}
		t.lowest = fields["lowestPrice"]
		read = append(read, t)
	}
	runpodPlainStock(read)
	return runpodResult(read, nameless, list)
}

func runpodGraphQLCloud(fields record, tier schema.Tier) runpodCloud {
	var r rowReader
	price, spot := fields[string(tier)+"Price"], fields[string(tier)+"SpotPrice"]
	c := runpodCloud{
		tier:    tier,
		sold:    r.flag(string(tier)+"Cloud", fields[string(tier)+"Cloud"]),
		price:   r.number(string(tier)+"Price", price),
		printed: price.text,
		maxGPUs: runpodMaxGPUs,
	}
	if n, given := r.whole("maxGpuCount", fields["maxGpuCount"]); given {
		c.maxGPUs = int(n)
		if n < 1 || n > 72 {
			r.fail(ruleCount, "maxGpuCount is %d", n)
		}
	}
	c.err = r.err
	// What is said of spot and stock never costs the price.
	c.spot, _ = spot.number()
	c.spotAs = spot.text
	c.stock = runpodAliasStock(fields, tier, c.price)
	if tier == schema.TierSecure {
		c.committed = runpodCommitments()
		for i := range c.committed {
			p := &c.committed[i]
			p.price, p.err = fields[p.name].number()
			p.printed = fields[p.name].text
		}
	}
	return c
}

// runpodAliasStock reads the answers to our stock questions for one cloud.
func runpodAliasStock(fields record, tier schema.Tier, price schema.Decimal) schema.StockPoints {
	var points schema.StockPoints
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		m := runpodStockAlias.FindStringSubmatch(name)
		if m == nil || schema.Tier(m[1]) != tier {
			continue
		}
		level, total, ok := runpodLowest(fields[name])
		n, err := strconv.Atoi(m[2])
		if !ok || err != nil || level == "" {
			continue
		}
		// The price of the shape tells which cloud the answer speaks of: it has
		// quoted the other one's before.
		if level != schema.LevelNone && total.IsSet() && runpodShape(total, price) != n {
			continue
		}
		points = append(points, schema.StockPoint{GPUs: n, Level: level})
	}
	slices.SortFunc(points, func(a, b schema.StockPoint) int { return cmp.Compare(a.GPUs, b.GPUs) })
	return points
}

// runpodLowest reads a lowestPrice; ok is false where it says nothing.
func runpodLowest(f field) (level string, total schema.Decimal, ok bool) {
	var r rowReader
	fields := r.object("lowestPrice", f)
	status, asked := fields["stockStatus"]
	level = runpodLevel(r.str("stockStatus", status))
	total = r.number("uninterruptablePrice", fields["uninterruptablePrice"])
	return level, total, r.err == nil && asked
}

// runpodPlainStock reads the lowestPrice of types that were asked without an
// alias, as by the queries of others. Each speaks of the cheapest cloud at a
// count that the answer does not name, one for all types: the price, for the
// whole shape, gives cloud and count away where there is stock. Where there is
// none, there is none on either cloud, at the count that the others tell.
func runpodPlainStock(types []runpodType) {
	asked := map[int]bool{}
	for i := range types {
		t := &types[i]
		level, total, ok := runpodLowest(t.lowest)
		c := t.cheapest()
		if !ok || level == "" || level == schema.LevelNone || c == nil {
			continue
		}
		if n := runpodShape(total, c.price); n >= 1 && n <= c.maxGPUs {
			asked[n] = true
			c.addStock(schema.StockPoint{GPUs: n, Level: level})
		}
	}
	if len(asked) != 1 {
		return
	}
	for i := range types {
		if level, _, ok := runpodLowest(types[i].lowest); !ok || level != schema.LevelNone {
			continue
		}
		for j := range types[i].clouds {
			for n := range asked {
				types[i].clouds[j].addStock(schema.StockPoint{GPUs: n, Level: schema.LevelNone})
			}
		}
	}
}

// cheapest is the cloud that a plain lowestPrice is of; nil where either may be
// meant, or none.
func (t *runpodType) cheapest() *runpodCloud {
	var best *runpodCloud
	for i := range t.clouds {
		c := &t.clouds[i]
		if c.err != nil || c.sold == nil || !*c.sold || !c.price.Positive() {
			continue
		}
		if best == nil || c.price.Rat().Cmp(best.price.Rat()) < 0 {
			best = c
		} else if c.price.Rat().Cmp(best.price.Rat()) == 0 {
			return nil
		}
	}
	return best
}

// addStock keeps the points in the order of their counts; the answer to a
// question of ours comes before what is derived.
func (c *runpodCloud) addStock(p schema.StockPoint) {
	i, known := slices.BinarySearchFunc(c.stock, p.GPUs, func(q schema.StockPoint, n int) int { return cmp.Compare(q.GPUs, n) })
	if !known {
		c.stock = slices.Insert(c.stock, i, p)
	}
}

// runpodShape is how many GPUs at the price make the total, 0 where it is no
// whole number within a thousandth.
func runpodShape(total, price schema.Decimal) int {
	if !price.Positive() {
		return 0
	}
	ratio := new(big.Rat).Quo(total.Rat(), price.Rat())
	text := ratio.FloatString(0) // rounded to the nearest whole number
	n, err := strconv.Atoi(text)
	if err != nil {
		return 0
	}
	off := ratio.Sub(ratio, big.NewRat(int64(n), 1))
	if off.Abs(off).Cmp(big.NewRat(1, 1000)) > 0 {
		return 0
	}
	return n
}
