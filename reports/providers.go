package reports

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"mtok/schema"
)

// Providers loads and builds `report providers`.
func (l Loader) Providers(ctx context.Context, f Filter) (Document, error) {
	night, err := LoadNight(ctx, l.Source, f, l.Settings.MaxAge)
	if err != nil {
		return Document{}, err
	}
	return Providers(night, l.Catalog, l.Settings, f), nil
}

// shelf is what a provider lists on a night.
type shelf struct {
	offers, carried, soldOut int
	classes, unmatched       map[schema.ClassID]bool
	terms, tiers             map[string]bool
	pages                    map[string]bool
}

// Providers is `report providers`: of each provider what it lists, what its last
// night gave and what is known of it besides.
func Providers(n Night, catalog *schema.Catalog, s Settings, f Filter) Document {
	doc := Document{Name: "providers", Title: "Providers: what each lists, and its last night", AsOf: n.AsOf, Empty: n.Empty,
		Before: f.only(), Columns: []Column{
			both("provider", "provider"), both("status", "last night"), both("day", "of"), figure("offers", "offers", 0),
			figure("classes", "classes", 0), figure("unmatched", "unmatched", 0), figure("carried", "carried", 0),
			figure("sold_out", "sold out", 0), both("terms", "terms"), both("tiers", "tiers"), figure("rejects", "rejects", 0),
			machine("error_kind"), both("note", "notes"), machine("page"),
		}}
	shelves := n.shelves(catalog, s, f)
	latest := map[schema.ProviderID]schema.ProviderRun{}
	for _, r := range newestParts(append(slices.Clone(n.Runs), n.Latest...)) {
		if !r.Provider.ListsTokens() && (f.Provider == "" || f.Provider == r.Provider) {
			latest[r.Provider] = r
		}
	}
	ids := map[schema.ProviderID]bool{}
	for id := range latest {
		ids[id] = true
	}
	for id := range shelves {
		ids[id] = true
	}
	for _, id := range slices.Sorted(maps.Keys(ids)) {
		doc.Rows = append(doc.Rows, providerRow(n, id, latest, shelves[id]))
	}
	if len(doc.Rows) == 0 {
		doc.After = append(doc.After, nothingPublished)
		return doc
	}
	doc.After = append(doc.After, classesListed(shelves, catalog)...)
	doc.After = append(doc.After, "Faults and held nights: mtok report quality")
	return doc
}

func (n Night) shelves(catalog *schema.Catalog, s Settings, f Filter) map[schema.ProviderID]*shelf {
	out := map[schema.ProviderID]*shelf{}
	for _, l := range n.current(catalog, s, f, 0) {
		h := out[l.Offer.Provider]
		if h == nil {
			h = &shelf{classes: map[schema.ClassID]bool{}, unmatched: map[schema.ClassID]bool{}, terms: map[string]bool{},
				tiers: map[string]bool{}, pages: map[string]bool{}}
			out[l.Offer.Provider] = h
		}
		h.offers++
		if l.Age > 0 {
			h.carried++
		}
		if l.stock(0) == schema.StockSoldOut {
			h.soldOut++
		}
		if _, known := catalog.GPU(l.Class); known {
			h.classes[l.Class] = true
		} else {
			h.unmatched[l.Class] = true
		}
		h.terms[termWords(l.Offer.Term)] = true
		if tier := tierOf(l.Offer); tier != "" {
			h.tiers[string(tier)] = true
		}
		h.pages[l.PageSHA256] = true
	}
	return out
}

func providerRow(n Night, id schema.ProviderID, latest map[schema.ProviderID]schema.ProviderRun, h *shelf) Row {
	row := Row{Text(string(id)), Null(), Null()}
	kind, rejects := Null(), Null()
	var notes []string
	if r, ok := latest[id]; ok {
		row[1], row[2], rejects = Text(string(r.Status)), DayCell(r.Day), Int(r.Rejects)
		if r.ErrorKind != "" {
			kind = Text(r.ErrorKind)
		}
		if r.Detail != "" {
			notes = append(notes, Brief(r.Detail))
		}
	}
	for _, notice := range n.Notices {
		if notice.Provider == id && (n.Empty || notice.Last >= n.AsOf || h == nil) {
			notes = append(notes, fmt.Sprintf("%s since %s", strings.ReplaceAll(notice.Kind, "_", " "), notice.Since))
		}
	}
	for _, q := range n.Held {
		if q.Provider == id {
			notes = append(notes, fmt.Sprintf("night of %s held: %s", q.Day, Brief(q.Evidence)))
		}
	}
	if h == nil {
		row = append(row, Int(0), Int(0), Int(0), Int(0), Int(0), Text(""), Text(""))
		return append(row, rejects, kind, Text(strings.Join(notes, "; ")), Null())
	}
	page := Null()
	if len(h.pages) == 1 {
		for sha := range h.pages {
			page = pageCell(sha)
		}
	}
	row = append(row, Int(h.offers), Int(len(h.classes)), Int(len(h.unmatched)), Int(h.carried), Int(h.soldOut),
		Text(keys(h.terms)), Text(keys(h.tiers)))
	return append(row, rejects, kind, Text(strings.Join(notes, "; ")), page)
}

func keys(set map[string]bool) string { return strings.Join(slices.Sorted(maps.Keys(set)), ", ") }

// classesListed names the classes of each provider, in the order of the catalog.
func classesListed(shelves map[schema.ProviderID]*shelf, catalog *schema.Catalog) []string {
	var out []string
	order := classOrder(catalog)
	for _, id := range slices.Sorted(maps.Keys(shelves)) {
		h := shelves[id]
		line := func(what string, set map[schema.ClassID]bool) {
			if len(set) == 0 {
				return
			}
			names := slices.SortedFunc(maps.Keys(set), func(a, b schema.ClassID) int { return cmp.Or(order(a, b), cmp.Compare(a, b)) })
			text := make([]string, len(names))
			for i, name := range names {
				text[i] = strings.TrimPrefix(string(name), schema.UnmatchedPrefix)
			}
			out = append(out, fmt.Sprintf("%s%s: %s", id, what, strings.Join(text, ", ")))
		}
		line("", h.classes)
		line(", in no class", h.unmatched)
	}
	return out
}
