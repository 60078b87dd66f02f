//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"mtok/scrapers/recorded"
)

// buildProgram builds a main package as a release is built.
func buildProgram(b *testing.B, dir, name string) string {
	b.Helper()
	file := filepath.Join(b.TempDir(), name)
	build := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", file, ".")
	build.Dir = dir
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		b.Fatalf("build %s: %v\n%s", name, err, out)
	}
	return file
}

// helloWorld builds the smallest Go program that says something.
func helloWorld(b *testing.B) string {
	b.Helper()
	dir := b.TempDir()
	for name, text := range map[string]string{
		"go.mod":  "module hello\n",
		"main.go": "package main\n\nimport \"fmt\"\n\nfunc main() { fmt.Println(\"hello, world\") }\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	return buildProgram(b, dir, "hello")
}

// runProgram runs a command to its end; it must succeed. It reports CPU seconds
// and peak memory of the child.
func runProgram(b *testing.B, dir, program string, args ...string) {
	b.Helper()
	cmd := exec.Command(program, args...)
	cmd.Dir = dir
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = io.Discard, &out
	if err := cmd.Run(); err != nil {
		b.Fatalf("%s %v: %v\n%s", filepath.Base(program), args, err, out.Bytes())
	}
	state := cmd.ProcessState
	b.ReportMetric((state.UserTime() + state.SystemTime()).Seconds(), "cpu-s")
	usage, ok := state.SysUsage().(*syscall.Rusage)
	var self syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &self); err != nil {
		b.Fatal(err)
	}
	// A child inherits the peak of the process that it was forked from.
	if ok && usage.Maxrss > self.Maxrss {
		const kb = 1024
		b.ReportMetric(float64(usage.Maxrss)/kb, "MB-rss")
	}
}

// bookOf is a page of a market: asks of one model, each of a machine of its own.
// The asks are those of a real answer where it is at hand, else those of a case
// of testdata, with as many fields.
type bookOf struct {
	model    string
	vramMiB  int
	asks     int
	machines int // the number of the first
}

// realAsks reads the asks that books are made of.
func realAsks(b *testing.B) []map[string]json.RawMessage {
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
	const fields = 86 // of an ask of 2026
	for _, ask := range answer.Offers {
		for n := 0; len(ask) < fields; n++ {
			ask[fmt.Sprintf("another_field_%02d", n)] = json.RawMessage("0.13333333333333333")
		}
	}
	return answer.Offers
}

func writeBook(b *testing.B, file string, asks []map[string]json.RawMessage, book bookOf) {
	b.Helper()
	var body bytes.Buffer
	body.WriteString(`{"offers": [`)
	for i := range book.asks {
		if i > 0 {
			body.WriteString(",\n")
		}
		ask := asks[i%len(asks)]
		var gpus int
		if err := json.Unmarshal(ask["num_gpus"], &gpus); err != nil {
			b.Fatal(err)
		}
		machine := json.RawMessage(fmt.Sprint(book.machines + i))
		ask["id"], ask["ask_contract_id"], ask["machine_id"] = machine, machine, machine
		ask["gpu_name"] = json.RawMessage(fmt.Sprintf("%q", book.model))
		ask["gpu_ram"] = json.RawMessage(fmt.Sprint(book.vramMiB))
		ask["gpu_total_ram"] = json.RawMessage(fmt.Sprint(book.vramMiB * gpus))
		text, err := json.Marshal(ask)
		if err != nil {
			b.Fatal(err)
		}
		body.Write(text)
	}
	body.WriteString("]}")
	if err := os.WriteFile(file, body.Bytes(), 0o600); err != nil {
		b.Fatal(err)
	}
}

// bigNight records a night of 10,000 asks at the market beside the pages of the
// demo's other providers, and names its configuration.
func bigNight(b *testing.B) (dir, config string) {
	b.Helper()
	dir = b.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "night"), recorded.Night()); err != nil {
		b.Fatal(err)
	}
	market := filepath.Join(dir, "night", "vast")
	if err := os.RemoveAll(market); err != nil {
		b.Fatal(err)
	}
	if err := os.Mkdir(market, 0o755); err != nil {
		b.Fatal(err)
	}
	asks := realAsks(b)
	models := []bookOf{
		{model: "H100 SXM", vramMiB: 81559}, {model: "H100 PCIE", vramMiB: 81559}, {model: "H100 NVL", vramMiB: 95830},
		{model: "H200", vramMiB: 143771}, {model: "H200 NVL", vramMiB: 143771}, {model: "GH200 SXM", vramMiB: 97871},
		{model: "A100 SXM4", vramMiB: 81920}, {model: "A100 PCIE", vramMiB: 81920},
	}
	var names []byte
	for i, book := range models {
		names = fmt.Appendf(names, "%q, ", book.model)
		for j, end := range []string{"asc", "desc"} {
			book.asks = 10_000 / len(models) / 2
			book.machines = 1_000_000 + (2*i+j)*book.asks
			key := bytes.ReplaceAll(bytes.ToLower([]byte(book.model)), []byte(" "), []byte("-"))
			writeBook(b, filepath.Join(market, fmt.Sprintf("bundles-api.%s.%s.json", key, end)), asks, book)
		}
	}
	config = filepath.Join(dir, "config.toml")
	text := fmt.Sprintf("[providers.vast]\nenabled = true\nmodels = [%s]\n", names)
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		b.Fatal(err)
	}
	return filepath.Join(dir, "night"), config
}

// benchDay is the first day of the nights that are measured.
var benchDay = time.Date(2026, 8, 22, 0, 0, 0, 0, time.UTC)
