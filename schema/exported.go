package schema

import "time"

// ExportFilter selects what is exported.
type ExportFilter struct {
	FromDay Day // inclusive
	ToDay   Day // inclusive; 0 for no end, as in ObservationFilter
	// KnownBy leaves out what was fetched, imported or finished after that moment;
	// zero for no limit. A day says what a price is of, this says who knew it then.
	KnownBy time.Time
}

// Evidence is where an exported row was read from.
type Evidence struct {
	Fetch Fetch
	// ImportedFrom is set where the fetch was the import of a file.
	ImportedFrom *ImportedFrom
	// QuarantineID and QuarantineState are those of the quarantine that the row was
	// ever put under, 0 and "" for none: a confirmed one counts.
	QuarantineID    int64
	QuarantineState string
}

// Published reports whether a row with this quarantine and exclusion counts.
func (e Evidence) Published(excluded string) bool {
	return excluded == "" && (e.QuarantineID == 0 || e.QuarantineState == QuarantineConfirmed)
}

// ImportedFrom is the source of an import.
type ImportedFrom struct {
	Format, File, Licence, Attribution, Provenance string

	At time.Time
}

// ExportedObservation is an observation with its evidence, whatever was decided
// of it. Observation.Quarantine is not set. StockPoints is their text form.
type ExportedObservation struct {
	Observation
	StockPoints string
	Evidence
}

// ExportedTokenPrice is an API price in micro-dollars per million tokens; nil is
// not published.
type ExportedTokenPrice struct {
	Day             Day
	Slot            int64 // unix seconds
	Source          string
	Model           string
	Endpoint        string
	Precision       string
	MinPromptTokens int64
	Origin          Origin

	USDIn, USDOut, USDCacheRead, USDCacheWrite *USD

	UptimePPM *int64
	PriceText string
	Excluded  string
	Evidence
}

// ExportedNight is one provider's part in a run, with the run.
type ExportedNight struct {
	Run    Run
	Result ProviderRun
}

// ExportedNotice is a notice with the fetch that last said it.
type ExportedNotice struct {
	Notice
	Fetch Fetch
}

// ExportedParse is what a parser made of a page.
type ExportedParse struct {
	Parse
	Evidence
}

// ExportedReject is a row of a page that gives no price, and its place among them.
type ExportedReject struct {
	FetchID  int64
	Position int
	Reject
}
