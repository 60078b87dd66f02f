package pipeline_test

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
)

// places finds where a row says a thing.
type places map[string]func(row *goquery.Selection) *goquery.Selection

// coreweavePlaces are the cell for wide screens, the value for narrow ones, and
// both.
func coreweavePlaces(column int, label string) places {
	wide := func(row *goquery.Selection) *goquery.Selection { return coreweaveWide(row, column) }
	narrow := func(row *goquery.Selection) *goquery.Selection {
		return row.Find("div.table-cell-column-right div.table-meta-value").FilterFunction(func(_ int, el *goquery.Selection) bool {
			return el.Next().Text() == label
		})
	}
	return places{"wide": wide, "narrow": narrow, "both": func(row *goquery.Selection) *goquery.Selection {
		return wide(row).AddSelection(narrow(row))
	}}
}

func coreweaveWide(row *goquery.Selection, column int) *goquery.Selection {
	return row.Find("div.table-v2-cell").Eq(column).ChildrenFiltered("div")
}

// coreweaveRows damages what a CoreWeave row says twice, in one place or in
// both.
func (s *subject) coreweaveRows(t *testing.T, g *grid) {
	t.Helper()
	counts := map[string]string{
		"count-1": "1", "count-4": "4", "count-16": "16", "count-64": "64", "count-glued": "81", "count-mark": "8^1", "count-superscript": "8<sup>1</sup>",
		"count-word": "8 GPUs", "count-gone": "", "count-zero": "0", "count-range": "4-8", "count-fraction": "0.5",
	}
	memories := map[string]string{"memory-total": "640", "memory-94": "94", "memory-gone": "", "memory-unit": "80 GB"}
	for scope, rows := range map[string]func(c *canvas) *goquery.Selection{
		"h100": func(c *canvas) *goquery.Selection { return g.row(c, 0, 5) },
		"all":  func(c *canvas) *goquery.Selection { return c.Find(g.tables).Find(g.rows) },
	} {
		say := func(at places, texts map[string]string) {
			for place, find := range at {
				for name, text := range texts {
					s.html(t, g.path, name, scope+"-"+place, func(c *canvas) {
						for _, row := range rows(c).EachIter() {
							c.put(find(row), text)
						}
					})
				}
			}
		}
		say(coreweavePlaces(1, "GPU Count"), counts)
		say(coreweavePlaces(2, "VRAM"), memories)
		for name, change := range coreweaveChanges() {
			s.html(t, g.path, name, scope, func(c *canvas) {
				for _, row := range rows(c).EachIter() {
					change(row)
				}
			})
		}
	}
	s.coreweaveRegions(t, g)
}

// coreweaveChanges are damages of a row's prices.
func coreweaveChanges() map[string]func(row *goquery.Selection) {
	wide := func(row *goquery.Selection) { swapNodes(coreweaveWide(row, 6), coreweaveWide(row, 7)) }
	narrow := func(row *goquery.Selection) {
		swapNodes(row.Find(".instance-price .item-value"), row.Find(".spot-price .item-value"))
	}
	unit := func(to string) func(row *goquery.Selection) {
		return func(row *goquery.Selection) {
			for _, span := range row.Find(".instance-price, .spot-price").EachIter() {
				html, _ := span.Html()
				span.SetHtml(strings.Replace(html, "/ Hour", to, 1))
			}
		}
	}
	return map[string]func(row *goquery.Selection){
		"wide-prices-exchanged":   wide,
		"narrow-prices-exchanged": narrow,
		"both-prices-exchanged":   func(row *goquery.Selection) { wide(row); narrow(row) },
		"inference-for-instance": func(row *goquery.Selection) {
			if price := row.Find(".inference-price .item-value").Text(); price != "" {
				coreweaveWide(row, 6).SetText(price)
				row.Find(".instance-price .item-value").SetText(price)
			}
		},
		"narrow-unit-month": unit("/ Month"),
		"narrow-unit-gpu":   unit("/ GPU / Hour"),
		"narrow-gone":       func(row *goquery.Selection) { row.Find(".table-cell-column-left").Remove() },
	}
}

// coreweaveRegions damages what tells the tables apart.
func (s *subject) coreweaveRegions(t *testing.T, g *grid) {
	t.Helper()
	eyebrow := func(c *canvas, i int) *goquery.Selection { return c.Find("strong.eyebrow").Eq(i) }
	for i := range 3 {
		site := fmt.Sprintf("region-%d", i)
		s.html(t, g.path, "region-gone", site, func(c *canvas) { eyebrow(c, i).Remove() })
		s.html(t, g.path, "region-renamed", site, func(c *canvas) { eyebrow(c, i).SetText("NVIDIA") })
		s.unlessSame(t, g, "region-copied", site, func(c *canvas) { eyebrow(c, i).SetText(eyebrow(c, 1).Text()) })
	}
	s.html(t, g.path, "region-gone", "heading-of-cpus", func(c *canvas) { c.Find("h2").Eq(1).Remove() })
	s.html(t, g.path, "row-of-cpus", "first-table", func(c *canvas) {
		g.row(c, 0, 0).BeforeSelection(c.Find("div.table-v2").Eq(2).Find(g.rows).First())
	})
	s.html(t, g.path, "row-to-cpus", "first-table", func(c *canvas) {
		c.Find("div.table-v2").Eq(2).Find(g.rows).First().BeforeSelection(g.row(c, 0, 5))
	}).drops = true
	s.html(t, g.path, "table-to-cpus", "second-table", func(c *canvas) {
		c.Find("section").Eq(1).AppendSelection(g.table(c, 1))
	})
}

// vastAsks damages several fields of each ask as one.
func (s *subject) vastAsks(t *testing.T, b *book) {
	t.Helper()
	for name, change := range vastChanges() {
		s.edit(t, b, name, "all", func(_ int, row *tree) { change(row) })
		for _, spot := range b.spots {
			s.edit(t, b, name, fmt.Sprintf("row-%d", spot), func(i int, row *tree) {
				if i == spot {
					change(row)
				}
			})
		}
	}
}

// vastChanges are an ask in another unit: some of its figures, or all.
func vastChanges() map[string]func(row *tree) {
	money := []string{"dph_total", "dph_base", "storage_total_cost", "min_bid"}
	rate := func(num, den int64, names ...string) func(row *tree) {
		return func(row *tree) {
			for _, name := range names {
				if f := row.at(name); f != nil {
					f.literal(scaleNumber(f.text, num, den))
				}
			}
		}
	}
	byCount := func(inverse bool, names ...string) func(row *tree) {
		return func(row *tree) {
			n, err := strconv.ParseInt(row.at("num_gpus").text, 10, 64)
			switch {
			case err != nil:
			case inverse:
				rate(n, 1, names...)(row)
			default:
				rate(1, n, names...)(row)
			}
		}
	}
	put := func(from string, to ...string) func(row *tree) {
		return func(row *tree) {
			for _, name := range to {
				row.at(name).literal(row.at(from).text)
			}
		}
	}
	return map[string]func(row *tree){
		"per-gpu-total": byCount(false, money[:1]...), "per-gpu-all": byCount(false, money...), "per-gpu-but-disk": byCount(false, money[:2]...),
		"times-count-total": byCount(true, money[:1]...), "times-count-all": byCount(true, money...),
		"cents-total": rate(100, 1, money[:1]...), "cents-all": rate(100, 1, money...), "month-all": rate(720, 1, money...),
		"millis-duration": rate(1000, 1, "duration"), "memory-in-gigabytes": rate(1, 1024, "gpu_ram", "gpu_total_ram"), "memory-of-all": byCount(true, "gpu_ram"),
		"bid-for-price": put("min_bid", "dph_total"), "bid-for-both": put("min_bid", "dph_total", "dph_base"), "base-for-total": put("dph_base", "dph_total"),
		"renamed-prices": func(row *tree) { row.rename("dph_total", "dph_total_adj"); row.rename("dph_base", "dph") },
		"x4-all":         rate(4, 1, money...), "by4-all": rate(1, 4, money...), "x8-all": rate(8, 1, money...), "by8-all": rate(1, 8, money...),
		"x4-total-and-base": rate(4, 1, money[:2]...), "by4-total-and-base": rate(1, 4, money[:2]...),
		"fraction-of-machine": func(row *tree) { scaleBy(row, "gpu_frac", money[:1]) },
		"fraction-of-all":     func(row *tree) { scaleBy(row, "gpu_frac", money) },
		"rentable-not-known":  func(row *tree) { row.remove("rentable"); row.remove("rented"); row.remove("is_bid") },
		"bids-for-asks":       func(row *tree) { row.remove("is_bid"); row.add("is_bid", "true") },
		"another-machine":     func(row *tree) { row.at("machine_id").literal("9" + row.at("machine_id").text) },
	}
}

// scaleBy multiplies fields with another of the row.
func scaleBy(row *tree, by string, names []string) {
	share := row.at(by)
	if share == nil {
		return
	}
	r, ok := new(big.Rat).SetString(share.text)
	if !ok {
		return
	}
	for _, name := range names {
		if f := row.at(name); f != nil {
			f.literal(scaleNumber(f.text, r.Num().Int64(), r.Denom().Int64()))
		}
	}
}
