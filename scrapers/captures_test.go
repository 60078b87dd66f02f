package scrapers_test

import (
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mtok/schema"
	"mtok/scrapers"
)

// captures holds real pages that are not part of the project.
const captures = "../../shared/captures"

func needCaptures(t *testing.T) {
	t.Helper()
	if _, err := os.Stat(captures); err != nil {
		t.Skip("needs ../shared")
	}
}

// TestCapturedNight compares each provider's real page of 2026-08-22 with the
// rows that an independent reader took from it.
func TestCapturedNight(t *testing.T) {
	needCaptures(t)
	night := filepath.Join(captures, "night-2026-08-22")
	for _, tt := range []struct {
		provider scrapers.Provider
		rows     int
		skipped  int
	}{
		{scrapers.Lambda(), 28, 2},
		{scrapers.CoreWeave(), 32, 12},
		{scrapers.Crusoe(), 6, 12},
	} {
		t.Run(string(tt.provider.ID), func(t *testing.T) {
			page := readPage(t, filepath.Join(night, string(tt.provider.ID), "pricing-page.html"))
			got, err := tt.provider.Sources[0].Parse(page)
			if err != nil {
				t.Fatal(err)
			}
			rows := expectedRows(t, filepath.Join(night, "expected.csv"), tt.provider.ID)
			if len(rows) != tt.rows {
				t.Fatalf("expected.csv has %d rows, want %d", len(rows), tt.rows)
			}
			if diff := cmp.Diff(rows, offerRows(t, got.Offers)); diff != "" {
				t.Errorf("offers (-expected +got):\n%s", diff)
			}
			if len(got.Skipped) != tt.skipped {
				t.Errorf("skipped %d, want %d: %v", len(got.Skipped), tt.skipped, got.Skipped)
			}
			recorded, err := tt.provider.Sources[0].Parse(readPage(t, recordedPage(tt.provider.ID)))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(readable(t, withoutLookAlikes(got)), readable(t, withoutLookAlikes(recorded))); diff != "" {
				t.Errorf("the recorded page says something else (-captured +recorded):\n%s", diff)
			}
		})
	}
}

// TestOldCaptures: a layout that is gone gives an error and no price.
func TestOldCaptures(t *testing.T) {
	needCaptures(t)
	for _, tt := range []struct {
		provider scrapers.Provider
		file     string
	}{
		{scrapers.Lambda(), "lambda/html_lambdalabs.com-service-gpu-cloud_20241103180910_excerpt.html"},
		{scrapers.Crusoe(), "crusoe/2025-05-21_cloud-pricing_wayback_henryzhangpku.html"},
	} {
		t.Run(tt.file, func(t *testing.T) {
			got, err := tt.provider.Sources[0].Parse(readPage(t, filepath.Join(captures, tt.file)))
			if !errors.Is(err, scrapers.ErrLayout) {
				t.Errorf("error %v, want ErrLayout", err)
			}
			if len(got.Offers) != 0 {
				t.Errorf("%d offers from a page of an unknown layout", len(got.Offers))
			}
		})
	}
}

// TestRecordedNight counts what the embedded pages of the demo give: all
// figures of 2026-08-22.
func TestRecordedNight(t *testing.T) {
	for _, tt := range []struct {
		provider                    scrapers.Provider
		offers, skipped, lookAlikes int
	}{
		{scrapers.Lambda(), 28, 2, 0},
		{scrapers.CoreWeave(), 32, 12, 2},
		{scrapers.Crusoe(), 6, 12, 31},
	} {
		t.Run(string(tt.provider.ID), func(t *testing.T) {
			got, err := tt.provider.Sources[0].Parse(readPage(t, recordedPage(tt.provider.ID)))
			if err != nil {
				t.Fatal(err)
			}
			if len(got.Offers) != tt.offers || len(got.Skipped) != tt.skipped || got.LookAlikes != tt.lookAlikes {
				t.Errorf("%d offers, %d skipped, %d look-alikes; want %d, %d, %d",
					len(got.Offers), len(got.Skipped), got.LookAlikes, tt.offers, tt.skipped, tt.lookAlikes)
			}
		})
	}
}

func recordedPage(id schema.ProviderID) string {
	return filepath.Join("recorded", "night", string(id), "pricing-page.html")
}

// withoutLookAlikes leaves out what the captures, being excerpts, have fewer of.
func withoutLookAlikes(r scrapers.Result) scrapers.Result {
	r.LookAlikes = 0
	return r
}

func readPage(t *testing.T, path string) scrapers.Page {
	t.Helper()
	body, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return scrapers.Page{Source: "pricing-page", Status: 200, ContentType: "text/html; charset=utf-8", Body: body}
}

// expectedRows returns a provider's rows, sorted.
func expectedRows(t *testing.T, path string, id schema.ProviderID) []string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	records, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var rows []string
	for _, r := range records[1:] {
		if r[0] == string(id) {
			rows = append(rows, row(r[1], r[2], r[3], r[4], r[5], usd(t, r[6]), usd(t, r[7]), r[8], r[9]))
		}
	}
	slices.Sort(rows)
	return rows
}

// offerRows derives the class of each offer by the catalog and both prices by
// the unit that it is listed in.
func offerRows(t *testing.T, offers []schema.Offer) []string {
	t.Helper()
	catalog, err := schema.LoadCatalog()
	if err != nil {
		t.Fatal(err)
	}
	var rows []string
	for _, o := range offers {
		instance, gpu := o.Amount.Rat(), o.Amount.Rat()
		n := schema.MustDecimal(fmt.Sprint(o.GPUCount)).Rat()
		switch o.Unit {
		case schema.UnitInstanceHour:
			gpu.Quo(gpu, n)
		case schema.UnitGPUHour:
			instance.Mul(instance, n)
		default:
			t.Fatalf("unit %q", o.Unit)
		}
		perGPU, err := schema.RoundUSD(gpu)
		if err != nil {
			t.Fatal(err)
		}
		perInstance, err := schema.RoundUSD(instance)
		if err != nil {
			t.Fatal(err)
		}
		low, high := "", ""
		if o.Commitment != (schema.Commitment{}) {
			low, high = fmt.Sprint(o.Commitment.MinDays), fmt.Sprint(o.Commitment.MaxDays)
		}
		class := string(catalog.Match(o.Provider, o.GPURaw, o.FormRaw, o.VRAMMiB))
		rows = append(rows, row(class, fmt.Sprint(o.GPUCount), string(o.Term), string(o.Tier), o.Region, perGPU, perInstance, low, high))
	}
	slices.Sort(rows)
	return rows
}

func row(class, count, term, tier, region string, gpu, instance schema.USD, low, high string) string {
	return strings.Join([]string{class, count, term, tier, region, gpu.String(), instance.String(), low, high}, " | ")
}

func usd(t *testing.T, text string) schema.USD {
	t.Helper()
	v, err := schema.ParseUSD(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestCapturedFluidstack compares the last public table, of 2025-01, with its
// hand-made case.
func TestCapturedFluidstack(t *testing.T) {
	needCaptures(t)
	parse := scrapers.Fluidstack().Sources[0].Parse
	got, err := parse(readPage(t, filepath.Join(captures, "fluidstack/2025-01-09_pricing_wayback_henryzhangpku.html")))
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(filepath.Join("testdata", "fluidstack", "table-2025-01", "want.json"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), readable(t, got)); diff != "" {
		t.Errorf("the case says something else (-case +captured):\n%s", diff)
	}
}
