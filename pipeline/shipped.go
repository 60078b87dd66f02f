package pipeline

import (
	"slices"

	"mtok/pipeline/validate"
	"mtok/schema"
	"mtok/scrapers"
)

// Shipped is the recorded night that comes with the program, and the providers with
// all of their sources that read it.
type Shipped struct {
	Night     RecordedPages // nil for none
	Providers []scrapers.Provider
	Settings  map[schema.ProviderID]scrapers.Settings // by which it was recorded
}

// RecordedPages are the answers of a recorded night.
type RecordedPages interface {
	// Page is the answer of a target, false where the night has none.
	Page(t scrapers.Target) (scrapers.Page, bool)
	// FetchedOn is the day of it, 0 where that is not known.
	FetchedOn(t scrapers.Target) schema.Day
}

// shippedDays is for how long the shipped night says where a price belongs. Later
// too many lists have been remade.
const shippedDays = 180

// shipped is what the shipped night has of a provider, by today's parsers and catalog:
// a first night is held against it, for its prices may stand in other rows and nothing
// else tells it. There is nothing where there is a baseline, and of a market.
func (pn *providerNight) shipped(p *part, baseline validate.Baseline) validate.Shipped {
	s := pn.night.Shipped
	at := slices.IndexFunc(s.Providers, func(whole scrapers.Provider) bool { return whole.ID == pn.provider.ID })
	if s.Night == nil || at < 0 || len(baseline.Known) > 0 || validate.IsMarket(p.seen) {
		return validate.Shipped{}
	}
	then := pn.night.begin(pn.run, s.Providers[at])
	for _, source := range then.provider.Sources {
		requests, err := source.Requests(s.Settings[pn.provider.ID])
		if err != nil {
			continue // nor was it recorded
		}
		for _, req := range requests {
			target := scrapers.Target{Provider: pn.provider.ID, Source: source.Name, Key: req.Key}
			page, found := s.Night.Page(target)
			day := s.Night.FetchedOn(target)
			if !found || p.day < day || p.day > day+shippedDays {
				continue
			}
			then.read(source, schema.Fetch{Day: p.day, Provider: pn.provider.ID, Source: source.Name, Key: req.Key}, page, nil)
		}
	}
	listed := then.part(p.day)
	known := validate.Shipped{Unpriced: len(listed.seen) == 0 && unpriced(listed.notices)}
	for _, o := range listed.seen {
		known.Offers = append(known.Offers, schema.KnownOffer{Offer: o.Offer, Class: o.Class, Day: p.day - 1, USDPerGPUHour: o.USDPerGPUHour})
	}
	return known
}

// unpriced reports whether a provider says that it publishes no price.
func unpriced(notices []schema.Notice) bool {
	return slices.ContainsFunc(notices, func(n schema.Notice) bool { return n.Kind == schema.NoticeNoPublicPrice })
}
