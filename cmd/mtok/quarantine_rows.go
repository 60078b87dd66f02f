package main

import (
	"context"
	"fmt"
	"math/big"

	"mtok/pipeline/validate"
	"mtok/reports"
	"mtok/schema"
	"mtok/schema/store"
)

// oldWithin is how many days before a held night its old prices are looked for:
// those that it was judged by.
const oldWithin = 14

// heldRows are what one quarantine holds, beside what was published before.
type heldRows struct {
	schema.Quarantine
	rows []schema.Observation
	old  map[schema.OfferKey]schema.Observation // the newest price of each
	gone []schema.Observation                   // of the last published night, not among rows
}

func loadHeld(ctx context.Context, s *store.Store, q schema.Quarantine) (heldRows, error) {
	held := heldRows{Quarantine: q, old: map[schema.OfferKey]schema.Observation{}}
	day, err := s.Observations(ctx, schema.ObservationFilter{FromDay: q.Day, ToDay: q.Day, Provider: q.Provider, IncludeHeld: true})
	if err != nil {
		return held, err
	}
	whole := true
	listed := map[schema.OfferKey]bool{}
	for _, o := range day {
		if o.Quarantine == q.ID {
			held.rows = append(held.rows, o)
			listed[o.Offer.OfferKey] = true
		} else if o.Origin != schema.OriginImport {
			whole = false
		}
	}
	before, err := s.Observations(ctx, schema.ObservationFilter{FromDay: q.Day - oldWithin, ToDay: q.Day - 1, Provider: q.Provider})
	if err != nil {
		return held, err
	}
	var last schema.Day
	for _, o := range before { // in the order of days
		if o.Origin != schema.OriginImport {
			held.old[o.Offer.OfferKey] = o
			last = o.Day
		}
	}
	for _, o := range before {
		if key := o.Offer.OfferKey; whole && o.Origin != schema.OriginImport && o.Day == last && !listed[key] {
			held.gone = append(held.gone, o)
			listed[key] = true
		}
	}
	return held, nil
}

// addTo lists what is not as it was: prices that moved, offers that are new and
// those that are gone.
func (h heldRows) addTo(doc *reports.Document) {
	same := 0
	first := len(doc.Rows)
	for _, o := range h.rows {
		old, known := h.old[o.Offer.OfferKey]
		switch {
		case !known:
			doc.Rows = append(doc.Rows, h.row(nil, &o))
		case old.USDPerGPUHour != o.USDPerGPUHour:
			doc.Rows = append(doc.Rows, h.row(&old, &o))
		default:
			same++
		}
	}
	for _, o := range h.gone {
		doc.Rows = append(doc.Rows, h.row(&o, nil))
	}
	if len(doc.Rows) == first {
		doc.Rows = append(doc.Rows, h.row(nil, nil))
	}
	line := fmt.Sprintf("#%d: %s of %s, %s: %s", h.ID, h.Provider, h.Day, h.Rule, h.Evidence)
	if same > 0 {
		line += fmt.Sprintf("; %d more held at the price they had", same)
	}
	switch {
	case !validate.Confirmable(h.Rule):
		line += ". It can't be confirmed: the offers are known as another chip"
	case validate.SelfConfirms(h.Rule):
		line += ". The next complete night that says the same confirms it"
	default:
		line += ". It waits for a person"
	}
	doc.Before = append(doc.Before, line)
}

// row sets an offer's old and held price side by side; nil for none.
func (h heldRows) row(old, held *schema.Observation) reports.Row {
	row := reports.Row{
		reports.Int(int(h.ID)), reports.Text(string(h.Provider)), reports.DayCell(h.Day),
		reports.Text(h.Rule), reports.Text(h.Evidence),
	}
	either := held
	if either == nil {
		either = old
	}
	if either == nil {
		for range 5 {
			row = append(row, reports.Null())
		}
	} else {
		o := either.Offer
		row = append(row, reports.Text(o.SKU), reports.Int(o.GPUCount), reports.Text(string(o.Term)), reports.Text(o.Region),
			reports.Text(string(either.Class)))
	}
	oldDay, oldPrice, oldText, oldPage := pricedCells(old)
	_, price, text, page := pricedCells(held)
	return append(row, oldDay, oldPrice, price, oldText, text, reports.Text(changeText(old, held)), fullPage(old), fullPage(held), oldPage, page)
}

func pricedCells(o *schema.Observation) (day, price, text, page reports.Cell) {
	if o == nil {
		return reports.Null(), reports.Null(), reports.Null(), reports.Null()
	}
	const short = 12 // digits that tell pages apart
	return reports.DayCell(o.Day), reports.Money(o.USDPerGPUHour), reports.Text(o.Offer.PriceText),
		reports.Text(o.PageSHA256[:min(len(o.PageSHA256), short)])
}

func fullPage(o *schema.Observation) reports.Cell {
	if o == nil || o.PageSHA256 == "" {
		return reports.Null()
	}
	return reports.Text("sha256:" + o.PageSHA256)
}

// changeText is what became of a price.
func changeText(old, held *schema.Observation) string {
	switch {
	case old == nil && held == nil:
		return ""
	case old == nil:
		return "new"
	case held == nil:
		return "gone"
	}
	percent := new(big.Rat).Quo(held.USDPerGPUHour.Rat(), old.USDPerGPUHour.Rat())
	percent.Sub(percent, big.NewRat(1, 1)).Mul(percent, big.NewRat(100, 1))
	text := percent.FloatString(1) + " %"
	if percent.Sign() > 0 {
		text = "+" + text
	}
	return text
}
