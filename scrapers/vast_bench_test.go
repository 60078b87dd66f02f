//go:build unix

package scrapers_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

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
		for j, name := range slices.Sorted(maps.Keys(ask)) {
			open := ", "
			if j == 0 {
				open = "{"
			}
			fmt.Fprintf(&book, "%s%q: %s", open, name, ask[name]) // spaced, as the market's answer is
		}
		book.WriteString("}")
	}
	book.WriteString("]}")
	return book.Bytes()
}

// BenchmarkVastBook takes a book as the night does: addresses taken out, parsed,
// class and both prices of each offer. The peers decode the fields that are read
// and no more.
func BenchmarkVastBook(b *testing.B) {
	body := vastBook3000(b)
	catalog := loadCatalog(b)
	source := sourceOf(b, scrapers.Vast(), "bundles-api")
	scrub := func(b *testing.B) []byte {
		clean, err := source.Scrub(body)
		if err != nil {
			b.Fatal(err)
		}
		return clean
	}
	cpu(b, "all/mtok", body, func(b *testing.B) { normalise(b, source, catalog, scrub(b)) })
	cpu(b, "scrub/mtok", body, func(b *testing.B) { scrub(b) })
	clean := scrub(b)
	cpu(b, "parse/mtok", body, func(b *testing.B) { normalise(b, source, catalog, clean) })
	cpu(b, "parse/encoding-json-fields", body, func(b *testing.B) { decodeFields(b, clean) })
	b.Run("parse/python3-json", func(b *testing.B) { decodePython(b, clean) })
}

// normalise parses a book and judges each offer by the rules of the night.
func normalise(b *testing.B, source scrapers.Source, catalog *schema.Catalog, body []byte) {
	b.Helper()
	got, err := source.Parse(scrapers.Page{Source: source.Name, Key: "h100-sxm.asc", Status: 200, Body: body})
	if err != nil {
		b.Fatal(err)
	}
	asks := 0
	type gpuName struct {
		name, form string
		vramMiB    int64
	}
	classes := map[gpuName]schema.ClassID{} // each name is matched once, as in a night
	for _, o := range got.Offers {
		name := gpuName{o.GPURaw, o.FormRaw, o.VRAMMiB}
		class, met := classes[name]
		if !met {
			class = catalog.Match(o.Provider, o.GPURaw, o.FormRaw, o.VRAMMiB)
			classes[name] = class
		}
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

// decodeFields reads the fields that the parser reads, with nothing checked.
func decodeFields(b *testing.B, body []byte) {
	b.Helper()
	var answer struct {
		Offers []struct {
			Machine      json.Number `json:"machine_id"`
			Name         string      `json:"gpu_name"`
			GPUs         json.Number `json:"num_gpus"`
			RAM          json.Number `json:"gpu_ram"`
			TotalRAM     json.Number `json:"gpu_total_ram"`
			Total        json.Number `json:"dph_total"`
			Base         json.Number `json:"dph_base"`
			Storage      json.Number `json:"storage_total_cost"`
			StorageRate  json.Number `json:"storage_cost"`
			MinBid       json.Number `json:"min_bid"`
			Verification string      `json:"verification"`
			Hosting      json.Number `json:"hosting_type"`
			Duration     json.Number `json:"duration"`
			Reliability  json.Number `json:"reliability"`
			Reliability2 json.Number `json:"reliability2"`
			NVLink       json.Number `json:"bw_nvlink"`
			CPUCores     json.Number `json:"cpu_cores"`
			Perf         json.Number `json:"dlperf"`
			Rentable     bool        `json:"rentable"`
			Rented       bool        `json:"rented"`
			IsBid        bool        `json:"is_bid"`
		} `json:"offers"`
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		b.Fatal(err)
	}
	if len(answer.Offers) != 3000 {
		b.Fatalf("%d asks", len(answer.Offers))
	}
}

// decodePython lets Python read the JSON and touch each price, which is less
// than what a tracker in Python does; it is not measured where there is none.
func decodePython(b *testing.B, body []byte) {
	program, err := exec.LookPath("python3")
	if err != nil {
		b.Skip("not measured: no python3")
	}
	const script = `import json, sys, time
body = open(sys.argv[1]).read()
start = time.process_time()
total = sum(float(o["dph_total"]) / o["num_gpus"] for o in json.loads(body)["offers"])
print(time.process_time() - start)`
	file := filepath.Join(b.TempDir(), "book.json")
	if err := os.WriteFile(file, body, 0o600); err != nil {
		b.Fatal(err)
	}
	spent, runs := 0.0, 0
	for b.Loop() {
		out, err := exec.Command(program, "-c", script, file).Output()
		if err != nil {
			b.Fatal(err)
		}
		seconds, err := strconv.ParseFloat(strings.TrimSpace(string(out)), 64)
		if err != nil {
			b.Fatal(err)
		}
		spent += seconds
		runs++
	}
	b.ReportMetric(spent/float64(runs), "cpu-s")
	b.ReportMetric(spent/float64(runs)*float64(time.Second), "ns/op") // without the start of Python
}

// cpu is a benchmark that reports CPU seconds besides, the garbage collector's
// included.
func cpu(b *testing.B, name string, body []byte, f func(*testing.B)) {
	b.Run(name, func(b *testing.B) {
		b.SetBytes(int64(len(body)))
		before, runs := cpuTime(b), 0
		for b.Loop() {
			f(b)
			runs++
		}
		b.ReportMetric((cpuTime(b)-before).Seconds()/float64(runs), "cpu-s")
	})
}

func cpuTime(b *testing.B) time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
