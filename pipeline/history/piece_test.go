package history_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mtok/pipeline/history"
	"mtok/schema"
	"mtok/scrapers"
)

// longRecord is a file of several pieces. Its rows are such as are kept, refused by
// the parser, by the rules of a row and by those of a series, and broken.
func longRecord(end string) string {
	var b strings.Builder
	b.WriteString("date,provider,gpu_class,form,tier,gpu_count,usd_per_gpu_hr,stat,source,provenance,flag" + end)
	first, rows := schema.Day(19_000), 0
	for day := range schema.Day(1_200) {
		for seller := range 60 {
			price, provenance := fmt.Sprintf("2.%02d", 10+seller), "primary"
			switch rows++; {
			case rows%9_001 == 0:
				b.WriteString("date,provider,gpu_class,form,tier,gpu_count,usd_per_gpu_hr,stat,source,provenance,flag" + end)
			case rows%7_001 == 0:
				b.WriteString("a row,of few cells" + end + end)
			case rows%5_003 == 0:
				price = "none"
			case rows%4_001 == 0:
				price = "90.00"
			case rows%3_001 == 0:
				provenance = "static"
			}
			fmt.Fprintf(&b, "%s,seller-%02d,H100-80,SXM,on_demand,1,%s,list,record,%s,%s", first+day, seller, price, provenance, end)
		}
	}
	return strings.TrimSuffix(b.String(), end)
}

// TestSiftInPieces reads a file that is taken piece by piece as it is read whole.
func TestSiftInPieces(t *testing.T) {
	catalog, err := schema.LoadCatalog()
	if err != nil {
		t.Fatal(err)
	}
	judge := history.Judge{Catalog: catalog, Today: 20_600, Expect: func(schema.ProviderID) scrapers.Expect { return scrapers.Expect{} }}
	format := history.Observations()
	for name, text := range map[string]string{
		"lines": longRecord("\n"), "lines of Windows": longRecord("\r\n"),
		"a cell in quotes": strings.Replace(longRecord("\n"), ",list,", ",\"li\nst\",", 1),
	} {
		t.Run(name, func(t *testing.T) {
			if len(text) <= 4<<20 {
				t.Fatalf("%d bytes are one piece", len(text))
			}
			whole, err := format.Parse("record.csv", []byte(text))
			if err != nil {
				t.Fatal(err)
			}
			want := judge.Judge(format, whole)
			got, err := judge.Sift(format, "record.csv", []byte(text), 0)
			if err != nil {
				t.Fatal(err)
			}
			if got.Read != whole.Read || len(got.Rows) != 0 {
				t.Errorf("%d rows read and %d held, want %d and none", got.Read, len(got.Rows), whole.Read)
			}
			if diff := cmp.Diff(whole.Faults, got.Faults); diff != "" || len(got.Faults) == 0 {
				t.Errorf("broken rows (-whole +pieces):\n%s", diff)
			}
			verdict := judge.Weigh(format, []history.Sifted{got})[0]
			rules := map[string]bool{}
			for _, r := range verdict.Rejects {
				rules[r.Rule] = true
			}
			if len(rules) < 4 || len(verdict.Kept) < 60_000 {
				t.Errorf("refused by %v, %d kept: too little to compare", rules, len(verdict.Kept))
			}
			if len(want.Kept) != len(verdict.Kept) || !slices.Equal(want.Lines, verdict.Lines) {
				t.Fatalf("%d kept, want %d", len(verdict.Kept), len(want.Kept))
			}
			for i := range want.Kept {
				if !reflect.DeepEqual(want.Kept[i].Observation(), verdict.Kept[i].Observation()) { // cmp would take seconds
					t.Fatalf("line %d: %+v, want %+v", want.Lines[i], verdict.Kept[i].Observation(), want.Kept[i].Observation())
				}
			}
			if diff := cmp.Diff(want.Rejects, verdict.Rejects); diff != "" {
				t.Errorf("refused rows (-whole +pieces):\n%s", diff)
			}
		})
	}
}
