package schema

import "time"

// Origin says where a page came from.
type Origin string

// A recorded or imported page is never mistaken for one fetched live.
const (
	OriginLive     Origin = "live"
	OriginRecorded Origin = "recorded"
	OriginImport   Origin = "import"
)

// Observation is one offer, seen by one fetch, at one price.
type Observation struct {
	Day     Day
	Slot    int64 // unix seconds
	Source  string
	OfferID int64 // given by the store
	Offer   Offer
	Class   ClassID
	Origin  Origin
	// FetchID is the fetch that the price was read from. PageSHA256 and
	// FetchedAt are read with it and ignored when saving.
	FetchID    int64
	PageSHA256 string
	FetchedAt  time.Time

	USDPerGPUHour      USD
	USDPerInstanceHour USD
	// Excluded is the reason why a price is kept but never counts; empty for
	// most.
	Excluded string
	// Quarantine is the id of the quarantine that holds the night; 0 for none,
	// also once it was confirmed.
	Quarantine int64
}

// Reject is a row that was understood but gives no price, with the reason.
type Reject struct {
	Source string
	// SKU is that of the offer which the row would be, where it is known: it
	// tells a listing of last night that can't be read any more from one that is
	// gone. It is not kept.
	SKU       string
	Label     string // what the row is about, as printed
	PriceText string
	Rule      string // short stable name: "unpriced", "price_band", "currency"
	Reason    string
}

// Names of rules that both parsers and validation reject by.
const (
	RuleUnpriced  = "unpriced"  // listed without a price: a fact, not a fault
	RuleDuplicate = "duplicate" // listed twice
	RuleGPUCount  = "gpu_count"
)

// Notice is a standing fact about a provider, such as that it publishes no
// price any more.
type Notice struct {
	Provider ProviderID
	Kind     string
	Detail   string
	Since    Day // the first day seen; kept by the store
	Last     Day // the newest day seen
	FetchID  int64
}

// NoticeNoPublicPrice is the kind of Notice for a provider that sells only by
// contract.
const NoticeNoPublicPrice = "no_public_price"
