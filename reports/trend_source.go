package reports

import (
	"context"
	"fmt"
	"strings"

	"mtok/schema"
)

// HistorySource is what reports over many days ask of a store. Days are inclusive
// and come in order.
type HistorySource interface {
	// NewestMarketDay is the newest day that has a price, imported ones included.
	NewestMarketDay(ctx context.Context) (schema.Day, bool, error)
	DailyMarkets(ctx context.Context, from, to schema.Day, class schema.ClassID) ([]schema.DailyMarket, error)
	ClassMarkets(ctx context.Context, class schema.ClassID, from, to schema.Day) ([]schema.DailyMarket, error)
	// ImportedBy names the record that each day's lowest imported price is from.
	ImportedBy(ctx context.Context, class schema.ClassID, term schema.Term, from, to schema.Day) (map[schema.Day]string, error)
	ClassPrices(ctx context.Context, class schema.ClassID, term schema.Term, from, to schema.Day) ([]schema.DailyPrice, error)
	ClassTokenCosts(ctx context.Context, class schema.ClassID, workload string, term schema.Term, from, to schema.Day) ([]schema.DailyTokenCost, error)
	// APIModels are the models of which an API price was ever published.
	APIModels(ctx context.Context) ([]string, error)
	ModelAPIPrices(ctx context.Context, model string, from, to schema.Day) ([]schema.DailyAPIPrice, error)
	CostInputs(ctx context.Context, hash string) (schema.CostInputs, error)
	// CompleteDays are those on which a provider was read in full.
	CompleteDays(ctx context.Context, p schema.ProviderID, from, to schema.Day) ([]schema.Day, error)
	RejectCounts(ctx context.Context, from, to schema.Day) ([]schema.RejectCount, error)
	ParseCounts(ctx context.Context, from, to schema.Day) ([]schema.ParseCount, error)
	Quarantines(ctx context.Context, from, to schema.Day) ([]schema.Quarantine, error)
}

// record is what is known of one class over a window.
type record struct {
	class    schema.ClassID
	term     schema.Term
	workload Workload
	from, to schema.Day
	// read is the first day that was read: prices of the days before the window may
	// be carried into it.
	read    schema.Day
	markets []schema.DailyMarket
	// importedBy names the record of each day's imported price.
	importedBy map[schema.Day]string
	costs      []schema.DailyTokenCost
	inputs     map[string]string // body by hash
	// complete are the days on which each provider was read in full.
	complete map[schema.ProviderID]map[schema.Day]bool
	api      []schema.DailyAPIPrice
}

// span is the window of a filter; false where nothing was ever recorded.
func (l Loader) span(ctx context.Context, f Filter) (from, to, newest schema.Day, published bool, err error) {
	newest, published, err = newestDay(ctx, l.Source, f)
	if err != nil {
		return 0, 0, 0, false, fmt.Errorf("newest published day: %w", err)
	}
	end := newest
	if !published {
		imported, known, err := l.History.NewestMarketDay(ctx)
		switch {
		case err != nil:
			return 0, 0, 0, false, fmt.Errorf("newest day of a market: %w", err)
		case f.DayNamed:
			end = f.Day
		case known:
			end = imported
		default:
			end = 0
		}
	}
	from, to = f.Window.Span(end)
	return from, to, newest, published, nil
}

// undated reports whether a window ends on no day: nothing was ever published, and
// nobody named a day.
func (f Filter) undated(to schema.Day, published bool) bool {
	return !published && to == 0 && !f.DayNamed && !f.Window.ToNamed
}

// unpublished makes a report of an undated window say that there is nothing yet,
// in place of days that nobody meant.
func (d Document) unpublished(from, to schema.Day) Document {
	d.Title = strings.Replace(d.Title, fmt.Sprintf(", %s to %s", from, to), "", 1)
	d.Before, d.Rows, d.Charts, d.After = nil, nil, nil, []string{nothingPublished}
	return d
}
