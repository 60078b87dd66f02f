package scrapers

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"unicode"

	"github.com/PuerkitoBio/goquery"

	"mtok/schema"
)

var (
	fluidstackColumns = []string{
		"Model", "VRAM (GB)", "Max vCPUs per GPU", "Max RAM (GB) per GPU",
		"On-Demand Price (/hr)", "1 Year price (/hr)",
	}
	// fluidstackPrices are the price columns, by their place among the cells.
	fluidstackPrices = []fluidstackPrice{
		{cell: 3, term: schema.TermOnDemand},
		{cell: 4, term: schema.TermReserved, commitment: schema.Commitment{MinDays: 365, MaxDays: 365}},
	}
)

const fluidstackName = "h2.table-header-mobile"

// fluidstackPrice says what a price column is for.
type fluidstackPrice struct {
	cell       int // among the td of a row: the model is a th
	term       schema.Term
	commitment schema.Commitment
}

// Fluidstack sells contracted capacity, and its pricing page has answered 404
// since 2026-08: that is its answer, not a failure. The table of prices per
// GPU-hour that the page had from 2024 to 2025-04 is read if it ever returns.
// The tables before it listed the GPU without its CPU and memory, and those
// after it changed their generated markup at every publication: neither is
// read.
//
// SKU: name / VRAM as printed.
func Fluidstack() Provider {
	return Provider{
		ID:       "fluidstack",
		Name:     "Fluidstack",
		Homepage: "https://www.fluidstack.io",
		Version:  1,
		Sources: []Source{{
			Name:     "pricing-page",
			Requests: onePage("https://www.fluidstack.io/pricing"),
			Parse:    parseFluidstack,
			Accepts:  []int{http.StatusNotFound, http.StatusGone},
		}},
		Expect:    Expect{Bands: fluidstackBands()},
		StockNote: "not published",
	}
}

// fluidstackBands are around the list prices of 2025-01.
func fluidstackBands() []PriceBand {
	return []PriceBand{
		about("h200-sxm-141gb", schema.TermReserved, 2_450_000),
		about("h100-sxm-80gb", schema.TermOnDemand, 2_890_000),
		about("h100-pcie-80gb", schema.TermOnDemand, 2_890_000),
		about("h100-pcie-80gb", schema.TermReserved, 2_050_000),
		about("a100-sxm-80gb", schema.TermOnDemand, 1_800_000),
		about("a100-pcie-80gb", schema.TermOnDemand, 1_800_000),
		about("a100-pcie-80gb", schema.TermReserved, 1_200_000),
		about("a100-pcie-40gb", schema.TermOnDemand, 1_650_000),
		about("a100-pcie-40gb", schema.TermReserved, 1_050_000),
		about("l40-48gb", schema.TermOnDemand, 1_250_000),
		about("l40-48gb", schema.TermReserved, 990_000),
	}
}

func parseFluidstack(page Page) (Result, error) {
	if page.Status == http.StatusNotFound || page.Status == http.StatusGone {
		return Result{Notices: []schema.Notice{{
			Provider: "fluidstack",
			Kind:     schema.NoticeNoPublicPrice,
			Detail:   fmt.Sprintf("sells contracted capacity; /pricing answers %d", page.Status),
		}}}, nil
	}
	doc, err := document(page)
	if err != nil {
		return Result{}, err
	}
	table := doc.Find("table.pricing_table")
	if table.Length() != 1 {
		return Result{}, layoutf("%d tables of class pricing_table, expected one", table.Length())
	}
	if err := wantTexts("pricing_table", table.Find("thead th"), fluidstackColumns); err != nil {
		return Result{}, err
	}
	if names := doc.Find(fluidstackName).Length(); names != table.Find(fluidstackName).Length() {
		return Result{}, layoutf("%d names, not all of them in the table", names)
	}
	list := offerList{source: page.Source}
	for _, tr := range table.Find("tbody tr").EachIter() {
		if err := fluidstackRow(&list, tr); err != nil {
			return Result{}, err
		}
	}
	if len(list.offers) == 0 {
		return Result{}, layoutf("pricing_table has no row with a price")
	}
	if err := wholePage(page); err != nil {
		return Result{}, err
	}
	return Result{Offers: list.offers, Skipped: list.skip}, nil
}

func fluidstackRow(list *offerList, tr *goquery.Selection) error {
	name := cellText(tr.ChildrenFiltered("th").Find(fluidstackName))
	tds := tr.ChildrenFiltered("td")
	cells := cellTexts(tds)
	if name == "" || len(cells) != len(fluidstackColumns)-1 || tr.ChildrenFiltered("th").Length() != 1 {
		return layoutf("row %q has %d cells, expected a name and %d cells",
			clip(name), len(cells), len(fluidstackColumns)-1)
	}
	gb, err := count("VRAM (GB)", cells[0])
	if err != nil {
		return err
	}
	if onDemand, errDemand := dollars(cells[3]); errDemand == nil {
		if year, err := dollars(cells[4]); err == nil && year.Rat().Cmp(onDemand.Rat()) > 0 {
			if slices.ContainsFunc(list.skip, func(r schema.Reject) bool { return r.Rule == ruleApart }) {
				return layoutf("several rows, such as %q: a year is dearer by the hour than on demand", clip(name))
			}
			list.unread(fmt.Sprintf("%s/%dGB", name, gb), name, cells[3]+", "+cells[4], ruleApart, "a year is dearer by the hour than on demand")
			return nil
		}
	}
	for _, price := range fluidstackPrices {
		text := cells[price.cell]
		label := name + ", " + fluidstackColumns[price.cell+1]
		if !strings.ContainsFunc(text, unicode.IsNumber) {
			list.reject(label, text, schema.RuleUnpriced, "listed without a price")
			continue
		}
		amount, err := dollars(text)
		bare := tds.Eq(price.cell).Find("*").Not("div, p, br").Length() == 0
		if err != nil || !bare { // a bare cell has no link, footnote or struck price
			list.unread(fmt.Sprintf("%s/%dGB", name, gb), label, text, rulePriceText, "not one bare price like $2.89")
			continue
		}
		err = list.add(schema.Offer{
			OfferKey: schema.OfferKey{
				Provider: "fluidstack", SKU: fmt.Sprintf("%s/%dGB", name, gb), GPUCount: 1,
				Term: price.term, Commitment: price.commitment,
			},
			GPURaw:    name,
			VRAMMiB:   int64(gb) * 1024,
			Basis:     schema.BasisInstance,
			Unit:      schema.UnitGPUHour,
			PerGPU:    true, // the columns are per GPU and name no node size
			PriceText: text,
			Currency:  "USD",
			Amount:    amount,
		})
		if err != nil {
			return err
		}
	}
	return nil
}
