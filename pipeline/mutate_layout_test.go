package pipeline_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
)

// headings changes what the heading cells say: the unit, the currency and the
// term stand nowhere else.
func (s *subject) headings(t *testing.T, g *grid) {
	t.Helper()
	for _, column := range g.prices {
		for name, change := range map[string]func(string) string{
			"month":     func(text string) string { return unitWord.Replace(text) },
			"currency":  func(text string) string { return text + " (EUR)" },
			"instance":  func(text string) string { return text + " per instance" },
			"from":      func(text string) string { return "Starting " + text },
			"upper":     strings.ToUpper,
			"lower":     strings.ToLower,
			"gone":      func(string) string { return "" },
			"footnote":  func(text string) string { return text + "³" },
			"reserved":  func(string) string { return "1 Year Reserved Price (Per Hour)" },
			"nbsp":      func(text string) string { return strings.ReplaceAll(text, " ", "\u00a0") },
			"invisible": func(text string) string { return text + "\u200b" },
		} {
			s.unlessSame(t, g, "heading-"+name, g.site("column-%d", column), func(c *canvas) {
				for _, table := range c.Find(g.tables).EachIter() {
					cell := table.Find(g.header).Eq(column)
					for cell.Children().Length() == 1 && strings.TrimSpace(cell.Children().Text()) == strings.TrimSpace(cell.Text()) {
						cell = cell.Children()
					}
					cell.SetText(change(cell.Text()))
				}
			})
		}
	}
	s.html(t, g.path, "heading-row-gone", g.site("all"), func(c *canvas) { c.Find(g.tables).Find(g.header).Remove() })
	s.html(t, g.path, "heading-row-gone", g.site("first"), func(c *canvas) { g.table(c, 0).Find(g.header).Remove() })
}

var unitWord = strings.NewReplacer("HR", "MO", "Hour", "Month", "/hr", "/mo", "On-demand", "Monthly", "Current spot", "Monthly spot")

// places moves whole sections and changes their headings.
func (s *subject) places(t *testing.T, g *grid) {
	t.Helper()
	add := func(mutator, site string, change func(c *canvas)) { s.unlessSame(t, g, mutator, site, change) }
	count := mustDocument(t, s.page(t, g.path)).Find(g.heading).Length()
	for i := range count {
		site := g.site("heading-%d", i)
		heading := func(c *canvas) *goquery.Selection { return c.Find(g.heading).Eq(i) }
		add("section-heading-gone", site, func(c *canvas) { heading(c).Remove() })
		add("section-heading-renamed", site, func(c *canvas) { heading(c).SetText("Pricing") })
		add("section-heading-upper", site, func(c *canvas) { h := heading(c); h.SetText(strings.ToUpper(h.Text())) })
		add("section-heading-nbsp", site, func(c *canvas) {
			h := heading(c)
			h.SetText(strings.ReplaceAll(strings.TrimSpace(h.Text()), " ", "\u00a0"))
		})
		add("section-heading-level", site, func(c *canvas) {
			inner, _ := heading(c).Html()
			heading(c).ReplaceWithHtml("<h4>" + inner + "</h4>")
		})
		add("section-heading-twice", site, func(c *canvas) { h := heading(c); h.AfterSelection(h.Clone()) })
		add("section-last", site, func(c *canvas) {
			part := g.part(c, i)
			part.Parent().AppendSelection(part)
		})
		s.sectionTwice(g, i, add)
		if i+1 == count {
			continue
		}
		add("section-headings-exchanged", site, func(c *canvas) { swapNodes(heading(c), c.Find(g.heading).Eq(i+1)) })
		add("sections-exchanged", site, func(c *canvas) { swapNodes(g.part(c, i), g.part(c, i+1)) })
		add("sections-joined", site, func(c *canvas) {
			next := g.part(c, i+1)
			c.Find(g.heading).Eq(i + 1).Remove()
			g.part(c, i).AppendSelection(next.Contents())
			next.Remove()
		})
	}
	s.tables(t, g, add)
}

// part is the section under a heading.
func (g *grid) part(c *canvas, heading int) *goquery.Selection {
	return c.Find(g.heading).Eq(heading).Closest(g.section)
}

// sectionTwice keeps an old section beside the new one, shown or not.
func (s *subject) sectionTwice(g *grid, i int, add func(mutator, site string, change func(c *canvas))) {
	site := g.site("heading-%d", i)
	add("section-twice", site, func(c *canvas) { part := g.part(c, i); part.AfterSelection(part.Clone()) })
	add("section-twice-other-prices", site, func(c *canvas) {
		part := g.part(c, i)
		part.AfterSelection(part.Clone())
		g.raise(c, part.Next())
	})
	add("section-twice-before", site, func(c *canvas) {
		part := g.part(c, i)
		part.BeforeSelection(part.Clone())
		g.raise(c, part.Prev())
	})
	for how, open := range map[string]string{
		"hidden": "<div hidden></div>", "undisplayed": `<div style="display:none"></div>`, "template": "<template></template>", "noscript": "<noscript></noscript>",
	} {
		add("section-"+how+"-other-prices", site, func(c *canvas) {
			part := g.part(c, i)
			part.BeforeSelection(part.Clone())
			part = part.Prev()
			g.raise(c, part)
			part.WrapHtml(open)
		})
	}
}

// raise makes every price of a part another one.
func (g *grid) raise(c *canvas, part *goquery.Selection) {
	for _, row := range part.Find(g.rows).EachIter() {
		for _, column := range g.prices {
			at := g.price(row, column)
			if amount, ok := figureOf(at); ok {
				c.put(at, "$"+times(amount, 6, 5)+g.suffix)
			}
		}
	}
}

// tables moves rows from table to table and changes what is around them.
func (s *subject) tables(t *testing.T, g *grid, add func(mutator, site string, change func(c *canvas))) {
	t.Helper()
	count := mustDocument(t, s.page(t, g.path)).Find(g.tables).Length()
	for i := range count {
		site := g.site("table-%d", i)
		rows := func(c *canvas) *goquery.Selection { return g.table(c, i).Find(g.rows) }
		for j := range count {
			if j == i {
				continue
			}
			add("row-moved", fmt.Sprintf("%s-%d", site, j), func(c *canvas) {
				row := rows(c).First()
				g.table(c, j).Find(g.rows).Last().AfterSelection(row)
			})
			add("last-row-moved", g.site("table-%d-%d", i, j), func(c *canvas) {
				g.table(c, j).Find(g.rows).Last().AfterSelection(rows(c).Last())
			})
			if j > i {
				add("tables-exchanged", fmt.Sprintf("%s-%d", site, j), func(c *canvas) { swapNodes(g.table(c, i), g.table(c, j)) })
			}
		}
		add("row-out-of-table", site, func(c *canvas) { g.table(c, i).AfterSelection(rows(c).First()) })
		s.damages[len(s.damages)-1].drops = g.rows == "tbody tr" // of which a parser of HTML leaves the words alone
		s.shifted(g, site, rows, add)
		add("rows-wrapped", site, func(c *canvas) { rows(c).WrapAllHtml("<div></div>") })
		add("rows-reversed", site, func(c *canvas) {
			all := rows(c)
			for _, row := range all.EachIter() {
				all.First().Parent().PrependSelection(row)
			}
		})
		add("table-gone", site, func(c *canvas) { g.table(c, i).Remove() })
		add("table-empty", site, func(c *canvas) { rows(c).Remove() })
		add("table-twice", site, func(c *canvas) { table := g.table(c, i); table.AfterSelection(table.Clone()) })
		add("table-nested", site, func(c *canvas) { g.cellsOf(rows(c).First()).Last().AppendSelection(g.table(c, i).Clone()) })
		add("first-row-heading", site, func(c *canvas) {
			row := rows(c).First()
			copied := row.Clone()
			head := g.table(c, i).Find(g.header)
			for k, cell := range g.cellsOf(copied).EachIter() {
				cell.SetText(strings.TrimSpace(head.Eq(k).Text()))
			}
			row.BeforeSelection(copied)
		})
		add("first-row-advert", site, func(c *canvas) {
			copied := rows(c).First().Clone()
			g.cellsOf(copied).First().SetText("New: from $1.11")
			g.cellsOf(copied).Slice(1, goquery.ToEnd).Remove()
			rows(c).First().BeforeSelection(copied)
		})
		add("first-row-foreign", site, func(c *canvas) {
			rows(c).First().BeforeHtml(`<tr><td colspan="6">Now $1.11 per GPU-hour</td></tr>`)
		})
		add("row-dropped", site, func(c *canvas) { rows(c).Last().Remove() })
		s.damages[len(s.damages)-1].drops = true
	}
}

// shifted puts the prices of a table into other rows: all of them one row on,
// and those of two rows in each other's place.
func (s *subject) shifted(g *grid, site string, rows func(c *canvas) *goquery.Selection, add func(mutator, site string, change func(c *canvas))) {
	for _, column := range g.prices {
		priced := func(c *canvas) (found []*goquery.Selection, amounts []string) {
			for _, row := range rows(c).EachIter() {
				if amount, ok := figureOf(g.price(row, column)); ok {
					found, amounts = append(found, g.price(row, column)), append(amounts, "$"+amount+g.suffix)
				}
			}
			return found, amounts
		}
		at := fmt.Sprintf("%s-column-%d", site, column)
		add("prices-one-row-on", at, func(c *canvas) {
			found, amounts := priced(c)
			for i, el := range found {
				c.put(el, amounts[(i+1)%len(amounts)])
			}
		})
		for _, i := range []int{0, 1} {
			add("prices-of-two-rows-exchanged", fmt.Sprintf("%s-row-%d", at, i), func(c *canvas) {
				if found, amounts := priced(c); i+1 < len(found) && amounts[i] != amounts[i+1] {
					c.put(found[i], amounts[i+1])
					c.put(found[i+1], amounts[i])
				}
			})
		}
	}
}
