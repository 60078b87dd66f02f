package fetch_test

import (
	"encoding/binary"
	"net/http"
	"strings"
	"testing"
	"unicode/utf16"
)

func wide(order binary.AppendByteOrder, text string) string {
	var out []byte
	for _, u := range utf16.Encode([]rune(text)) {
		out = order.AppendUint16(out, u)
	}
	return string(out)
}

func TestCharset(t *testing.T) {
	const want = "<p>café – €2.49"
	const win = "<p>caf\xe9 \x96 \x802.49"
	pad := strings.Repeat(" ", 2000)
	cases := []struct {
		name, contentType, body, want, wantType string // wantType "" for as served
	}{
		{"header", "text/html; charset=windows-1252", win, want, "text/html; charset=utf-8"},
		{"header with another name", "text/html;charset=ISO-8859-1", win, want, "text/html; charset=utf-8"},
		{"meta", "text/html", `<meta charset="windows-1252">` + win, `<meta charset="windows-1252">` + want, "text/html; charset=utf-8"},
		{"header before meta", "text/html; charset=utf-8", `<meta charset="windows-1252">` + want, `<meta charset="windows-1252">` + want, ""},
		{"mark before header", "text/html; charset=windows-1252", "\xef\xbb\xbf" + want, want, "text/html; charset=utf-8"},
		{"UTF-16 by its mark", "text/html", wide(binary.LittleEndian, "\ufeff"+want), want, "text/html; charset=utf-8"},
		{"UTF-16, the other end", "text/html; charset=utf-8", wide(binary.BigEndian, "\ufeff"+want), want, "text/html; charset=utf-8"},
		{"UTF-16 by its header", "application/json; charset=utf-16le", wide(binary.LittleEndian, `["é"]`), `["é"]`, "application/json; charset=utf-8"},
		{"nothing declared, UTF-8", "text/html", pad + want, pad + want, ""},
		{"nothing declared, not UTF-8", "text/html", pad + win, pad + want, "text/html; charset=utf-8"},
		{"UTF-8 that is none", "text/html; charset=utf-8", "<p>\xe9 $2.49", "<p>\ufffd $2.49", ""},
		{"unknown charset", "text/html; charset=klingon", want, want, ""},
		{"JSON", "application/json", `["é"]`, `["é"]`, ""},
		{"JSON with a mark", "application/json", "\xef\xbb\xbf[1]", "[1]", ""},
		{"JSON that quotes a meta element", "application/json", `["<meta charset=shift_jis> é"]`, `["<meta charset=shift_jis> é"]`, ""},
		{"plain text", "text/plain; charset=windows-1252", win, want, "text/plain; charset=utf-8"},
		{"broken type", "text/html; charset", pad + want, pad + want, ""},
		{"no type", "", wide(binary.LittleEndian, "\ufeff"+want), want, "text/plain; charset=utf-8"},
		{"unreadable type", "text html", wide(binary.LittleEndian, "\ufeff"+want), want, "text/plain; charset=utf-8"},
		{"NUL bytes", "text/html; charset=utf-8", "a\x00b", "a\x00b", ""},
		{"picture", "image/png", "\x89PNG\xe9", "\x89PNG\xe9", ""},
		{"octets", "application/octet-stream; charset=windows-1252", "\xe9\xff", "\xe9\xff", ""},
	}
	serve := func(t *testing.T, contentType, body string) (string, string) {
		s := newSite(t, map[string]http.HandlerFunc{"/p": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", contentType)
			_, _ = w.Write([]byte(body))
		}})
		got, err := get(newFetcher(t, options()), s.URL+"/p")
		if err != nil {
			t.Fatal(err)
		}
		return string(got.Body), got.ContentType
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			body, contentType := serve(t, c.contentType, c.body)
			if body != c.want {
				t.Errorf("body %q, want %q", body, c.want)
			}
			wantType := c.wantType
			if wantType == "" {
				wantType = c.contentType
			}
			if contentType != wantType {
				t.Errorf("type %q, want %q", contentType, wantType)
			}
			// An archived page that is served again stays what it is.
			if again, againType := serve(t, contentType, body); again != body || againType != contentType {
				t.Errorf("served again: %q %q", againType, again)
			}
		})
	}
}
