package fetch_test

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"net/url"
	"testing"
	"unicode/utf8"

	"mtok/scrapers"
	"mtok/scrapers/fetch"
)

// FuzzBody gives an answer whatever body and headers: what is read is within the
// limit or a FetchError, text is UTF-8, and an archived text read again is the
// same.
func FuzzBody(f *testing.F) {
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	if _, err := z.Write([]byte("<p>caf\u00e9 $2.49")); err != nil {
		f.Fatal(err)
	}
	if err := z.Close(); err != nil {
		f.Fatal(err)
	}
	f.Add([]byte("<p>$2.49"), "text/html; charset=utf-8", "", "/pricing", false)
	f.Add([]byte("<p>caf\xe9 \x802.49"), "text/html; charset=windows-1252", "", "/pricing", false)
	f.Add([]byte("\xff\xfe<\x00p\x00>\x00"), "text/html", "", "/pricing", false)
	f.Add([]byte(`<meta charset="shift_jis">`), "text/html", "identity", "/pricing", true)
	f.Add([]byte("\ufeff{}"), "application/json", "", "/v1", false)
	f.Add(zipped.Bytes(), "application/gzip", "", "/prices.gz", false)
	f.Add(zipped.Bytes(), "text/html", "gzip", "/pricing", false)
	f.Add(zipped.Bytes()[:zipped.Len()/2], "text/html", "gzip", "/pricing", true)
	const limit = 1 << 12
	f.Fuzz(func(t *testing.T, body []byte, contentType, encoding, path string, recorded bool) {
		resp := reply(http.StatusOK, http.Header{"Content-Type": {contentType}, "Content-Encoding": {encoding}}, string(body))
		resp.Request = &http.Request{Method: http.MethodGet, URL: &url.URL{Scheme: "https", Host: "example.org", Path: path}}
		data, err := fetch.ReadBody(resp, limit, recorded)
		if err != nil {
			if kind := wantFetchError(t, err).Kind; kind != scrapers.FetchBody && kind != scrapers.FetchTooLarge {
				t.Fatalf("kind %s of %v", kind, err)
			}
			return
		}
		if len(data) > limit {
			t.Fatalf("%d bytes, the limit is %d", len(data), limit)
		}
		text, kept := fetch.ToUTF8(data, contentType)
		if bytes.Equal(text, data) && kept == contentType {
			return
		}
		if !utf8.Valid(text) {
			t.Fatalf("%q as %q is no UTF-8: %q", data, contentType, text)
		}
		if again, keptAgain := fetch.ToUTF8(text, kept); !bytes.Equal(again, text) || keptAgain != kept {
			t.Fatalf("%q as %q\nonce %q as %q\ntwice %q as %q", data, contentType, text, kept, again, keptAgain)
		}
	})
}
