package pipeline_test

import (
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"mtok/pipeline"
	"mtok/schema"
	"mtok/scrapers"
	"mtok/scrapers/recorded"
)

// onNight runs one provider on the pages of a day and returns what became of it.
func (h *house) onNight(day schema.Day, p scrapers.Provider, pages fs.FS) pipeline.Outcome {
	h.t.Helper()
	summary, err := h.run(h.t.Context(), setting{providers: []scrapers.Provider{p}, fetcher: h.fetcher(pages), day: day, redate: true})
	if err != nil {
		h.t.Fatal(err)
	}
	return outcome(h.t, summary, p.ID)
}

// prices are the published prices of a class on a day, by GPU count and term.
func (h *house) prices(day schema.Day, class schema.ClassID) []string {
	h.t.Helper()
	var out []string
	for _, o := range h.rows(day) {
		if o.Class == class {
			out = append(out, fmt.Sprintf("%dx %s %s", o.Offer.GPUCount, o.Offer.Term, o.USDPerGPUHour))
		}
	}
	return out
}

func (h *house) held() []schema.Quarantine {
	h.t.Helper()
	held, err := h.store.HeldQuarantines(h.t.Context())
	if err != nil {
		h.t.Fatal(err)
	}
	return held
}

// risen is the recorded night with every dollar price of a page multiplied.
func risen(t *testing.T, path string, percent int) fstest.MapFS {
	t.Helper()
	page, err := fs.ReadFile(recorded.Night(), path)
	if err != nil {
		t.Fatal(err)
	}
	price := regexp.MustCompile(`\$(\d+)\.(\d\d)`)
	text := price.ReplaceAllStringFunc(string(page), func(printed string) string {
		cents, err := strconv.Atoi(strings.Replace(printed[1:], ".", "", 1))
		if err != nil {
			t.Fatal(err)
		}
		cents = cents * percent / 100
		return fmt.Sprintf("$%d.%02d", cents/100, cents%100)
	})
	return without(t, recorded.Night(), map[string]string{path: text})
}

// TestTrueMovesPass are the list-price events of 2026 that two sources saw.
func TestTrueMovesPass(t *testing.T) {
	lambda, runpod, crusoe := "lambda/pricing-page.html", "runpod/graphql.json", "crusoe/pricing-page.html"
	for _, c := range []struct {
		name          string
		provider      scrapers.Provider
		before, after fstest.MapFS
		class         schema.ClassID
		want          string
	}{
		{"Lambda 2026-02-18, +15 % on the whole list", scrapers.Lambda(), risen(t, lambda, 100), risen(t, lambda, 115), "b200-sxm-180gb", "1x on_demand 8.03"},
		{"Lambda 2026-03-25, 8x 3.44 to 3.99", scrapers.Lambda(), altered(t, lambda, "$3.99", "$3.44"), risen(t, lambda, 100), "h100-sxm-80gb", "8x on_demand 3.99"},
		{"RunPod 2026-04-08, 2.69 to 2.99", scrapers.RunPod(), altered(t, runpod, `"securePrice": 3.29`, `"securePrice": 2.69`), altered(t, runpod, `"securePrice": 3.29`, `"securePrice": 2.99`), "h100-sxm-80gb", "1x on_demand 2.99"},
		{"RunPod 2026-05-19, 2.39 to 2.89 and 2.99 to 3.29", scrapers.RunPod(), altered(t, runpod, `"securePrice": 2.89`, `"securePrice": 2.39`, `"securePrice": 3.29`, `"securePrice": 2.99`), risen(t, runpod, 100), "h100-pcie-80gb", "1x on_demand 2.89"},
		{"RunPod 2026-07-07, 3.29 to 2.99", scrapers.RunPod(), risen(t, runpod, 100), altered(t, runpod, `"securePrice": 3.29`, `"securePrice": 2.99`), "h100-sxm-80gb", "1x on_demand 2.99"},
		{"Crusoe 2026-06-05, 1.95 to 2.30 and 1.65 to 2.00", scrapers.Crusoe(), altered(t, crusoe, "$2.30/", "$1.95/", "$2.00/", "$1.65/"), risen(t, crusoe, 100), "a100-sxm-80gb", "1x on_demand 2.30"},
	} {
		h := newHouse(t)
		if got := h.onNight(night-1, c.provider, c.before); got.Status != schema.StatusComplete {
			t.Errorf("%s: the night before is %s: %v", c.name, got.Status, got.Err)
		}
		if got := h.onNight(night, c.provider, c.after); got.Status != schema.StatusComplete {
			t.Errorf("%s: %s: %v", c.name, got.Status, got.Err)
		}
		if got := h.prices(night, c.class); !slices.Contains(got, c.want) {
			t.Errorf("%s: published %q, want %q among them", c.name, got, c.want)
		}
	}
}

// TestFakeMovesAreHeld are the faults on record, as they would stand on a page.
func TestFakeMovesAreHeld(t *testing.T) {
	coreweave, runpod, lambda := "coreweave/pricing-page.html", "runpod/graphql.json", "lambda/pricing-page.html"
	for _, c := range []struct {
		name     string
		provider scrapers.Provider
		pages    fstest.MapFS
		status   schema.RunStatus
		kind     string
		class    schema.ClassID
		fake     string
	}{
		{"CoreWeave 2026-02-19, a node divided by eight", scrapers.CoreWeave(), altered(t, coreweave, "$49.24", "$6.16", "$50.44", "$6.31", "$68.80", "$8.60", "$42.00", "$10.50"),
			schema.StatusQuarantined, "unit_ratio", "h200-sxm-141gb", "8x on_demand 0.78875"},
		{"a node of sixteen in the column of eight", scrapers.CoreWeave(), altered(t, coreweave, "$49.24", "$98.48"),
			schema.StatusQuarantined, "unit_ratio", "h100-sxm-80gb", "8x on_demand 12.31"},
		{"RunPod 2026-04-17, H200 to 0.50", scrapers.RunPod(), altered(t, runpod, `"securePrice": 4.59`, `"securePrice": 0.50`),
			schema.StatusPartial, "unread", "h200-sxm-141gb", "1x on_demand 0.50"},
		{"RunPod 2026-06-24, B300 to 0.50", scrapers.RunPod(), altered(t, runpod, `"securePrice": 7.89`, `"securePrice": 0.50`),
			schema.StatusPartial, "unread", "b300-sxm-288gb", "1x on_demand 0.50"},
		{"0.50 of a GPU that may cost so little", scrapers.RunPod(), altered(t, runpod, `"securePrice": 0.53`, `"securePrice": 0.50`),
			schema.StatusPartial, "placeholder", "rtx-a6000-48gb", "1x on_demand 0.50"},
		{"9.99", scrapers.Lambda(), altered(t, lambda, "$6.69", "$9.99"), schema.StatusPartial, "placeholder", "b200-sxm-180gb", "8x on_demand 9.99"},
		{"half the list by one and a half", scrapers.Lambda(), risen(t, lambda, 150), schema.StatusQuarantined, "share_moved", "gh200-96gb", "1x on_demand 3.43"},
		{"one price by one and a half", scrapers.Lambda(), altered(t, lambda, "$2.29", "$3.43"), schema.StatusPartial, "price_jump", "gh200-96gb", "1x on_demand 3.43"},
	} {
		h := newHouse(t)
		goodNight(t, h)
		good := h.prices(night-1, c.class)
		got := h.onNight(night, c.provider, c.pages)
		if got.Status != c.status || got.ErrorKind != c.kind {
			t.Errorf("%s: %s %q (%v); want %s %q", c.name, got.Status, got.ErrorKind, got.Err, c.status, c.kind)
		}
		if now := h.prices(night, c.class); slices.Contains(now, c.fake) {
			t.Errorf("%s: %q is published", c.name, c.fake)
		}
		if again := h.prices(night-1, c.class); !slices.Equal(again, good) {
			t.Errorf("%s: the good night became %q, was %q", c.name, again, good)
		}
		// A misread page is misread again.
		if c.kind == "unit_ratio" || c.kind == "placeholder" {
			again := h.onNight(night+1, c.provider, c.pages)
			if again.Status != c.status || slices.Contains(h.prices(night+1, c.class), c.fake) || len(h.held()) != 2 {
				t.Errorf("%s: the same night again is %s, held %d", c.name, again.Status, len(h.held()))
			}
		}
	}
}
