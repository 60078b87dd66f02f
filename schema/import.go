package schema

import "strings"

// Import is one file of somebody else's prices, with all that was read from it.
// It is kept as a fetch with origin import and the file as its page, so that its
// prices can be explained and verified like any others.
type Import struct {
	Fetch       Fetch // its Provider is the format's name
	Page        Page
	Format      string
	DayKey      string // ImportKind.Key
	File        string // base name
	Licence     string
	Attribution string
	Provenance  string // "primary", "aggregator" or "static": who read the provider's own page
	Parse       Parse
	Rejects     []Reject
	Prices      []ImportedPrice // of any days and providers
	TokenPrices []ImportedTokenPrice
}

// ImportedPrice is what a file says of an offer on one day.
type ImportedPrice struct {
	Day Day
	// Said is shared by the days on which the file says the same: it is never
	// changed, and its own Day and Slot are not set.
	Said *Observation
}

// Observation is the price as it is kept.
func (p ImportedPrice) Observation() Observation {
	o := *p.Said
	o.Day, o.Slot = p.Day, p.Day.Slot()
	return o
}

// ImportedTokenPrice is a price list's entry of one model at one provider on one
// day, in USD per million tokens; nil is not listed.
type ImportedTokenPrice struct {
	Day       Day
	Source    string
	Model     string
	Endpoint  string // who serves the model
	In, Out   *USD
	CacheRead *USD
	Text      string // as listed
}

// ImportKind is what of an import decides whether a file was read already.
type ImportKind struct {
	Format        string
	PageSHA256    string
	ParserVersion int
	Key           string // that of its fetch, where the same bytes may be of several days; empty for any
}

// JobImport is the job of a run that reads files.
const JobImport = "import"

// ImportedSKU is the key of an offer as a file names it. It begins with the
// format, so that the offer of a file is never taken for one that a provider's own
// page lists.
func ImportedSKU(format, name string) string { return format + ":" + name }

// IsImportedSKU reports whether a key was made by ImportedSKU of that format.
func IsImportedSKU(format, sku string) bool { return strings.HasPrefix(sku, format+":") }

// Archive is what an export of ours holds.
type Archive struct {
	Observations []ExportedObservation
	TokenPrices  []ExportedTokenPrice
	Nights       []ExportedNight
	Notices      []ExportedNotice
	Quarantines  []Quarantine
	Parses       []ExportedParse
	Rejects      []ExportedReject
}

// ImportFormatOf is the format of a key that ImportedSKU made; empty where none did.
func ImportFormatOf(sku string) string {
	format, _, ok := strings.Cut(sku, ":")
	if !ok {
		return ""
	}
	return format
}
