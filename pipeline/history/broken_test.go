package history_test

import (
	"errors"
	"strings"
	"testing"

	"mtok/pipeline/history"
)

// TestOtherFormat refuses a file of another format, and names both.
func TestOtherFormat(t *testing.T) {
	nixj9 := "timestamp,provider,gpu,min_price_hr,median_price_hr,max_price_hr,on_demand_hr,spot_price_hr,num_offers,availability,top_regions\n"
	for _, c := range []struct{ format, body, found string }{
		{"observations", nixj9, "a file of nixj9"},
		{"gpurentalprices", nixj9, "a file of nixj9"},
		{"gpurentalprices", `{"data": []}`, `JSON that begins "{\"data\": []}"`},
		{"gpurentalprices", "", "an empty file"},
		{"nixj9", `{"date":"2026-07-05","generated_at":"2026-07-05T23:04:21.818Z","offers":[]}`, "a file of gpurentalprices"},
		{"nixj9", "<!DOCTYPE html><p>price", "a page of HTML"},
		{"nixj9", "day,usd\n2026-01-01,3\n", "CSV with the columns day, usd"},
		{"token-prices", "\x28\xb5\x2f\xfd\x00", "a binary file"},
		{"skypilot", "hello", `text that begins "hello"`},
	} {
		f, _ := history.Find(c.format)
		_, err := f.Parse("file", []byte(c.body))
		if !errors.Is(err, history.ErrFormat) || !strings.Contains(err.Error(), "expected "+c.format) || !strings.Contains(err.Error(), "found "+c.found) {
			t.Errorf("%s of %q: %v, want found %s", c.format, c.body, err, c.found)
		}
	}
}

// TestBrokenStructure tells a broken file from one of another format, and broken
// rows from refused ones.
func TestBrokenStructure(t *testing.T) {
	header := "commit_date,commit,cloud,gpu_type,gpus,on_demand_instance,per_gpu,spot,name\n"
	sound := "2022-08-04,64463be8cc,Lambda,A100 (40 GB),1,$1.10,$1.10,,\n"
	for _, c := range []struct {
		name, body     string
		faults, prices int
		whole          bool // the whole file is broken
	}{
		{"sound", header + sound, 0, 1, false},
		{"a column is missing", strings.Replace(header, "per_gpu,", "", 1) + sound, 0, 0, true},
		{"cells are missing", header + sound + "2022-08-04,64463be8cc,Lambda\n", 1, 1, false},
		{"cells too many", header + "2022-08-04,64463be8cc,Lambda,A100 (40 GB),1,1,210.00,$1.10,,\n" + sound, 1, 1, false},
		{"no UTF-8", header + "2022-08-04,64463be8cc,L\xe4mbda,A100 (40 GB),1,$1.10,$1.10,,\n" + sound, 1, 1, false},
		{"no day", header + "04.08.2022,64463be8cc,Lambda,A100 (40 GB),1,$1.10,$1.10,,\n" + sound, 1, 1, false},
		{"a quote that never ends", header + sound + "2022-08-05,64463be8cc,\"Lambda,A100 (40 GB),1,$1.10,$1.10,,\n" + sound, 1, 1, false},
		{"a quote that begins the last row", header + sound + "\"", 1, 1, false},
		{"a byte order mark and CRLF", "\ufeff" + strings.ReplaceAll(header+sound, "\n", "\r\n"), 0, 1, false},
	} {
		f, _ := history.Find("the-full-stack")
		r, err := f.Parse("file.csv", []byte(c.body))
		if errors.Is(err, history.ErrStructure) != c.whole || !c.whole && err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if len(r.Faults) != c.faults || len(r.Rows) != c.prices {
			t.Errorf("%s: faults %v, %d rows", c.name, r.Faults, len(r.Rows))
		}
	}
	f, _ := history.Find("gpurentalprices")
	for body, whole := range map[string]bool{
		`{"date":"2026-07-05","generated_at":"x","offers":[{"provider":"runpod"`: true,
		`{"generated_at":"x","offers":[]}`:                                       true,
		`{"date":"5 July","generated_at":"x","offers":[]}`:                       true,
		`{"date":"2026-07-05","generated_at":"x","offers":[{"provider":7}]}`:     false,
		`{"date":"2026-07-05","generated_at":"x","offers":[{"provider":"aws"}]}`: false,
	} {
		r, err := f.Parse("file.json", []byte(body))
		if errors.Is(err, history.ErrStructure) != whole || !whole && len(r.Faults) != 1 {
			t.Errorf("%s: %v, faults %v", body, err, r.Faults)
		}
	}
}
