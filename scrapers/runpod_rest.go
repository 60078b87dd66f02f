package scrapers

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"strconv"

	"mtok/schema"
)

// runpodRESTURL asks with the availability of one GPU on the secure cloud: the
// answer has one availability only, for the count and cloud of the request.
const runpodRESTURL = "https://api.runpod.io/v2/catalog/gpus?include=AVAILABILITY&product=POD&count=1&cloud=SECURE"

// runpodREST is the successor of the GraphQL list, which needs a key.
func runpodREST() Source {
	return Source{
		Name: "rest-v2",
		Requests: func(s Settings) ([]Request, error) {
			return []Request{{URL: runpodRESTURL, Header: bearer(s.APIKey)}}, nil
		},
		Parse:      parseRunPodREST,
		KeyEnv:     runpodKeyEnv,
		CrossCheck: true,
	}
}

// bearer is the header that carries a key: never the URL, which is archived.
// Without a key, as on a recorded night, there is none.
func bearer(key schema.Secret) http.Header {
	header := http.Header{"Accept": {"application/json"}}
	if key != "" {
		header.Set("Authorization", "Bearer "+key.Reveal())
	}
	return header
}

func parseRunPodREST(page Page) (Result, error) {
	var answer record
	if err := decodeJSON(page.Body, &answer); err != nil {
		return Result{}, err
	}
	types, err := answer["gpus"].array()
	if err != nil {
		return Result{}, layoutf("gpus: %v", err)
	}
	asked := runpodAsked(page.URL)
	list := offerList{source: page.Source}
	var read []runpodType
	nameless := 0
	for i, element := range types {
		var r rowReader
		fields := r.object("type", element)
		t := runpodIdentity(&r, fields["id"], fields["memory"])
		prices, most := r.object("price", fields["price"]), r.object("maxCount", fields["maxCount"])
		if r.err != nil {
			if list.unreadRow(t.id, cmp.Or(t.id, fmt.Sprintf("type %d", i+1)), "", r.err); !runpodID.MatchString(t.id) {
				nameless++
			}
			continue
		}
		t.clouds = [2]runpodCloud{
			runpodRESTCloud(fields, prices, most, schema.TierSecure),
			runpodRESTCloud(fields, prices, most, schema.TierCommunity),
		}
		for j := range t.clouds {
			level, err := fields["availability"].str()
			if t.clouds[j].tier == asked.tier && err == nil && level != "" && runpodLevel(level) != "" {
				t.clouds[j].stock = schema.StockPoints{{GPUs: asked.gpus, Level: runpodLevel(level)}}
			}
		}
		read = append(read, t)
	}
	for i := range read {
		// Here no spot price tells whether the two were exchanged, and the answer
		// only checks another one.
		if t := &read[i]; t.dearer() {
			t.unread("dearer on the community cloud")
		}
	}
	return runpodResult(read, nameless, list)
}

func runpodRESTCloud(fields, prices, most record, tier schema.Tier) runpodCloud {
	var r rowReader
	name := string(tier)
	c := runpodCloud{
		tier:    tier,
		sold:    r.flag(name, fields[name]),
		price:   r.number("price."+name, prices[name]),
		printed: prices[name].text,
		maxGPUs: runpodMaxGPUs,
	}
	// A cloud that does not sell the type may allow none of it.
	if n, given := r.whole("maxCount."+name, most[name]); given && c.sold != nil && *c.sold {
		c.maxGPUs = int(n)
		if n < 1 || n > 72 {
			r.fail(ruleCount, "maxCount.%s is %d", name, n)
		}
	}
	c.err = r.err
	return c
}

// runpodQuestion is what an availability is of.
type runpodQuestion struct {
	tier schema.Tier
	gpus int
}

// runpodAsked reads the question out of the URL that was asked.
func runpodAsked(raw string) runpodQuestion {
	u, err := url.Parse(raw)
	if err != nil {
		return runpodQuestion{}
	}
	tiers := map[string]schema.Tier{"SECURE": schema.TierSecure, "COMMUNITY": schema.TierCommunity}
	n, err := strconv.Atoi(u.Query().Get("count"))
	if err != nil || n < 1 {
		return runpodQuestion{}
	}
	return runpodQuestion{tier: tiers[u.Query().Get("cloud")], gpus: n}
}
