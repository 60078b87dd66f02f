package render

import (
	"strings"
	"unicode/utf8"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"mtok/reports"
)

// tableBody draws no lines: figures are read down columns, and a narrow screen has
// no room for borders.
func tableBody(doc reports.Document, cell func(string) string) table.Writer {
	t := table.NewWriter()
	style := table.StyleDefault
	style.Options = table.OptionsNoBordersAndSeparators
	style.Format.Header = text.FormatDefault // upper case would spoil units
	style.Box.PaddingLeft = ""
	style.Box.PaddingRight = "  "
	t.SetStyle(style)
	t.SuppressTrailingSpaces()

	var header table.Row
	var configs []table.ColumnConfig
	for _, col := range doc.Columns {
		if !col.On(reports.OnScreen) {
			continue
		}
		header = append(header, cell(col.Header))
		align := text.AlignLeft
		if col.Align == reports.AlignRight {
			align = text.AlignRight
		}
		configs = append(configs, table.ColumnConfig{Number: len(header), Align: align, AlignHeader: align})
	}
	t.AppendHeader(header)
	t.SetColumnConfigs(configs)
	for _, row := range doc.Rows {
		var out table.Row
		for i, col := range doc.Columns {
			if col.On(reports.OnScreen) {
				out = append(out, cell(screenText(row[i], col)))
			}
		}
		t.AppendRow(out)
	}
	return t
}

func drawTable(doc reports.Document) []byte {
	var body string
	if len(doc.Rows) > 0 {
		body = tableBody(doc, Clean).Render() + "\n"
	}
	var b strings.Builder
	b.WriteString(heading(doc, body) + "\n")
	for _, line := range doc.Before {
		b.WriteString(Clean(line) + "\n")
	}
	b.WriteString(body)
	for _, line := range doc.After {
		b.WriteString(Clean(line) + "\n")
	}
	return []byte(b.String())
}

// headingWidth keeps the day in sight where long notes make a table wide.
const headingWidth = 100

// heading sets the day to the right end of the table.
func heading(doc reports.Document, body string) string {
	title := Clean(doc.Title)
	if doc.Empty {
		return title
	}
	day := "as of " + doc.AsOf.String()
	width := 0
	for line := range strings.Lines(body) {
		width = max(width, utf8.RuneCountInString(strings.TrimRight(line, "\n")))
	}
	gap := min(width, headingWidth) - utf8.RuneCountInString(title) - len(day)
	return title + strings.Repeat(" ", max(gap, 2)) + day
}
