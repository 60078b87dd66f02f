package reports

import (
	"slices"

	"mtok/schema"
)

// apiQuoting finds the API price of a day to compare with, by the rules of
// `report api`. Lists change seldom: one like that of the day before is not quoted
// again.
type apiQuoting struct {
	workload Workload
	settings Settings
	rows     []schema.TokenPrice
	last     *apiQuote
}

// of is the quote of a day's prices, nil for none.
func (a *apiQuoting) of(prices []schema.DailyAPIPrice) *apiQuote {
	var rows []schema.TokenPrice
	for _, p := range prices {
		if p.Origin == schema.OriginImport || p.Provider == schema.ProviderLiteLLM {
			continue
		}
		rows = append(rows, schema.TokenPrice{TokenKey: p.TokenKey, In: p.In, Out: p.Out,
			CacheRead: p.CacheRead, CacheWrite: p.CacheWrite, PriceText: p.PriceText})
	}
	if len(rows) == 0 {
		return nil
	}
	slices.SortFunc(rows, func(x, y schema.TokenPrice) int { return compareTokenKeys(x.TokenKey, y.TokenKey) })
	if slices.Equal(rows, a.rows) {
		return a.last
	}
	a.rows, a.last = rows, nil
	seen := make([]schema.TokenObservation, len(rows))
	for i, row := range rows {
		seen[i].TokenPrice = row
	}
	if quotes, _ := apiQuotes(a.workload, "", seen, a.settings); len(quotes) > 0 {
		a.last = &quotes[0]
	}
	return a.last
}
