package reports

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"mtok/schema"
)

// QualityInput is what `report quality` is made of.
type QualityInput struct {
	Night       Night
	From, To    schema.Day
	Rejects     []schema.RejectCount
	Parses      []schema.ParseCount
	Quarantines []schema.Quarantine
	// Parsers is the version of each provider's parser of today.
	Parsers map[schema.ProviderID]int
}

// Quality loads and builds `report quality`.
func (l Loader) Quality(ctx context.Context, f Filter) (Document, error) {
	night, err := LoadNight(ctx, l.Source, f, l.Settings.MaxAge)
	if err != nil {
		return Document{}, err
	}
	in := QualityInput{Night: night, Parsers: l.Parsers}
	published := false
	if in.From, in.To, _, published, err = l.span(ctx, f); err != nil {
		return Document{}, err
	}
	undated := f.undated(in.To, published)
	if undated { // the nights that gave nothing say why
		for _, r := range night.Latest {
			in.To = max(in.To, r.Day)
		}
		in.From, in.To = f.Window.Span(in.To)
	}
	if in.Rejects, err = l.History.RejectCounts(ctx, in.From, in.To); err != nil {
		return Document{}, fmt.Errorf("rejects: %w", err)
	}
	if in.Parses, err = l.History.ParseCounts(ctx, in.From, in.To); err != nil {
		return Document{}, fmt.Errorf("parses: %w", err)
	}
	if in.Quarantines, err = l.History.Quarantines(ctx, in.From, in.To); err != nil {
		return Document{}, fmt.Errorf("quarantines: %w", err)
	}
	doc := Quality(in, l.Catalog, l.Settings, f)
	switch {
	case undated && in.To == 0:
		doc = doc.unpublished(in.From, in.To)
	case undated:
		doc.After = slices.Concat([]string{nothingPublished}, night.outages(f, l.Settings.MaxAge), doc.After)
	}
	return doc, nil
}

// Quality says what stands between the pages and the figures: rows that a rule
// refused, nights that are held, prices that are carried, and which parsers read
// the pages.
func Quality(in QualityInput, catalog *schema.Catalog, s Settings, f Filter) Document {
	n := in.Night
	doc := Document{Name: "quality", Title: fmt.Sprintf("Quality of the record, %s to %s", in.From, in.To), AsOf: n.AsOf, Empty: n.Empty,
		Before: f.only(), Columns: []Column{
			both("provider", "provider"), both("kind", "what"), both("rule", "rule"), figure("n", "n", 0), both("first_day", "since"),
			both("last_day", "last"), both("state", "state"), both("note", "for example"),
		}}
	keeps := func(p schema.ProviderID) bool { return f.Provider == "" || f.Provider == p }
	for _, r := range in.Rejects {
		if keeps(r.Provider) {
			doc.Rows = append(doc.Rows, Row{Text(string(r.Provider)), Text("reject"), Text(r.Rule), Int(r.N), Null(), DayCell(r.Last),
				Null(), Text(Brief(r.Reason))})
		}
	}
	for _, q := range in.Quarantines {
		if keeps(q.Provider) {
			state := q.State
			if q.DecidedBy != "" {
				state += " by " + q.DecidedBy
			}
			doc.Rows = append(doc.Rows, Row{Text(string(q.Provider)), Text("quarantine"), Text(q.Rule), Null(), DayCell(q.Day), DayCell(q.Day),
				Text(state), Text(Brief(q.Evidence))})
		}
	}
	doc.Rows = append(doc.Rows, carriedRows(n, catalog, s, f)...)
	for _, p := range in.Parses {
		if !keeps(p.Provider) {
			continue
		}
		doc.Rows = append(doc.Rows, Row{Text(string(p.Provider)), Text("parser"), Text(fmt.Sprintf("version %d", p.Version)), Int(p.N),
			DayCell(p.First), DayCell(p.Last), Text(in.parserState(p)), Text(parserNote(p))})
	}
	slices.SortStableFunc(doc.Rows, func(a, b Row) int { return strings.Compare(a[0].Text, b[0].Text) })
	if len(doc.Rows) == 0 {
		doc.After = append(doc.After, fmt.Sprintf("No page was read from %s to %s.", in.From, in.To))
		return doc
	}
	doc.After = append(doc.After, "Rejects are rows that were understood and give no price; held nights are in no figure: mtok quarantine list",
		"Pages that an older parser read: mtok reparse. Figures against pages: mtok verify")
	return doc
}

// carriedRows are the prices that stand from an earlier day, by provider.
func carriedRows(n Night, catalog *schema.Catalog, s Settings, f Filter) []Row {
	type span struct {
		n           int
		first, last schema.Day
	}
	found := map[schema.ProviderID]*span{}
	var order []schema.ProviderID
	for _, l := range n.current(catalog, s, f, 0) {
		if l.Age == 0 {
			continue
		}
		at := found[l.Offer.Provider]
		if at == nil {
			at = &span{first: l.Day, last: l.Day}
			found[l.Offer.Provider] = at
			order = append(order, l.Offer.Provider)
		}
		at.n, at.first, at.last = at.n+1, min(at.first, l.Day), max(at.last, l.Day)
	}
	var rows []Row
	for _, id := range order {
		at := found[id]
		rows = append(rows, Row{Text(string(id)), Text("carried"), Text("price of an earlier day"), Int(at.n), DayCell(at.first), DayCell(at.last),
			Null(), Text("shown and flagged, in no minimum")})
	}
	return rows
}

func (in QualityInput) parserState(p schema.ParseCount) string {
	switch today, ours := in.Parsers[p.Provider]; {
	case !ours:
		return "a file"
	case today == p.Version:
		return "current"
	case today > p.Version:
		return fmt.Sprintf("older: today %d", today)
	}
	return fmt.Sprintf("newer: today %d", in.Parsers[p.Provider])
}

func parserNote(p schema.ParseCount) string {
	if p.Errors > 0 {
		return fmt.Sprintf("%s, %d unreadable", count(p.N, "page"), p.Errors)
	}
	return count(p.N, "page")
}
