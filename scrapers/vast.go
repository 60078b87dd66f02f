package scrapers

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"

	"github.com/go-json-experiment/json"

	"mtok/schema"
)

const (
	vastURL = "https://console.vast.ai/api/v0/bundles/"
	// vastLimit is how many asks a caller without a key gets, whatever limit is
	// asked for: seen by three trackers in 2026. An answer of this length is cut.
	vastLimit = 64
	// vastStorageGB is the disk that the asked prices include, the market's own
	// default. It is pinned so that prices of two nights are alike.
	vastStorageGB = 8
	// vastOldStorageGB is the disk of an ask of 2022, when that was the default.
	vastOldStorageGB = 10
	// vastMaxModels keeps a night, each model asked from both ends, within 26
	// calls; the market allows 10 a minute.
	vastMaxModels = 13

	vastAscending  = ".asc"
	vastDescending = ".desc"
)

// vastModelPattern keeps a request key a plain file name.
var vastModelPattern = regexp.MustCompile(`^[A-Za-z0-9]+(?: [A-Za-z0-9]+)*$`)

// vastModels are the datacenter parts of the catalog that the market lists,
// under its own names, the ones that are compared for tokens first. Older and
// smaller parts (A10, A40, L4, L40, workstation cards) can be configured.
func vastModels() []string {
	return []string{
		"H100 SXM", "H100 PCIE", "H100 NVL", "H200", "H200 NVL", "GH200 SXM", "B200", "B300",
		"A100 SXM4", "A100 PCIE", "L40S", "RTX PRO 6000 S", "MI300X",
	}
}

// Vast reads the order book of the Vast.ai market: asks of hosts in USD per
// hour for all GPUs of the ask, with vastStorageGB of disk. One request a
// model, cheapest first, and one more from the other end when that is cut:
// cheapest in total first, so that what is cut are the whole nodes, which are
// the cheapest per GPU.
//
// SKU: machine / model; the ask's own id changes while the ask does not. A
// machine lists its GPUs in slices of 1, 2, 4 and 8: they share a GroupKey. The
// region is empty, since a machine has one place and its text changes; so is
// the tier, since a machine may lose its verification over night.
func Vast() Provider {
	return Provider{
		ID:       "vast",
		Name:     "Vast.ai",
		Homepage: "https://vast.ai",
		Version:  1,
		Sources: []Source{{
			Name:     "bundles-api",
			Requests: vastRequests,
			Parse:    parseVast,
			Scrub:    scrubVast,
		}},
		// The book of one model may be empty, and which ones are asked is
		// configured; only a night without any ask is not believable.
		Expect:    Expect{MinOffers: 1},
		StockNote: "listed is rentable",
	}
}

func vastRequests(s Settings) ([]Request, error) {
	models := s.Models
	if len(models) == 0 {
		models = vastModels()
	}
	if len(models) > vastMaxModels {
		return nil, fmt.Errorf("%d models, at most %d: the market allows 10 calls a minute", len(models), vastMaxModels)
	}
	seen := map[string]bool{}
	var requests []Request
	for _, model := range models {
		// The market's documents write H100_SXM, its wire H100 SXM.
		model = strings.ReplaceAll(model, "_", " ")
		if !vastModelPattern.MatchString(model) {
			return nil, fmt.Errorf("model %q is not like %q", model, "H100 SXM")
		}
		if seen[vastKey(model)] {
			return nil, fmt.Errorf("model %q stands twice", model)
		}
		seen[vastKey(model)] = true
		request, err := vastRequest(model, vastAscending)
		if err != nil {
			return nil, err
		}
		requests = append(requests, request)
	}
	return requests, nil
}

// vastKey is the model's part of a request key: "H100 SXM" is "h100-sxm".
func vastKey(model string) string {
	return strings.ReplaceAll(strings.ToLower(model), " ", "-")
}

// vastRequest asks for the rentable asks of a model. Verification is not asked
// for: with it the market silently left out its cheapest hosts, and we judge it
// by the answer.
func vastRequest(model, end string) (Request, error) {
	type equals struct {
		Eq any `json:"eq"`
	}
	order := "asc"
	if end == vastDescending {
		order = "desc"
	}
	body, err := json.Marshal(struct {
		GPUName   equals       `json:"gpu_name"`
		Rentable  equals       `json:"rentable"`
		Type      string       `json:"type"`
		Order     [1][2]string `json:"order"`
		Limit     int          `json:"limit"`
		StorageGB int          `json:"allocated_storage"`
	}{equals{model}, equals{true}, "on-demand", [1][2]string{{"dph_total", order}}, vastLimit, vastStorageGB})
	if err != nil {
		return Request{}, fmt.Errorf("request for %s: %w", model, err)
	}
	return Request{
		Key:    vastKey(model) + end,
		Method: http.MethodPost,
		URL:    vastURL,
		Header: http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json"}},
		Body:   body,
	}, nil
}

func parseVast(page Page) (Result, error) {
	key, end := strings.CutSuffix(page.Key, vastAscending)
	if !end {
		key, end = strings.CutSuffix(page.Key, vastDescending)
	}
	if !end || key == "" {
		return Result{}, layoutf("answer to the request %q, expected a key like %q", clip(page.Key), "h100-sxm"+vastAscending)
	}
	book, err := readVastBook(page.Body)
	if err != nil {
		return Result{}, err
	}
	list := offerList{source: page.Source}
	var kept []vastSlice
	faults, nameless := 0, book.others
	for i := range book.asks {
		slice, err := book.asks[i].read(key)
		switch {
		case err != nil:
			faults++
			if list.unreadRow(slice.sku, slice.label(), book.asks[i].Total.text, err); slice.sku == "" {
				nameless++
			}
		case slice.gone:
			list.reject(slice.label(), slice.offer.PriceText, "not_rentable", "listed but rented or not to be rented")
		default:
			kept = append(kept, slice)
		}
	}
	for range book.others {
		list.reject("element", "", ruleField, "is no object")
	}
	faults += book.others
	if faults > 0 && len(kept) == 0 {
		return Result{}, layoutf("%d asks and none could be read: %s", faults, firstReason(list.skip))
	}
	if len(book.asks) == 0 {
		// A book may be empty, as that of MI300X was on 2026-08-22.
		list.reject(key, "", "empty_book", "nobody offers this model")
	}
	excludeBroken(kept)
	cheapestAsks(&list, kept)
	result := Result{
		Offers: list.offers, Skipped: list.skip, Incomplete: unnamed(nameless), Truncated: len(book.asks)+book.others >= vastLimit,
	}
	if result.Truncated && strings.HasSuffix(page.Key, vastAscending) && len(kept) > 0 {
		next, err := vastRequest(kept[0].offer.GPURaw, vastDescending)
		if err != nil {
			return Result{}, err
		}
		result.Next = []Request{next}
	}
	return result, nil
}

func firstReason(skipped []schema.Reject) string {
	if len(skipped) == 0 {
		return "nothing is listed"
	}
	return skipped[0].Reason
}
