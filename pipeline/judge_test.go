package pipeline_test

import (
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"mtok/schema"
	"mtok/scrapers"
	"mtok/scrapers/recorded"
)

// altered is the recorded night with texts of one page replaced; each must
// stand there.
func altered(t *testing.T, path string, oldNew ...string) fstest.MapFS {
	t.Helper()
	page, err := fs.ReadFile(recorded.Night(), path)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(oldNew); i += 2 {
		if !strings.Contains(string(page), oldNew[i]) {
			t.Fatalf("%s holds no %q", path, oldNew[i])
		}
	}
	return without(t, recorded.Night(), map[string]string{path: strings.NewReplacer(oldNew...).Replace(string(page))})
}

// goodNight runs the recorded night one day before the night of the test.
func goodNight(t *testing.T, h *house) schema.Day {
	t.Helper()
	day := night - 1
	_, err := h.run(t.Context(), setting{providers: scrapers.All(), fetcher: h.fetcher(recorded.Night()), day: day, redate: true})
	if err != nil {
		t.Fatal(err)
	}
	return day
}

// TestUnitFlipIsHeldOnTheFirstNight is CoreWeave's page with prices per GPU in
// the column of the instance, as an aggregator showed them on 2026-02-19.
func TestUnitFlipIsHeldOnTheFirstNight(t *testing.T) {
	cases := []struct {
		name     string
		provider scrapers.Provider
		pages    fstest.MapFS
		status   schema.RunStatus
		class    schema.ClassID
		term     schema.Term
	}{
		{"per GPU for instance", scrapers.CoreWeave(), altered(t, "coreweave/pricing-page.html",
			"$49.24", "$6.16", "$50.44", "$6.31", "$68.80", "$8.60", "$42.00", "$10.50"),
			schema.StatusQuarantined, "h100-sxm-80gb", schema.TermOnDemand},
		{"one class alone", scrapers.CoreWeave(), altered(t, "coreweave/pricing-page.html", "$49.24", "$6.16"),
			schema.StatusQuarantined, "h100-sxm-80gb", schema.TermOnDemand},
		{"instance for per GPU", scrapers.Lambda(), altered(t, "lambda/pricing-page.html", "$2.29", "$18.32"),
			schema.StatusPartial, "gh200-96gb", schema.TermOnDemand},
		// Below the band of the class: the rows alone are rejected.
		{"spot per GPU", scrapers.CoreWeave(), altered(t, "coreweave/pricing-page.html", "$19.71", "$2.46", "$19.51", "$2.44"),
			schema.StatusComplete, "h100-sxm-80gb", schema.TermSpot},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			h := newHouse(t)
			summary, err := h.run(t.Context(), setting{providers: []scrapers.Provider{c.provider}, fetcher: h.fetcher(c.pages)})
			if err != nil {
				t.Fatal(err)
			}
			got := outcome(t, summary, c.provider.ID)
			if got.Status != c.status {
				t.Errorf("%s %q, want %s", got.Status, got.ErrorKind, c.status)
			}
			for _, o := range h.rows(night) {
				if o.Class == c.class && o.Offer.Term == c.term {
					t.Errorf("a wrong price is published: %s at %s", o.Offer.SKU, o.USDPerGPUHour)
				}
			}
		})
	}
}

func TestRenamedChipIsHeld(t *testing.T) {
	h := newHouse(t)
	day := goodNight(t, h)
	before := h.rows(day)
	pages := altered(t, "coreweave/pricing-page.html", "NVIDIA HGX H100", "NVIDIA HGX H200")
	summary, err := h.run(t.Context(), setting{providers: []scrapers.Provider{scrapers.CoreWeave()}, fetcher: h.fetcher(pages)})
	if err != nil {
		t.Fatal(err)
	}
	if got := outcome(t, summary, "coreweave"); got.Status == schema.StatusComplete || got.Status == schema.StatusPartial {
		t.Errorf("%s %q (%v): a known key under the name of another chip is published", got.Status, got.ErrorKind, got.Err)
	}
	for i, o := range h.rows(day) {
		if o.Class != before[i].Class || o.Offer.GPURaw != before[i].Offer.GPURaw {
			t.Fatalf("the past was rewritten: %s %q, was %s %q", o.Class, o.Offer.GPURaw, before[i].Class, before[i].Offer.GPURaw)
		}
	}
}

func TestListingThatCannotBeReadIsNotGone(t *testing.T) {
	h := newHouse(t)
	pages := altered(t, "crusoe/pricing-page.html", "$4.29/GPU-hr", "From $4.29/GPU-hr")
	crusoe := setting{providers: []scrapers.Provider{scrapers.Crusoe()}, fetcher: h.fetcher(pages)}
	// Without a night before it nothing is missing.
	summary, err := h.run(t.Context(), crusoe)
	if err != nil {
		t.Fatal(err)
	}
	if got := outcome(t, summary, "crusoe"); got.Status != schema.StatusComplete {
		t.Errorf("first night %s (%v), want complete", got.Status, got.Err)
	}
	goodNight(t, h)
	crusoe.fetcher = h.fetcher(pages)
	summary, err = h.run(t.Context(), crusoe)
	if err != nil {
		t.Fatal(err)
	}
	got := outcome(t, summary, "crusoe")
	if got.Status != schema.StatusPartial || got.ErrorKind != "unread" || !strings.Contains(got.Detail, "H200") {
		t.Errorf("%s %q %q; want partial, unread, naming the H200", got.Status, got.ErrorKind, got.Detail)
	}
}

func TestPagesOfTwoDays(t *testing.T) {
	h := newHouse(t)
	pages := altered(t, "lambda/pricing-page.meta.toml", "2026-08-22T18:00:00Z", "2026-08-21T23:59:58Z")
	summary, err := h.run(t.Context(), setting{providers: scrapers.All(), fetcher: h.fetcher(pages)})
	if err != nil {
		t.Fatal(err)
	}
	if got := outcome(t, summary, "lambda"); got.Day != night-1 || got.Status != schema.StatusComplete {
		t.Errorf("lambda: %s of %s; want complete, of the day of its page", got.Status, got.Day)
	}
	if a, b := len(h.rows(night-1)), len(h.rows(night)); a != 28 || b != allRows-28 {
		t.Errorf("%d rows on the first day, %d on the second; want 28 and %d", a, b, allRows-28)
	}
	runs, err := h.store.ProviderRuns(t.Context(), night, night)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range runs {
		if r.Provider == "lambda" {
			t.Errorf("lambda is %s on %s, of which it has no page", r.Status, r.Day)
		}
	}
}

func TestOlderPageIsNotTakenUnnamed(t *testing.T) {
	h := newHouse(t)
	goodNight(t, h)
	before := h.rows(night - 1)
	pages := altered(t, "lambda/pricing-page.html", "$3.99", "$4.77")
	pages["lambda/pricing-page.meta.toml"] = altered(t, "lambda/pricing-page.meta.toml", "2026-08-22T", "2026-08-20T")["lambda/pricing-page.meta.toml"]
	summary, err := h.run(t.Context(), setting{
		providers: []scrapers.Provider{scrapers.Lambda(), scrapers.Crusoe()}, fetcher: h.fetcher(pages), newest: night - 1,
	})
	if err != nil {
		t.Fatal(err)
	}
	got := outcome(t, summary, "lambda")
	if got.Status != schema.StatusFailed || got.ErrorKind != "older_day" || !strings.Contains(got.Detail, "--day") {
		t.Errorf("lambda: %s %q %q; want failed, older_day", got.Status, got.ErrorKind, got.Detail)
	}
	if len(h.rows(night-2)) != 0 || len(h.rows(night-1)) != len(before) {
		t.Error("an older day was written without being named")
	}
}
