package pipeline_test

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"unicode/utf16"

	"mtok/scrapers/recorded"
)

// body damages the bytes of a page from a place on.
func (s *subject) body(t *testing.T, path string, cuts int) {
	t.Helper()
	good := s.page(t, path)
	for i := range cuts {
		at := len(good) * (i + 1) / (cuts + 1)
		s.damage("cut", fmt.Sprintf("at-%d-of-%d", i+1, cuts+1), path, good[:at])
	}
	s.damage("empty", "body", path, " ")
	s.damage("twice", "body", path, good+good)
	s.damage("text-after", "body", path, good+"\nok")
	s.damage("null-bytes-after", "body", path, good+"\x00\x00\x00")
	s.damage("byte-order-mark", "body", path, "\ufeff"+good)
	s.damage("line-ends", "body", path, strings.ReplaceAll(good, "\n", "\r\n"))
	s.damage("no-line-ends", "body", path, strings.ReplaceAll(good, "\n", " "))
	s.damage("two-bytes-a-character", "body", path, wide(good))
	s.damage("half-missing", "body", path, good[:len(good)/3]+good[2*len(good)/3:])
	s.damage("maintenance", "body", path, "<html><body><h1>We are back soon</h1><p>from $1.99</p></body></html>")
	s.damage("broken-characters", "body", path, strings.ReplaceAll(good, "0", "0\xff"))
}

// jsonBody is body for what only an answer of JSON can suffer.
func (s *subject) jsonBody(t *testing.T, path string) {
	t.Helper()
	good := strings.TrimSpace(s.page(t, path))
	s.damage("in-array", "body", path, "["+good+"]")
	s.damage("in-text", "body", path, `"`+strings.ReplaceAll(good, `"`, `\"`)+`"`)
	s.damage("single-quotes", "body", path, strings.ReplaceAll(good, `"`, "'"))
	s.damage("comma-after", "body", path, strings.Replace(good, "}]", "},]", 1)+",")
	s.damage("comments", "body", path, strings.Replace(good, "{", "{ /* prices */ ", 1))
	s.damage("callback", "body", path, "prices("+good+");")
	s.damage("null", "body", path, "null")
	const deep = 10_000
	s.damage("deep", "member", path, `{"extra": `+strings.Repeat("[", deep)+strings.Repeat("]", deep)+", "+good[1:])
	s.damage("deep", "around", path, strings.Repeat(`{"data":`, deep)+good+strings.Repeat("}", deep))
	s.damage("deep", "open", path, strings.Repeat("[", deep))
}

// htmlBody is body for what only a page can suffer.
func (s *subject) htmlBody(t *testing.T, path string) {
	t.Helper()
	good := s.page(t, path)
	const deep = 600
	s.damage("deep", "before", path, strings.Replace(good, "<body>", "<body>"+strings.Repeat("<b>", deep), 1))
	s.damage("deep", "around", path, strings.Replace(good, "<body>", "<body>"+strings.Repeat("<div>", deep), 1))
	s.damage("commented-out", "body", path, strings.Replace(good, "<body>", "<body><!--", 1))
	s.damage("script-around", "body", path, strings.Replace(good, "<body>", "<body><script>", 1))
	s.damage("plain-text", "body", path, strings.Replace(good, "<body>", "<body><plaintext>", 1))
	s.damage("escaped-twice", "body", path, strings.NewReplacer("&", "&amp;", "$", "&amp;#36;").Replace(good))
	s.damage("escaped-whole", "body", path, "<pre>"+strings.NewReplacer("<", "&lt;", "&", "&amp;").Replace(good)+"</pre>")
	s.damage("end-tags-gone", "rows", path, strings.NewReplacer("</tr>", "", "</td>", "", "</th>", "").Replace(good))
	s.damage("end-tags-gone", "divisions", path, strings.ReplaceAll(good, "</div>", ""))
	s.damage("quotes-gone", "attributes", path, strings.ReplaceAll(good, `="`, "="))
	s.damage("upper-tags", "elements", path, strings.NewReplacer("<tr", "<TR", "<td", "<TD", "<div", "<DIV", "</div", "</DIV").Replace(good))
	s.damage("frame", "body", path, "<iframe srcdoc='"+strings.ReplaceAll(good, "'", "&#39;")+"'></iframe>")
}

func wide(text string) string {
	var out strings.Builder
	for _, unit := range utf16.Encode([]rune(text)) {
		out.WriteByte(byte(unit))
		out.WriteByte(byte(unit >> 8))
	}
	return out.String()
}

// answers serves a page under another status or type, and other pages in its
// place.
func (s *subject) answers(t *testing.T, path string) {
	t.Helper()
	dot := strings.LastIndex(path, ".")
	meta, kind := path[:dot]+".meta.toml", path[dot+1:]
	for _, status := range []int{204, 206, 304, 401, 403, 404, 410, 429, 500, 503} {
		// 404 is an answer of one provider, which says that nothing is listed.
		s.damage("status", fmt.Sprint(status), meta, fmt.Sprintf("status = %d\n", status)).drops = true
	}
	for name, value := range map[string]string{
		"none": "", "plain": "text/plain", "bytes": "application/octet-stream", "html": "text/html", "json": "application/json", "image": "image/png",
		"latin": "text/html; charset=iso-8859-1", "wide": "text/html; charset=utf-16", "unknown": "text/html; charset=klingon",
	} {
		s.damage("type", name, meta, fmt.Sprintf("content_type = %q\n", value))
	}
	others := []string{
		"lambda/pricing-page.html", "coreweave/pricing-page.html", "crusoe/pricing-page.html", "fluidstack/pricing-page.html",
		"runpod/graphql.json", "vast/bundles-api.h100-sxm.asc.json", "vast/bundles-api.mi300x.asc.json",
	}
	for _, other := range others {
		text, err := fs.ReadFile(recorded.Night(), other)
		if err != nil {
			t.Fatal(err)
		}
		if other == path || strings.HasPrefix(other, "vast") && kind == "json" && s.name == "vast" {
			continue // a book of nobody is an answer of the market
		}
		s.damage("page-of-another", strings.ReplaceAll(other[:strings.LastIndex(other, ".")], "/", "-"), path, string(text))
	}
}
