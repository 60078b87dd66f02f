package reports

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"mtok/reports/cost"
	"mtok/schema"
)

// API loads and builds `report api`: the lists are the newest ones up to the day
// of the night.
func (l Loader) API(ctx context.Context, f Filter) (Document, error) {
	term := f.Term
	f.Term = schema.TermOnDemand
	night, err := LoadNight(ctx, l.Source, f, l.Settings.MaxAge)
	if err != nil {
		return Document{}, err
	}
	upTo := schema.Day(math.MaxInt32)
	if f.DayNamed {
		upTo = f.Day
	}
	lists, err := LoadAPILists(ctx, l.Tokens, upTo)
	if err != nil {
		return Document{}, err
	}
	if len(pricing(lists)) == 0 {
		if night.FirstList, err = firstList(ctx, l.Tokens, upTo); err != nil {
			return Document{}, err
		}
	}
	doc := API(night, lists, l.Contracts, l.Catalog, l.Settings, f)
	if term != "" && term != f.Term {
		doc.Before = append(doc.Before, fmt.Sprintf("On demand, whatever the term: no price of %s is compared with an API.", termWords(term)))
	}
	return doc, nil
}

// apiRow is a workload's configuration at its cheapest seller beside an API price.
type apiRow struct {
	workload Workload
	self     placed
	quote    apiQuote
	even     cost.BreakEven
}

// API is `report api`: what a million output tokens of each workload cost on rented
// GPUs and by API, at the same mix of input and output, and how busy the GPUs must
// be to be the cheaper. What can't be compared is said, never made up.
func API(n Night, lists []APIList, contracts schema.Contracts, catalog *schema.Catalog, s Settings, f Filter) Document {
	doc := Document{Name: "api", AsOf: n.AsOf, Empty: n.Empty, Columns: apiColumns(), Title: "per 1M output tokens, input included: rented GPUs flat out against an API"}
	workloads := s.workloads(catalog)
	if f.Workload != "" {
		workloads = slices.DeleteFunc(slices.Clone(workloads), func(w Workload) bool { return w.Name != f.Workload })
	}
	var rows []apiRow
	var reasons []string
	prices := pricing(lists)
	for _, w := range workloads {
		found, why := apiRows(n, w, prices, catalog, s, f)
		rows, reasons = append(rows, found...), append(reasons, why...)
	}
	var shown []listed
	for i, r := range rows {
		doc.Rows = append(doc.Rows, append(r.machineCells(n.AsOf, lists, s), r.screenCells()...))
		if i == 0 || r.self.line.OfferID != rows[i-1].self.line.OfferID {
			shown = append(shown, r.self.line)
		}
	}
	for _, reason := range reasons {
		if line := "Not compared: " + reason + "."; !slices.Contains(doc.After, line) {
			doc.After = append(doc.After, line)
		}
	}
	doc.After = append(doc.After, evenLines(rows)...)
	doc.After = append(doc.After, monthLines(rows, f.Month)...)
	doc.After = append(doc.After, fleetLines(contracts.Fleets, workloads, lists, s, f.Month)...)
	doc.After = append(doc.After, spillLines(rows, s)...)
	doc.After = append(doc.After, listLines(n, rows, lists, s, f)...)
	doc.After = append(doc.After, disagreements(prices, checking(lists), workloads)...)
	if len(rows) > 0 {
		doc.After = append(doc.After, fmt.Sprintf("* busy needed with %s; \"never\" is above 100 %%.", s.overheadText()))
		doc.After = append(doc.After, throughputLines(selves(rows))...)
	}
	doc.After = append(doc.After, n.marks(f, s.MaxAge, shown)...)
	return doc
}

// apiRows are the rows of one workload, and why there are none or fewer.
func apiRows(n Night, w Workload, prices []schema.TokenObservation, catalog *schema.Catalog, s Settings, f Filter) ([]apiRow, []string) {
	measured, unmeasured, err := w.split(catalog)
	if err != nil {
		return nil, []string{err.Error()}
	}
	if !w.InputTokens.IsSet() || !w.OutputTokens.IsSet() {
		return nil, []string{w.Name + ": its input and output lengths are not both known"}
	}
	var rows []apiRow
	var reasons []string
	for _, r := range unmeasured {
		if f.keepsClass(r.Class) {
			reasons = append(reasons, w.Name+": "+r.Reason)
		}
	}
	for _, r := range measured {
		if !f.keepsClass(r.Class) {
			continue
		}
		quotes, why := apiQuotes(w, r.Row.Precision, prices, s)
		for _, reason := range why {
			if !slices.Contains(reasons, reason) {
				reasons = append(reasons, reason)
			}
		}
		best, ok := cheapestOf(n, r, catalog, s, f)
		if !ok {
			if len(quotes) > 0 && !n.Empty {
				reasons = append(reasons, fmt.Sprintf("%s: %s can't be rented on demand tonight", w.Name, r.Configuration))
			}
			continue
		}
		for _, q := range quotes {
			even, err := cost.BreakEvenAt(best.input(s), best.items(s), q.perMTok)
			if err != nil {
				reasons = append(reasons, w.Name+": "+err.Error())
				continue
			}
			rows = append(rows, apiRow{w, best, q, even})
		}
	}
	return rows, reasons
}

// cheapestOf is the cheapest price that can be rented on demand tonight.
func cheapestOf(n Night, r Resolved, catalog *schema.Catalog, s Settings, f Filter) (placed, bool) {
	f.Class, f.Term = r.Class, schema.TermOnDemand
	all := placeClass(r.Row, n.current(catalog, s, f, r.Row.GPUs), s)
	if len(all) == 0 || !all[0].priced() || !all[0].line.counts() {
		return placed{}, false
	}
	return all[0], true
}

func (p placed) input(s Settings) cost.Input {
	return cost.Input{USDPerHour: p.on.USDPerHour, TokensPerSecond: p.row.TokensPerSecond, Overhead: s.Overhead}
}

// items are those in the place of a multiplier, nil where that counts.
func (p placed) items(s Settings) *cost.Items {
	if !s.Itemised() {
		return nil
	}
	items := s.Items
	items.Spot, items.Owned, items.GPUs = p.line.Offer.Term == schema.TermSpot, false, p.row.GPUs
	return &items
}

// overheadText says what stands between rent and all-in.
func (s Settings) overheadText() string {
	if s.Itemised() {
		return "the items of [overhead]"
	}
	return fmt.Sprintf("the rent x %s overhead", s.Overhead)
}

func selves(rows []apiRow) []placed {
	var out []placed
	for _, r := range rows {
		out = append(out, r.self)
	}
	return out
}

// mixText prints the ratio of input to output where it is whole: "10:1".
func mixText(w Workload) string {
	if !w.InputTokens.IsSet() || w.OutputTokens.Rat().Sign() == 0 {
		return w.Name
	}
	ratio := w.InputTokens.Rat()
	if ratio.Quo(ratio, w.OutputTokens.Rat()).IsInt() {
		return fmt.Sprintf("%s %s:1", w.Name, ratio.Num())
	}
	return strings.TrimSpace(w.Name + " " + lengths(w.InputTokens, w.OutputTokens))
}
