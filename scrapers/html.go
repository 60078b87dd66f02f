package scrapers

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/PuerkitoBio/goquery"
	"golang.org/x/net/html"
)

// document parses a page. Templates are taken out: a browser does not show
// them, so a price in one is not listed.
func document(page Page) (*goquery.Document, error) {
	doc, err := goquery.NewDocumentFromReader(bytes.NewReader(page.Body))
	if err != nil {
		return nil, layoutf("not HTML: %v", err)
	}
	doc.Find("template").Remove()
	return doc, nil
}

// cellText is the text of a selection with runs of white space made one blank.
// A line break is a blank, so that two lines never become one word or number;
// a superscript is marked with ^, so that the footnote mark of 4¹ can't become
// the number 41. Inline elements add nothing: what is glued on the page stays
// glued and fails the exact price pattern.
func cellText(s *goquery.Selection) string {
	var b strings.Builder
	for _, n := range s.Nodes {
		writeText(&b, n)
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

func writeText(b *strings.Builder, n *html.Node) {
	switch n.Type {
	case html.TextNode:
		b.WriteString(n.Data)
		return
	case html.ElementNode:
		switch n.Data {
		case "script", "style":
			return
		case "br":
			b.WriteByte(' ')
		case "sup":
			b.WriteByte('^')
		}
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		writeText(b, c)
	}
}

// cellTexts is cellText of each node.
func cellTexts(s *goquery.Selection) []string {
	texts := make([]string, 0, s.Length())
	for _, n := range s.EachIter() {
		texts = append(texts, cellText(n))
	}
	return texts
}

// section is the part of a page from one heading to the next.
type section struct {
	heading string
	items   *goquery.Selection // in document order
}

// sections fences the nodes that match items by the headings before them, in
// document order and at any depth. What stands before the first heading has an
// empty one.
func sections(doc *goquery.Document, headings, items string) []section {
	found := doc.Find(headings + ", " + items)
	all, heading, start := []section{}, "", 0
	for i, n := range found.EachIter() {
		if n.Is(headings) {
			all = append(all, section{heading: heading, items: found.Slice(start, i)})
			heading, start = cellText(n), i+1
		}
	}
	return append(all, section{heading: heading, items: found.Slice(start, found.Length())})
}

// wantTexts requires the exact texts of a table's heading cells: a column that
// is new, gone or moved makes the layout unknown.
func wantTexts(where string, got *goquery.Selection, want []string) error {
	if texts := cellTexts(got); !slices.Equal(texts, want) {
		return layoutf("%s: columns %q, expected %q", where, texts, want)
	}
	return nil
}

// layoutRow says in which row a layout error was met.
func layoutRow(table, row string, err error) error {
	return fmt.Errorf("%s, row %q: %w", clip(table), clip(row), err)
}
