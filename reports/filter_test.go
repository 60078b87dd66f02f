package reports_test

import (
	"slices"
	"strings"
	"testing"

	"mtok/reports"
	"mtok/schema"
)

func TestExplainObeysTheWholeFilter(t *testing.T) {
	n, catalog, s := night(), testCatalog(t), reports.DefaultSettings()
	daily := recompute(t, n.Observations).Prices
	daily = slices.DeleteFunc(daily, func(d schema.DailyPrice) bool { return d.Class != h100 })
	doc := reports.Explain(n, daily, catalog, s, reports.Filter{Class: h100, Provider: "crusoe"})
	expect(t, doc, "provider", "crusoe")
	text := strings.Join(doc.After, "\n")
	if strings.Contains(text, "lambda") || strings.Contains(text, "runpod") || !strings.Contains(text, "on demand at crusoe: crusoe: 3.90 x 2") {
		t.Errorf("lines of crusoe alone wanted:\n%s", text)
	}
	doc = reports.Explain(n, daily, catalog, s, reports.Filter{Class: h100, Provider: "nebius"})
	text = strings.Join(doc.After, "\n")
	if len(doc.Rows) != 0 || !strings.Contains(text, "No current price of h100-sxm-80gb at nebius.") ||
		!strings.Contains(text, "Cheapest eligible on demand at nebius: none on this day.") || strings.Contains(text, "Daily price") {
		t.Errorf("%d rows, want none, said so:\n%s", len(doc.Rows), text)
	}
}

func TestReportsNameTheirFilter(t *testing.T) {
	f := reports.Filter{Class: h100, Provider: "crusoe", Term: schema.TermSpot, Day: tonight, DayNamed: true}
	for _, doc := range []reports.Document{
		reports.Prices(night(), testCatalog(t), reports.DefaultSettings(), f),
		reports.MTok(night(), testCatalog(t), reports.DefaultSettings(), f),
		reports.Market(night(), testCatalog(t), reports.DefaultSettings(), f),
	} {
		if len(doc.Before) != 1 || doc.Before[0] != "Only h100-sxm-80gb, crusoe, spot." {
			t.Errorf("%s: %q above the table", doc.Name, doc.Before)
		}
		if len(doc.Rows) != 0 || !strings.HasSuffix(doc.After[0], "No current price of h100-sxm-80gb at crusoe, spot.") {
			t.Errorf("%s: %d rows, %q", doc.Name, len(doc.Rows), doc.After)
		}
	}
	doc := reports.MTok(night(), testCatalog(t), reports.DefaultSettings(), reports.Filter{Class: gh200, Day: tonight, DayNamed: true})
	if !slices.Contains(doc.After, "Each figure: mtok explain gh200-96gb --day 2026-08-22") {
		t.Errorf("the next command has lost the day: %q", doc.After)
	}
}

// The heading names a model only where it is that of every row.
func TestHeadingModel(t *testing.T) {
	for class, want := range map[schema.ClassID]string{
		"": "; Llama-3.3-70B unless noted, 1000/1000", h100: "; Llama-3.3-70B 1000/1000", gh200: "; Llama-3.1-70B 1000/1000",
	} {
		doc := reports.MTok(night(), testCatalog(t), reports.DefaultSettings(), reports.Filter{Class: class})
		if !strings.HasSuffix(doc.Title, want) {
			t.Errorf("%q: %q, want %q at its end", class, doc.Title, want)
		}
		if named := strings.Contains(screenText(doc), "Llama-3.1-70B, same shape"); named != (class == "") {
			t.Errorf("%q: rows of another model said so: %t", class, named)
		}
	}
}

// screenText joins the text cells of all rows and the lines below.
func screenText(doc reports.Document) string {
	var out []string
	for _, row := range doc.Rows {
		for _, cell := range row {
			out = append(out, cell.Text)
		}
	}
	return strings.Join(append(out, doc.After...), "\n")
}
