package pipeline_test

import (
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
)

// prices gives each form to each spot, and the units to a whole column too.
func (s *subject) prices(t *testing.T, g *grid) {
	t.Helper()
	for i, at := range g.spots {
		forms := allForms()
		if i > 0 {
			forms = append(unitForms(), wordForms()[:6]...)
		}
		for _, f := range forms {
			s.html(t, g.path, "price-"+f.name, at.name, func(c *canvas) { g.write(c, f, g.price(g.row(c, at.table, at.row), at.column)) })
		}
	}
	forms := unitForms()
	for _, f := range wordForms() {
		if strings.HasPrefix(f.name, "per-") || strings.HasPrefix(f.name, "from") || strings.Contains(f.name, "euro") {
			forms = append(forms, f)
		}
	}
	for _, column := range g.prices {
		for _, f := range forms {
			s.unlessSame(t, g, "price-"+f.name, g.site("column-%d", column), func(c *canvas) {
				for _, row := range c.Find(g.tables).Find(g.rows).EachIter() {
					if _, priced := figureOf(g.price(row, column)); priced {
						g.write(c, f, g.price(row, column))
					}
				}
			})
		}
	}
}

// write gives a price another form, at each place where it is printed.
func (g *grid) write(c *canvas, f priceForm, at *goquery.Selection) {
	amount, ok := figureOf(at)
	if !ok {
		c.t.Fatalf("%s: %q is no price", g.path, at.Text())
	}
	c.put(at, f.write(amount, g.suffix))
}

// columns swaps, drops and adds columns: in the heading, in the cells, in both,
// or in one row alone.
func (s *subject) columns(t *testing.T, g *grid) {
	t.Helper()
	first := g.spots[0]
	parts := map[string]func(c *canvas, each func(cells *goquery.Selection)){
		"heading": func(c *canvas, each func(*goquery.Selection)) {
			for _, table := range c.Find(g.tables).EachIter() {
				each(table.Find(g.header))
			}
		},
		"cells": func(c *canvas, each func(*goquery.Selection)) {
			for _, row := range c.Find(g.tables).Find(g.rows).EachIter() {
				each(g.cellsOf(row))
			}
		},
		"one-row": func(c *canvas, each func(*goquery.Selection)) { each(g.cellsOf(g.row(c, first.table, first.row))) },
	}
	parts["both"] = func(c *canvas, each func(*goquery.Selection)) {
		parts["heading"](c, each)
		parts["cells"](c, each)
	}
	for _, part := range []string{"heading", "cells", "both", "one-row"} {
		for _, price := range g.prices {
			for _, other := range []int{price - 1, price + 1, 1} {
				site := g.site("%s-%d-%d", part, price, other)
				s.cells(t, g, "columns-swapped", site, parts[part], func(cells *goquery.Selection) {
					swapNodes(cells.Eq(price), cells.Eq(other))
				})
			}
			for _, at := range []int{1, price} {
				site := g.site("%s-%d", part, at)
				s.cells(t, g, "column-dropped", site, parts[part], func(cells *goquery.Selection) { cells.Eq(at).Remove() })
				s.cells(t, g, "column-added", site, parts[part], func(cells *goquery.Selection) {
					cells.Eq(at).BeforeSelection(cells.Eq(price).Clone())
				})
				s.cells(t, g, "column-emptied", site, parts[part], func(cells *goquery.Selection) { cells.Eq(at).SetHtml("") })
			}
		}
	}
}

// cells runs a damage of cells, where it changes anything.
func (s *subject) cells(t *testing.T, g *grid, mutator, site string, each func(*canvas, func(*goquery.Selection)), change func(*goquery.Selection)) {
	t.Helper()
	for _, d := range s.damages {
		if d.mutator == mutator && d.site == site {
			return
		}
	}
	probe := &canvas{Document: mustDocument(t, s.page(t, g.path)), t: t}
	before := probe.source()
	each(probe, change)
	if probe.source() == before {
		return // the last column has no right neighbour
	}
	s.html(t, g.path, mutator, site, func(c *canvas) { each(c, change) })
}

func mustDocument(t *testing.T, page string) *goquery.Document {
	t.Helper()
	doc, err := goquery.NewDocumentFromReader(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// bleeding removes what stands before a price, so that those that follow move
// up: each row then shows its neighbour's.
func (s *subject) bleeding(t *testing.T, g *grid) {
	t.Helper()
	for _, at := range g.spots {
		for _, mutator := range []string{"price-node-gone", "price-nodes-up", "price-nodes-down"} {
			s.html(t, g.path, mutator, at.name, func(c *canvas) {
				rows := g.table(c, at.table).Find(g.rows)
				cell := func(i int) *goquery.Selection { return g.cellsOf(rows.Eq(i)).Eq(at.column) }
				switch mutator {
				case "price-nodes-up":
					for i := at.row; i+1 < rows.Length(); i++ {
						swapNodes(cell(i), cell(i+1))
					}
					cell(rows.Length() - 1).Remove()
				case "price-nodes-down":
					for i := rows.Length() - 1; i > at.row; i-- {
						swapNodes(cell(i), cell(i-1))
					}
					cell(at.row).Remove()
				default:
					cell(at.row).Remove()
				}
			})
		}
	}
}

// dearer is another price in the same form.
func dearer(amount, suffix string) string { return "$" + times(amount, 5, 4) + suffix }

// ways of showing a row, or not.
func ways() map[string]func(row *goquery.Selection) {
	return map[string]func(row *goquery.Selection){
		"shown":       func(*goquery.Selection) {},
		"hidden":      func(row *goquery.Selection) { row.SetAttr("hidden", "") },
		"undisplayed": func(row *goquery.Selection) { row.SetAttr("style", "display: none") },
		"invisible":   func(row *goquery.Selection) { row.SetAttr("style", "visibility:hidden;") },
		"template":    func(row *goquery.Selection) { row.WrapHtml("<template></template>") },
		"noscript":    func(row *goquery.Selection) { row.WrapHtml("<noscript></noscript>") },
	}
}

// doubles adds rows: an old price of a listing beside the new one, and listings
// that are not shown.
func (s *subject) doubles(t *testing.T, g *grid) {
	t.Helper()
	old := priceForm{"", dearer}
	for _, at := range g.spots {
		for how, show := range ways() {
			for _, side := range []string{"before", "after"} {
				s.html(t, g.path, "row-twice-other-price-"+how, at.name+"-"+side, func(c *canvas) {
					row := g.row(c, at.table, at.row)
					copied := row.Clone()
					g.write(c, old, g.price(copied, at.column))
					if side == "before" {
						row.BeforeSelection(copied)
						show(row.Prev())
					} else {
						row.AfterSelection(copied)
						show(row.Next())
					}
				})
			}
			if how == "shown" {
				continue
			}
			s.html(t, g.path, "row-unlisted-"+how, at.name, func(c *canvas) {
				row := g.row(c, at.table, at.row)
				copied := row.Clone()
				renameRow(g, copied, "NVIDIA B200 PCIe") // which is listed nowhere else
				g.write(c, old, g.price(copied, at.column))
				row.AfterSelection(copied)
				show(row.Next())
			})
		}
		s.html(t, g.path, "row-twice", at.name, func(c *canvas) {
			row := g.row(c, at.table, at.row)
			row.AfterSelection(row.Clone())
		})
	}
}

// rows moves rows and runs them together.
func (s *subject) rows(t *testing.T, g *grid) {
	t.Helper()
	for _, at := range g.spots {
		s.unlessSame(t, g, "row-inside-row", at.name, func(c *canvas) {
			row := g.row(c, at.table, at.row)
			row.Next().AppendSelection(row)
		})
		s.unlessSame(t, g, "row-run-together", at.name, func(c *canvas) {
			row := g.row(c, at.table, at.row)
			next := row.Next()
			row.AppendSelection(next.Children())
			next.Remove()
		})
		s.html(t, g.path, "row-comment", at.name, func(c *canvas) {
			row := g.row(c, at.table, at.row)
			source, err := goquery.OuterHtml(row)
			if err != nil {
				t.Fatal(err)
			}
			source = strings.ReplaceAll(source, "$", "$1")
			row.BeforeHtml("<!-- " + strings.ReplaceAll(source, "--", "") + " -->")
		})
		if strings.HasPrefix(g.rows, "tbody") {
			s.html(t, g.path, "tbody-added", at.name, func(c *canvas) {
				row := g.row(c, at.table, at.row)
				body := row.Parent()
				body.AfterSelection(body.Clone().SetHtml(""))
				body.Next().AppendSelection(row).AppendSelection(body.Find("tr").Last())
			})
		}
		s.unlessSame(t, g, "rows-exchanged", at.name, func(c *canvas) { // the order of rows says nothing
			row := g.row(c, at.table, at.row)
			swapNodes(row, g.table(c, at.table).Find(g.rows).Last())
		})
	}
}

// renameRow gives a row another GPU, in every place where it is named.
func renameRow(g *grid, row *goquery.Selection, name string) {
	for _, el := range row.Find(g.names).AddSelection(row.Filter(g.names)).EachIter() {
		if el.Children().Length() == 0 {
			el.SetText(name)
		}
	}
	for _, attr := range []string{"data-plan", "data-product"} {
		for _, el := range row.Find("[" + attr + "]").AddSelection(row.Filter("[" + attr + "]")).EachIter() {
			el.SetAttr(attr, name)
		}
	}
}

// marks renames and takes away the classes and attributes by which listings are
// found, everywhere and in one row.
func (s *subject) marks(t *testing.T, g *grid) {
	t.Helper()
	at := g.spots[0]
	scopes := map[string]func(c *canvas) *goquery.Selection{
		"page": func(c *canvas) *goquery.Selection { return c.Selection },
		"row": func(c *canvas) *goquery.Selection {
			return g.row(c, at.table, at.row)
		},
		"table": func(c *canvas) *goquery.Selection { return g.table(c, at.table) },
	}
	for _, scope := range []string{"page", "table", "row"} {
		within := scopes[scope]
		find := func(c *canvas, selector string) *goquery.Selection {
			s := within(c)
			return s.Find(selector).AddSelection(s.Filter(selector))
		}
		for _, class := range g.classes {
			for mutator, to := range map[string]string{"class-renamed": class + "-v9", "class-gone": ""} {
				s.unlessSame(t, g, mutator, g.name+scope+"-"+class, func(c *canvas) { find(c, "."+class).RemoveClass(class).AddClass(to) })
			}
		}
		for _, attr := range g.attributes {
			s.attribute(t, g, scope, attr, find)
		}
	}
}

// attribute takes an attribute away, and its values from element to element.
func (s *subject) attribute(t *testing.T, g *grid, scope, attr string, find func(*canvas, string) *goquery.Selection) {
	t.Helper()
	site := g.name + scope + "-" + attr
	s.unlessSame(t, g, "attribute-gone", site, func(c *canvas) { find(c, "["+attr+"]").RemoveAttr(attr) })
	s.unlessSame(t, g, "attribute-renamed", site, func(c *canvas) {
		for _, el := range find(c, "["+attr+"]").EachIter() {
			value, _ := el.Attr(attr)
			el.RemoveAttr(attr).SetAttr("data-x"+attr, value)
		}
	})
	s.unlessSame(t, g, "attribute-shuffled", site, func(c *canvas) {
		var values []string
		found := find(c, "["+attr+"]")
		for _, el := range found.EachIter() {
			values = append(values, el.AttrOr(attr, ""))
		}
		for i, el := range found.EachIter() {
			el.SetAttr(attr, values[(i+1)%len(values)])
		}
	})
	s.unlessSame(t, g, "attribute-one-for-all", site, func(c *canvas) {
		found := find(c, "["+attr+"]")
		value, _ := found.Attr(attr)
		found.SetAttr(attr, value)
	})
}

// unlessSame runs a damage that may find nothing to change.
func (s *subject) unlessSame(t *testing.T, g *grid, mutator, site string, change func(c *canvas)) {
	t.Helper()
	if after, differs := s.changed(t, g.path, change); differs {
		s.damage(mutator, site, g.path, after)
	}
}
