package scrapers

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/PuerkitoBio/goquery"

	"mtok/schema"
)

const (
	crusoeSection = "GPU instances pricing"
	crusoeUnit    = "/GPU-hr"
	// crusoeRows is spelled so by the page; with the right spelling it selects
	// nothing, or parts of rows (testdata/crusoe/right-spelling).
	crusoeRows = ".prixing-item"
	crusoeTags = "div.pricing-tag"
)

// rulePriceText is the rule of a Reject for a cell that prints a figure in a
// form that is not known: another unit, another currency, more than the price.
const rulePriceText = "price_text"

var (
	crusoeColumns = []string{"GPU model", "On-demand", "Current spot"}
	// crusoeTerms are the terms of the price columns in their order. The second
	// is spot: it was printed as reserved by others.
	crusoeTerms = []schema.Term{schema.TermOnDemand, schema.TermSpot}

	crusoePrice = regexp.MustCompile(`^\$\d+\.\d{2}` + crusoeUnit + `$`)
	crusoeVRAM  = regexp.MustCompile(`^([1-9]\d{0,4})GB$`)
)

// Crusoe reads the public pricing page in the layout that it has had since
// 2025-12: cards in seven sections of one markup, of which one section rents
// GPUs. The layout of 2025-05 with five price columns is not read.
//
// SKU: heading / VRAM as printed. "NVIDIA A100 80GB" stands twice, as SXM and
// as PCIe; only such rows carry the form tag in the SKU, because the tags of
// the others come and go (testdata/crusoe/two-a100).
func Crusoe() Provider {
	return Provider{
		ID:       "crusoe",
		Name:     "Crusoe",
		Homepage: "https://www.crusoe.ai",
		Version:  1,
		Sources: []Source{{
			Name:     "pricing-page",
			Requests: onePage("https://www.crusoe.ai/cloud/pricing"),
			Parse:    parseCrusoe,
		}},
		Expect: Expect{
			MinOffers: 4,
			Classes:   []schema.ClassID{"h100-sxm-80gb"},
			Bands:     crusoeBands(),
		},
		StockNote: "not published",
	}
}

// crusoeBands are around the list prices of 2026-08-22. Spot was last listed in
// 2026-02, from 1.20 for an A100 to 1.60 for an H100; its bands end an eighth
// below the on-demand price, so that no such price passes for spot.
func crusoeBands() []PriceBand {
	spot := func(class schema.ClassID, low, onDemand schema.USD) PriceBand {
		return PriceBand{Class: class, Term: schema.TermSpot, Band: schema.Band{Low: low, High: onDemand * 7 / 8}}
	}
	return []PriceBand{
		spot("a100-pcie-80gb", 400_000, 2_000_000),
		spot("a100-sxm-80gb", 480_000, 2_300_000),
		spot("h100-sxm-80gb", 640_000, 3_900_000),
		spot("h200-sxm-141gb", 700_000, 4_290_000),
		spot("l40s-48gb", 240_000, 1_500_000),
		spot("mi300x-192gb", 380_000, 3_450_000),
		about("a100-pcie-80gb", schema.TermOnDemand, 2_000_000),
		about("a100-sxm-80gb", schema.TermOnDemand, 2_300_000),
		about("h100-sxm-80gb", schema.TermOnDemand, 3_900_000),
		about("h200-sxm-141gb", schema.TermOnDemand, 4_290_000),
		about("l40s-48gb", schema.TermOnDemand, 1_500_000),
		about("mi300x-192gb", schema.TermOnDemand, 3_450_000),
	}
}

func parseCrusoe(page Page) (Result, error) {
	doc, err := document(page)
	if err != nil {
		return Result{}, err
	}
	fence, err := crusoeFence(doc)
	if err != nil {
		return Result{}, err
	}
	items := fence.Find(crusoeRows)
	// Each list item of the section has to be a row that we select, so that a
	// row under another class is missed loudly.
	if listed := fence.Find(`[role="listitem"]`).Length(); items.Length() == 0 || listed != items.Length() {
		return Result{}, layoutf("%s: %d list items, %d of them rows", crusoeSection, listed, items.Length())
	}
	rows := make([]crusoeRow, 0, items.Length())
	for _, item := range items.EachIter() {
		row, err := readCrusoeRow(item)
		if err != nil {
			return Result{}, err
		}
		rows = append(rows, row)
	}
	list := offerList{source: page.Source}
	if err := crusoeOffers(&list, rows); err != nil {
		return Result{}, err
	}
	if len(list.offers) == 0 {
		return Result{}, layoutf("%s: %d rows and none with a price", crusoeSection, len(rows))
	}
	if err := wholePage(page); err != nil {
		return Result{}, err
	}
	lookAlikes := doc.Find(crusoeRows).Length() - items.Length()
	return Result{Offers: list.offers, Skipped: list.skip, LookAlikes: lookAlikes}, nil
}

// crusoeFence finds the one section that rents GPUs. Self-Serve Deployments
// lists the same GPUs in the same cards at other prices. A section that holds
// the heading of another one was not closed where it should be.
func crusoeFence(doc *goquery.Document) (*goquery.Selection, error) {
	heading := doc.Find("h3.pricing-col-heading").FilterFunction(func(_ int, s *goquery.Selection) bool {
		return cellText(s) == crusoeSection
	})
	if heading.Length() != 1 {
		return nil, layoutf("%d headings %q, expected one", heading.Length(), crusoeSection)
	}
	fence := heading.Closest("div.pricing-dd")
	if fence.Length() != 1 || fence.Find("h1, h2, h3, div.pricing-dd").Length() != 1 {
		return nil, layoutf("%q is not the one heading of its section", crusoeSection)
	}
	return fence, wantTexts(crusoeSection, fence.Find("div.pricing-heading"), crusoeColumns)
}

// crusoeRow is one card: its name, its two tags, and a cell per term.
type crusoeRow struct {
	name, vram, form string
	cells            []*goquery.Selection
}

// readCrusoeRow requires a card to have all its parts and no other, so that no
// price is taken from the card that follows (testdata/crusoe/cards-run-together).
func readCrusoeRow(item *goquery.Selection) (crusoeRow, error) {
	parts := item.ChildrenFiltered("div.pricing_gpu-item").Children()
	cells := parts.Filter("div.pricing-rich")
	head := parts.Filter(".pricing-item-head-part")
	names, tags := head.Find("h4"), head.Find(crusoeTags)
	row := crusoeRow{name: cellText(names)}
	inside := item.Find("h4").Length() == 1 && item.Find(crusoeTags).Length() == 2
	if !inside || names.Length() != 1 || tags.Length() != 2 || row.name == "" {
		return row, layoutf("a row near %q: expected one name and two tags", clip(row.name))
	}
	if head.Length() != 1 || cells.Length() != len(crusoeTerms) || parts.Length() != 1+len(crusoeTerms) {
		return row, layoutf("row %q has %d parts, %d of them price cells; expected a head and %d prices",
			clip(row.name), parts.Length(), cells.Length(), len(crusoeTerms))
	}
	row.vram, row.form = cellText(tags.Eq(0)), cellText(tags.Eq(1))
	if !tags.Eq(0).HasClass("is-dark") || !crusoeVRAM.MatchString(row.vram) {
		return row, layoutf("row %q: memory tag %q is not like 80GB", clip(row.name), clip(row.vram))
	}
	for _, cell := range cells.EachIter() {
		row.cells = append(row.cells, cell)
	}
	return row, nil
}

func (r crusoeRow) key() string { return r.name + "/" + r.vram }

func (r crusoeRow) label(column int) string {
	return strings.Join(strings.Fields(r.name+" "+r.vram+" "+r.form), " ") + ", " + crusoeColumns[column+1]
}

// crusoeOffers reads each row by itself.
func crusoeOffers(list *offerList, rows []crusoeRow) error {
	forms := map[string]map[string]bool{}
	for _, row := range rows {
		if forms[row.key()] == nil {
			forms[row.key()] = map[string]bool{}
		}
		forms[row.key()][row.form] = true
	}
	doubted := 0
	for _, row := range rows {
		sku := row.key()
		if len(forms[sku]) > 1 && row.form != "" {
			sku += "/" + row.form
		}
		if reason := row.doubt(); reason != "" {
			if doubted++; doubted > 1 {
				return layoutf("several rows, such as %q: %s", clip(row.name), reason)
			}
			list.unread(sku, row.label(1), cellText(row.cells[1]), ruleApart, reason)
			continue
		}
		for column, term := range crusoeTerms {
			if err := crusoeOffer(list, row, sku, column, term); err != nil {
				return err
			}
		}
	}
	return nil
}

// doubt says why the prices of a row can't be believed, empty when they can.
// Spot is never dearer than on demand: then the columns are exchanged. A row may
// have a spot price alone (testdata/crusoe/spot-only): the bands of spot end
// below the on-demand prices.
func (r crusoeRow) doubt() string {
	price := func(column int) schema.Decimal {
		text, _ := crusoeCell(r.cells[column])
		amount, err := dollars(strings.TrimSuffix(text, crusoeUnit))
		if err != nil {
			return schema.Decimal{} // said by crusoeOffer
		}
		return amount
	}
	onDemand, spot := price(0), price(1)
	if onDemand.IsSet() && spot.IsSet() && spot.Rat().Cmp(onDemand.Rat()) > 0 {
		return "spot is dearer than on demand"
	}
	return ""
}

func crusoeOffer(list *offerList, row crusoeRow, sku string, column int, term schema.Term) error {
	text, bare := crusoeCell(row.cells[column])
	if !strings.ContainsFunc(text, unicode.IsNumber) {
		list.reject(row.label(column), text, schema.RuleUnpriced, "listed without a price")
		return nil
	}
	amount, err := dollars(strings.TrimSuffix(text, crusoeUnit))
	if err != nil || !bare || !crusoePrice.MatchString(text) {
		list.unread(sku, row.label(column), text, rulePriceText, "not one bare price like $3.90"+crusoeUnit)
		return nil
	}
	gb, err := count("memory", crusoeVRAM.FindStringSubmatch(row.vram)[1])
	if err != nil {
		return err
	}
	return list.add(schema.Offer{
		OfferKey:  schema.OfferKey{Provider: "crusoe", SKU: sku, GPUCount: 1, Term: term},
		GPURaw:    row.name,
		FormRaw:   row.form,
		VRAMMiB:   int64(gb) * 1024,
		Basis:     schema.BasisInstance,
		Unit:      schema.UnitGPUHour,
		PerGPU:    true, // neither GPU counts nor a node size are on the page
		PriceText: text,
		Currency:  "USD",
		Amount:    amount,
	})
}

// crusoeCell returns a cell's text, and whether it is one paragraph of text
// with no element inside. A price may be struck through, linked to a footnote
// or followed by another paragraph, and then it is not simply the price.
func crusoeCell(cell *goquery.Selection) (text string, bare bool) {
	var blocks []string
	for _, node := range cell.Contents().EachIter() {
		blocks = append(blocks, cellText(node))
	}
	text = strings.Join(strings.Fields(strings.Join(blocks, " ")), " ")
	only := cell.ChildrenFiltered("p")
	bare = cell.Children().Length() == 1 && only.Children().Length() == 0 && cellText(only) == text
	return text, bare
}
