package history_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mtok/pipeline/history"
	"mtok/schema"
	"mtok/scrapers"
)

var update = flag.Bool("update", false, "rewrite the want files of testdata")

// testDay is the day that undated files are of, and the last day of all others.
const testDay = schema.Day(20687) // 2026-08-22

// want is what a file must give, as it stands in its want file.
type want struct {
	Read    int
	Prices  []string
	Tokens  []string
	Rejects []string
}

// TestFiles reads every file of testdata.
func TestFiles(t *testing.T) {
	for _, f := range history.All() {
		files, err := filepath.Glob(filepath.Join("testdata", f.Name, "*"))
		if err != nil {
			t.Fatal(err)
		}
		seen := 0
		for _, file := range files {
			if filepath.Ext(file) == ".want" {
				continue
			}
			seen++
			t.Run(f.Name+"/"+filepath.Base(file), func(t *testing.T) { checkFile(t, f, file) })
		}
		if seen == 0 {
			t.Errorf("%s has no file in testdata", f.Name)
		}
	}
}

func checkFile(t *testing.T, f history.Format, file string) {
	t.Helper()
	r, v := readFile(t, f, file)
	got := want{Read: r.Read}
	for _, p := range v.Kept {
		o := p.Observation()
		got.Prices = append(got.Prices, fmt.Sprintf("%s %s %s %s %dx %s %s %s %s %s stock %d", o.Day, o.Source, o.Offer.Provider, o.Class,
			o.Offer.GPUCount, o.Offer.Term, o.Offer.Tier, o.Offer.Region, o.Offer.PriceText, o.USDPerGPUHour, o.Offer.Stock))
	}
	for _, p := range r.Tokens {
		got.Tokens = append(got.Tokens, fmt.Sprintf("%s %s at %s: %s", p.Day, p.Model, p.Endpoint, p.Text))
	}
	rejects := slices.Clone(v.Rejects)
	slices.SortStableFunc(rejects, func(a, b history.Reject) int { return a.Line - b.Line })
	for _, x := range rejects {
		got.Rejects = append(got.Rejects, fmt.Sprintf("%d %s: %s, %s: %s", x.Line, x.Rule, x.Label, x.PriceText, x.Reason))
	}
	text, err := json.MarshalIndent(got, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	text = append(text, '\n')
	golden := file + ".want"
	if *update {
		if err := os.WriteFile(golden, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	wanted, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(wanted), string(text)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", file, diff)
	}
	everyRow(t, r, v)
}

// everyRow proves that each row of a file is a price or has its reason.
func everyRow(t *testing.T, r history.Result, v history.Verdict) {
	t.Helper()
	lines := map[int]bool{}
	for _, l := range slices.Concat(v.Lines, r.TokenLines) {
		lines[l] = true
	}
	for _, x := range v.Rejects {
		if x.Rule == "" || x.Reason == "" {
			t.Errorf("row %d is refused without a reason: %+v", x.Line, x)
		}
		lines[x.Line] = true
	}
	for _, x := range r.Faults {
		lines[x.Line] = true
	}
	if len(lines) != r.Read {
		t.Errorf("%d of %d rows are accounted for", len(lines), r.Read)
	}
}

func readFile(t *testing.T, f history.Format, file string) (history.Result, history.Verdict) {
	t.Helper()
	body, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return judged(t, f, filepath.Base(file), body)
}

// judged parses a file and decides which rows are prices.
func judged(t *testing.T, f history.Format, name string, body []byte) (history.Result, history.Verdict) {
	t.Helper()
	r, err := f.Parse(name, body)
	if err != nil {
		t.Fatal(err)
	}
	if f.Undated {
		for i := range r.Rows {
			r.Rows[i].Day = testDay
		}
	}
	catalog, err := schema.LoadCatalog()
	if err != nil {
		t.Fatal(err)
	}
	return r, history.Judge{Catalog: catalog, Expect: expect, Today: testDay}.Judge(f, r)
}

func expect(id schema.ProviderID) scrapers.Expect {
	for _, p := range scrapers.All() {
		if p.ID == id {
			return p.Expect
		}
	}
	return scrapers.Expect{}
}

// judgeAny judges rows of any content: what is kept has a price above zero.
func judgeAny(t *testing.T, catalog *schema.Catalog, f history.Format, r history.Result) {
	t.Helper()
	v := history.Judge{Catalog: catalog, Expect: expect, Today: testDay}.Judge(f, r)
	for _, p := range v.Kept {
		o := p.Said
		if o.USDPerGPUHour <= 0 || o.USDPerInstanceHour <= 0 || o.Class == "" || o.Offer.Provider == "" {
			t.Errorf("%s: kept %+v", f.Name, o)
		}
	}
}
