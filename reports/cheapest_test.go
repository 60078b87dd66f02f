package reports_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mtok/reports"
	"mtok/schema"
)

// listing is a store of given observations of tonight.
type listing struct {
	source
	seen []schema.Observation
}

func (l *listing) Observations(context.Context, schema.ObservationFilter) ([]schema.Observation, error) {
	return l.seen, nil
}

func tonightOf(t *testing.T, f reports.Filter, seen ...schema.Observation) reports.Tonight {
	t.Helper()
	got, err := reports.Loader{Source: &listing{seen: seen}, Catalog: testCatalog(t), Settings: reports.DefaultSettings()}.
		Cheapest(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestCheapestNamesTheRealRent(t *testing.T) {
	got := tonightOf(t, reports.Filter{}, offer(1, "coreweave", h100, 8, "49.24"), offer(2, "crusoe", h200, 1, "4.29", perGPU(0)),
		offer(3, "lambda", gh200, 1, "2.29"), offer(4, "lambda", b200, 1, "6.99"))
	if got.Model != "" || got.Reference.Model != "Llama-3.3-70B" || got.Offered != 4 {
		t.Errorf("model %q, reference %q, %d offered", got.Model, got.Reference.Model, got.Offered)
	}
	type line struct {
		Class       schema.ClassID
		Rent, Month string
		Caveats     string
	}
	var lines []line
	for _, b := range got.Best {
		lines = append(lines, line{b.Row.Class, b.Rent.String(), b.RentPerMonth.String(), strings.Join(b.Caveats, "; ")})
	}
	want := []line{
		{h100, "49.24", "35945.20", ""}, // the whole node, though a replica costs 12.31
		{h200, "4.29", "3131.70", "node size not published; engine 1.0"},
		{b200, "6.99", "5102.70", "FP4: other precision"},
		{gh200, "2.29", "1671.70", "Llama-3.1-70B, same shape; engine 0.17; Arm host"},
	}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Errorf("best (-want +got):\n%s", diff)
	}
	one := tonightOf(t, reports.Filter{}, offer(3, "lambda", gh200, 1, "2.29"))
	if one.Model != "Llama-3.1-70B" || strings.Contains(strings.Join(one.Best[0].Caveats, ";"), "Llama") {
		t.Errorf("one model: heading %q, caveats %q", one.Model, one.Best[0].Caveats)
	}
}

func TestCheapestWithoutAPrice(t *testing.T) {
	sold := tonightOf(t, reports.Filter{}, offer(1, "lambda", h100, 2, "8.38", stock(schema.StockSoldOut)))
	if len(sold.Best) != 0 || sold.Offered != 1 {
		t.Errorf("sold out: %d best, %d offered", len(sold.Best), sold.Offered)
	}
	later := reports.Filter{Day: tonight + 1, DayNamed: true}
	if got := tonightOf(t, later, offer(1, "lambda", h100, 2, "8.38")); len(got.Best) != 0 || got.Offered != 0 {
		t.Errorf("last night's price as tonight's: %+v", got)
	}
}
