package scrapers

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/PuerkitoBio/goquery"

	"mtok/schema"
)

const (
	lambdaInstances = "Instances pricing"
	lambdaClusters  = "1-Click Clusters pricing"
	lambdaItems     = `[role="tab"], [role="tabpanel"], tr[data-plan]`
	lambdaPrice     = "PRICE/GPU/HR*" // the unit stands only here
)

var (
	lambdaInstanceColumns = []string{"Plan", "VRAM/GPU", "vCPUs", "RAM", "STORAGE", lambdaPrice}
	lambdaClusterColumns  = []string{"Plan", "DURATION", "GPU COUNT", lambdaPrice, "Action"}

	lambdaTabPattern      = regexp.MustCompile(`^([1-9]\d?)x$`)
	lambdaVRAMPattern     = regexp.MustCompile(`^([1-9]\d{0,3}) GB$`)
	lambdaDurationPattern = regexp.MustCompile(`^([1-9]\d?) (day|week|month|year)s? [–-] ([1-9]\d?) (day|week|month|year)s?$`)
)

// Lambda reads the public pricing page. Both price tables hold USD per
// GPU-hour: Instances by tab ("8x"), on demand, and 1-Click Clusters, which are
// reserved for weeks with a minimum of GPUs. The layout is that of 2026; before
// 2024-11 the same words stood over prices per instance, so no older layout is
// read. SKU: section / plan / VRAM as printed, because "NVIDIA A100 SXM" stands
// twice in one tab (testdata/lambda/a100-by-vram).
func Lambda() Provider {
	return Provider{
		ID:       "lambda",
		Name:     "Lambda",
		Homepage: "https://lambda.ai",
		Version:  1,
		Sources: []Source{{
			Name:     "pricing-page",
			Requests: onePage("https://lambda.ai/pricing"),
			Parse:    parseLambda,
		}, lambdaAPI()},
		Expect: Expect{
			MinOffers: 16,
			Classes:   []schema.ClassID{"h100-sxm-80gb", "b200-sxm-180gb"},
			Bands:     lambdaBands(),
		},
		StockNote: "not on the page",
	}
}

// lambdaBands are around the list prices of 2026-08-22.
func lambdaBands() []PriceBand {
	return []PriceBand{
		about("a10-24gb", schema.TermOnDemand, 1_290_000),
		about("a100-pcie-40gb", schema.TermOnDemand, 1_990_000),
		about("a100-sxm-40gb", schema.TermOnDemand, 1_990_000),
		about("a100-sxm-80gb", schema.TermOnDemand, 2_790_000),
		about("b200-sxm-180gb", schema.TermOnDemand, 6_890_000),
		about("gh200-96gb", schema.TermOnDemand, 2_290_000),
		about("h100-pcie-80gb", schema.TermOnDemand, 3_290_000),
		about("h100-sxm-80gb", schema.TermOnDemand, 4_190_000),
		about("quadro-rtx-6000-24gb", schema.TermOnDemand, 690_000),
		about("rtx-a6000-48gb", schema.TermOnDemand, 1_090_000),
		about("v100-sxm-16gb", schema.TermOnDemand, 790_000),
	}
}

func parseLambda(page Page) (Result, error) {
	doc, err := document(page)
	if err != nil {
		return Result{}, err
	}
	list := offerList{source: page.Source}
	lookAlikes := 0
	found := map[string]bool{}
	for _, sec := range sections(doc, "h2", lambdaItems) {
		switch sec.heading {
		case lambdaInstances:
			err = lambdaTabs(&list, sec, lambdaInstanceColumns, lambdaInstance)
		case lambdaClusters:
			err = lambdaTabs(&list, sec, lambdaClusterColumns, lambdaCluster)
		default:
			lookAlikes += sec.items.Filter("tr").Length()
		}
		if err != nil {
			return Result{}, err
		}
		found[sec.heading] = true
	}
	if !found[lambdaInstances] {
		return Result{}, layoutf("no heading %q", lambdaInstances)
	}
	if len(list.offers) == 0 {
		return Result{}, layoutf("no priced row")
	}
	if err := wholePage(page); err != nil {
		return Result{}, err
	}
	lambdaAlike(&list)
	if len(list.offers) == 0 {
		return Result{}, layoutf("no price that agrees with the others: %s", firstReason(list.skip))
	}
	result := Result{Offers: list.offers, Skipped: list.skip, LookAlikes: lookAlikes}
	if !found[lambdaClusters] {
		// The instances are whole, but no cluster may be taken for gone.
		result.Incomplete = fmt.Sprintf("no section %q", lambdaClusters)
	}
	return result, nil
}

// lambdaRow is one table row, its cells by data-label.
type lambdaRow struct {
	tab   string
	plan  string
	cells map[string]string
}

// lambdaTabs reads each tab's panel. Every row of the section must belong to
// exactly one tab: the tab says the GPU count.
func lambdaTabs(list *offerList, sec section, columns []string, add func(*offerList, lambdaRow) error) error {
	attributed := 0
	read, sizes := map[string]bool{}, lambdaSizes{}
	tabs := sec.items.Filter(`[role="tab"]`)
	for _, tab := range tabs.EachIter() {
		label := cellText(tab)
		id := tab.AttrOr("aria-controls", "")
		if read[id] {
			return layoutf("%s: two tabs show panel %q", sec.heading, clip(id))
		}
		panel, err := lambdaPanel(sec, tab, id)
		if err != nil {
			return err
		}
		read[id] = true
		rows, err := lambdaRows(panel, label, columns)
		if err != nil {
			return err
		}
		attributed += len(rows)
		for _, row := range rows {
			if err := sizes.add(row); err != nil {
				return err
			}
			if err := add(list, row); err != nil {
				return err
			}
		}
	}
	if rows := sec.items.Filter("tr").Length(); tabs.Length() == 0 || rows != attributed {
		return layoutf("%s: %d rows, %d of them in %d tabs", sec.heading, rows, attributed, tabs.Length())
	}
	return nil
}

// lambdaPanel finds a tab's panel in the same section, and requires it to name
// the tab in its turn. The ids hold colons, so that they are compared rather
// than selected by.
func lambdaPanel(sec section, tab *goquery.Selection, id string) (*goquery.Selection, error) {
	panel := sec.items.FilterFunction(func(_ int, s *goquery.Selection) bool {
		return id != "" && s.AttrOr("role", "") == "tabpanel" && s.AttrOr("id", "") == id
	})
	if panel.Length() != 1 || panel.Find("table").Length() != 1 {
		return nil, layoutf("%s: no single table for tab panel %q", sec.heading, clip(id))
	}
	if by := panel.AttrOr("aria-labelledby", ""); by != "" && by != tab.AttrOr("id", "") {
		return nil, layoutf("%s: panel %q is that of tab %q", sec.heading, clip(id), clip(by))
	}
	return panel, nil
}

func lambdaRows(panel *goquery.Selection, tab string, columns []string) ([]lambdaRow, error) {
	if err := wantTexts("tab "+clip(tab), panel.Find("thead th"), columns); err != nil {
		return nil, err
	}
	var rows []lambdaRow
	for _, tr := range panel.Find("tbody tr").EachIter() {
		row := lambdaRow{tab: tab, plan: tr.AttrOr("data-plan", ""), cells: map[string]string{}}
		cells := tr.ChildrenFiltered("th, td")
		if cells.Length() != len(columns) {
			return nil, layoutf("tab %s: row %q has %d cells, expected %d", clip(tab), clip(row.plan), cells.Length(), len(columns))
		}
		for i, cell := range cells.EachIter() {
			if label := cell.AttrOr("data-label", ""); label != columns[i] {
				return nil, layoutf("tab %s: row %q has cell %q, expected %q", clip(tab), clip(row.plan), clip(label), columns[i])
			}
			row.cells[columns[i]] = cellText(cell)
		}
		if row.plan == "" || row.cells["Plan"] != row.plan {
			return nil, layoutf("tab %s: row %q is named %q", clip(tab), clip(row.plan), clip(row.cells["Plan"]))
		}
		rows = append(rows, row)
	}
	if len(rows) == 0 {
		return nil, layoutf("tab %s has no rows", clip(tab))
	}
	return rows, nil
}

func lambdaInstance(list *offerList, row lambdaRow) error {
	tab := lambdaTabPattern.FindStringSubmatch(row.tab)
	vram := lambdaVRAMPattern.FindStringSubmatch(row.cells["VRAM/GPU"])
	if tab == nil || vram == nil {
		return layoutf("tab %q, VRAM/GPU %q: expected like \"8x\" and \"80 GB\"", clip(row.tab), clip(row.cells["VRAM/GPU"]))
	}
	gpus, err := count("tab", tab[1])
	if err != nil {
		return err
	}
	gb, err := count("VRAM/GPU", vram[1])
	if err != nil {
		return err
	}
	offer := lambdaOffer(row)
	offer.SKU = "instances/" + row.plan + "/" + row.cells["VRAM/GPU"]
	offer.GPUCount = gpus
	offer.Term = schema.TermOnDemand
	offer.VRAMMiB = int64(gb) * 1024
	return lambdaAdd(list, offer, row.tab+" "+row.plan)
}

func lambdaCluster(list *offerList, row lambdaRow) error {
	gpus, err := count("GPU COUNT", strings.TrimSuffix(row.cells["GPU COUNT"], "+"))
	if err != nil {
		return err
	}
	duration := row.cells["DURATION"]
	label := row.plan + ", " + row.cells["GPU COUNT"] + " GPUs, " + duration
	offer := lambdaOffer(row)
	offer.SKU = "1-click-clusters/" + row.plan
	offer.GPUCount = gpus
	offer.Term = schema.TermReserved
	offer.Tier = schema.TierCluster
	offer.FormRaw = "cluster"
	commitment, known := lambdaCommitment(duration)
	if amount, err := priceCell(offer.PriceText); err == nil && amount.IsSet() && !known {
		list.unread(offer.SKU, label, offer.PriceText, "commitment", "unknown duration "+strconv.Quote(clip(duration)))
		return nil
	}
	offer.Commitment = commitment
	return lambdaAdd(list, offer, label)
}

func lambdaOffer(row lambdaRow) schema.Offer {
	return schema.Offer{
		OfferKey:  schema.OfferKey{Provider: "lambda"},
		GPURaw:    row.plan,
		Basis:     schema.BasisInstance,
		Unit:      schema.UnitGPUHour,
		PriceText: row.cells[lambdaPrice],
		Currency:  "USD",
	}
}

func lambdaAdd(list *offerList, offer schema.Offer, label string) error {
	amount, err := priceCell(offer.PriceText)
	if err != nil {
		return err
	}
	if !amount.IsSet() {
		list.reject(label, offer.PriceText, schema.RuleUnpriced, "listed without a price")
		return nil
	}
	offer.Amount = amount
	return list.add(offer)
}

// lambdaCommitment reads "2 weeks – 1 year" (U+2013) as 14 to 365 days; a month
// counts 30 days. An open end ("1 year+") has no longest term and is not read.
func lambdaCommitment(text string) (schema.Commitment, bool) {
	m := lambdaDurationPattern.FindStringSubmatch(text)
	if m == nil {
		return schema.Commitment{}, false
	}
	days := map[string]int{"day": 1, "week": 7, "month": 30, "year": 365}
	low, errLow := strconv.Atoi(m[1])
	high, errHigh := strconv.Atoi(m[3])
	c := schema.Commitment{MinDays: low * days[m[2]], MaxDays: high * days[m[4]]}
	return c, errLow == nil && errHigh == nil && c.MinDays <= c.MaxDays
}
