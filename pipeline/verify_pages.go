package pipeline

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"mtok/pipeline/validate"
	"mtok/schema"
	"mtok/scrapers"
)

// given is what the pages of a provider's day give, put together as a night does. A
// panic of the provider's code gives nothing.
func (v *Verify) given(ctx context.Context, a *archivedDay) (seen []schema.Observation, err error) {
	pn := v.night(a.provider, a.day)
	fault := guarded(a.provider, func() error { return pn.replay(ctx, a) })
	if PanicStack(fault) != nil {
		return nil, nil
	}
	if fault != nil {
		return nil, fault
	}
	listed, checked := pn.bySource(pn.part(a.day).seen)
	listed, _ = validate.Duplicates(listed)
	checked, _ = validate.Duplicates(checked)
	seen, _ = crossCheck(listed, checked)
	return seen, nil
}

func (v *Verify) night(p scrapers.Provider, day schema.Day) *providerNight {
	n := &Night{Catalog: v.Catalog, Store: v.Store, Log: v.Log, Now: v.Now}
	return n.begin(schema.Run{Day: day, Slot: day.Slot()}, p)
}

// dayPages reads single pages of a day, each once.
type dayPages struct {
	verify  *Verify
	day     schema.Day
	fetches map[int64]schema.Fetch
	read    map[int64]*part
}

func (v *Verify) pagesOf(day schema.Day, fetches []schema.Fetch) *dayPages {
	p := &dayPages{verify: v, day: day, fetches: map[int64]schema.Fetch{}, read: map[int64]*part{}}
	for _, f := range fetches {
		p.fetches[f.ID] = f
	}
	return p
}

// of is what one page gives; nothing where it can't be read.
func (p *dayPages) of(ctx context.Context, provider scrapers.Provider, fetch int64) (*part, error) {
	if done, ok := p.read[fetch]; ok {
		return done, nil
	}
	f, known := p.fetches[fetch]
	at := slices.IndexFunc(provider.Sources, func(s scrapers.Source) bool { return s.Name == f.Source })
	pn := p.verify.night(provider, p.day)
	p.read[fetch] = pn.part(p.day)
	if !known || at < 0 || f.ErrorKind != "" {
		return p.read[fetch], nil
	}
	err := guarded(provider, func() error {
		page, fault := pn.archived(ctx, f)
		pn.read(provider.Sources[at], f, page, fault)
		return ctx.Err()
	})
	if PanicStack(err) != nil {
		err = nil
	}
	return p.read[fetch], err
}

// offer is a stored price as its own page gives it.
func (p *dayPages) offer(ctx context.Context, provider scrapers.Provider, stored schema.Observation) (schema.Observation, bool, error) {
	given, err := p.of(ctx, provider, stored.FetchID)
	if err != nil {
		return schema.Observation{}, false, err
	}
	kept, _ := validate.Duplicates(slices.Clone(given.seen))
	for _, o := range kept {
		if keyOf(o) == keyOf(stored) {
			if o.Offer.Stock == schema.StockUnknown { // a second source may have known it
				o.Offer.Stock, o.Offer.StockPoints = stored.Offer.Stock, stored.Offer.StockPoints
			}
			return o, true, nil
		}
	}
	return schema.Observation{}, false, nil
}

func nameOf(o schema.Observation) string {
	parts := []string{o.Day.String(), string(o.Offer.Provider), o.Offer.SKU, fmt.Sprintf("%dx", o.Offer.GPUCount),
		o.Offer.Region, string(o.Offer.Term), string(o.Offer.Tier)}
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), " ")
}

func compareNames(a, b schema.Observation) int {
	return cmp.Or(strings.Compare(nameOf(a), nameOf(b)), strings.Compare(a.Source, b.Source),
		cmp.Compare(a.Offer.Commitment.MinDays, b.Offer.Commitment.MinDays), cmp.Compare(a.USDPerGPUHour, b.USDPerGPUHour))
}
