package reports

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"mtok/schema"
)

// TokenSource is what `report api` asks of a store.
type TokenSource interface {
	// TokenPrices are the published ones that a filter selects.
	TokenPrices(ctx context.Context, f schema.TokenPriceFilter) ([]schema.TokenObservation, error)
	// LastTokenDay is the newest day, up to one, of which the provider's own list is
	// published.
	LastTokenDay(ctx context.Context, p schema.ProviderID, upTo schema.Day) (schema.Day, bool, error)
}

// APIList is the newest price list of an API, whatever its age: it is shown with
// its date and stands for no other day.
type APIList struct {
	Provider schema.ProviderID
	Day      schema.Day
	Prices   []schema.TokenObservation
}

// LoadAPILists reads the newest list of each source up to a day; a source that
// never gave one has none.
func LoadAPILists(ctx context.Context, src TokenSource, upTo schema.Day) ([]APIList, error) {
	var lists []APIList
	for _, provider := range schema.TokenProviders() {
		day, ok, err := src.LastTokenDay(ctx, provider, upTo)
		if err != nil {
			return nil, fmt.Errorf("newest list of %s: %w", provider, err)
		}
		if !ok {
			continue
		}
		rows, err := src.TokenPrices(ctx, schema.TokenPriceFilter{FromDay: day, ToDay: day, Provider: provider})
		if err != nil {
			return nil, fmt.Errorf("list of %s of %s: %w", provider, day, err)
		}
		list := APIList{Provider: provider, Day: day}
		for _, o := range rows {
			if o.Origin != schema.OriginImport {
				list.Prices = append(list.Prices, o)
			}
		}
		lists = append(lists, list)
	}
	return lists, nil
}

// firstList is the first day after the one asked for of which a list that prices are
// taken from is published, 0 where there is none.
func firstList(ctx context.Context, src TokenSource, after schema.Day) (schema.Day, error) {
	var first schema.Day
	for _, provider := range schema.TokenProviders() {
		newest, ok, err := src.LastTokenDay(ctx, provider, math.MaxInt32)
		if err != nil {
			return 0, fmt.Errorf("newest list of %s: %w", provider, err)
		}
		if provider == schema.ProviderLiteLLM || !ok || newest <= after {
			continue
		}
		low, high := after+1, newest // the first list is between them
		for low < high {
			middle := low + (high-low)/2
			earlier, ok, err := src.LastTokenDay(ctx, provider, middle)
			switch {
			case err != nil:
				return 0, fmt.Errorf("first list of %s: %w", provider, err)
			case ok:
				high = min(middle, earlier)
			default:
				low = middle + 1
			}
		}
		if high > after && (first == 0 || high < first) {
			first = high
		}
	}
	return first, nil
}

// age is how many days a list is older than the night beside it.
func (l APIList) age(asOf schema.Day) int { return max(0, int(asOf-l.Day)) }

// mark says of when a list is.
func (l APIList) mark(asOf schema.Day, maxAge int) string {
	line := fmt.Sprintf("API prices: %s, list of %s", l.Provider, l.Day)
	if age := l.age(asOf); age > maxAge {
		line += fmt.Sprintf(", STALE %d d: the newest there is, in no figure of another day", age)
	}
	return line + "."
}

// pricing are the lists that prices are taken from, check those that check them.
func pricing(lists []APIList) []schema.TokenObservation { return pricesOf(lists, false) }
func checking(lists []APIList) []schema.TokenObservation {
	return pricesOf(lists, true)
}

func pricesOf(lists []APIList, checks bool) []schema.TokenObservation {
	var out []schema.TokenObservation
	for _, l := range lists {
		if (l.Provider == schema.ProviderLiteLLM) == checks {
			out = append(out, l.Prices...)
		}
	}
	slices.SortFunc(out, func(a, b schema.TokenObservation) int { return compareTokenKeys(a.TokenKey, b.TokenKey) })
	return out
}

// modelName is a model's name as the catalog writes it, of the name of a list:
// "meta-llama/llama-3.3-70b-instruct" is "llama-3.3-70b". A variant of a model
// ("...:free", "...:nitro") has none.
func modelName(listed string) string {
	name := strings.ToLower(listed)
	if strings.Contains(name, ":") {
		return ""
	}
	name = strings.TrimPrefix(name[strings.LastIndex(name, "/")+1:], "meta-")
	for _, suffix := range []string{"-instruct", "-chat", "-it"} {
		name = strings.TrimSuffix(name, suffix)
	}
	return name
}

func sameModel(a, b string) bool {
	name := modelName(a)
	return name != "" && name == modelName(b)
}
