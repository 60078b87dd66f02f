package render_test

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"mtok/reports"
	"mtok/reports/render"
)

// withChart is the hostile document with a chart.
func withChart() reports.Document {
	doc := document()
	doc.Charts = []reports.Chart{{Title: hostile[0], Unit: "$/GPU-h", From: 20680, To: 20687, Lines: []reports.ChartLine{
		{Name: hostile[2], Points: []reports.ChartPoint{{Day: 20680, Micros: 3_290_000}, {Day: 20681, Micros: 3_290_000, Carried: true}, {Day: 20684, Micros: 2_990_000, Broken: true}}},
		{Name: "imported", Imported: true, Points: []reports.ChartPoint{{Day: 20682, Micros: 3_500_000}}},
	}}}
	return doc
}

// walk calls f on every element of a page.
func walk(t *testing.T, page string, f func(*html.Node)) {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	for n := range root.Descendants() {
		if n.Type == html.ElementNode {
			f(n)
		}
	}
}

func attribute(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

func page(t *testing.T, p render.Page) string {
	t.Helper()
	var b bytes.Buffer
	if err := render.WritePage(&b, p); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// A page holds everything that it shows, runs nothing, and asks nobody.
func TestPageIsSelfContained(t *testing.T) {
	links := []render.Link{{Name: "index", File: "index.html"}, {Name: hostile[0], File: "trend.html", About: hostile[3]}}
	var index bytes.Buffer
	if err := render.WriteIndex(&index, render.Index{Title: hostile[0], AsOf: "2026-08-22", Lines: hostile, Links: links, Classes: links}); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"page": page(t, render.Page{Document: withChart(), Links: links}), "index": index.String()} {
		allowed := []string{"html", "head", "meta", "link", "title", "style", "body", "nav", "a", "main", "header", "h1", "h2", "p", "time", "ul", "li",
			"figure", "figcaption", "div", "svg", "path", "text", "circle", "i", "details", "summary", "table", "thead", "tbody", "tr", "th", "td", "strong", "span"}
		walk(t, text, func(n *html.Node) {
			if !slices.Contains(allowed, n.Data) {
				t.Errorf("%s: element %s", name, n.Data)
			}
			for _, a := range n.Attr {
				switch {
				case strings.HasPrefix(a.Key, "on"), a.Key == "src", a.Key == "srcset", a.Key == "action":
					t.Errorf("%s: %s has %s", name, n.Data, a.Key)
				case a.Key == "href" && a.Val != "data:," && !slices.Contains([]string{"index.html", "trend.html"}, a.Val):
					t.Errorf("%s: leads to %q", name, a.Val)
				}
			}
		})
		for _, host := range []string{"http:", "https:", "url(", "@import", "//"} {
			if strings.Contains(strings.ReplaceAll(text, "http://x.example", ""), host) {
				t.Errorf("%s holds %q", name, host)
			}
		}
	}
}

// Every figure of the table says where it is from, and every picture has words.
func TestFiguresNameTheirSource(t *testing.T) {
	doc := withChart()
	doc.Columns = append(doc.Columns, reports.Column{Key: "page", View: reports.OnMachine}, reports.Column{Key: "gpu_class", View: reports.OnMachine})
	for i := range doc.Rows {
		doc.Rows[i] = append(slices.Clone(doc.Rows[i]), reports.Text("sha256:ab12"), reports.Text("h100-sxm-80gb"))
	}
	figures, pictures := 0, 0
	walk(t, page(t, render.Page{Document: doc}), func(n *html.Node) {
		switch {
		case n.Data == "td" && attribute(n, "class") == "n" && n.FirstChild.Data != "-":
			figures++
			if title := attribute(n, "title"); !strings.Contains(title, "page sha256:ab12; mtok explain h100-sxm-80gb --day 2026-08-22") {
				t.Errorf("%s: title %q", n.FirstChild.Data, title)
			}
		case n.Data == "div" && attribute(n, "role") == "img":
			pictures++
			if text := attribute(n, "aria-label"); !strings.Contains(text, "3.29 on 2026-08-15, 2.99 on 2026-08-19") || !strings.Contains(text, "2 days without a price, 1 day carried, other inputs from 2026-08-19 on") {
				t.Errorf("picture in words: %q", text)
			}
		}
	})
	if figures < 20 || pictures != 1 {
		t.Errorf("%d figures and %d pictures: too few to tell", figures, pictures)
	}
}

func TestPageReportsTheWriter(t *testing.T) {
	if err := render.WritePage(full{}, render.Page{Document: withChart()}); !errors.Is(err, errFull) {
		t.Errorf("%v, want the writer's error", err)
	}
	if err := render.WriteIndex(full{}, render.Index{}); !errors.Is(err, errFull) {
		t.Errorf("%v, want the writer's error", err)
	}
}

// Many pictures stand small below the table, a few as wide as the page above it.
func TestManyPicturesStandBelow(t *testing.T) {
	doc := withChart()
	few := page(t, render.Page{Document: doc})
	doc.Charts = append(doc.Charts, doc.Charts[0], doc.Charts[0])
	many := page(t, render.Page{Document: doc})
	if at, table := strings.Index(few, "<figure>"), strings.Index(few, "<table>"); at > table || !strings.Contains(few, `class="wide"`) {
		t.Error("one picture is not above the table, or not wide")
	}
	if at, table := strings.Index(many, "<figure>"), strings.Index(many, "<table>"); at < table || strings.Contains(many, `class="wide"`) {
		t.Error("three pictures are not below the table, or not small")
	}
	doc.Charts = []reports.Chart{{Title: "empty", From: 1, To: 2}}
	if none := page(t, render.Page{Document: doc}); strings.Contains(none, "<figure>") {
		t.Error("a chart without a point is drawn")
	}
}
