package scrapers_test

import (
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mtok/schema"
	"mtok/scrapers"
)

// TestCapturedRunPod compares the real answer of 2026-07-18 with the 66 rows
// that an independent reader took from it, their classes included.
func TestCapturedRunPod(t *testing.T) {
	needCaptures(t)
	catalog := loadCatalog(t)
	night := filepath.Join(captures, "night-2026-08-22")
	got := parseFile(t, scrapers.RunPod(), "graphql", "", filepath.Join(night, "runpod", "graphql.json"))
	var want, rows []string
	for _, r := range readCSV(t, filepath.Join(night, "expected.csv")) {
		if r[0] == "runpod" {
			want = append(want, strings.Join([]string{r[10], r[1], r[2], r[3], r[4], r[5], r[6]}, " | "))
		}
	}
	for _, o := range got.Offers {
		class := catalog.Match(o.Provider, o.GPURaw, o.FormRaw, o.VRAMMiB)
		if strings.HasPrefix(string(class), schema.UnmatchedPrefix) {
			class = ""
		}
		rows = append(rows, strings.Join([]string{
			o.SKU, string(class), fmt.Sprint(o.GPUCount), string(o.Term), string(o.Tier), o.Region, usd(t, o.Amount.String()).String(),
		}, " | "))
		if !o.PerGPU || o.MaxGPUs != 8 || o.Unit != schema.UnitGPUHour || o.Note != "" {
			t.Errorf("%s: per GPU %v up to %d, unit %s, note %q", o.SKU, o.PerGPU, o.MaxGPUs, o.Unit, o.Note)
		}
	}
	slices.Sort(want)
	slices.Sort(rows)
	if diff := cmp.Diff(want, rows); diff != "" || len(rows) != 66 {
		t.Errorf("%d offers (-expected +got):\n%s", len(rows), diff)
	}
	// 49 types on two clouds: what is not sold is a reject, also where its
	// price looks real; two MIG slices and "unknown" are one each.
	rules := map[string]int{}
	for _, r := range got.Skipped {
		rules[r.Rule]++
	}
	if diff := cmp.Diff(map[string]int{"not_sold": 26, "not_a_gpu": 3}, rules); diff != "" {
		t.Errorf("skipped (-want +got):\n%s", diff)
	}
	checkStockOfEight(t, got.Offers)
}

// checkStockOfEight: the query was for 8 GPUs. Five types had some on their
// cheapest cloud, and of that one alone it speaks; the others had none on either.
func checkStockOfEight(t *testing.T, offers []schema.Offer) {
	t.Helper()
	stock := map[string]string{}
	none := 0
	for _, o := range offers {
		switch {
		case o.StockFor(1) != schema.StockUnknown:
			t.Errorf("%s: stock of one GPU is not in the answer", o.SKU)
		case o.StockFor(8) == schema.StockSoldOut:
			none++
		default:
			stock[o.SKU+" "+string(o.Tier)] = o.StockPoints.String()
		}
	}
	wantStock := map[string]string{
		"NVIDIA A100-SXM4-80GB community":                        "8x low",
		"NVIDIA GeForce RTX 5090 community":                      "8x low",
		"NVIDIA H100 80GB HBM3 community":                        "8x high",
		"NVIDIA H200 community":                                  "8x medium",
		"NVIDIA RTX PRO 6000 Blackwell Server Edition community": "8x low",
		"NVIDIA A100-SXM4-80GB secure":                           "",
		"NVIDIA GeForce RTX 5090 secure":                         "",
		"NVIDIA H100 80GB HBM3 secure":                           "",
		"NVIDIA H200 secure":                                     "",
		"NVIDIA RTX PRO 6000 Blackwell Server Edition secure":    "",
	}
	if diff := cmp.Diff(wantStock, stock); diff != "" || none != 56 {
		t.Errorf("%d without stock (-want +got):\n%s", none, diff)
	}
}

// TestCapturedRunPodWithoutBooleans: an answer to a query that did not ask
// whether a type is sold has prices, and none of them is one.
func TestCapturedRunPodWithoutBooleans(t *testing.T) {
	needCaptures(t)
	page := jsonPage(t, "graphql", "", filepath.Join(captures, "runpod/graphql_gpuTypes_4prices_20260822_getcomputable.json"))
	got, err := sourceOf(t, scrapers.RunPod(), "graphql").Parse(page)
	if !errors.Is(err, scrapers.ErrLayout) || len(got.Offers) != 0 {
		t.Errorf("error %v with %d offers", err, len(got.Offers))
	}
}

// TestCapturedVast compares the real book of 2026-07-18, its addresses taken
// out, with the 48 asks on 26 machines that an independent reader took from it.
func TestCapturedVast(t *testing.T) {
	needCaptures(t)
	night := filepath.Join(captures, "night-2026-08-22")
	var want, rows []string
	for _, r := range readCSV(t, filepath.Join(night, "expected-vast.csv")) {
		want = append(want, strings.Join([]string{r[1] + "/" + r[0], r[2], r[3], r[4], r[6], usd(t, r[7]).String(), r[8]}, " | "))
	}
	machines := map[string]bool{}
	verified, eligible := map[string]map[string]bool{}, map[string]map[string]bool{}
	floors := map[string]string{}
	for _, key := range []string{"h100-nvl.asc", "h100-sxm.asc"} {
		got := parseFile(t, scrapers.Vast(), "bundles-api", key, filepath.Join(night, "vast", "bundles-api."+key+".json"))
		if len(got.Skipped) != 0 || got.Truncated || len(got.Next) != 0 {
			t.Errorf("%s: skipped %v, truncated %v, next %v", key, got.Skipped, got.Truncated, got.Next)
		}
		verified[key], eligible[key] = map[string]bool{}, map[string]bool{}
		for _, o := range got.Offers {
			id := fmt.Sprintf("%s %d", o.SKU, o.GPUCount)
			if o.Term == schema.TermBidFloor {
				floors[id] = o.PriceText
				continue
			}
			rows = append(rows, strings.Join([]string{
				o.SKU, fmt.Sprint(o.GPUCount), fmt.Sprint(o.VRAMMiB), string(o.Attributes.Tier), o.PriceText, perGPU(t, o).String(), "floor of " + id,
			}, " | "))
			machines[o.GroupKey] = true
			a := o.Attributes
			if o.Excluded != "" || a.StorageGB == nil || *a.StorageGB != 8 || o.Tier != "" || o.Region != "" {
				t.Errorf("%s: excluded %q, storage %v, tier %q, region %q", id, o.Excluded, a.StorageGB, o.Tier, o.Region)
			}
			if a.Tier == schema.TierVerified && *a.ReliabilityPPM >= 950_000 {
				verified[key][o.GroupKey] = true
				if *a.Datacenter && *a.MaxDays >= 30 && *a.NVLink {
					eligible[key][o.GroupKey] = true
				}
			}
		}
	}
	for i, row := range rows {
		label, id, _ := strings.Cut(row, "floor of ")
		rows[i] = label + floors[id]
	}
	slices.Sort(want)
	slices.Sort(rows)
	if diff := cmp.Diff(want, rows); diff != "" || len(rows) != 48 || len(machines) != 26 {
		t.Errorf("%d asks on %d machines (-expected +got):\n%s", len(rows), len(machines), diff)
	}
	counts := []int{len(verified["h100-sxm.asc"]), len(verified["h100-nvl.asc"]), len(eligible["h100-sxm.asc"]), len(eligible["h100-nvl.asc"])}
	if diff := cmp.Diff([]int{11, 4, 2, 0}, counts); diff != "" {
		t.Errorf("verified and eligible machines (-want +got):\n%s", diff)
	}
}

// TestCapturedVastOthers reads answers of other days and fields.
func TestCapturedVastOthers(t *testing.T) {
	needCaptures(t)
	for _, tt := range []struct {
		key, file string
		offers    int
		first     string
	}{
		{"h100-sxm.asc", "api_bundles_H100-SXM_asc_20260822_getcomputable_fields-trimmed.json", 10, "148199/H100 SXM 1.3867407407407408"},
		{"rtx-3090.asc", "api_bundles_single-offer_20221104.json", 2, "2555/RTX 3090 0.322777777777778"},
	} {
		got := parseFile(t, scrapers.Vast(), "bundles-api", tt.key, filepath.Join(captures, "vast", tt.file))
		if first := got.Offers[0].SKU + " " + got.Offers[0].PriceText; len(got.Offers) != tt.offers || first != tt.first {
			t.Errorf("%s: %d offers, the first %s", tt.file, len(got.Offers), first)
		}
	}
}

// TestCapturedLambdaAPI: each of the 22 types of 2026-08-20 has the identity
// and the price of a row of the page of 2026-08-22; V100 stands twice.
func TestCapturedLambdaAPI(t *testing.T) {
	needCaptures(t)
	file := filepath.Join(captures, "lambda/api_instance-types_20260820_inference-plane_trimmed.json")
	types, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	source := sourceOf(t, scrapers.Lambda(), "instance-types-api")
	got, err := source.Parse(scrapers.Page{Source: source.Name, Status: 200, Body: []byte(`{"data":` + string(types) + `}`)})
	if err != nil {
		t.Fatal(err)
	}
	html, err := sourceOf(t, scrapers.Lambda(), "pricing-page").Parse(readPage(t, filepath.Join(captures, "night-2026-08-22/lambda/pricing-page.html")))
	if err != nil {
		t.Fatal(err)
	}
	listed := map[schema.OfferKey]schema.USD{}
	for _, o := range html.Offers {
		listed[o.OfferKey] = perGPU(t, o)
	}
	catalog := loadCatalog(t)
	for _, o := range got.Offers {
		if price, ok := listed[o.OfferKey]; !ok || price != perGPU(t, o) {
			t.Errorf("%dx %s at %s, the page has %s, %v", o.GPUCount, o.SKU, perGPU(t, o), price, ok)
		}
		if class := catalog.Match(o.Provider, o.GPURaw, o.FormRaw, o.VRAMMiB); strings.HasPrefix(string(class), schema.UnmatchedPrefix) {
			t.Errorf("%s has no class: %s", o.GPURaw, class)
		}
		if o.Stock != schema.StockUnknown {
			t.Errorf("%s: stock %v of an answer without regions", o.SKU, o.Stock)
		}
	}
	if len(got.Offers) != 21 || len(got.Skipped) != 0 {
		t.Errorf("%d offers, skipped %v", len(got.Offers), got.Skipped)
	}
}

// perGPU derives the price of one GPU-hour.
func perGPU(t *testing.T, o schema.Offer) schema.USD {
	t.Helper()
	amount := o.Amount.Rat()
	if o.Unit == schema.UnitInstanceHour {
		amount.Quo(amount, schema.MustDecimal(fmt.Sprint(o.GPUCount)).Rat())
	}
	price, err := schema.RoundUSD(amount)
	if err != nil {
		t.Fatal(err)
	}
	return price
}

// parseFile reads a file as the pipeline does: scrubbed, then parsed.
func parseFile(t *testing.T, p scrapers.Provider, source, key, file string) scrapers.Result {
	t.Helper()
	page := jsonPage(t, source, key, file)
	s := sourceOf(t, p, source)
	if s.Scrub != nil {
		var err error
		if page.Body, err = s.Scrub(page.Body); err != nil {
			t.Fatal(err)
		}
	}
	got, err := s.Parse(page)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// TestCapturedVastScrub: of the real answer only the 48 addresses change.
func TestCapturedVastScrub(t *testing.T) {
	needCaptures(t)
	body, err := os.ReadFile(filepath.Join(captures, "vast/api_bundles_H100_20260718_markrusch-Compute-Index.json"))
	if err != nil {
		t.Fatal(err)
	}
	want := regexp.MustCompile(`("public_ipaddr": )"[0-9.]+"`).ReplaceAllString(string(body), "${1}null")
	if got := scrub(t, string(body)); got != want || strings.Count(want, `"public_ipaddr": null`) != 48 {
		t.Error("more or less than the addresses was changed")
	}
}

func jsonPage(t *testing.T, source, key, file string) scrapers.Page {
	t.Helper()
	body, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return scrapers.Page{Source: source, Key: key, Status: 200, ContentType: "application/json", Body: body}
}

func loadCatalog(t testing.TB) *schema.Catalog {
	t.Helper()
	catalog, err := schema.LoadCatalog()
	if err != nil {
		t.Fatal(err)
	}
	return catalog
}

func readCSV(t *testing.T, file string) [][]string {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	records, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return records[1:]
}
