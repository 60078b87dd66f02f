//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"mtok/scrapers/recorded"
)

// marketNight is a recorded night with so many asks at the market, beside the
// demo's pages of the other providers. Each ask is of a machine of its own, with
// a floor of its bids. Editions differ in their bytes, not in their prices.
type marketNight struct {
	asks    int
	edition int
}

// bookModel is a model that the market's books are written for, with the memory
// by which it is known.
type bookModel struct {
	name    string
	vramMiB int
}

func bookModels() []bookModel {
	return []bookModel{
		{"H100 SXM", 81_559}, {"H100 PCIE", 81_559}, {"H100 NVL", 95_830}, {"H200", 143_771}, {"H200 NVL", 143_771},
		{"GH200 SXM", 97_871}, {"A100 SXM4", 81_920}, {"A100 PCIE", 81_920},
	}
}

// write records the night in a directory and returns the configuration that
// asks for its models.
func (m marketNight) write(b *testing.B, dir string) (config string) {
	b.Helper()
	if err := os.CopyFS(dir, recorded.Night()); err != nil {
		b.Fatal(err)
	}
	market := filepath.Join(dir, "vast")
	if err := os.RemoveAll(market); err != nil {
		b.Fatal(err)
	}
	if err := os.Mkdir(market, 0o755); err != nil {
		b.Fatal(err)
	}
	asks := benchAsks(b)
	var names []byte
	first := 1_000_000
	for _, model := range bookModels() {
		names = fmt.Appendf(names, "%q, ", model.name)
		key := bytes.ReplaceAll(bytes.ToLower([]byte(model.name)), []byte(" "), []byte("-"))
		for _, end := range []string{"asc", "desc"} {
			n := m.asks / len(bookModels()) / 2
			body := m.book(b, asks, model, first, n)
			first += n
			if err := os.WriteFile(filepath.Join(market, fmt.Sprintf("bundles-api.%s.%s.json", key, end)), body, 0o600); err != nil {
				b.Fatal(err)
			}
		}
	}
	config = dir + ".toml"
	text := fmt.Sprintf("[providers.vast]\nenabled = true\nmodels = [%s]\n", names)
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		b.Fatal(err)
	}
	return config
}

// book is one answer of the market: n asks of one model.
func (m marketNight) book(b *testing.B, asks []map[string]json.RawMessage, model bookModel, first, n int) []byte {
	b.Helper()
	var body bytes.Buffer
	body.WriteString(`{"offers": [`)
	for i := range n {
		if i > 0 {
			body.WriteString(",\n")
		}
		ask := asks[i%len(asks)]
		var gpus int
		if err := json.Unmarshal(ask["num_gpus"], &gpus); err != nil {
			b.Fatal(err)
		}
		machine := json.RawMessage(fmt.Sprint(first + i))
		ask["id"], ask["ask_contract_id"], ask["machine_id"] = machine, machine, machine
		ask["gpu_name"] = json.RawMessage(fmt.Sprintf("%q", model.name))
		ask["gpu_ram"] = json.RawMessage(fmt.Sprint(model.vramMiB))
		ask["gpu_total_ram"] = json.RawMessage(fmt.Sprint(model.vramMiB * gpus))
		ask["edition"] = json.RawMessage(fmt.Sprint(m.edition))
		text, err := json.Marshal(ask)
		if err != nil {
			b.Fatal(err)
		}
		body.Write(text)
	}
	body.WriteString("]}")
	return body.Bytes()
}

// benchAsks are the asks of a real answer where it is at hand, else those of a
// case of testdata with as many fields.
func benchAsks(b *testing.B) []map[string]json.RawMessage {
	b.Helper()
	var answer struct{ Offers []map[string]json.RawMessage }
	for _, file := range []string{
		"../../../shared/captures/vast/api_bundles_H100_20260718_markrusch-Compute-Index.json",
		"../../scrapers/testdata/vast/slices-of-one-machine/page.json",
	} {
		body, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		if err := json.Unmarshal(body, &answer); err != nil {
			b.Fatal(err)
		}
		break
	}
	if len(answer.Offers) == 0 {
		b.Fatal("no asks to make books of")
	}
	const fields = 100 // as a real ask has, or bytes to make up for it
	for _, ask := range answer.Offers {
		for n := 0; len(ask) < fields; n++ {
			ask[fmt.Sprintf("another_field_%02d", n)] = json.RawMessage("0.13333333333333333")
		}
	}
	return answer.Offers
}
