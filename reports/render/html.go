package render

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strings"
	"unicode/utf8"

	"mtok/reports"
	"mtok/reports/render/chart"
)

//go:embed page.css
var pageStyle string

//go:embed page.html
var pageText string

//go:embed index.html
var indexText string

// Link leads to another page of the same directory.
type Link struct {
	Name, File, About string
	// Current marks the page that it stands on.
	Current bool
}

// Page is a report with its way to others; without any it stands for itself.
type Page struct {
	Document reports.Document
	Links    []Link
}

// Index is the page that leads to all others.
type Index struct {
	Title, AsOf string // AsOf is empty where nothing was published
	Lines       []string
	Links       []Link
	Classes     []Link // a page of each GPU class
}

// WritePage writes one self-contained page: no script, no request to any host.
// Text of providers is escaped for where it stands by html/template.
func WritePage(w io.Writer, p Page) error {
	view, err := viewOf(p)
	if err != nil {
		return err
	}
	return execute(w, p.Document.Name, pageText, view)
}

// WriteIndex writes the page that leads to the others.
func WriteIndex(w io.Writer, i Index) error {
	view := struct {
		Index
		Style template.CSS
	}{i, style()}
	view.Lines = make([]string, len(i.Lines))
	for n, line := range i.Lines {
		view.Lines[n] = Clean(line)
	}
	return execute(w, "index", indexText, view)
}

func execute(w io.Writer, name, text string, view any) error {
	t, err := template.New(name).Parse(text)
	if err != nil {
		return fmt.Errorf("render %s: %w", name, err)
	}
	var b bytes.Buffer // whole, or not at all
	if err := t.Execute(&b, view); err != nil {
		return fmt.Errorf("render %s: %w", name, err)
	}
	if _, err := w.Write(b.Bytes()); err != nil {
		return fmt.Errorf("render %s: %w", name, err)
	}
	return nil
}

// style is our own file, in which nothing else stands.
func style() template.CSS { return template.CSS(pageStyle) }

// pageView is what the template shows.
type pageView struct {
	Name, Title, AsOf string
	Source            string // of the lines beside the table
	Style             template.CSS
	Links             []Link
	Before, After     []string
	Charts            []chartView
	Many              bool // charts: small ones below the table
	Headers           []headerView
	Rows              [][]cellView
}

type headerView struct {
	Text  string
	Right bool
}

type cellView struct {
	Text, Source string
	Right, Head  bool
	Long         bool // words that may stand on several lines
}

// Class is the class of the style that the cell has, empty for none.
func (c cellView) Class() string {
	switch {
	case c.Right:
		return "n"
	case c.Long:
		return "long"
	}
	return ""
}

type chartView struct {
	Title, Unit, Text string
	Wide, Narrow      template.HTML
	Lines             []lineView
	Carried, Broken   bool // that the drawing has such points
}

type lineView struct {
	Name   string
	Colour template.CSS
}

func viewOf(p Page) (pageView, error) {
	doc := p.Document
	v := pageView{Name: doc.Name, Title: Clean(doc.Title), Style: style(), Links: p.Links, Source: lineSource(doc)}
	if !doc.Empty {
		v.AsOf = doc.AsOf.String()
	}
	for _, line := range doc.Before {
		v.Before = append(v.Before, Clean(line))
	}
	for _, line := range doc.After {
		v.After = append(v.After, Clean(line))
	}
	if len(doc.Rows) > 0 {
		v.Headers, v.Rows = headersOf(doc), rowsOf(doc)
	}
	v.Many = len(doc.Charts) > fewCharts
	for _, c := range doc.Charts {
		if !c.Drawn() {
			continue
		}
		drawn, err := drawChart(c, !v.Many)
		if err != nil {
			return v, fmt.Errorf("render %s: %w", doc.Name, err)
		}
		v.Charts = append(v.Charts, drawn)
	}
	return v, nil
}

func headersOf(doc reports.Document) []headerView {
	var out []headerView
	for _, col := range doc.Columns {
		if col.On(reports.OnScreen) {
			out = append(out, headerView{Clean(col.Header), col.Align == reports.AlignRight})
		}
	}
	return out
}

func rowsOf(doc reports.Document) [][]cellView {
	out := make([][]cellView, 0, len(doc.Rows))
	for _, row := range doc.Rows {
		var cells []cellView
		source := rowSource(doc, row)
		for i, col := range doc.Columns {
			if !col.On(reports.OnScreen) {
				continue
			}
			cell := cellView{Text: Clean(screenText(row[i], col)), Right: col.Align == reports.AlignRight, Head: len(cells) == 0}
			cell.Long = isLong(cell)
			if isFigure(row[i]) {
				cell.Source = exactly(row[i]) + source
			}
			cells = append(cells, cell)
		}
		out = append(out, cells)
	}
	return out
}

// isLong reports whether a cell is so long that it may be wrapped, for the columns
// beside it to stay on the screen. A series of marks has no place to break.
func isLong(c cellView) bool {
	const line, name = 28, 17 // a seller and a day; most names of classes
	n := utf8.RuneCountInString(c.Text)
	return c.Head && n > name || n > line && strings.Contains(c.Text, " ")
}

// fewCharts is how many are drawn as wide as the page, above the table.
const fewCharts = 2

// drawChart draws a chart for a phone and, where it is wanted, a wide one too. What
// stands in a drawing are days and numbers, see chart.SVG: it is no text of anybody
// else.
func drawChart(c reports.Chart, wanted bool) (chartView, error) {
	v := chartView{Title: Clean(c.Title), Unit: c.Unit, Text: Clean(c.Text())}
	for i, line := range c.Lines {
		for _, p := range line.Points {
			v.Carried, v.Broken = v.Carried || p.Carried, v.Broken || p.Broken
		}
		v.Lines = append(v.Lines, lineView{Clean(line.Name), template.CSS("var(" + chart.Variable(i, line.Imported) + ")")})
	}
	narrow, err := chart.SVG(c, chart.Narrow())
	if err != nil || !wanted {
		v.Narrow = template.HTML(narrow)
		return v, err
	}
	wide, err := chart.SVG(c, chart.Wide())
	v.Wide, v.Narrow = template.HTML(wide), template.HTML(narrow)
	return v, err
}
