package fetch

import "net/http"

// ReadBody is readBody, ToUTF8 is toUTF8.
func ReadBody(resp *http.Response, limit int64, recorded bool) ([]byte, error) {
	return readBody(resp, limit, recorded)
}

func ToUTF8(body []byte, contentType string) ([]byte, string) { return toUTF8(body, contentType) }
