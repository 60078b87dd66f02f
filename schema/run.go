package schema

import (
	"slices"
	"time"
)

// RunStatus is the outcome of a run or of one provider's part in it.
type RunStatus string

// The statuses. A partial provider answered in part: what it read is published,
// but it never says that an offer is gone. A quarantined one is kept and
// published nowhere.
const (
	StatusRunning     RunStatus = "running"
	StatusComplete    RunStatus = "complete"
	StatusPartial     RunStatus = "partial"
	StatusQuarantined RunStatus = "quarantined"
	StatusFailed      RunStatus = "failed"
	StatusAbandoned   RunStatus = "abandoned" // its process died
)

// The names of jobs: ingest runs, and those that read archived pages again.
const (
	JobNightly = "nightly"
	JobReparse = "reparse"
)

// Run is one entry of the ledger: one job on one logical day.
type Run struct {
	ID         int64
	Job        string
	Day        Day
	Slot       int64
	Trigger    string // "manual", "recorded DIR as 2026-08-22", "schedule", "catch-up"
	Status     RunStatus
	Version    string // of mtok
	Owner      string // host, process and start of the holder of the run lock
	StartedAt  time.Time
	BeatAt     time.Time // last sign of life of the holder
	FinishedAt time.Time // zero while running
}

// ProviderRun is one provider's part in a run, on one day.
type ProviderRun struct {
	RunID    int64
	Provider ProviderID
	Day      Day
	Status   RunStatus
	Offers   int
	Rejects  int
	// ErrorKind and Detail say what went wrong; empty when nothing did.
	ErrorKind string
	Detail    string
	EndedAt   time.Time
}

// Page is one archived body, stored once per distinct content.
type Page struct {
	SHA256    string // lower-case hex
	MediaType string
	Body      []byte
}

// Fetch is one request and what came back.
type Fetch struct {
	ID           int64
	RunID        int64
	Day          Day
	Provider     ProviderID
	Source       string
	Key          string // request key, stable from night to night
	Origin       Origin
	Method       string
	URL          string
	Status       int // HTTP status, 0 when nothing came back
	ETag         string
	LastModified string
	PageSHA256   string // empty when there is no body
	ErrorKind    string
	Error        string
	FetchedAt    time.Time
}

// Parse records what a parser version made of a fetch.
type Parse struct {
	FetchID       int64
	ParserVersion int
	Offers        int
	Rejects       int
	Error         string
	ParsedAt      time.Time
}

// Quarantine is a night of one provider that is kept but not believed.
type Quarantine struct {
	ID        int64
	RunID     int64
	Provider  ProviderID
	Day       Day
	Rule      string
	Evidence  string
	State     string // "held", "confirmed", "discarded", "replaced" by a later night
	DecidedBy string
	DecidedAt time.Time
	CreatedAt time.Time
}

// The states of a quarantine that the store itself gives.
const (
	QuarantineHeld      = "held"      // nobody decided yet
	QuarantineConfirmed = "confirmed" // its prices are published
	QuarantineDiscarded = "discarded" // its prices are not published
)

// FetchRejects are the rejects of one fetch.
type FetchRejects struct {
	FetchID int64
	Rejects []Reject
}

// ProviderNight is everything that one provider's part of a run writes for one
// day, in one transaction. A run whose pages are of several days has one a day.
type ProviderNight struct {
	Run          Run
	Result       ProviderRun // its Day is that of every observation
	Parses       []Parse
	Rejects      []FetchRejects
	Notices      []Notice
	Observations []Observation
	TokenPrices  []TokenObservation // of a provider that lists prices of tokens
	// Quarantine holds the night when set; the store gives its ID and state.
	Quarantine *Quarantine
	// HeldOffers narrows a Quarantine to these offers: the rest of the night is
	// published. Nil where it holds the whole night.
	HeldOffers []OfferKey
	// Confirms are held quarantines of earlier nights that this one agrees with:
	// they are published with it.
	Confirms []int64
	// Reparsed says that its pages were read before: where the night is partial,
	// what each page that could be read gave then makes way.
	Reparsed bool
}

// Holds reports whether the night's quarantine holds an offer. HeldOffers that is
// not nil names all that it holds, none where it is empty.
func (n ProviderNight) Holds(key OfferKey) bool {
	return n.Quarantine != nil && (n.HeldOffers == nil || slices.Contains(n.HeldOffers, key))
}
