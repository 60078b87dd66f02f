// Package export writes stored rows for other programs: Parquet, CSV and JSON
// lines, all of one definition of the columns. It is the only importer of
// parquet-go.
package export

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"mtok/schema"
)

// Format is how rows are written.
type Format string

// The formats. The name is the extension of the file.
const (
	Parquet Format = "parquet"
	CSV     Format = "csv"
	JSONL   Format = "jsonl"
)

// Formats lists them all.
func Formats() []Format { return []Format{Parquet, CSV, JSONL} }

// ParseFormat reads the name of a format.
func ParseFormat(name string) (Format, error) {
	if f := Format(name); slices.Contains(Formats(), f) {
		return f, nil
	}
	var names []string
	for _, f := range Formats() {
		names = append(names, string(f))
	}
	return "", fmt.Errorf("unknown format %q: it is one of %s", name, strings.Join(names, ", "))
}

// Sink takes rows one by one and writes them; nothing is complete before Close.
type Sink[T any] interface {
	Write(*T) error
	Close() error
}

// Observations writes prices, see Columns.
func Observations(w io.Writer, f Format) Sink[schema.ExportedObservation] {
	return newSink(w, f, fillObservation)
}

// TokenPrices writes API prices.
func TokenPrices(w io.Writer, f Format) Sink[schema.ExportedTokenPrice] {
	return newSink(w, f, fillTokenPrice)
}

// Nights writes the ledger.
func Nights(w io.Writer, f Format) Sink[schema.ExportedNight] { return newSink(w, f, fillNight) }

// Notices writes standing facts about providers.
func Notices(w io.Writer, f Format) Sink[schema.ExportedNotice] { return newSink(w, f, fillNotice) }

// Quarantines writes the nights that were doubted.
func Quarantines(w io.Writer, f Format) Sink[schema.Quarantine] {
	return newSink(w, f, fillQuarantine)
}
