package scrapers

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/PuerkitoBio/goquery"
	"golang.org/x/net/html"
)

// document parses a page. What a browser does not show is taken out, since a
// price in it is not listed.
func document(page Page) (*goquery.Document, error) {
	doc, err := goquery.NewDocumentFromReader(bytes.NewReader(page.Body))
	if err != nil {
		return nil, layoutf("not HTML: %v", err)
	}
	doc.Find("template, noscript").Remove()
	doc.Find("[hidden], [style]").FilterFunction(unseen).Remove()
	return doc, nil
}

// unseen reports an element that is not shown. The panel of a tab that is not
// chosen is hidden too, but one click away. Style sheets are not read.
func unseen(_ int, s *goquery.Selection) bool {
	if s.AttrOr("role", "") == "tabpanel" {
		return false
	}
	if _, hidden := s.Attr("hidden"); hidden {
		return true
	}
	style := strings.Join(strings.Fields(strings.ToLower(s.AttrOr("style", ""))), "")
	return strings.Contains(style, "display:none") || strings.Contains(style, "visibility:hidden")
}

// wholePage is an error for a document that breaks off: the rows that are
// missing from it are not gone. Part of a page, as kept by others, has no
// beginning either and passes.
func wholePage(page Page) error {
	body := bytes.ToLower(page.Body)
	if bytes.Contains(body, []byte("<html")) && !bytes.Contains(body, []byte("</html")) {
		return layoutf("the page breaks off: it has no end tag")
	}
	return nil
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
