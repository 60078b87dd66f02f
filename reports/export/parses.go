package export

import (
	"io"

	"mtok/schema"
)

// Parses writes what parsers made of the pages.
func Parses(w io.Writer, f Format) Sink[schema.ExportedParse] { return newSink(w, f, fillParse) }

// Rejects writes the rows that gave no price.
func Rejects(w io.Writer, f Format) Sink[schema.ExportedReject] { return newSink(w, f, fillReject) }

// parseRow is one page, read by one version of a parser.
type parseRow struct {
	Day           date   `parquet:"day,date" doc:"of the fetch"`
	Provider      string `parquet:"provider,dict" doc:"or the format of an imported file"`
	Source        string `parquet:"source,dict"`
	Origin        string `parquet:"origin,dict" doc:"live, recorded or import"`
	ParserVersion int64  `parquet:"parser_version"`
	Offers        int64  `parquet:"offers" doc:"that were read"`
	Rejects       int64  `parquet:"rejects"`
	Error         string `parquet:"error,dict" doc:"why the page was not readable; empty for most"`
	ParsedAt      millis `parquet:"parsed_at,timestamp(millisecond)"`
	fetchColumns
	importColumns
}

func fillParse(r *parseRow, p *schema.ExportedParse) {
	f := &p.Fetch
	*r = parseRow{
		Day: dateOf(f.Day), Provider: string(f.Provider), Source: f.Source, Origin: string(f.Origin),
		ParserVersion: int64(p.ParserVersion), Offers: int64(p.Offers), Rejects: int64(p.Rejects),
		Error: p.Parse.Error, ParsedAt: millisOf(p.ParsedAt),
	}
	_, r.fetchColumns, r.importColumns = evidence(&p.Evidence)
}

// rejectRow is one row of a page.
type rejectRow struct {
	FetchID   int64  `parquet:"fetch_id" doc:"of the page, in parses"`
	Position  int64  `parquet:"position" doc:"among the rejects of the page, from 0"`
	Source    string `parquet:"source,dict"`
	Label     string `parquet:"label" doc:"what the row is about, as printed"`
	PriceText string `parquet:"price_text" doc:"as printed"`
	Rule      string `parquet:"rule,dict"`
	Reason    string `parquet:"reason"`
}

func fillReject(r *rejectRow, x *schema.ExportedReject) {
	*r = rejectRow{
		FetchID: x.FetchID, Position: int64(x.Position), Source: x.Source, Label: x.Label, PriceText: x.PriceText,
		Rule: x.Rule, Reason: x.Reason,
	}
}
