package alert_test

import (
	"encoding/csv"
	"os"
	"slices"
	"strconv"
	"testing"

	"mtok/reports/alert"
	"mtok/schema"
)

const (
	// The project's own history: written by hand, real figures, every kind of fault
	// of the real one around each true move.
	ownHistory  = "testdata/history.csv"
	ownExpected = "testdata/expected.csv"

	sharedHistory  = "../../../shared/history/observations_to_2026-07-31.csv"
	sharedExpected = "../../../shared/history/replay-expected.csv"
)

func day(text string) schema.Day {
	d, err := schema.ParseDay(text)
	if err != nil {
		panic(err)
	}
	return d
}

func usd(text string) schema.USD {
	u, err := schema.ParseUSD(text)
	if err != nil {
		panic(err)
	}
	return u
}

// reader is what reads the histories, and input what they are judged by.
func reader(t *testing.T) (alert.History, alert.Input) {
	t.Helper()
	catalog, err := schema.LoadCatalog()
	if err != nil {
		t.Fatal(err)
	}
	h := alert.History{
		Providers: []schema.ProviderID{"lambda", "runpod", "crusoe", "coreweave", "vast", "fluidstack"},
		Markets:   []schema.ProviderID{"vast"},
	}
	in := alert.Input{Bands: map[schema.ClassID]schema.Band{}, Cooldown: 7}
	for _, g := range catalog.GPUs {
		h.Classes = append(h.Classes, g.ID)
		in.Bands[g.ID] = g.Band
	}
	return h, in
}

func load(t *testing.T, path string) alert.Input {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	h, in := reader(t)
	if in.Readings, err = h.Read(file); err != nil {
		t.Fatal(err)
	}
	return in
}

// rule returns a default rule by its metric.
func rule(t *testing.T, m alert.Metric) alert.Rule {
	t.Helper()
	for _, r := range alert.Defaults() {
		if r.Metric == m {
			return r
		}
	}
	t.Fatalf("no default rule of %s", m)
	return alert.Rule{}
}

// table reads a CSV file with a head.
func table(t *testing.T, path string) []map[string]string {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var rows []map[string]string
	for _, line := range lines[1:] {
		row := map[string]string{}
		for i, key := range lines[0] {
			row[key] = line[i]
		}
		rows = append(rows, row)
	}
	return rows
}

// span is a price of an offer on the days from, to.
type span struct {
	from, to, price string
}

// listed are the readings of one offer of a list; what varies is set by with.
func listed(source string, with func(*alert.Reading), spans ...span) []alert.Reading {
	var readings []alert.Reading
	for _, s := range spans {
		for d := day(s.from); d <= day(s.to); d++ {
			r := alert.Reading{
				Day: d, Provider: "crusoe", Class: "h200-sxm-141gb", GPUs: 1, Term: schema.TermOnDemand,
				Price: usd(s.price), Provenance: alert.Primary, Source: source,
			}
			if with != nil {
				with(&r)
			}
			readings = append(readings, r)
		}
	}
	return readings
}

func moves(t *testing.T, readings ...[]alert.Reading) alert.Result {
	t.Helper()
	_, in := reader(t)
	in.Readings = slices.Concat(readings...)
	return alert.Moves(in)
}

// brief writes events as "day from->to".
func brief(events []alert.Event) []string {
	var out []string
	for _, e := range events {
		out = append(out, e.Day.String()+" "+e.From.String()+"->"+e.To.String())
	}
	return out
}

func wantEvents(t *testing.T, r alert.Result, want ...string) {
	t.Helper()
	if got := brief(r.Events); !slices.Equal(got, want) {
		t.Errorf("told %q, want %q; held %+v", got, want, r.Held)
	}
}

func number(t *testing.T, text string) int {
	t.Helper()
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}
