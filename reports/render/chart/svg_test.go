package chart_test

import (
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"mtok/reports"
	"mtok/reports/render/chart"
	"mtok/schema"
)

const first schema.Day = 20600

// at makes points of so many dollars on days from the first on; 0 is a gap.
func at(dollars ...int) []reports.ChartPoint {
	var out []reports.ChartPoint
	for i, d := range dollars {
		if d > 0 {
			out = append(out, reports.ChartPoint{Day: first + schema.Day(i), Micros: int64(d) * 1_000_000})
		}
	}
	return out
}

func draw(t *testing.T, size chart.Size, lines ...reports.ChartLine) string {
	t.Helper()
	svg, err := chart.SVG(reports.Chart{Title: "t", Unit: "$/GPU-h", From: first, To: first + 9, Lines: lines}, size)
	if err != nil {
		t.Fatal(err)
	}
	return svg
}

var movesOf = regexp.MustCompile(`<path[^>]*d="([^"]*)"[^>]*stroke-width:2;stroke:var\(--line0\)`)

// strokes counts the separate pieces of the first line that are drawn.
func strokes(svg string) int {
	n := 0
	for _, path := range movesOf.FindAllStringSubmatch(svg, -1) {
		n += strings.Count(path[1], "M ")
	}
	return n
}

func TestGapsAndBreaksCutTheLine(t *testing.T) {
	whole := at(3, 3, 3, 3, 3, 3, 4, 4, 4, 4)
	if n := strokes(draw(t, chart.Wide(), reports.ChartLine{Points: whole})); n != 1 {
		t.Errorf("a whole line has %d pieces", n)
	}
	if n := strokes(draw(t, chart.Wide(), reports.ChartLine{Points: at(3, 3, 3, 0, 0, 3, 4, 4, 0, 4)})); n < 2 {
		t.Errorf("a line with gaps has %d pieces", n)
	}
	broken := at(3, 3, 3, 3, 3, 3, 4, 4, 4, 4)
	broken[6].Broken = true
	if n := strokes(draw(t, chart.Wide(), reports.ChartLine{Points: broken})); n < 2 {
		t.Errorf("a line with a break has %d pieces", n)
	}
	carried := at(3, 3, 3, 3, 3, 3, 4, 4, 4, 4)
	for i := 3; i < 6; i++ {
		carried[i].Carried = true
	}
	svg := draw(t, chart.Wide(), reports.ChartLine{Points: carried})
	if hollow := regexp.MustCompile(`<circle[^>]*fill:var\(--card\)`).FindAllString(svg, -1); len(hollow) < 3 {
		t.Errorf("%d hollow points, want 3:\n%s", len(hollow), svg)
	}
}

// What stands in a drawing are numbers and days: names belong to the page, which
// escapes them.
func TestNoTextOfOthersIsDrawn(t *testing.T) {
	hostile := `"><script>alert(1)</script>`
	line := reports.ChartLine{Name: hostile, Points: at(3, 4, 5)}
	for _, size := range []chart.Size{chart.Wide(), chart.Narrow()} {
		svg, err := chart.SVG(reports.Chart{Title: hostile, Unit: hostile, From: first, To: first + 9, Lines: []reports.ChartLine{line}}, size)
		if err != nil {
			t.Fatal(err)
		}
		decoder := xml.NewDecoder(strings.NewReader(svg))
		for {
			token, err := decoder.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("no well-formed SVG: %v", err)
			}
			switch token := token.(type) {
			case xml.StartElement:
				if !slices.Contains([]string{"svg", "path", "text", "circle", "rect", "g"}, token.Name.Local) {
					t.Errorf("element %s", token.Name.Local)
				}
				for _, a := range token.Attr {
					if strings.HasPrefix(a.Name.Local, "on") || strings.Contains(a.Value, "url(") || strings.Contains(a.Value, "http") || a.Name.Local == "href" {
						t.Errorf("attribute %s = %s", a.Name.Local, a.Value)
					}
				}
			case xml.CharData:
				if text := strings.TrimSpace(string(token)); text != "" && !regexp.MustCompile(`^[0-9.,-]+$`).MatchString(text) {
					t.Errorf("text %q", text)
				}
			}
		}
		if strings.Contains(svg, "rgb(1,2") {
			t.Error("a colour was left that the page does not know")
		}
	}
}

func TestNothingToDraw(t *testing.T) {
	for name, c := range map[string]reports.Chart{
		"no line":   {From: first, To: first + 3},
		"no point":  {From: first, To: first + 3, Lines: []reports.ChartLine{{Name: "a"}}},
		"no window": {From: first, To: first - 1, Lines: []reports.ChartLine{{Points: at(3)}}},
	} {
		if svg, err := chart.SVG(c, chart.Wide()); err == nil {
			t.Errorf("%s: drew %q", name, svg)
		}
	}
	// One day alone is a picture too.
	if svg, err := chart.SVG(reports.Chart{From: first, To: first, Lines: []reports.ChartLine{{Points: at(3)}}}, chart.Narrow()); err != nil || svg == "" {
		t.Errorf("one day: %v", err)
	}
}
