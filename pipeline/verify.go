package pipeline

import (
	"context"
	"fmt"
	"log/slog"
	"math"
	"slices"
	"time"

	"mtok/schema"
	"mtok/scrapers"
)

// VerifyStore is the Archive of a verification, which also reads what was imported.
type VerifyStore interface {
	Archive
	ObservationDays(ctx context.Context) ([]schema.Day, error)
	TokenPriceDays(ctx context.Context) ([]schema.Day, error)
	Imports(ctx context.Context) ([]schema.Import, error)
}

// Verify reads archived pages and imported files again, by the parsers of today, and
// holds what is stored to them. It writes nothing.
type Verify struct {
	Providers []scrapers.Provider
	Catalog   *schema.Catalog
	Store     VerifyStore
	// NotHeld are the hashes of pages whose body is not here.
	NotHeld map[string]bool
	Log     *slog.Logger
	Now     func() time.Time

	reparse *Reparse
	past    ledger
	imports *importedFiles
}

// DayEvidence is what the pages of a day say.
type DayEvidence struct {
	Day schema.Day
	// Observations and Tokens are what the day's figures are to be made of: every
	// published price as its page gives it by the parsers of today.
	Observations []schema.Observation
	Tokens       []schema.TokenObservation
	// Checked and Matching count the stored prices, published ones alone.
	Checked, Matching int
	// Untraced counts the stored prices that came by our own export, which takes no
	// pages along: they are in no other count, and in the day as they are stored.
	Untraced int
	// Faults say which price does not stand on its page.
	Faults []string
	// Versions say which pages another parser version read than today's.
	Versions []string
}

// Begin reads what all days need, and lists the days that have prices.
func (v *Verify) Begin(ctx context.Context) ([]schema.Day, error) {
	v.reparse = &Reparse{Providers: v.Providers, Catalog: v.Catalog, Store: v.Store, Log: v.Log, Now: v.Now}
	var err error
	if v.past, err = v.reparse.readLedger(ctx); err != nil {
		return nil, err
	}
	if v.imports, err = v.openImports(ctx); err != nil {
		return nil, err
	}
	days, err := v.Store.ObservationDays(ctx)
	if err != nil {
		return nil, err
	}
	lists, err := v.Store.TokenPriceDays(ctx)
	if err != nil {
		return nil, err
	}
	return slices.Compact(slices.Sorted(slices.Values(append(days, lists...)))), nil
}

// Day reads the pages of one day again.
func (v *Verify) Day(ctx context.Context, day schema.Day) (DayEvidence, error) {
	out := DayEvidence{Day: day}
	archived, err := v.reparse.readDay(ctx, v.past, day)
	if err != nil {
		return out, err
	}
	fetches, err := v.Store.Fetches(ctx, schema.FetchFilter{FromDay: day, ToDay: day})
	if err != nil {
		return out, err
	}
	parses, err := v.Store.DayParses(ctx, day)
	if err != nil {
		return out, err
	}
	pages := v.pagesOf(day, fetches)
	for i := range archived {
		if err := v.provider(ctx, &archived[i], pages, &out); err != nil {
			return out, fmt.Errorf("verify %s of %s: %w", archived[i].provider.ID, day, err)
		}
	}
	out.Versions = v.versions(fetches, parses)
	if err := v.importedDay(ctx, &out); err != nil {
		return out, fmt.Errorf("verify imports of %s: %w", day, err)
	}
	if err := v.tokenDay(ctx, pages, &out); err != nil {
		return out, fmt.Errorf("verify token prices of %s: %w", day, err)
	}
	return out, ctx.Err()
}

// provider holds the published prices of one provider's day to its pages, read
// together as the night read them.
func (v *Verify) provider(ctx context.Context, a *archivedDay, pages *dayPages, out *DayEvidence) error {
	if len(a.seen) == 0 {
		return nil // nothing stands, or nothing did
	}
	seen := v.traced(a, out)
	if len(seen) == 0 {
		return nil
	}
	given, err := v.given(ctx, a)
	if err != nil {
		return err
	}
	at := map[rowKey]schema.Observation{}
	for _, o := range given {
		at[keyOf(o)] = o
	}
	for _, stored := range a.seen { // those without a page here do not lack either
		if v.imports.putBack(stored.FetchID) {
			delete(at, keyOf(stored))
		}
	}
	for _, stored := range seen {
		derived, found := at[keyOf(stored)]
		delete(at, keyOf(stored))
		if stored.Quarantine != 0 {
			continue // held: in no figure
		}
		if !found || !slices.ContainsFunc(a.fetches, func(f schema.Fetch) bool { return f.ID == stored.FetchID }) {
			// Another night of the day gave it, of which a page was not read above.
			if derived, found, err = pages.offer(ctx, a.provider, stored); err != nil {
				return err
			}
		}
		out.hold(stored, derived, found)
	}
	if a.published() {
		out.unstored(at)
	}
	return nil
}

// hold counts a stored price, and takes what its page gives into the day.
func (e *DayEvidence) hold(stored, derived schema.Observation, found bool) {
	e.Checked++
	if !found {
		e.Faults = append(e.Faults, fmt.Sprintf("%s: stored %s $/GPU-h, its page gives no such price", nameOf(stored), stored.USDPerGPUHour))
		return
	}
	derived.OfferID, derived.FetchID, derived.Origin = stored.OfferID, stored.FetchID, stored.Origin
	derived.PageSHA256, derived.FetchedAt, derived.Slot = stored.PageSHA256, stored.FetchedAt, stored.Slot
	e.Observations = append(e.Observations, derived)
	switch {
	case derived.USDPerGPUHour != stored.USDPerGPUHour || derived.USDPerInstanceHour != stored.USDPerInstanceHour:
		e.Faults = append(e.Faults, fmt.Sprintf("%s: stored %s $/GPU-h, its page gives %s", nameOf(stored), stored.USDPerGPUHour, derived.USDPerGPUHour))
	case derived.Class != stored.Class:
		e.Faults = append(e.Faults, fmt.Sprintf("%s: stored as %s, today it is %s", nameOf(stored), stored.Class, derived.Class))
	case derived.Excluded != stored.Excluded || derived.Offer.Stock != stored.Offer.Stock:
		e.Faults = append(e.Faults, fmt.Sprintf("%s: stock or exclusion is not what its page gives", nameOf(stored)))
	default:
		e.Matching++
	}
}

// unstored takes prices into the day that its pages give and the database lacks.
func (e *DayEvidence) unstored(rest map[rowKey]schema.Observation) {
	var lacking []schema.Observation
	for _, o := range rest {
		lacking = append(lacking, o)
	}
	slices.SortFunc(lacking, func(a, b schema.Observation) int { return compareNames(a, b) })
	for _, o := range lacking {
		e.Checked++
		e.Observations = append(e.Observations, o)
		e.Faults = append(e.Faults, fmt.Sprintf("%s: on its page at %s $/GPU-h, not in the database", nameOf(o), o.USDPerGPUHour))
	}
}

// versions say which parser read the pages of a day, where it was another.
func (v *Verify) versions(fetches []schema.Fetch, parses []schema.Parse) []string {
	newest := map[int64]int{}
	for _, p := range parses {
		newest[p.FetchID] = max(newest[p.FetchID], p.ParserVersion)
	}
	var out []string
	for _, p := range v.Providers {
		other := math.MaxInt
		for _, f := range fetches {
			if version, read := newest[f.ID]; read && f.Provider == p.ID && version != p.Version {
				other = min(other, version)
			}
		}
		if other != math.MaxInt {
			out = append(out, fmt.Sprintf("%s: read by parser version %d, today's is %d", p.ID, other, p.Version))
		}
	}
	return out
}
