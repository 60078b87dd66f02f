package history

import (
	"time"

	"mtok/schema"
)

// Provenance says who read the provider's own page.
type Provenance string

// The provenances.
const (
	Primary    Provenance = "primary"    // the source read the provider itself
	Aggregator Provenance = "aggregator" // it read somebody who did
	Static     Provenance = "static"     // a table kept by hand
)

// Format is a kind of file that is understood.
type Format struct {
	Name        string
	Title       string
	Version     int    // of the parser: bump it when an old file would now parse differently
	Expects     string // what a file of it looks like, in words
	Licence     string
	Attribution string
	Provenance  Provenance
	// Undated says that a file does not tell its day, so that somebody must.
	Undated bool
	// RowByRow says that a CSV file may be parsed piece by piece: what a row says
	// depends on no other.
	RowByRow bool
	// Markets names the providers of which the rows are asks or averages of a
	// market, which move every day.
	Markets []schema.ProviderID
	// Parse reads a file. An error is one of the whole file: another format
	// (ErrFormat) or a broken structure (ErrStructure). Broken rows are Faults.
	// The name of the file is given, for formats that say something by it.
	Parse func(name string, body []byte) (Result, error)
}

// All lists the formats. It is the only registry.
func All() []Format {
	return []Format{
		GPURentalPrices(),
		Nixj9(),
		FullStack(),
		SkyPilot(),
		GPUHunt(),
		TokenPrices(),
		Observations(),
	}
}

// Find returns the format of a name.
func Find(name string) (Format, bool) {
	for _, f := range All() {
		if f.Name == name {
			return f, true
		}
	}
	return Format{}, false
}

// Names lists the names of all formats.
func Names() []string {
	var names []string
	for _, f := range All() {
		names = append(names, f.Name)
	}
	return names
}

// Row is one price of a file.
type Row struct {
	Line int // of the file, or the place of the entry, from 1
	Day  schema.Day
	// Taken is when the source read the price; zero where it does not say.
	Taken time.Time
	*Listing
}

// Listing is what a row says, apart from its day. Rows that say the same may share
// it, and do where a file repeats a price day by day: then it is judged once, and a
// million rows take the memory of some thousand.
type Listing struct {
	Source string // empty for the format's name
	Offer  schema.Offer
	// As is the name by which the catalog is asked for the class, where the file
	// has names of its own; empty for the printed one.
	As string
	// Refused is why the row is no price, whatever it costs; its rule is Rule.
	Rule, Refused string
}

// with is a row that says something else on the same line and day.
func (r Row) with(l Listing) Row {
	r.Listing = &l
	return r
}

// Result is what a file says.
type Result struct {
	// Read counts the rows of the file, headers of the file itself aside.
	Read   int
	Rows   []Row
	Tokens []schema.ImportedTokenPrice
	// TokenLines are the lines of Tokens.
	TokenLines []int
	Rejects    []Reject
	Faults     []Fault
}

// Reject is a row that was understood and gives no price.
type Reject struct {
	Line int
	schema.Reject
}

// Fault is a row of broken structure.
type Fault struct {
	Line int
	Text string
}
