package reports_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mtok/reports"
	"mtok/reports/render"
	"mtok/schema"
)

type pastBuilder = func(reports.Loader, context.Context, reports.Filter) (reports.Document, error)

var twoWeeksOnly = reports.Window{Days: 14}

// pastReports are the reports over many days, by the name of their goldens.
func pastReports() map[string]struct {
	build  pastBuilder
	filter reports.Filter
} {
	return map[string]struct {
		build  pastBuilder
		filter reports.Filter
	}{
		"trend":       {reports.Loader.Trend, reports.Filter{Window: twoWeeksOnly}},
		"trend_class": {reports.Loader.Trend, reports.Filter{Window: twoWeeksOnly, Class: h100}},
		"trend_at":    {reports.Loader.Trend, reports.Filter{Window: twoWeeksOnly, Class: h100, Provider: "runpod"}},
		"compare":     {reports.Loader.Compare, reports.Filter{Window: twoWeeksOnly}},
		"compare_two": {reports.Loader.Compare, reports.Filter{Window: twoWeeksOnly, Class: h100, Other: h200}},
		"providers":   {reports.Loader.Providers, reports.Filter{}},
		"quality":     {reports.Loader.Quality, reports.Filter{}},
	}
}

func TestPastGoldens(t *testing.T) {
	for name, r := range pastReports() {
		t.Run(name, func(t *testing.T) {
			doc, err := r.build(pastLoader(t, twoWeeks()), t.Context(), r.filter)
			if err != nil {
				t.Fatal(err)
			}
			golden(t, name+".txt", doc, render.Table)
			golden(t, name+".json", doc, render.JSON)
		})
	}
}

// What a store gives first changes nothing.
func TestPastIgnoresOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for name, r := range pastReports() {
		want, err := r.build(pastLoader(t, twoWeeks()), t.Context(), r.filter)
		if err != nil {
			t.Fatal(err)
		}
		for range 10 {
			got, err := r.build(pastLoader(t, twoWeeks().shuffled(random)), t.Context(), r.filter)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("%s: another order, another report:\n%s", name, diff)
			}
		}
	}
}

func trendOf(t *testing.T, p *past, f reports.Filter) reports.Document {
	t.Helper()
	doc, err := pastLoader(t, p).Trend(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// states are the days of a class, in the words of a machine format.
func states(doc reports.Document) map[string][]string {
	out := map[string][]string{}
	for _, row := range doc.Rows {
		out[row[0].Text] = append(out[row[0].Text], row[3].Text)
	}
	return out
}

func TestTrendStates(t *testing.T) {
	doc := trendOf(t, twoWeeks(), reports.Filter{Window: twoWeeksOnly, Class: h100})
	first := tonight - 13
	want := map[string][]string{}
	for n, state := range map[int]string{0: "import", 1: "import", 2: "import", 3: "import", 4: "fresh", 5: "fresh", 6: "fresh", 7: "carried",
		8: "carried", 9: "gap", 10: "fresh", 11: "fresh", 12: "fresh", 13: "fresh"} {
		want[(first + schema.Day(n)).String()] = []string{state}
	}
	want[(first + 6).String()] = []string{"fresh", "import"} // ours first, theirs below
	if diff := cmp.Diff(want, states(doc)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A changed inputs hash is a break: the line is cut and no change is stated.
func TestTrendBreak(t *testing.T) {
	doc := trendOf(t, twoWeeks(), reports.Filter{Window: twoWeeksOnly, Class: h100})
	broken := 0
	for _, line := range doc.Charts[1].Lines {
		for _, p := range line.Points {
			if p.Broken {
				broken++
				if p.Day != tonight-1 {
					t.Errorf("%s: broken on %s, want %s", line.Name, p.Day, tonight-1)
				}
			}
		}
	}
	text := strings.Join(doc.Before, "\n")
	if broken != 2 || !strings.Contains(text, "no change stated: other inputs from 2026-08-21 on") {
		t.Errorf("%d broken points, want 2 (flat out and utilised); said:\n%s", broken, text)
	}
	if !strings.Contains(text, "change -0.30 (-9.1 %)") {
		t.Errorf("the price has not changed its rules, its change is -0.30:\n%s", text)
	}
	p := twoWeeks()
	p.inputs[inputsAfter] = strings.Replace(p.inputs[inputsAfter], "community=false", "community=true", 1)
	text = strings.Join(trendOf(t, p, reports.Filter{Window: twoWeeksOnly, Class: h100}).Before, "\n")
	if strings.Contains(text, "change -0.30") || strings.Count(text, "no change stated") != 2 {
		t.Errorf("under other rules the price is broken too:\n%s", text)
	}
}

// Nothing is drawn between two days of which the one between has no price.
func TestTrendGaps(t *testing.T) {
	for _, c := range trendOf(t, twoWeeks(), reports.Filter{Window: twoWeeksOnly, Class: h100}).Charts {
		for _, line := range c.Lines {
			for _, p := range line.Points {
				if p.Day == tonight-4 {
					t.Errorf("%s, %s has a point on the gap of %s", c.Title, line.Name, p.Day)
				}
			}
		}
	}
}

func TestTrendWindows(t *testing.T) {
	day := func(n int) schema.Day { return tonight - 13 + schema.Day(n) }
	for name, c := range map[string]struct {
		window reports.Window
		want   string
	}{
		"empty":         {reports.Window{From: day(-40), To: day(-30), FromNamed: true, ToNamed: true}, "No price of h100-sxm-80gb, on-demand, from 2026-06-30 to 2026-07-10."},
		"before it all": {reports.Window{To: day(-20), ToNamed: true, Days: 5}, "No price of h100-sxm-80gb, on-demand, from 2026-07-16 to 2026-07-20."},
		"carried into":  {reports.Window{From: day(7), To: day(7), FromNamed: true, ToNamed: true}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			doc := trendOf(t, twoWeeks(), reports.Filter{Window: c.window, Class: h100})
			if c.want != "" && (len(doc.Rows) > 0 || len(doc.After) != 1 || doc.After[0] != c.want) {
				t.Errorf("%d rows, said %q, want %q", len(doc.Rows), doc.After, c.want)
			}
			if c.want == "" && (len(doc.Rows) != 1 || doc.Rows[0][3].Text != "carried") {
				t.Errorf("rows %v, want the price carried from the day before the window", doc.Rows)
			}
		})
	}
	none := twoWeeks()
	none.markets, none.costs, none.unpublish = nil, nil, true
	if doc := trendOf(t, none, reports.Filter{}); len(doc.After) != 1 || !strings.HasPrefix(doc.After[0], "Nothing has been published") {
		t.Errorf("an empty database: %q", doc.After)
	}
}

// Where nothing was ever published no window is told, of which every day would be
// made up; one that somebody names is.
func TestPastOfNothingPublished(t *testing.T) {
	none := twoWeeks()
	none.markets, none.prices, none.costs, none.unpublish = nil, nil, nil, true
	for name, f := range map[string]reports.Filter{"all": {}, "days": {Window: twoWeeksOnly}, "class": {Class: h100}, "two": {Class: h100, Other: h200}} {
		for report, build := range map[string]pastBuilder{"trend": reports.Loader.Trend, "compare": reports.Loader.Compare} {
			doc, err := build(pastLoader(t, none), t.Context(), f)
			if err != nil {
				t.Fatal(err)
			}
			if said := strings.Join(append(append([]string{doc.Title}, doc.Before...), doc.After...), "\n"); len(doc.After) != 1 ||
				!strings.HasPrefix(doc.After[0], "Nothing has been published yet") || strings.Contains(said, "1970") || strings.Contains(said, "1969") {
				t.Errorf("%s, %s says %q", report, name, said)
			}
		}
	}
	f := reports.Filter{Class: h100, Window: reports.Window{To: tonight, ToNamed: true, Days: 2}}
	if doc := trendOf(t, none, f); !strings.HasPrefix(doc.After[0], "No price of h100-sxm-80gb, on-demand, from 2026-08-21 to 2026-08-22") {
		t.Errorf("a window with a day of its own: %q", doc.After)
	}
}

func TestPastFailsWithItsStore(t *testing.T) {
	for name, calls := range map[string][]string{
		"trend":       {"markets", "class markets", "costs", "inputs", "complete"},
		"trend_class": {"models", "api", "imported by"},
		"trend_at":    {"prices"},
		"compare_two": {"prices"},
		"quality":     {"rejects", "parses", "quarantines"},
	} {
		r := pastReports()[name]
		for _, call := range calls {
			p := twoWeeks()
			p.fails = call
			if _, err := r.build(pastLoader(t, p), t.Context(), r.filter); !errors.Is(err, errBroken) {
				t.Errorf("%s without %s: %v", name, call, err)
			}
		}
	}
}
