package pipeline

import (
	"fmt"
	"slices"

	"mtok/schema"
)

// shownChanges is how many changed rows of a provider a summary spells out, and
// how many days of which something is to be told.
const shownChanges = 10

// ReparseSummary is what a reparse did, or would do.
type ReparseSummary struct {
	Providers []ReparseOutcome // in the order of Reparse.Providers
}

// Status is partial when today's parsers make less of a page than those before
// them did.
func (s ReparseSummary) Status() schema.RunStatus {
	for _, p := range s.Providers {
		if p.Kept > 0 || p.Worse > 0 {
			return schema.StatusPartial
		}
	}
	return schema.StatusComplete
}

// ReparseOutcome is what became of one provider's days.
type ReparseOutcome struct {
	Provider schema.ProviderID
	Days     int // read again
	Current  int // passed over
	Kept     int // of Days: the rows there stay
	Worse    int // of Days: complete before, and now only in part
	Held     int // of Days: held by a quarantine, in part or as a whole
	Released int // of Days: held before, published now

	// Rows of the days that were written: how many there were and are, and what
	// became of them. A row that changed is counted under each thing that did.
	Before, After, Added, Gone                  int
	Repriced, Reclassified, Excluded, Restocked int
	RejectsBefore, RejectsAfter                 int

	Changes []string // the first rows that changed
	Others  int      // how many more did
	Told    []string // the first days of which something is to be told
	Untold  int      // how many more there are
}

func (o *ReparseOutcome) tell(day schema.Day, format string, args ...any) {
	if len(o.Told) == shownChanges {
		o.Untold++
		return
	}
	o.Told = append(o.Told, fmt.Sprintf("%s: %s", day, fmt.Sprintf(format, args...)))
}

// rowKey is an observation's identity within a day.
type rowKey struct {
	offer  schema.OfferKey
	source string
}

func keyOf(o schema.Observation) rowKey { return rowKey{o.Offer.OfferKey, o.Source} }

// after are the rows that stand once the night is written.
func (a *archivedDay) after(night schema.ProviderNight) []schema.Observation {
	rows := a.written(night)
	switch night.Result.Status {
	case schema.StatusFailed:
		return a.seen
	case schema.StatusPartial:
	default:
		return rows
	}
	again := map[int64]bool{}
	for _, p := range night.Parses {
		again[p.FetchID] = p.Error == ""
	}
	named := map[rowKey]bool{}
	for _, o := range rows {
		named[keyOf(o)] = true
	}
	for _, o := range a.seen {
		if (!again[o.FetchID] || slices.Contains(night.HeldOffers, o.Offer.OfferKey)) && !named[keyOf(o)] {
			rows = append(rows, o)
		}
	}
	return rows
}

// written are the rows of a night that are written: of the single offers that it
// holds, not those that have a published price.
func (a *archivedDay) written(night schema.ProviderNight) []schema.Observation {
	published := map[schema.OfferKey]bool{}
	for _, o := range a.seen {
		published[o.Offer.OfferKey] = published[o.Offer.OfferKey] || o.Quarantine == 0
	}
	var rows []schema.Observation
	for _, o := range night.Observations {
		if published[o.Offer.OfferKey] && slices.Contains(night.HeldOffers, o.Offer.OfferKey) {
			continue
		}
		if night.Holds(o.Offer.OfferKey) {
			o.Quarantine = 1 // the store numbers it
		}
		rows = append(rows, o)
	}
	return rows
}

// compare adds what a night changes of its day.
func (o *ReparseOutcome) compare(a *archivedDay, night schema.ProviderNight, rejects []schema.Rejected) {
	after := a.after(night)
	was := make(map[rowKey]schema.Observation, len(a.seen))
	for _, row := range a.seen {
		was[keyOf(row)] = row
	}
	o.Before += len(a.seen)
	o.After += len(after)
	for _, row := range after {
		old, known := was[keyOf(row)]
		delete(was, keyOf(row))
		if !known {
			o.Added++
			continue
		}
		o.changed(a.day, old, row)
	}
	o.Gone += len(was)
	o.compareTokens(a, night)
	read := map[int64]bool{}
	for _, p := range night.Parses {
		read[p.FetchID] = true
	}
	for _, r := range rejects {
		if read[r.FetchID] {
			o.RejectsBefore++
		}
	}
	for _, r := range night.Rejects {
		o.RejectsAfter += len(r.Rejects)
	}
	held := slices.ContainsFunc(a.seen, func(row schema.Observation) bool { return row.Quarantine != 0 }) ||
		slices.ContainsFunc(a.tokens, func(row schema.TokenObservation) bool { return row.Quarantine != 0 })
	switch {
	case night.Quarantine != nil:
		o.Held++
		o.tell(a.day, "held: %s", night.Result.Detail)
		if a.before.Status == schema.StatusComplete {
			o.Worse++
		}
	case held && night.Result.Status != schema.StatusFailed:
		o.Released++
		o.tell(a.day, "was held, is published")
	case night.Result.Status != schema.StatusComplete && a.before.Status == schema.StatusComplete:
		o.Worse++
		o.tell(a.day, "%s by today's parser, was complete: %s", night.Result.Status, night.Result.Detail)
	}
}

// changed adds a row that was there before.
func (o *ReparseOutcome) changed(day schema.Day, old, row schema.Observation) {
	var what []string
	if old.USDPerGPUHour != row.USDPerGPUHour || old.USDPerInstanceHour != row.USDPerInstanceHour {
		o.Repriced++
		what = append(what, fmt.Sprintf("%s -> %s $/GPU-h", old.USDPerGPUHour, row.USDPerGPUHour))
	}
	if old.Class != row.Class {
		o.Reclassified++
		what = append(what, fmt.Sprintf("%s -> %s", old.Class, row.Class))
	}
	if old.Excluded != row.Excluded {
		o.Excluded++
		what = append(what, fmt.Sprintf("excluded %q -> %q", old.Excluded, row.Excluded))
	}
	if old.Offer.Stock != row.Offer.Stock {
		o.Restocked++
	}
	switch {
	case len(what) == 0:
		return
	case len(o.Changes) == shownChanges:
		o.Others++
		return
	}
	line := fmt.Sprintf("%s %s %dx %s", day, row.Offer.SKU, row.Offer.GPUCount, row.Offer.Term)
	if row.Offer.Region != "" {
		line += " " + row.Offer.Region
	}
	for _, w := range what {
		line += ", " + w
	}
	o.Changes = append(o.Changes, line)
}
