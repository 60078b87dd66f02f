package render_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"mtok/reports"
	"mtok/reports/render"
)

// hidden reports whether a character could steer a terminal or hide text.
func hidden(r rune) bool {
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
}

// FuzzClean cleans whatever text: what is left is one line of visible characters,
// and nothing is left to clean.
func FuzzClean(f *testing.F) {
	for _, text := range fuzzSeeds() {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := render.Clean(text)
		for _, r := range got {
			if hidden(r) {
				t.Fatalf("%q holds %U", got, r)
			}
		}
		if !utf8.ValidString(got) || render.Clean(got) != got {
			t.Fatalf("%q is cleaned to %q, that to %q", text, got, render.Clean(got))
		}
	})
}

func fuzzSeeds() []string {
	return []string{
		"NVIDIA H100 SXM", "a\x1b[31mred", "=HYPERLINK(\"x\")", "\t=1+1", "+1", "@x", "a|b", "a\r\nb", "\u202edcba", "caf\xe9", "\u2028",
		"<script>", "`x`", "\\", "\"", ",", "a\x00b",
	}
}

// FuzzDocument renders a report with whatever text in every format: machine
// formats can be read back, no cell of CSV is a formula, no output steers a
// terminal.
func FuzzDocument(f *testing.F) {
	for _, text := range fuzzSeeds() {
		f.Add(text, "note "+text)
	}
	f.Fuzz(func(t *testing.T, cell, line string) {
		doc := reports.Document{
			Name: "prices", Title: line, AsOf: 20687, Before: []string{line}, After: []string{line},
			Columns: []reports.Column{
				{Key: "region", Header: "region", View: reports.Everywhere}, {Key: "gpus", Header: "gpus", View: reports.Everywhere},
			},
			Rows: []reports.Row{{reports.Text(cell), reports.Int(8)}, {reports.Null(), reports.Int(1)}},
		}
		for _, name := range []string{"table", "csv", "json", "markdown"} {
			format, err := render.ParseFormat(name)
			if err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			if err := render.Write(&out, doc, format); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if at := strings.IndexFunc(out.String(), func(r rune) bool { return hidden(r) && r != '\n' }); at >= 0 {
				t.Fatalf("%s holds a hidden character: %q", name, out.String()[at:])
			}
			switch name {
			case "csv":
				readCSV(t, &out)
			case "json":
				readJSON(t, &out, cell)
			}
		}
	})
}

func readCSV(t *testing.T, out *bytes.Buffer) {
	t.Helper()
	text := out.String()
	records, err := csv.NewReader(out).ReadAll()
	if err != nil || len(records) != 3 {
		t.Fatalf("%d records, %v:\n%s", len(records), err, text)
	}
	if cell := records[1][0]; cell != "" && strings.ContainsRune("=+-@\t\r", rune(cell[0])) {
		t.Fatalf("%q is a formula", cell)
	}
}

func readJSON(t *testing.T, out *bytes.Buffer, cell string) {
	t.Helper()
	var report struct {
		Rows []map[string]any `json:"rows"`
	}
	if err := json.Unmarshal(out.Bytes(), &report); err != nil || len(report.Rows) != 2 || report.Rows[1]["region"] != nil {
		t.Fatalf("%v, rows %v", err, report.Rows)
	}
	if got := report.Rows[0]["region"]; utf8.ValidString(cell) && got != cell {
		t.Fatalf("%q became %q", cell, got)
	}
}
