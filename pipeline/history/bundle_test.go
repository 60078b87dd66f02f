package history_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mtok/pipeline/history"
	"mtok/schema"
)

// TestBundles reads the history that comes with the program: every row is believed,
// names its source, and may be given on with the attribution that NOTICE has.
func TestBundles(t *testing.T) {
	notice, err := os.ReadFile("../../NOTICE")
	if err != nil {
		t.Fatal(err)
	}
	bundles, err := history.Bundles()
	if err != nil {
		t.Fatal(err)
	}
	size := 0
	for _, b := range bundles {
		size += len(b.Body)
		r, v := judged(t, b.Format, b.Name, b.Body)
		if len(r.Faults) > 0 || len(v.Rejects) > 0 || len(v.Kept)+len(r.Tokens) == 0 {
			t.Errorf("%s: faults %v, rejects %v, %d prices", b.Name, r.Faults, v.Rejects, len(v.Kept)+len(r.Tokens))
		}
		for _, o := range v.Kept {
			if o.Said.Source != b.Format.Name || !schema.IsImportedSKU(b.Format.Name, o.Said.Offer.SKU) {
				t.Fatalf("%s: a row of source %q, offer %q", b.Name, o.Said.Source, o.Said.Offer.SKU)
			}
		}
		if !slices.Contains([]string{"CC-BY-4.0", "MIT"}, b.Format.Licence) {
			t.Errorf("%s: licence %s", b.Name, b.Format.Licence)
		}
		flat := strings.Join(strings.Fields(string(notice)), " ")
		name, _, _ := strings.Cut(b.Format.Attribution, ",")
		if !strings.Contains(flat, name) {
			t.Errorf("NOTICE does not say %q", name)
		}
	}
	if size > 300_000 {
		t.Errorf("the bundled history has %d bytes", size)
	}
}

// TestCompact writes a price when it changes, and leaves a hole where nobody looked.
func TestCompact(t *testing.T) {
	f := history.Nixj9()
	var kept []schema.ImportedPrice
	for _, p := range []struct {
		day  schema.Day
		text string
	}{{20523, "6.08"}, {20524, "6.08"}, {20525, "6.99"}, {20528, "6.99"}, {20527, "6.99"}} {
		kept = append(kept, schema.ImportedPrice{Day: p.day, Said: &schema.Observation{Source: f.Name, Class: "b200-sxm-180gb", Offer: schema.Offer{
			OfferKey: schema.OfferKey{Provider: "lambda", SKU: "nixj9:B200", GPUCount: 1, Term: schema.TermOnDemand},
			GPURaw:   "B200", Unit: schema.UnitGPUHour, PerGPU: true, PriceText: p.text,
		}}})
	}
	body, err := history.Compact(f, kept)
	if err != nil {
		t.Fatal(err)
	}
	want := `from,to,source,provider,name,gpu,class,vram_mib,gpus,per_gpu,region,term,tier,unit,price
2026-03-11,2026-03-12,nixj9,lambda,B200,B200,b200-sxm-180gb,0,1,1,,on_demand,,gpu_hour,6.08
2026-03-13,2026-03-13,nixj9,lambda,B200,B200,b200-sxm-180gb,0,1,1,,on_demand,,gpu_hour,6.99
2026-03-15,2026-03-16,nixj9,lambda,B200,B200,b200-sxm-180gb,0,1,1,,on_demand,,gpu_hour,6.99
`
	if diff := cmp.Diff(want, string(body)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	bundles, err := history.Bundles()
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(bundles, func(b history.Bundle) bool { return b.Format.Name == f.Name })
	r, v := judged(t, bundles[i].Format, "nixj9.csv", body)
	if len(v.Kept) != len(kept) || r.Read != 3 {
		t.Fatalf("%d rows, %d prices read back, rejects %v", r.Read, len(v.Kept), v.Rejects)
	}
	again, err := history.Compact(f, v.Kept)
	if err != nil || !bytes.Equal(again, body) {
		t.Errorf("read back and written again: %v\n%s", err, again)
	}
}

// TestCompactUnits keeps a number of an instance apart from the same number of a GPU.
func TestCompactUnits(t *testing.T) {
	f := history.FullStack()
	var kept []schema.ImportedPrice
	for i, unit := range []schema.Unit{schema.UnitInstanceHour, schema.UnitGPUHour} {
		kept = append(kept, schema.ImportedPrice{Day: 19000 + schema.Day(i), Said: &schema.Observation{Source: f.Name, Class: "a100-sxm-80gb", Offer: schema.Offer{
			OfferKey: schema.OfferKey{Provider: "lambda", SKU: "the-full-stack:A100", GPUCount: 8, Term: schema.TermOnDemand},
			GPURaw:   "A100", Unit: unit, PriceText: "8.80",
		}}})
	}
	body, err := history.Compact(f, kept)
	if err != nil {
		t.Fatal(err)
	}
	if lines := strings.Count(string(body), "\n"); lines != 3 {
		t.Errorf("%d lines, want the header and one for each unit:\n%s", lines, body)
	}
}

// TestRecordedBundle makes the bundled rows again from the whole records.
func TestRecordedBundle(t *testing.T) {
	file := filepath.Join(recordedHistory, "nixj9_last_of_day_to_2026-07-31.csv")
	if _, err := os.Stat(file); err != nil {
		t.Skip("no records of past prices beside the checkout")
	}
	_, v := readFile(t, history.Nixj9(), file)
	body, err := history.Compact(history.Nixj9(), v.Kept)
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("bundled/nixj9.csv")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(body)); diff != "" {
		t.Errorf("bundled/nixj9.csv is not what mtok import bundle makes (-there +made):\n%s", diff)
	}
}
