package scrapers_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"mtok/schema"
	"mtok/scrapers"
)

func TestRunPodQuery(t *testing.T) {
	source := sourceOf(t, scrapers.RunPod(), "graphql")
	requests, err := source.Requests(scrapers.Settings{GPUCounts: []int{1, 2}})
	if err != nil || len(requests) != 1 {
		t.Fatalf("%v, %v", requests, err)
	}
	r := requests[0]
	var body struct{ Query string }
	if err := json.Unmarshal(r.Body, &body); err != nil {
		t.Fatal(err)
	}
	want := "query { gpuTypes { id displayName memoryInGb maxGpuCount secureCloud communityCloud " +
		"securePrice communityPrice secureSpotPrice communitySpotPrice " +
		"oneWeekPrice oneMonthPrice threeMonthPrice sixMonthPrice oneYearPrice " +
		"secure1: lowestPrice(input: {gpuCount: 1, secureCloud: true}) { stockStatus uninterruptablePrice } " +
		"secure2: lowestPrice(input: {gpuCount: 2, secureCloud: true}) { stockStatus uninterruptablePrice } " +
		"community1: lowestPrice(input: {gpuCount: 1, secureCloud: false}) { stockStatus uninterruptablePrice } " +
		"community2: lowestPrice(input: {gpuCount: 2, secureCloud: false}) { stockStatus uninterruptablePrice } } }"
	if body.Query != want || r.Method != "POST" || r.Key != "" || r.URL != "https://api.runpod.io/graphql" {
		t.Errorf("%s %s %q\n%s\nwant\n%s", r.Method, r.URL, r.Key, body.Query, want)
	}
	defaults, err := source.Requests(scrapers.Settings{})
	if err != nil || !strings.Contains(string(defaults[0].Body), "community8: lowestPrice") {
		t.Errorf("default counts: %v, %v", defaults, err)
	}
	for _, counts := range [][]int{{0}, {-1}, {2, 2}, {73}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13}} {
		if got, err := source.Requests(scrapers.Settings{GPUCounts: counts}); err == nil {
			t.Errorf("counts %v: %v", counts, got)
		}
	}
}

// TestKeyTravelsInAHeader: a key stands in the Authorization header and in
// nothing that is archived or printed; without one there is no header.
func TestKeyTravelsInAHeader(t *testing.T) {
	const canary = "canary-0123456789abcdef"
	keyed := 0
	for _, p := range scrapers.All() {
		for _, source := range p.Sources {
			with, err := source.Requests(scrapers.Settings{APIKey: canary})
			if err != nil {
				t.Fatal(err)
			}
			without, err := source.Requests(scrapers.Settings{})
			if err != nil {
				t.Fatal(err)
			}
			for i, r := range with {
				if strings.Contains(r.URL+r.Key+string(r.Body), canary) {
					t.Errorf("%s %s: the key is in URL, request key or body", p.ID, source.Name)
				}
				want := ""
				if source.KeyEnv != "" {
					want = "Bearer " + canary
					keyed++
				}
				if got := r.Header.Get("Authorization"); got != want {
					t.Errorf("%s %s: Authorization %q, want %q", p.ID, source.Name, got, want)
				}
				if got, ok := without[i].Header["Authorization"]; ok {
					t.Errorf("%s %s: Authorization %q without a key", p.ID, source.Name, got)
				}
			}
			if source.CrossCheck != (source.KeyEnv != "") {
				t.Errorf("%s %s: cross-check %v, key %q", p.ID, source.Name, source.CrossCheck, source.KeyEnv)
			}
		}
	}
	if keyed != 2 {
		t.Errorf("%d keyed requests, want those of RunPod's REST and Lambda's API", keyed)
	}
	if text := fmt.Sprintf("%+v", scrapers.Settings{APIKey: canary}); strings.Contains(text, canary) {
		t.Errorf("settings print the key: %s", text)
	}
}

// TestRunPodSourcesAgree: the REST API lists a type under the identities of
// the GraphQL list, at its prices.
func TestRunPodSourcesAgree(t *testing.T) {
	parse := func(name, body string) map[schema.OfferKey]string {
		got, err := sourceOf(t, scrapers.RunPod(), name).Parse(scrapers.Page{Source: name, Status: 200, Body: []byte(body)})
		if err != nil {
			t.Fatal(err)
		}
		prices := map[schema.OfferKey]string{}
		for _, o := range got.Offers {
			prices[o.OfferKey] = fmt.Sprint(o.PriceText, o.GPURaw, o.VRAMMiB, o.Unit, o.PerGPU, o.MaxGPUs)
		}
		return prices
	}
	graphql := parse("graphql", `{"data": {"gpuTypes": [{"id": "NVIDIA H100 80GB HBM3", "memoryInGb": 80, "maxGpuCount": 8,
		"secureCloud": true, "communityCloud": true, "securePrice": 3.29, "communityPrice": 2.69}]}}`)
	rest := parse("rest-v2", `{"gpus": [{"id": "NVIDIA H100 80GB HBM3", "memory": 80, "maxCount": {"secure": 8, "community": 8},
		"secure": true, "community": true, "price": {"secure": 3.29, "community": 2.69}}]}`)
	if len(graphql) != 2 || fmt.Sprint(graphql) != fmt.Sprint(rest) {
		t.Errorf("graphql %v\nrest %v", graphql, rest)
	}
}
