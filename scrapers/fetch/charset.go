package fetch

import (
	"bytes"
	"mime"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
)

var bomUTF8 = []byte("\ufeff")

// toUTF8 decodes a textual body by its byte order mark, else its header, else
// its HTML meta element; without any, as UTF-8 if it is valid and as
// windows-1252 if not. It returns the content type that fits the returned body:
// the given one unless it would have the body decoded wrongly next time. Bytes that do not belong to the
// charset become U+FFFD, so a wrong charset can spoil a name but no digit.
func toUTF8(body []byte, contentType string) ([]byte, string) {
	media, params, err := mime.ParseMediaType(contentType)
	if err != nil {
		media, _, _ = strings.Cut(contentType, ";")
		media = strings.ToLower(strings.TrimSpace(media))
	}
	if len(body) == 0 || isBinary(media) {
		return body, contentType
	}
	encoding, name, certain := charset.DetermineEncoding(body, contentType)
	// A guess by the first 1,024 bytes is worth less than all bytes together,
	// and JSON has no meta element, only strings that may quote one.
	guess := !certain && (name == "windows-1252" || strings.HasSuffix(media, "json"))
	if name == "utf-8" || guess && utf8.Valid(body) {
		if _, declared := charset.Lookup(params["charset"]); declared != "" && declared != "utf-8" {
			contentType = withUTF8(media, params) // the byte order mark knew better
		}
		return bytes.TrimPrefix(mended(body), bomUTF8), contentType
	}
	text, err := encoding.NewDecoder().Bytes(body)
	if err != nil {
		text = mended(body)
	}
	return bytes.TrimPrefix(text, bomUTF8), withUTF8(media, params)
}

// mended has U+FFFD for bytes that are no UTF-8. Nearly every body has none, and is not
// copied.
func mended(body []byte) []byte {
	if utf8.Valid(body) {
		return body
	}
	return bytes.ToValidUTF8(body, []byte("\ufffd"))
}

// withUTF8 is a media type that says charset=utf-8.
func withUTF8(media string, params map[string]string) string {
	if media == "" {
		media = "text/plain"
	}
	if params == nil {
		params = map[string]string{}
	}
	params["charset"] = "utf-8"
	if text := mime.FormatMediaType(media, params); text != "" {
		return text
	}
	return "text/plain; charset=utf-8"
}

// isBinary lists the types whose bytes are nobody's text. An octet-stream may
// well be a mislabelled page, but is decoded by no rule.
func isBinary(media string) bool {
	major, minor, _ := strings.Cut(media, "/")
	switch major {
	case "image", "audio", "video", "font":
		return minor != "svg+xml"
	case "application":
		return minor == "octet-stream" || minor == "pdf" || strings.HasSuffix(minor, "zip")
	}
	return false
}
