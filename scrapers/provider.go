package scrapers

import (
	"net/http"

	"mtok/schema"
)

// Provider is a value: what to ask, how to read the answer, and what a
// believable answer holds.
type Provider struct {
	ID       schema.ProviderID
	Name     string
	Homepage string
	Version  int // parser version: bump it when an old page would now parse differently
	Sources  []Source
	Expect   Expect
	// StockNote says in a few words what the provider publishes about stock.
	StockNote string
}

// Source is one page or endpoint of a provider.
type Source struct {
	Name string // "pricing-page", "bundles-api"
	// Requests lists what to fetch; each Request has a Key that is stable from
	// night to night, and empty where the source is a single page.
	Requests func(Settings) ([]Request, error)
	// Parse reads one answer. It is pure: no clock, no network, no log. A page
	// that is not of the known layout is ErrLayout and no price.
	Parse func(Page) (Result, error)
	// Accepts lists statuses besides 200 that Parse reads: an answer that says
	// something, such as Fluidstack's 404.
	Accepts []int
	// KeyEnv names the environment variable with the source's key. Such a
	// source is asked only when a key is set, or in a recorded night that has
	// its file; empty for a source that needs none.
	KeyEnv string
	// CrossCheck marks a source that gives the same offers as another one: it
	// adds availability and checks the price, and is never a second listing.
	CrossCheck bool
	// Optional marks a source that a recorded night may lack: there each request
	// is made only where the night has its answer.
	Optional bool
	// Scrub takes out of a body what must not be kept, such as the addresses of
	// other people's machines, before it is hashed, archived or parsed. It is
	// pure, and its own result passes it unchanged. An error means that the body
	// can't be kept at all. Nil keeps all.
	Scrub func(body []byte) ([]byte, error)
}

// Settings are what the user's configuration gives to a provider.
type Settings struct {
	Models []string // market models to ask for; empty for the provider's default
	// GPUCounts are the counts to ask stock for, where it is published by count;
	// empty for the provider's default.
	GPUCounts []int
	APIKey    schema.Secret // for the sources with a KeyEnv
}

// Request is one HTTP request of a source.
type Request struct {
	Key    string
	Method string // GET where empty
	URL    string
	Header http.Header
	Body   []byte
}

// Page is an answer as it was archived.
type Page struct {
	Source      string
	Key         string
	URL         string
	Status      int
	ContentType string
	Body        []byte
}

// Result is what a page says.
type Result struct {
	Offers      []schema.Offer
	TokenPrices []schema.TokenPrice // of sources that list prices of tokens
	Skipped     []schema.Reject     // understood but not usable, with the reason
	Notices     []schema.Notice
	// LookAlikes counts rows in the same markup that sell something else.
	LookAlikes int
	// Incomplete says what this answer lacks: what it holds is good, but the
	// night is then partial and no offer is taken for gone. Empty when whole.
	Incomplete string
	// Truncated says that the answer was full, so that more may be listed: the
	// offers are right, but their absence says nothing.
	Truncated bool
	Next      []Request // paging, so that even paging replays from stored pages
}

// Expect are a provider's canaries: what every believable night holds.
type Expect struct {
	MinOffers int              // priced offers, or models, of a complete night
	Classes   []schema.ClassID // classes that must appear in a complete night
	// Bands are where the provider's own prices lie: far narrower than the band
	// of the class, so that a price per GPU in the column of an instance, or the
	// reverse, is caught on the first night already.
	Bands []PriceBand
	// Tokens are where prices of tokens lie, of models that stand for long.
	Tokens []TokenBand
}

// TokenBand is the believable range of a model's price, input and output alike,
// in USD per million tokens.
type TokenBand struct {
	Model     string
	Low, High schema.USD
}

// PriceBand is the believable range of a provider's prices of one class and
// term, in USD per GPU-hour.
type PriceBand struct {
	Class schema.ClassID
	Term  schema.Term
	schema.Band
}

// about makes a PriceBand from 1/2.5 to 2.5 times a price that was listed: no
// unit slip of four or eight fits in, any real move of a list price does.
func about(class schema.ClassID, term schema.Term, listed schema.USD) PriceBand {
	return PriceBand{Class: class, Term: term, Band: schema.Band{Low: listed * 2 / 5, High: listed * 5 / 2}}
}
