package render_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mtok/reports"
	"mtok/reports/render"
	"mtok/schema"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func usd(text string) schema.USD {
	u, err := schema.ParseUSD(text)
	if err != nil {
		panic(err)
	}
	return u
}

// hostile are names that a page may print.
var hostile = []string{
	`<img src=x onerror="alert(1)">`,
	"H100 | SXM \\| 80GB",
	"\x1b[31mred\x1b[0m\x07 and \u009b31m",
	`=HYPERLINK("http://x.example","click")`,
	"+1", "-1", "@SUM(A1)", "\t=1+1", "\r=1+1",
	"two\nlines",
	"\u202egnp.exe \u200bhidden\u2028next",
	"[link](javascript:alert(1)) `code` *bold* _it_ ~~no~~",
	"bad utf-8 \xff",
	`quote " comma , semi ;`,
}

func document() reports.Document {
	doc := reports.Document{
		Name: "sample", Title: "Sample <b>", AsOf: 20687, Before: []string{"above | it"}, After: []string{"below\x1b[2J it"},
		Columns: []reports.Column{
			{Key: "name", Header: "name", View: reports.Everywhere},
			{Key: "usd", Header: "$/h", View: reports.Everywhere, Align: reports.AlignRight, Decimals: 2},
			{Key: "speed", Header: "tok/s", View: reports.Everywhere, Align: reports.AlignRight},
			{Key: "available", View: reports.OnMachine},
			{Key: "day", View: reports.OnMachine},
			{Header: "stock", View: reports.OnScreen},
		},
	}
	for _, name := range hostile {
		doc.Rows = append(doc.Rows, reports.Row{reports.Text(name), reports.Money(usd("6.155")),
			reports.Number(schema.MustDecimal("7430.99")), reports.Bool(true), reports.DayCell(20687), reports.Text("?")})
	}
	doc.Rows = append(doc.Rows, reports.Row{reports.Text("nothing known"), reports.Null(), reports.Null(), reports.Null(), reports.Null(), reports.Null()},
		reports.Row{reports.Text("large"), reports.Money(usd("1234567.5")), reports.Number(schema.MustDecimal("007")), reports.Bool(false), reports.Null(), reports.Null()})
	return doc
}

func write(t *testing.T, doc reports.Document, f render.Format) string {
	t.Helper()
	var b bytes.Buffer
	if err := render.Write(&b, doc, f); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestGoldens(t *testing.T) {
	for _, name := range render.Formats() {
		t.Run(name, func(t *testing.T) {
			got := write(t, document(), render.Format(name))
			path := filepath.Join("testdata", "sample."+name)
			if *update {
				if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("%s differs (-want +got):\n%s", path, diff)
			}
		})
	}
}

func TestNoFormatLetsControlCharactersThrough(t *testing.T) {
	for _, name := range render.Formats() {
		for _, r := range write(t, document(), render.Format(name)) {
			switch {
			case r == '\n':
			case r < 0x20, r >= 0x7f && r <= 0x9f:
				t.Errorf("%s holds %U", name, r)
			case r == 0x202e, r == 0x200b, r == 0x2028:
				t.Errorf("%s holds %U", name, r)
			}
		}
	}
}

func TestCSVIsNoFormula(t *testing.T) {
	records, err := csv.NewReader(strings.NewReader(write(t, document(), render.CSV))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"name", "usd", "speed", "available", "day"}; !cmp.Equal(want, records[0]) {
		t.Errorf("header %q, want %q", records[0], want)
	}
	for _, record := range records[1:] {
		if strings.ContainsAny(record[0][:1], "=+-@\t\r") {
			t.Errorf("field %q begins a formula", record[0])
		}
	}
	if got := records[1][1:]; !cmp.Equal(got, []string{"6.155", "7430.99", "true", "2026-08-22"}) {
		t.Errorf("values %q are not exact", got)
	}
	if got := records[len(records)-2]; !cmp.Equal(got, []string{"nothing known", "", "", "", ""}) {
		t.Errorf("nulls are %q, want blanks", got)
	}
}

func TestJSONKeepsTextAndTypes(t *testing.T) {
	text := write(t, document(), render.JSON)
	var got struct {
		Report string `json:"report"`
		AsOf   string `json:"as_of"`
		Rows   []struct {
			Name      string       `json:"name"`
			USD       *string      `json:"usd"`
			Speed     *json.Number `json:"speed"`
			Available *bool        `json:"available"`
			Day       *string      `json:"day"`
		} `json:"rows"`
	}
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&got); err != nil {
		t.Fatal(err)
	}
	if got.Report != "sample" || got.AsOf != "2026-08-22" || len(got.Rows) != len(hostile)+2 {
		t.Errorf("%q as of %q with %d rows", got.Report, got.AsOf, len(got.Rows))
	}
	for i, name := range hostile {
		if want := strings.ToValidUTF8(name, "\uFFFD"); got.Rows[i].Name != want {
			t.Errorf("name %q, want %q", got.Rows[i].Name, want)
		}
	}
	if r := got.Rows[0]; *r.USD != "6.155" || r.Speed.String() != "7430.99" || !*r.Available {
		t.Errorf("values %q %q %t", *r.USD, r.Speed, *r.Available)
	}
	if r := got.Rows[len(hostile)]; r.USD != nil || r.Speed != nil || r.Available != nil || r.Day != nil {
		t.Errorf("nulls are %+v", r)
	}
	if at := strings.Index(text, `"usd"`); at < strings.Index(text, `"name"`) || at > strings.Index(text, `"speed"`) {
		t.Error("keys are not in the order of the columns")
	}
}

func TestMarkdownCellsStayCells(t *testing.T) {
	for line := range strings.Lines(write(t, document(), render.Markdown)) {
		if strings.Contains(line, "<img") || strings.Contains(line, "<b>") {
			t.Errorf("HTML in %q", line)
		}
		if strings.HasPrefix(line, "|") && strings.Count(line, "|") != 5 {
			t.Errorf("%d bars in %q, want 5", strings.Count(line, "|"), line)
		}
		if strings.Contains(line, "[link](") {
			t.Errorf("a link in %q", line)
		}
	}
}

func TestEmptyDocument(t *testing.T) {
	doc := document()
	doc.Rows, doc.Empty = nil, true
	var got struct {
		AsOf *string           `json:"as_of"`
		Rows []json.RawMessage `json:"rows"`
	}
	if err := json.Unmarshal([]byte(write(t, doc, render.JSON)), &got); err != nil || got.AsOf != nil || got.Rows == nil {
		t.Errorf("json %+v, %v, want a null day and no rows", got, err)
	}
	if text := write(t, doc, render.Table); strings.Contains(text, "as of") || strings.Contains(text, "tok/s") {
		t.Errorf("table %q, want no day and no header", text)
	}
}

func TestParseFormat(t *testing.T) {
	for _, name := range render.Formats() {
		if got, err := render.ParseFormat(name); err != nil || string(got) != name {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	_, err := render.ParseFormat("jsno")
	if !errors.Is(err, reports.ErrUnknownName) || !strings.Contains(err.Error(), "json") {
		t.Errorf("jsno: %v, want a hint at json", err)
	}
	if err := render.Write(&bytes.Buffer{}, document(), "yaml"); !errors.Is(err, reports.ErrUnknownName) {
		t.Errorf("yaml: %v", err)
	}
}

func TestWriteRefusesARaggedRow(t *testing.T) {
	doc := document()
	doc.Rows[1] = doc.Rows[1][:3]
	var b bytes.Buffer
	if err := render.Write(&b, doc, render.CSV); err == nil || b.Len() != 0 {
		t.Errorf("%v, wrote %q", err, b.String())
	}
}

type full struct{}

var errFull = errors.New("disk full")

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestWriteReportsTheWriter(t *testing.T) {
	if err := render.Write(full{}, document(), render.JSON); !errors.Is(err, errFull) {
		t.Errorf("%v, want the writer's error", err)
	}
}

func TestExtension(t *testing.T) {
	for f, want := range map[render.Format]string{render.Table: "txt", render.CSV: "csv", render.JSON: "json", render.Markdown: "md"} {
		if got := f.Extension(); got != want {
			t.Errorf("%s: %q, want %q", f, got, want)
		}
	}
}
