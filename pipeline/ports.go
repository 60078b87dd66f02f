package pipeline

import (
	"context"

	"mtok/schema"
	"mtok/scrapers"
)

// Fetcher gets one answer. Every error is a *scrapers.FetchError; an answer
// with an error status comes back beside its error, so that it is archived too.
type Fetcher interface {
	Fetch(ctx context.Context, t scrapers.Target, req scrapers.Request, v scrapers.Validators) (scrapers.Fetched, error)
}

// Store keeps what a night writes.
type Store interface {
	// StartRun takes the run lock; held by another run it fails with an error
	// that has a Holder.
	StartRun(ctx context.Context, run schema.Run) (schema.Run, error)
	// BeatRun records a sign of life of the run's holder.
	BeatRun(ctx context.Context, id int64) error
	// AbandonRun ends a run whose process died, and frees the lock.
	AbandonRun(ctx context.Context, id int64) error
	FinishRun(ctx context.Context, id int64, status schema.RunStatus) error
	// SaveFetch archives the page, when there is one, and its fetch in one
	// transaction.
	SaveFetch(ctx context.Context, f schema.Fetch, p *schema.Page) (int64, error)
	// LastFetch finds the newest fetch of a request that has a page, live ones
	// alone or recorded ones too.
	LastFetch(ctx context.Context, p schema.ProviderID, source, key string, liveOnly bool) (schema.Fetch, bool, error)
	Page(ctx context.Context, sha256 string) (schema.Page, error)
	// LastOffers are the offers published on the provider's newest observed day
	// of the days before one.
	LastOffers(ctx context.Context, p schema.ProviderID, before schema.Day, within int) ([]schema.KnownOffer, error)
	// PublishedOffers are what the provider's own nights published from one day to
	// another, the newest day first.
	PublishedOffers(ctx context.Context, p schema.ProviderID, from, to schema.Day) ([]schema.KnownOffer, error)
	ProviderRuns(ctx context.Context, from, to schema.Day) ([]schema.ProviderRun, error)
	HeldQuarantines(ctx context.Context) ([]schema.Quarantine, error)
	TokenPrices(ctx context.Context, f schema.TokenPriceFilter) ([]schema.TokenObservation, error)
	// LastTokenDay is the newest day, up to one, of which the provider's own list of
	// token prices is published.
	LastTokenDay(ctx context.Context, p schema.ProviderID, upTo schema.Day) (schema.Day, bool, error)
	Observations(ctx context.Context, f schema.ObservationFilter) ([]schema.Observation, error)
	// PageSince says since when, and on how many days, a source has given one page
	// and no other.
	PageSince(ctx context.Context, p schema.ProviderID, source, sha256 string, day schema.Day) (schema.Day, int, error)
	// MovedProviders are the other providers of which a list price changed.
	MovedProviders(ctx context.Context, but schema.ProviderID, from, to schema.Day) ([]schema.ProviderID, error)
	// SaveProviderNight writes one provider's part in one transaction.
	SaveProviderNight(ctx context.Context, n schema.ProviderNight) error
}

// Holder is what the error of a held run lock must tell.
type Holder interface {
	error
	Holder() schema.Run
}

// Progress hears of each provider's start and end; it may be called from
// several goroutines.
type Progress interface {
	ProviderStarted(p schema.ProviderID)
	ProviderEnded(o Outcome)
}
