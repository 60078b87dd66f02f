package pipeline_test

import (
	"fmt"
	"math/big"
	"regexp"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"golang.org/x/net/html"
)

// canvas is a page that is being damaged.
type canvas struct {
	*goquery.Document
	t    *testing.T
	raws []string
}

// put makes raw source the content of an element, byte by byte: an entity stays
// an entity.
func (c *canvas) put(s *goquery.Selection, raw string) {
	for _, el := range s.EachIter() {
		el.SetText(c.mark(raw))
	}
}

// mark stands for raw source in a text of the page.
func (c *canvas) mark(raw string) string {
	c.raws = append(c.raws, raw)
	return fmt.Sprintf("\uE000%d\uE001", len(c.raws)-1)
}

var markPattern = regexp.MustCompile("\uE000(\\d+)\uE001")

// source is the page with everything that was put.
func (c *canvas) source() string {
	text, err := goquery.OuterHtml(c.Selection)
	if err != nil {
		c.t.Fatal(err)
	}
	return markPattern.ReplaceAllStringFunc(text, func(mark string) string {
		var n int
		if _, err := fmt.Sscanf(mark, "\uE000%d\uE001", &n); err != nil {
			c.t.Fatal(err)
		}
		return c.raws[n]
	})
}

// grid is where a page has its listings.
type grid struct {
	name   string // tells two grids of a page apart, empty where there is one
	path   string
	tables string // each listing table, within the sections that count
	header string // the heading cells of a table
	rows   string // the rows of a table
	cells  string // of a row, in the order of the headings
	// columns that hold a price, by their place among the cells
	prices []int
	// price finds the elements that print a row's price of a column
	price  func(row *goquery.Selection, column int) *goquery.Selection
	suffix string // printed after the figure
	// section is what a heading's whole section stands in, heading the element
	section, heading string
	// names are the elements of a row that print its GPU
	names string
	// classes and attributes by which listings are found
	classes, attributes []string
	// spots are rows that get each damage of a price: table, row and column
	spots []spot
}

type spot struct {
	name               string
	table, row, column int
}

// site names a place within the grid.
func (g *grid) site(format string, args ...any) string { return g.name + fmt.Sprintf(format, args...) }

func (g *grid) table(c *canvas, i int) *goquery.Selection {
	table := c.Find(g.tables).Eq(i)
	if table.Length() != 1 {
		c.t.Fatalf("%s: no table %d of %q", g.path, i, g.tables)
	}
	return table
}

func (g *grid) row(c *canvas, table, row int) *goquery.Selection {
	found := g.table(c, table).Find(g.rows).Eq(row)
	if found.Length() != 1 {
		c.t.Fatalf("%s: no row %d of %q in table %d", g.path, row, g.rows, table)
	}
	return found
}

func (g *grid) cellsOf(row *goquery.Selection) *goquery.Selection {
	if parent, child, nested := strings.Cut(g.cells, " > "); nested {
		return row.ChildrenFiltered(parent).ChildrenFiltered(child)
	}
	if strings.HasPrefix(g.cells, "> ") {
		return row.ChildrenFiltered(g.cells[2:])
	}
	return row.Find(g.cells)
}

// figure is a printed price, taken apart.
var figurePattern = regexp.MustCompile(`^\$([\d,]+\.\d+)`)

func figureOf(s *goquery.Selection) (string, bool) {
	m := figurePattern.FindStringSubmatch(strings.TrimSpace(s.First().Text()))
	if m == nil {
		return "", false
	}
	return strings.ReplaceAll(m[1], ",", ""), true
}

// times is an amount times a ratio, with two decimals.
func times(amount string, num, den int64) string {
	r, ok := new(big.Rat).SetString(amount)
	if !ok {
		panic("no amount: " + amount)
	}
	return r.Mul(r, big.NewRat(num, den)).FloatString(2)
}

// parsed is a good page, and how it is written when nothing has changed it.
type parsed struct {
	*goquery.Document
	source string
}

// changed runs a damage on a copy of a page and reports whether it changed it.
func (s *subject) changed(t *testing.T, path string, change func(c *canvas)) (source string, differs bool) {
	t.Helper()
	good, ok := s.parsed[path]
	if !ok {
		good = parsed{Document: mustDocument(t, s.page(t, path))}
		good.source = (&canvas{Document: good.Document, t: t}).source()
		if s.parsed == nil {
			s.parsed = map[string]parsed{}
		}
		s.parsed[path] = good
	}
	c := &canvas{Document: goquery.CloneDocument(good.Document), t: t}
	change(c)
	source = c.source()
	return source, source != good.source
}

// html runs damages of a page and adds what comes out.
func (s *subject) html(t *testing.T, path, mutator, site string, change func(c *canvas)) *mutation {
	t.Helper()
	after, differs := s.changed(t, path, change)
	if mutator != identity && !differs {
		t.Fatalf("%s/%s/%s changes nothing", s.name, mutator, site)
	}
	return s.damage(mutator, site, path, after)
}

// identity is the damage that is none: the page as the damages write it. It
// must come out right, or the harness and not the page is at fault.
const identity = "identity"

// swapNodes exchanges two elements in their places.
func swapNodes(a, b *goquery.Selection) {
	if a.Length() == 0 || b.Length() == 0 || a.Get(0) == b.Get(0) {
		return
	}
	x, y := a.Get(0), b.Get(0)
	markX, markY := &html.Node{Type: html.CommentNode}, &html.Node{Type: html.CommentNode}
	x.Parent.InsertBefore(markX, x)
	y.Parent.InsertBefore(markY, y)
	x.Parent.RemoveChild(x)
	y.Parent.RemoveChild(y)
	markX.Parent.InsertBefore(y, markX)
	markY.Parent.InsertBefore(x, markY)
	markX.Parent.RemoveChild(markX)
	markY.Parent.RemoveChild(markY)
}
