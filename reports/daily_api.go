package reports

import (
	"cmp"
	"slices"

	"mtok/schema"
)

// DailyAPIPrices derives the daily prices of tokens of one day: of each key and
// origin the newest listed. Those of another day, held ones, aliases and endpoints
// out of service are none. The order of the observations changes nothing.
func DailyAPIPrices(day schema.Day, seen []schema.TokenObservation) []schema.DailyAPIPrice {
	type key struct {
		schema.TokenKey
		origin schema.Origin
	}
	newest := map[key]schema.TokenObservation{}
	for _, o := range seen {
		if o.Day != day || o.Quarantine != 0 || o.Excluded != "" || o.In <= 0 && o.Out <= 0 {
			continue
		}
		k := key{o.TokenKey, o.Origin}
		if old, known := newest[k]; !known || cmp.Or(cmp.Compare(o.Slot, old.Slot), cmp.Compare(o.FetchID, old.FetchID)) > 0 {
			newest[k] = o
		}
	}
	out := make([]schema.DailyAPIPrice, 0, len(newest))
	for k, o := range newest {
		out = append(out, schema.DailyAPIPrice{
			Day: day, TokenKey: o.TokenKey, Origin: k.origin, In: o.In, Out: o.Out,
			CacheRead: o.CacheRead, CacheWrite: o.CacheWrite, PriceText: o.PriceText, AsOf: o.FetchedAt.Unix(),
		})
	}
	slices.SortFunc(out, func(a, b schema.DailyAPIPrice) int {
		return cmp.Or(compareTokenKeys(a.TokenKey, b.TokenKey), cmp.Compare(a.Origin, b.Origin))
	})
	return out
}

func compareTokenKeys(a, b schema.TokenKey) int {
	return cmp.Or(cmp.Compare(a.Provider, b.Provider), cmp.Compare(a.Source, b.Source), cmp.Compare(a.Model, b.Model),
		cmp.Compare(a.Endpoint, b.Endpoint), cmp.Compare(a.Precision, b.Precision), cmp.Compare(a.MinPromptTokens, b.MinPromptTokens))
}
