package scrapers

import (
	"slices"
	"strings"

	"github.com/PuerkitoBio/goquery"

	"mtok/schema"
)

const (
	coreweaveGPUs    = "On-demand GPU instances"
	coreweaveRow     = "div.table-row-v2"
	coreweaveTable   = "div.table-v2"
	coreweaveEyebrow = "strong.eyebrow"
	coreweaveName    = "h3.table-model-name"
	// coreweaveInference heads an optional last column: a price per GPU of
	// another product, which is not listed but tells what the unit of the row is.
	coreweaveInference = "Inference Single GPU Price(Per Hour)²"
)

var (
	coreweaveColumns = []string{
		"GPU Model", "GPU Count", "VRAM (GB)", "vCPUs", "System RAM (GB)", "Local Storage (TB)",
		"On-Demand Price (Per Hour)", "Spot Price (Per Hour)",
	}
	coreweaveRegions = []string{"NORTH AMERICA", "EUROPE"}

	// coreweaveNodes are the GPU counts of a node. Any other may be a count with
	// a footnote mark glued to it, which would make the price per GPU wrong.
	coreweaveNodes = []int{1, 2, 4, 8, 16}
)

// CoreWeave reads the public pricing page: USD per instance-hour on demand and
// spot, one table per region, the instance being a whole node. SKU: the slug in
// data-product, which outlives a rename. Rows are div.table-row-v2 within the
// GPU section: the category class beside it is another one on HGX H100
// (testdata/coreweave/h100-category), and CPU tables use the same markup.
func CoreWeave() Provider {
	return Provider{
		ID:       "coreweave",
		Name:     "CoreWeave",
		Homepage: "https://www.coreweave.com",
		Version:  1,
		Sources: []Source{{
			Name:     "pricing-page",
			Requests: onePage("https://www.coreweave.com/pricing"),
			Parse:    parseCoreWeave,
		}},
		Expect: Expect{
			MinOffers: 16,
			Classes:   []schema.ClassID{"h100-sxm-80gb", "h200-sxm-141gb"},
			Bands:     coreweaveBands(),
		},
		StockNote: "not published",
	}
}

// coreweaveBands are around the list prices of 2026-08-22.
func coreweaveBands() []PriceBand {
	return []PriceBand{
		about("a100-sxm-80gb", schema.TermOnDemand, 2_700_000),
		about("a100-sxm-80gb", schema.TermSpot, 1_206_250),
		about("b200-sxm-180gb", schema.TermOnDemand, 8_600_000),
		about("b200-sxm-180gb", schema.TermSpot, 4_358_750),
		about("b300-sxm-288gb", schema.TermSpot, 4_587_500),
		about("gb200-186gb", schema.TermOnDemand, 10_500_000),
		about("gh200-96gb", schema.TermOnDemand, 6_500_000),
		about("h100-sxm-80gb", schema.TermOnDemand, 6_155_000),
		about("h100-sxm-80gb", schema.TermSpot, 2_463_750),
		about("h200-sxm-141gb", schema.TermOnDemand, 6_305_000),
		about("h200-sxm-141gb", schema.TermSpot, 2_616_250),
		about("l40-48gb", schema.TermOnDemand, 1_250_000),
		about("l40-48gb", schema.TermSpot, 783_750),
		about("l40s-48gb", schema.TermOnDemand, 2_250_000),
		about("l40s-48gb", schema.TermSpot, 985_000),
		about("rtx-pro-6000-96gb", schema.TermOnDemand, 2_500_000),
		about("rtx-pro-6000-96gb", schema.TermSpot, 1_386_250),
	}
}

func parseCoreWeave(page Page) (Result, error) {
	doc, err := document(page)
	if err != nil {
		return Result{}, err
	}
	list := offerList{source: page.Source}
	lookAlikes := 0
	items := strings.Join([]string{coreweaveEyebrow, coreweaveTable, coreweaveRow}, ", ")
	var regions []coreweaveRegion
	for _, sec := range sections(doc, "h2", items) {
		if sec.heading != coreweaveGPUs {
			lookAlikes += sec.items.Filter(coreweaveRow).Length()
			continue
		}
		read, err := coreweaveSection(&list, sec)
		if err != nil {
			return Result{}, err
		}
		regions = append(regions, read...)
	}
	if err := coreweaveMap(regions); err != nil {
		return Result{}, err
	}
	coreweaveAlike(&list)
	if len(list.offers) == 0 {
		return Result{}, layoutf("no priced row")
	}
	if err := wholePage(page); err != nil {
		return Result{}, err
	}
	return Result{Offers: list.offers, Skipped: list.skip, LookAlikes: lookAlikes}, nil
}

// coreweaveRegion is the table of a region.
type coreweaveRegion struct {
	name      string
	rows      int
	inference bool // it has that column
}

// coreweaveMap requires a table of each known region. Only North America has had
// an inference column: where Europe has it alone, the tables were exchanged, of
// which the prices would tell nothing.
func coreweaveMap(regions []coreweaveRegion) error {
	at := map[string]coreweaveRegion{}
	var names []string
	for _, r := range regions {
		at[r.name] = r
		names = append(names, r.name)
	}
	for _, region := range coreweaveRegions {
		if at[region].rows == 0 {
			return layoutf("no table of region %q under %q, found %q", region, coreweaveGPUs, names)
		}
	}
	if at[coreweaveRegions[1]].inference && !at[coreweaveRegions[0]].inference {
		return layoutf("the tables of %q are exchanged", names)
	}
	return nil
}

// coreweaveSection reads the tables of the GPU section, each under the eyebrow
// that names its region, and returns the regions. Every row of the section must
// stand in one of the tables.
func coreweaveSection(list *offerList, sec section) ([]coreweaveRegion, error) {
	var regions []coreweaveRegion
	region, rows := "", 0
	for _, item := range sec.items.EachIter() {
		switch {
		case item.Is(coreweaveEyebrow):
			name, ok := strings.CutPrefix(cellText(item), "REGION: ")
			if !ok || slices.ContainsFunc(regions, func(r coreweaveRegion) bool { return r.name == name }) {
				return nil, layoutf("heading %q is no new region", clip(cellText(item)))
			}
			region = name
		case item.Is(coreweaveTable):
			if region == "" {
				return nil, layoutf("a table without a region of its own after %d regions", len(regions))
			}
			table, err := coreweaveRows(list, item, region)
			if err != nil {
				return nil, err
			}
			regions = append(regions, table)
			region, rows = "", rows+table.rows
		}
	}
	if all := sec.items.Filter(coreweaveRow).Length(); all != rows {
		return nil, layoutf("%d GPU rows, %d of them in a region's table", all, rows)
	}
	return regions, nil
}

func coreweaveRows(list *offerList, table *goquery.Selection, region string) (coreweaveRegion, error) {
	read := coreweaveRegion{name: region}
	columns := coreweaveColumns
	header := table.Find(".table-v2-header .table-header-text")
	if header.Length() == len(columns)+1 {
		columns, read.inference = append(slices.Clone(columns), coreweaveInference), true
	}
	if err := wantTexts(region, header, columns); err != nil {
		return read, err
	}
	rows := table.Find(coreweaveRow)
	if rows.Length() == 0 {
		return read, layoutf("%s: no rows", region)
	}
	if table.Find(coreweaveName).Length() != rows.Find(coreweaveName).Length() {
		return read, layoutf("%s: names outside of the rows", region)
	}
	for _, n := range rows.EachIter() {
		row, err := readCoreweaveRow(n, columns)
		if err != nil {
			return read, layoutRow(region, row.slug, err)
		}
		if err := row.add(list, region); err != nil {
			return read, layoutRow(region, row.slug, err)
		}
	}
	read.rows = rows.Length()
	return read, nil
}

// coreweaveOffer is one row, its figures as printed.
type coreweaveOffer struct {
	slug, name  string
	count, vram string
	prices      [2]coreweavePrice // on demand, spot
	inference   string            // of one GPU, empty where the table has no such column
}

type coreweavePrice struct {
	term schema.Term
	text string // "$49.24", "N/A" or empty
	cell string // the desktop cell with its link: "Contact sales"
}

// readCoreweaveRow reads the labelled block that a row holds for narrow screens
// and requires the unlabelled desktop cells, known only by their order, to say
// the same: a swapped or shifted column then can't give a price.
func readCoreweaveRow(row *goquery.Selection, columns []string) (coreweaveOffer, error) {
	names := row.Find(coreweaveName)
	o := coreweaveOffer{slug: names.First().AttrOr("data-product", ""), name: cellText(names.First())}
	if o.slug == "" || o.name == "" {
		return o, layoutf("no h3.table-model-name with a name and data-product")
	}
	for _, h3 := range names.EachIter() {
		if h3.AttrOr("data-product", "") != o.slug || cellText(h3) != o.name {
			return o, layoutf("row headings %q do not agree", cellTexts(names))
		}
	}
	cells := row.Find("div.table-v2-cell")
	if cells.Length() != len(columns) {
		return o, layoutf("%d cells, expected %d", cells.Length(), len(columns))
	}
	desktop := func(i int) string { return cellText(cells.Eq(i).ChildrenFiltered("div")) }

	meta := coreweaveMeta(row)
	o.count, o.vram = meta["GPU Count"], meta["VRAM"]
	prices := []struct {
		term        schema.Term
		span, label string
		column      int
	}{
		{schema.TermOnDemand, "span.instance-price", "On-Demand Price:", 6},
		{schema.TermSpot, "span.spot-price", "Spot Price:", 7},
	}
	for i, p := range prices {
		span := row.Find(p.span)
		value := cellText(span.Find(".item-value"))
		want := strings.Join(strings.Fields(p.label+" "+value+" / Hour"), " ")
		if cellText(span) != want {
			return o, layoutf("%s reads %q, expected %q", p.span, clip(cellText(span)), clip(want))
		}
		if desktop(p.column) != value {
			return o, layoutf("%s %q, but column %q has %q", p.label, clip(value), columns[p.column], clip(desktop(p.column)))
		}
		o.prices[i] = coreweavePrice{term: p.term, text: value, cell: cellText(cells.Eq(p.column))}
	}
	if len(columns) > len(coreweaveColumns) {
		o.inference = desktop(len(columns) - 1)
	}
	if desktop(1) != o.count || desktop(2) != o.vram {
		return o, layoutf("count %q and VRAM %q, but the columns have %q and %q", clip(o.count), clip(o.vram), clip(desktop(1)), clip(desktop(2)))
	}
	return o, nil
}

// coreweaveMeta reads the label under each value of the narrow block. A label
// that stands twice is taken as absent.
func coreweaveMeta(row *goquery.Selection) map[string]string {
	meta := map[string]string{}
	for _, m := range row.Find("div.table-cell-column-right div.table-meta-value").EachIter() {
		label := cellText(m.Next())
		if _, twice := meta[label]; twice {
			meta[label] = ""
			continue
		}
		meta[label] = cellText(m)
	}
	return meta
}

// add makes the row's offers. "4^1" is 4 with a footnote, not 41 (testdata/
// coreweave/footnote-count). A row may have a spot price only: B300 has been
// "Contact sales" on demand with a spot price since it is listed.
func (o coreweaveOffer) add(list *offerList, region string) error {
	number, footnote, marked := strings.Cut(o.count, "^")
	gpus, err := count("GPU Count", number)
	if err != nil {
		return err
	}
	if _, err := count("footnote", footnote); marked && err != nil {
		return err
	}
	vram, err := count("VRAM", o.vram)
	if err != nil {
		return err
	}
	if !slices.Contains(coreweaveNodes, gpus) {
		list.unread(o.slug, o.name+", "+region, o.count, schema.RuleGPUCount, "no known node size")
		return nil
	}
	var amounts [2]schema.Decimal
	for i, p := range o.prices {
		if amounts[i], err = priceCell(p.text); err != nil {
			return err
		}
	}
	if reason := o.doubt(amounts, gpus); reason != "" {
		list.unread(o.slug, o.name+", "+region, o.prices[0].text+", "+o.prices[1].text, ruleApart, reason)
		return nil
	}
	for i, p := range o.prices {
		amount := amounts[i]
		if !amount.IsSet() {
			list.reject(o.name+", "+string(p.term)+", "+region, p.cell, schema.RuleUnpriced, "listed without a price")
			continue
		}
		err = list.add(schema.Offer{
			OfferKey: schema.OfferKey{
				Provider: "coreweave", SKU: o.slug, GPUCount: gpus, Region: region, Term: p.term,
			},
			GPURaw:    o.name,
			VRAMMiB:   int64(vram) * 1024,
			Basis:     schema.BasisInstance,
			Unit:      schema.UnitInstanceHour,
			PriceText: p.text,
			Currency:  "USD",
			Amount:    amount,
		})
		if err != nil {
			return err
		}
	}
	return nil
}
