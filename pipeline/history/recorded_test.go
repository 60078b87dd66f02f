package history_test

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mtok/pipeline/history"
)

// recordedHistory is where whole records of past prices are kept beside the
// checkout.
const recordedHistory = "../../../shared/history"

// TestRecordedHistory reads whole records of past prices: every row is a price or
// has its reason, and the numbers are those that were counted by hand.
func TestRecordedHistory(t *testing.T) {
	if _, err := os.Stat(recordedHistory); err != nil {
		t.Skip("no records of past prices beside the checkout")
	}
	for _, c := range []struct {
		format, glob      string
		files, read, kept int
		rejects           map[string]int
	}{
		{"gpurentalprices", "gpurentalprices/*.json", 27, 5998, 5074,
			map[string]int{"carried_forward": 66, "contradiction": 89, "duplicate": 1, "serverless": 768}},
		{"nixj9", "nixj9_*.csv", 1, 1569, 1406, map[string]int{"mislabelled": 143, "placeholder": 18, "reverted": 2}},
		{"the-full-stack", "the-full-stack_*.csv", 1, 8830, 4614, map[string]int{
			"repeated_header": 1, "superseded": 3620, "figures_contradict": 384, "duplicate": 60, "contradiction": 64, "canary_price_band": 22, "price_of_one_gpu": 33,
			"gpu_count": 19, "unpriced": 6, "instance_total": 4, "price_jump": 1, "share_moved": 2}},
		{"token-prices", "token-prices/*.csv", 1, 6003, 5969, map[string]int{"free": 34}},
		{"skypilot", "../captures/*/*skypilot*.csv", 2, 90, 90, map[string]int{}},
	} {
		f, _ := history.Find(c.format)
		files, err := filepath.Glob(filepath.Join(recordedHistory, c.glob))
		if err != nil || len(files) != c.files {
			t.Errorf("%s: %d files, %v", c.format, len(files), err)
		}
		read, kept, rejects := 0, 0, map[string]int{}
		for _, file := range files {
			r, v := readFile(t, f, file)
			if len(r.Faults) > 0 {
				t.Errorf("%s: broken rows %v", file, r.Faults)
			}
			everyRow(t, r, v)
			read += r.Read
			n, why := refused(r, v)
			kept += n
			for _, rule := range why {
				rejects[rule]++
			}
		}
		if diff := cmp.Diff(c.rejects, rejects); diff != "" || read != c.read || kept != c.kept {
			t.Errorf("%s: %d rows read, %d kept, want %d and %d; rejects (-want +got):\n%s", c.format, read, kept, c.read, c.kept, diff)
		}
	}
}

// refused counts the rows that gave a price, and says of the others why not.
func refused(r history.Result, v history.Verdict) (kept int, why map[int]string) {
	good, why := map[int]bool{}, map[int]string{}
	for _, line := range append(append([]int(nil), v.Lines...), r.TokenLines...) {
		good[line] = true
	}
	for _, x := range v.Rejects {
		if !good[x.Line] && why[x.Line] == "" {
			why[x.Line] = x.Rule
		}
	}
	return len(good), why
}

// TestRecordedFakes reads a record of which somebody else flagged what is no price.
// The flags are not read; what they name must not pass.
func TestRecordedFakes(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(recordedHistory, "observations_*.csv"))
	if err != nil || len(files) == 0 {
		t.Skip("no records of past prices beside the checkout")
	}
	f, _ := history.Find("observations")
	r, v := readFile(t, f, files[0])
	everyRow(t, r, v)
	_, why := refused(r, v)
	body, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(string(body))).ReadAll()
	if err != nil || len(rows) != 19345 || r.Read != 19344 {
		t.Fatal(len(rows), r.Read, err)
	}
	missed := map[string]int{}
	for i, row := range rows[1:] {
		if flag := row[10]; flag != "" && why[i+2] == "" {
			missed[flag]++
		}
	}
	// Two spot prices of Crusoe, 1.30 and 1.60 for nodes of eight, are what spot costs
	// there.
	want := map[string]int{"unit_suspect:instance_total_not_per_gpu": 2}
	if diff := cmp.Diff(want, missed); diff != "" {
		t.Errorf("fakes that pass (-want +got):\n%s", diff)
	}
}
