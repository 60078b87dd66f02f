package render

import (
	"fmt"
	"io"

	"mtok/reports"
)

// Format is a way to write a Document.
type Format string

// The formats. Table, Markdown and HTML show the screen columns, CSV and JSON the
// machine columns.
const (
	Table    Format = "table"
	CSV      Format = "csv"
	JSON     Format = "json"
	Markdown Format = "markdown"
	HTML     Format = "html"
)

// Formats lists all formats by name.
func Formats() []string {
	return []string{string(Table), string(CSV), string(JSON), string(Markdown), string(HTML)}
}

// ParseFormat reads the name of a format; reports.ErrUnknownName, with the names
// that are like it, where there is none.
func ParseFormat(name string) (Format, error) {
	for _, known := range Formats() {
		if name == known {
			return Format(name), nil
		}
	}
	return "", reports.UnknownName("format", name, Formats())
}

// Write renders doc to w. It builds the whole text first, so that a failure
// leaves no half report.
func Write(w io.Writer, doc reports.Document, f Format) error {
	for i, row := range doc.Rows {
		if len(row) != len(doc.Columns) {
			return fmt.Errorf("render %s: row %d has %d cells for %d columns", doc.Name, i, len(row), len(doc.Columns))
		}
	}
	var text []byte
	var err error
	switch f {
	case Table:
		text = drawTable(doc)
	case CSV:
		text, err = csvText(doc)
	case JSON:
		text, err = jsonText(doc)
	case Markdown:
		text = markdown(doc)
	case HTML:
		return WritePage(w, Page{Document: doc})
	default:
		_, err = ParseFormat(string(f))
	}
	if err != nil {
		return fmt.Errorf("render %s: %w", doc.Name, err)
	}
	if _, err := w.Write(text); err != nil {
		return fmt.Errorf("render %s: %w", doc.Name, err)
	}
	return nil
}

// Extension is the ending of a file of this format, without the point.
func (f Format) Extension() string {
	switch f {
	case Table:
		return "txt"
	case Markdown:
		return "md"
	}
	return string(f)
}

// OneDocument reports whether a text of this format can hold one report only:
// what reads csv or json takes a second one for more rows, or for an error.
func (f Format) OneDocument() bool { return f == CSV || f == JSON || f == HTML }
