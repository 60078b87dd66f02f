package pipeline_test

import (
	"math/big"
	"os"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"mtok/schema"
	"mtok/scrapers"
)

// subjects make all that is damaged, in the order of the table: one at a time,
// since a subject holds each of its damaged pages.
func subjects() []func(*testing.T) *subject {
	return []func(*testing.T) *subject{
		lambdaSubject, lambdaAPISubject, coreweaveSubject, crusoeSubject,
		fluidstackSubject, runpodSubject, runpodRESTSubject, vastSubject,
	}
}

// pageDamages are the damages of a page by its grids.
func (s *subject) pageDamages(t *testing.T, grids ...*grid) {
	t.Helper()
	path := grids[0].path
	s.html(t, path, identity, "page", func(*canvas) {})
	for _, g := range grids {
		s.prices(t, g)
		s.columns(t, g)
		s.bleeding(t, g)
		s.doubles(t, g)
		s.rows(t, g)
		s.marks(t, g)
		s.headings(t, g)
		s.places(t, g)
	}
	s.body(t, path, 40)
	s.htmlBody(t, path)
	s.answers(t, path)
}

func (s *subject) bookDamages(t *testing.T, b *book) {
	t.Helper()
	s.root(t, b, identity, "answer", func(root *tree) string { return root.String() })
	s.fields(t, b)
	s.answer(t, b)
	s.body(t, b.path, 20)
	s.jsonBody(t, b.path)
	s.answers(t, b.path)
}

func find(selector string) func(*goquery.Selection, int) *goquery.Selection {
	return func(row *goquery.Selection, _ int) *goquery.Selection { return row.Find(selector) }
}

func lambdaSubject(t *testing.T) *subject {
	s := &subject{name: "lambda", provider: scrapers.Lambda(), pages: nightOf(t, "lambda", nil)}
	instances := &grid{
		path: "lambda/pricing-page.html", tables: `[id^="tabpanel-:island-adac26na8ba91R19"] table`,
		header: "thead th", rows: "tbody tr", cells: "> th, td", prices: []int{5}, price: find(`[data-label="PRICE/GPU/HR*"]`),
		section: "section", heading: "h2", names: "th",
		classes:    []string{"_pricingRow_3954x_36", "_pricingTable_3954x_13"},
		attributes: []string{"role", "id", "aria-controls", "aria-labelledby", "data-plan", "data-label"},
		spots:      []spot{{"8x-h100-sxm", 0, 1, 5}, {"2x-h100-sxm", 2, 1, 5}, {"1x-gh200", 3, 1, 5}},
	}
	clusters := &grid{}
	*clusters = *instances
	clusters.name = "clusters-"
	clusters.tables = `[id^="tabpanel-:island-adac26n3d7399R19"] table`
	clusters.prices = []int{3}
	clusters.spots = []spot{{"16x-b200-cluster", 0, 0, 3}, {"64x-h100-cluster", 1, 1, 3}}
	clusters.attributes, clusters.classes, clusters.heading = nil, nil, "h9" // as of the instances
	s.pageDamages(t, instances, clusters)
	s.lambdaTabs(t, instances, "8x", "4x", "2x", "1x")
	s.lambdaTabs(t, clusters, "NVIDIA HGX B200", "NVIDIA H100")
	return s
}

// lambdaTabs damages what tells which tab a table belongs to.
func (s *subject) lambdaTabs(t *testing.T, g *grid, labels ...string) {
	t.Helper()
	tab := func(c *canvas, label string) *goquery.Selection {
		return c.Find(`[role="tab"]`).FilterFunction(func(_ int, el *goquery.Selection) bool { return strings.TrimSpace(el.Text()) == label })
	}
	exchange := func(a, b *goquery.Selection, attr string) {
		x, y := a.AttrOr(attr, ""), b.AttrOr(attr, "")
		a.SetAttr(attr, y)
		b.SetAttr(attr, x)
	}
	for i, a := range labels {
		site := strings.ReplaceAll(a, " ", "-")
		s.html(t, g.path, "tab-gone", site, func(c *canvas) { tab(c, a).Remove() })
		s.html(t, g.path, "tab-label-gone", site, func(c *canvas) { tab(c, a).SetText("") })
		s.html(t, g.path, "tab-label-word", site, func(c *canvas) { tab(c, a).SetText(a + " GPUs") })
		s.html(t, g.path, "tab-twice", site, func(c *canvas) { tab(c, a).AfterSelection(tab(c, a).Clone()) })
		s.html(t, g.path, "panel-gone", site, func(c *canvas) { c.Find(g.tables).Eq(i).Closest(`[role="tabpanel"]`).Remove() })
		for j, b := range labels {
			if j <= i {
				continue
			}
			site := site + "-" + strings.ReplaceAll(b, " ", "-")
			s.html(t, g.path, "tab-controls-exchanged", site, func(c *canvas) { exchange(tab(c, a), tab(c, b), "aria-controls") })
			s.html(t, g.path, "tab-labels-exchanged", site, func(c *canvas) {
				x, y := tab(c, a), tab(c, b)
				x.SetText(b)
				y.SetText(a)
			})
			s.html(t, g.path, "tab-label-copied", site, func(c *canvas) { tab(c, b).SetText(a) })
			panel := func(c *canvas, n int) *goquery.Selection { return c.Find(g.tables).Eq(n).Closest(`[role="tabpanel"]`) }
			s.html(t, g.path, "panel-ids-exchanged", site, func(c *canvas) { exchange(panel(c, i), panel(c, j), "id") })
			s.html(t, g.path, "panel-bodies-exchanged", site, func(c *canvas) {
				swapNodes(c.Find(g.tables).Eq(i).Find("tbody"), c.Find(g.tables).Eq(j).Find("tbody"))
			})
		}
	}
}

func lambdaAPISubject(t *testing.T) *subject {
	text, err := os.ReadFile("testdata/mutations/lambda-api.json")
	if err != nil {
		t.Fatal(err)
	}
	p := alone(scrapers.Lambda(), "instance-types-api")
	s := &subject{name: "lambda-api", provider: p, pages: nightOf(t, "lambda", map[string]string{"lambda/instance-types-api.json": string(text)})}
	s.bookDamages(t, &book{
		path: "lambda/instance-types-api.json", wrapper: []string{"data"},
		fields: []bookField{
			{"instance_type", 'o'}, {"instance_type.price_cents_per_hour", 'n'}, {"instance_type.description", 's'},
			{"instance_type.specs", 'o'}, {"instance_type.specs.gpus", 'c'}, {"regions_with_capacity_available", 'o'},
		},
		spots: []int{0, 12, 19},
	})
	return s
}

func coreweaveSubject(t *testing.T) *subject {
	s := &subject{name: "coreweave", provider: scrapers.CoreWeave(), pages: nightOf(t, "coreweave", nil)}
	places := map[int]string{6: "span.instance-price .item-value", 7: "span.spot-price .item-value"}
	g := &grid{
		path: "coreweave/pricing-page.html", tables: "section:first-of-type div.table-v2",
		header: ".table-v2-header .table-v2-cell", rows: "div.table-row-v2", cells: "div.table-v2-cell", prices: []int{6, 7},
		price: func(row *goquery.Selection, column int) *goquery.Selection {
			return row.Find("div.table-v2-cell").Eq(column).ChildrenFiltered("div").AddSelection(row.Find(places[column]))
		},
		section: "section", heading: "h2", names: "h3.table-model-name",
		classes: []string{
			"table-v2", "table-row-v2", "table-v2-cell", "table-v2-header", "table-header-text", "table-model-name", "table-meta-value",
			"instance-price", "spot-price", "item-value", "table-cell-column-right", "eyebrow", "gpu-pricing", "kubernetes-gpu-pricing",
		},
		attributes: []string{"data-product", "role"},
		spots:      []spot{{"h100", 0, 5, 6}, {"h100-spot", 0, 5, 7}, {"h200-europe", 1, 6, 6}, {"b300-spot", 0, 2, 7}},
	}
	s.pageDamages(t, g)
	s.coreweaveRows(t, g)
	return s
}

func crusoeSubject(t *testing.T) *subject {
	s := &subject{name: "crusoe", provider: scrapers.Crusoe(), pages: nightOf(t, "crusoe", nil)}
	s.pageDamages(t, &grid{
		path: "crusoe/pricing-page.html", tables: "div.pricing-dd:first-of-type",
		header: "div.pricing-heading", rows: ".prixing-item", cells: "div.pricing_gpu-item > *", prices: []int{1, 2},
		price: func(row *goquery.Selection, column int) *goquery.Selection {
			return row.ChildrenFiltered("div.pricing_gpu-item").Children().Eq(column).Find("p")
		},
		suffix: "/GPU-hr", section: "div.pricing-dd", heading: "h3.pricing-col-heading", names: "h4",
		classes: []string{
			"prixing-item", "pricing_gpu-item", "pricing-rich", "pricing-heading", "pricing-tag", "is-dark", "pricing-item-head-part",
			"pricing-dd", "pricing-col-heading", "pricing-item-heading", "w-dyn-item",
		},
		attributes: []string{"role", "href"},
		spots:      []spot{{"h100", 0, 3, 1}, {"a100-sxm", 0, 4, 1}, {"mi300x", 0, 8, 1}},
	})
	return s
}

func fluidstackSubject(t *testing.T) *subject {
	table, err := os.ReadFile("../scrapers/testdata/fluidstack/table-2025-01/page.html")
	if err != nil {
		t.Fatal(err)
	}
	s := &subject{name: "fluidstack", provider: scrapers.Fluidstack(), pages: nightOf(t, "fluidstack", map[string]string{
		"fluidstack/pricing-page.html":      string(table),
		"fluidstack/pricing-page.meta.toml": "url = \"https://www.fluidstack.io/pricing\"\nstatus = 200\ncontent_type = \"text/html; charset=utf-8\"\n",
	})}
	s.pageDamages(t, &grid{
		path: "fluidstack/pricing-page.html", tables: "table.pricing_table", header: "thead th", rows: "tbody tr", cells: "> th, td",
		prices: []int{4, 5},
		price: func(row *goquery.Selection, column int) *goquery.Selection {
			return row.ChildrenFiltered("th, td").Eq(column).Find("p")
		},
		section: "div.pricing_table-wrap", heading: "h9", names: "h2",
		classes: []string{"pricing_table", "pricing_cell", "table-header-mobile", "col", "row"},
		spots:   []spot{{"h100-pcie", 0, 1, 4}, {"h100-pcie-year", 0, 1, 5}, {"l40", 0, 4, 4}},
	})
	return s
}

func runpodSubject(t *testing.T) *subject {
	p := alone(scrapers.RunPod(), "graphql")
	s := &subject{name: "runpod", provider: p, pages: nightOf(t, "runpod", nil)}
	s.bookDamages(t, &book{
		path: "runpod/graphql.json", wrapper: []string{"data", "gpuTypes"},
		fields: []bookField{
			{"id", 's'}, {"memoryInGb", 'c'}, {"secureCloud", 'b'}, {"communityCloud", 'b'}, {"securePrice", 'n'}, {"communityPrice", 'n'},
			{"secureSpotPrice", 'n'}, {"communitySpotPrice", 'n'}, {"displayName", 's'},
		},
		swaps: [][2]string{
			{"securePrice", "communityPrice"}, {"secureCloud", "communityCloud"}, {"securePrice", "secureCloud"}, {"securePrice", "memoryInGb"},
			{"id", "displayName"}, {"securePrice", "oneYearPrice"},
		},
		spots: []int{11, 24},
	})
	s.another(t, "runpod/graphql.json", []string{"data", "gpuTypes"}, map[string]string{
		"id": `"NVIDIA H300"`, "securePrice": "3.33", "communityPrice": "2.22", "secureSpotPrice": "null", "communitySpotPrice": "null",
	}, stated{schema.OfferKey{Provider: "runpod", SKU: "NVIDIA H300", GPUCount: 1, Term: schema.TermOnDemand, Tier: schema.TierSecure}, "3.33"},
		stated{schema.OfferKey{Provider: "runpod", SKU: "NVIDIA H300", GPUCount: 1, Term: schema.TermOnDemand, Tier: schema.TierCommunity}, "2.22"})
	return s
}

// another adds an offer that the answer itself states: nothing else may change.
func (s *subject) another(t *testing.T, path string, wrapper []string, fields map[string]string, states ...stated) {
	t.Helper()
	root := parseTree(t, s.page(t, path))
	rows := root.at(wrapper...)
	row := rows.members[len(rows.members)/2].value.clone()
	for name, value := range fields {
		row.remove(name)
		row.add(name, value)
	}
	rows.members = append(rows.members, member{"", row})
	s.damage("another-offer", "added", path, root.String()).states = states
}

func runpodRESTSubject(t *testing.T) *subject {
	text, err := os.ReadFile("testdata/mutations/runpod-rest.json")
	if err != nil {
		t.Fatal(err)
	}
	p := alone(scrapers.RunPod(), "rest-v2")
	s := &subject{name: "runpod-rest", provider: p, pages: nightOf(t, "runpod", map[string]string{"runpod/rest-v2.json": string(text)})}
	s.bookDamages(t, &book{
		path: "runpod/rest-v2.json", wrapper: []string{"gpus"},
		fields: []bookField{
			{"id", 's'}, {"memory", 'c'}, {"secure", 'b'}, {"community", 'b'}, {"price", 'o'}, {"price.secure", 'n'}, {"price.community", 'n'},
			{"maxCount", 'o'}, {"maxCount.secure", 'c'}, {"availability", 's'},
		},
		swaps: [][2]string{{"price.secure", "price.community"}, {"secure", "community"}, {"price", "maxCount"}},
		spots: []int{11, 24},
	})
	return s
}

func vastSubject(t *testing.T) *subject {
	const trimmed = "vast/bundles-api.a100-sxm4.asc.json"
	s := &subject{name: "vast", provider: scrapers.Vast(), pages: nightOf(t, "vast", nil)}
	s.pages[trimmed].Data = []byte(wholeAsks(t, s.page(t, trimmed)))
	fields := []bookField{
		{"machine_id", 'o'}, {"gpu_name", 's'}, {"num_gpus", 'c'}, {"gpu_ram", 'c'}, {"gpu_total_ram", 'c'}, {"dph_total", 'n'}, {"dph_base", 'n'},
		{"storage_total_cost", 'n'}, {"storage_cost", 'n'}, {"min_bid", 'f'}, {"verification", 's'}, {"hosting_type", 'o'}, {"duration", 'o'},
		{"reliability", 'o'}, {"bw_nvlink", 'o'}, {"cpu_cores", 'o'}, {"dlperf", 'o'}, {"rentable", 'b'}, {"rented", 'b'}, {"is_bid", 'b'}, {"gpu_frac", 'o'},
	}
	swaps := [][2]string{
		{"dph_total", "dph_base"}, {"dph_total", "min_bid"}, {"dph_total", "storage_total_cost"}, {"num_gpus", "gpu_frac"}, {"num_gpus", "cpu_cores"},
		{"gpu_ram", "gpu_total_ram"}, {"id", "machine_id"}, {"rentable", "rented"}, {"host_id", "machine_id"}, {"duration", "reliability"},
	}
	for _, b := range []*book{
		{path: "vast/bundles-api.h100-sxm.asc.json", wrapper: []string{"offers"}, fields: fields, swaps: swaps, spots: []int{3}},
		{path: trimmed, wrapper: []string{"offers"}, fields: fields, swaps: swaps, spots: []int{3}},
	} {
		model := "h100-"
		if strings.Contains(b.path, "a100") {
			model = "a100-"
		}
		from := len(s.damages)
		s.bookDamages(t, b)
		s.vastAsks(t, b)
		if model == "h100-" {
			s.another(t, b.path, b.wrapper, map[string]string{
				"machine_id": "999001", "dph_base": "2", "dph_total": "2.002", "storage_total_cost": "0.002", "storage_cost": "0.18", "num_gpus": "1",
				"gpu_total_ram": "81559", "min_bid": "null",
			}, stated{schema.OfferKey{Provider: "vast", SKU: "999001/H100 SXM", GPUCount: 1, Term: schema.TermOnDemand}, "2.002"})
		}
		for i := range s.damages[from:] {
			s.damages[from+i].site = model + s.damages[from+i].site
		}
	}
	return s
}

// wholeAsks gives asks that were recorded without them the fields by which a
// live answer checks itself: the memory of all GPUs, and the disk in the price.
func wholeAsks(t *testing.T, text string) string {
	root := parseTree(t, text)
	for _, m := range root.at("offers").members {
		ask := m.value
		number := func(name string) *big.Rat {
			r, ok := new(big.Rat).SetString(ask.at(name).text)
			if !ok {
				t.Fatalf("%s is %s", name, ask.at(name).text)
			}
			return r
		}
		disk := new(big.Rat).Sub(number("dph_total"), number("dph_base"))
		ask.add("storage_total_cost", disk.FloatString(18))
		ask.add("storage_cost", disk.Mul(disk, big.NewRat(720, 8)).FloatString(18))
		ask.add("gpu_total_ram", new(big.Rat).Mul(number("gpu_ram"), number("num_gpus")).FloatString(0))
	}
	return root.String()
}
