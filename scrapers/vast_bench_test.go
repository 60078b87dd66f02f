package scrapers_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"mtok/pipeline/validate"
	"mtok/schema"
	"mtok/scrapers"
)

// vastBook3000 is a book of 3,000 asks of one model: 63 copies of the real
// answer of 2026-07-18 where it is at hand, else of a case of testdata padded to
// as many bytes, each copy with ids of its own.
func vastBook3000(tb testing.TB) []byte {
	tb.Helper()
	var answer struct{ Offers []map[string]json.RawMessage }
	files := []string{
		filepath.Join(captures, "vast/api_bundles_H100_20260718_markrusch-Compute-Index.json"),
		"testdata/vast/slices-of-one-machine/page.json",
	}
	for _, file := range files {
		if body, err := os.ReadFile(file); err == nil {
			if err := json.Unmarshal(body, &answer); err != nil {
				tb.Fatal(err)
			}
			break
		}
	}
	if len(answer.Offers) == 0 {
		tb.Fatalf("no asks in %v", files)
	}
	var book bytes.Buffer
	book.WriteString(`{"offers": [`)
	for i := range 3000 {
		if i > 0 {
			book.WriteString(",\n")
		}
		ask := answer.Offers[i%len(answer.Offers)]
		for _, id := range []string{"id", "ask_contract_id", "machine_id"} {
			ask[id] = json.RawMessage(fmt.Sprint(1_000_000 + i))
		}
		ask["gpu_name"] = json.RawMessage(`"H100 SXM"`)
		for n := 0; len(ask) < 100; n++ {
			ask[fmt.Sprintf("some_other_field_%02d", n)] = json.RawMessage("0.13333333333333333")
		}
		text, err := json.Marshal(ask)
		if err != nil {
			tb.Fatal(err)
		}
		book.Write(text)
	}
	book.WriteString("]}")
	return book.Bytes()
}

// BenchmarkParseVast3000 parses a book and normalises it: class and both prices
// of every offer, by the rules of the night.
func BenchmarkParseVast3000(b *testing.B) {
	body := vastBook3000(b)
	catalog := loadCatalog(b)
	source := scrapers.Vast().Sources[0]
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		got, err := source.Parse(scrapers.Page{Source: source.Name, Key: "h100-sxm.asc", Status: 200, Body: body})
		if err != nil {
			b.Fatal(err)
		}
		asks := 0
		for _, o := range got.Offers {
			class := catalog.Match(o.Provider, o.GPURaw, o.FormRaw, o.VRAMMiB)
			gpu, known := catalog.GPU(class)
			price, _ := validate.Row(o, gpu, known)
			if o.Term == schema.TermOnDemand && price.PerGPUHour > 0 {
				asks++
			}
		}
		if asks != 3000 {
			b.Fatalf("%d asks of 3,000; skipped %v", asks, got.Skipped)
		}
	}
}

// BenchmarkScrubVast3000 takes the addresses out of the same book.
func BenchmarkScrubVast3000(b *testing.B) {
	body := vastBook3000(b)
	source := scrapers.Vast().Sources[0]
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := source.Scrub(body); err != nil {
			b.Fatal(err)
		}
	}
}
