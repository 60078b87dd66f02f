package scrapers_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mtok/schema"
	"mtok/scrapers"
)

// vastAsk is an ask of H100 SXM with what must be there, its price as given.
func vastAsk(machine int, price string) string {
	return fmt.Sprintf(`{"machine_id": %d, "gpu_name": "H100 SXM", "num_gpus": 1, "dph_total": %s}`, machine, price)
}

func parseVast(t *testing.T, key string, asks ...string) (scrapers.Result, error) {
	t.Helper()
	return scrapers.Vast().Sources[0].Parse(scrapers.Page{
		Source: "bundles-api", Key: key, Status: 200, Body: []byte(`{"offers": [` + strings.Join(asks, ",") + `]}`),
	})
}

func TestVastRequests(t *testing.T) {
	requests, err := scrapers.Vast().Sources[0].Requests(scrapers.Settings{Models: []string{"H100 SXM", "RTX_6000Ada"}})
	if err != nil || len(requests) != 2 {
		t.Fatalf("%v, %v", requests, err)
	}
	first := requests[0]
	want := `{"gpu_name":{"eq":"H100 SXM"},"rentable":{"eq":true},"type":"on-demand",` +
		`"order":[["dph_total","asc"]],"limit":64,"allocated_storage":8}`
	if first.Key != "h100-sxm.asc" || first.Method != "POST" || string(first.Body) != want || first.Header.Get("Content-Type") != "application/json" {
		t.Errorf("%s %s %v\n%s\nwant %s", first.Method, first.Key, first.Header, first.Body, want)
	}
	if second := requests[1]; second.Key != "rtx-6000ada.asc" || !strings.Contains(string(second.Body), `"RTX 6000Ada"`) {
		t.Errorf("%s %s", second.Key, second.Body)
	}
	for _, models := range [][]string{{"H100 SXM", "H100_SXM"}, {""}, {"../x"}, {`H100" SXM`}, {" H100"}, make([]string, 14)} {
		if got, err := scrapers.Vast().Sources[0].Requests(scrapers.Settings{Models: models}); err == nil {
			t.Errorf("models %q: %v", models, got)
		}
	}
}

// TestVastDefaultModels: both ends of each default model stay within 26 calls,
// and each is a name that the catalog knows.
func TestVastDefaultModels(t *testing.T) {
	requests, err := scrapers.Vast().Sources[0].Requests(scrapers.Settings{})
	if err != nil || len(requests) == 0 || 2*len(requests) > 26 {
		t.Fatalf("%d requests, %v", len(requests), err)
	}
	known := map[string]bool{}
	for _, gpu := range loadCatalog(t).GPUs {
		for _, alias := range gpu.Aliases["vast"] {
			known[strings.ReplaceAll(strings.ToLower(alias), " ", "-")+".asc"] = true
		}
	}
	file := regexp.MustCompile(`^[a-z0-9]+(?:[.-][a-z0-9]+)*$`)
	for _, r := range requests {
		if !known[r.Key] || !file.MatchString(r.Key) {
			t.Errorf("request %q is of no class of the catalog", r.Key)
		}
	}
}

// TestVastFullAnswer: an answer of 64 is cut, and the other end of the book is
// asked for once.
func TestVastFullAnswer(t *testing.T) {
	var asks []string
	for i := range 64 {
		asks = append(asks, vastAsk(1000+i, "2.5"))
	}
	for _, tt := range []struct {
		key       string
		asks      []string
		truncated bool
		next      string
	}{
		{"h100-sxm.asc", asks[:63], false, ""},
		{"h100-sxm.asc", asks, true, "h100-sxm.desc"},
		{"h100-sxm.asc", append(slices.Clone(asks), asks...), true, "h100-sxm.desc"},
		{"h100-sxm.asc", append(slices.Clone(asks[:63]), "null"), true, "h100-sxm.desc"},
		{"h100-sxm.desc", asks[:63], false, ""},
		{"h100-sxm.desc", asks, true, ""},
	} {
		got, err := parseVast(t, tt.key, tt.asks...)
		if err != nil {
			t.Fatal(err)
		}
		next := ""
		if len(got.Next) == 1 {
			next = got.Next[0].Key
		}
		if got.Truncated != tt.truncated || next != tt.next || len(got.Next) > 1 {
			t.Errorf("%s of %d asks: truncated %v, next %q; want %v, %q", tt.key, len(tt.asks), got.Truncated, next, tt.truncated, tt.next)
		}
		if next != "" && !strings.Contains(string(got.Next[0].Body), `{"eq":"H100 SXM"},"rentable":{"eq":true},"type":"on-demand","order":[["dph_total","desc"]]`) {
			t.Errorf("next asks %s", got.Next[0].Body)
		}
	}
}

// TestVastNumbers: a number keeps its digits, an exponent is exact, and what is
// no believable number is a fault of its row.
func TestVastNumbers(t *testing.T) {
	for price, want := range map[string]string{
		"1.3168888888888888":           "1.3168888888888888",
		"2":                            "2",
		"25e-1":                        "2.5",
		"0.25E+1":                      "2.5",
		"1.5e0":                        "1.5",
		"1e1":                          "10",
		"7.407407407407407e-1":         "0.7407407407407407",
		"0.005e3":                      "5",
		"1e400":                        "",
		"1e-400":                       "",
		"1e99999999999999999999":       "",
		"0e5":                          "",
		"0.0":                          "",
		"-2":                           "",
		"1234567.0":                    "",
		"2." + strings.Repeat("0", 60): "",
		`"2.5"`:                        "",
		"null":                         "",
		"[2.5]":                        "",
		"true":                         "",
	} {
		got, err := parseVast(t, "h100-sxm.asc", vastAsk(1, "9.75"), vastAsk(2, price))
		if err != nil {
			t.Errorf("%s: %v", price, err)
			continue
		}
		amount := ""
		if len(got.Offers) == 2 {
			amount = got.Offers[1].Amount.String()
		}
		if amount != want || got.Offers[0].Amount.String() != "9.75" || (want == "") != (len(got.Skipped) == 1) {
			t.Errorf("%s: amount %q, want %q; skipped %v", price, amount, want, got.Skipped)
		}
	}
}

// TestVastDepthBomb: ten thousand levels, in a field that is read or in one
// that is not, never cost more than an error.
func TestVastDepthBomb(t *testing.T) {
	for _, depth := range []int{1000, 9_990, 10_000, 1_000_000} {
		for _, open := range []string{"[", `{"a":`} {
			bomb := strings.Repeat(open, depth) + "1"
			if open == "[" {
				bomb += strings.Repeat("]", depth)
			} else {
				bomb += strings.Repeat("}", depth)
			}
			for _, ask := range []string{
				vastAsk(2, bomb), `{"machine_id": 2, "gpu_name": "H100 SXM", "num_gpus": 1, "dph_total": 1.5, "other": ` + bomb + `}`,
			} {
				got, err := parseVast(t, "h100-sxm.asc", vastAsk(1, "2.5"), ask)
				if depth >= 10_000 && err == nil {
					t.Errorf("%d levels of %s: no error", depth, open)
				}
				if err != nil && len(got.Offers) != 0 {
					t.Errorf("%d levels of %s: error %v with offers", depth, open, err)
				}
			}
		}
	}
}

// TestVastBothEnds: what the two ends of a book both list has one identity, and
// each end alone gives the cheapest ask that it holds.
func TestVastBothEnds(t *testing.T) {
	cheap, dear := vastAsk(7, "2.5"), vastAsk(7, "2.75")
	var keys []schema.OfferKey
	for _, asks := range [][]string{{cheap, dear}, {dear, cheap}} {
		got, err := parseVast(t, "h100-sxm.asc", asks...)
		if err != nil || len(got.Offers) != 1 || got.Offers[0].PriceText != "2.5" || len(got.Skipped) != 1 {
			t.Fatalf("%v, %v", got, err)
		}
		keys = append(keys, got.Offers[0].OfferKey)
	}
	if diff := cmp.Diff(keys[0], keys[1]); diff != "" {
		t.Error(diff)
	}
}
