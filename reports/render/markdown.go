package render

import (
	"strings"

	"mtok/reports"
)

func markdown(doc reports.Document) []byte {
	var b strings.Builder
	b.WriteString("## " + markdownSafe(doc.Title) + "\n\n")
	if !doc.Empty {
		b.WriteString("As of " + doc.AsOf.String() + ".\n\n")
	}
	list(&b, doc.Before)
	if len(doc.Rows) > 0 {
		b.WriteString(tableBody(doc, markdownSafe).RenderMarkdown() + "\n\n")
	}
	list(&b, doc.After)
	return []byte(strings.TrimRight(b.String(), "\n") + "\n")
}

func list(b *strings.Builder, lines []string) {
	for _, line := range lines {
		b.WriteString("- " + markdownSafe(line) + "\n")
	}
	if len(lines) > 0 {
		b.WriteByte('\n')
	}
}
