package fetch

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"mtok/scrapers"
)

var (
	errTooLarge = errors.New("body is over the size limit")
	gzipMagic   = []byte{0x1f, 0x8b}
)

// capped reads at most left bytes and fails on the next one: a page is never cut.
type capped struct {
	r    io.Reader
	left int64
}

func (c *capped) Read(p []byte) (int, error) {
	if int64(len(p)) > c.left+1 {
		p = p[:c.left+1]
	}
	n, err := c.r.Read(p)
	if int64(n) > c.left {
		return 0, errTooLarge
	}
	c.left -= int64(n)
	return n, err
}

// readBody reads and decompresses an answer's body, at most limit bytes before
// and after. Its errors are FetchErrors of kind too_large or body. A recorded
// body is stored plain whatever its headers say, so only gzip's own magic
// counts there.
func readBody(resp *http.Response, limit int64, recorded bool) ([]byte, error) {
	buf := bufio.NewReader(&capped{r: resp.Body, left: limit})
	zipped, err := isGzip(resp, buf, recorded)
	if err != nil {
		return nil, bodyError(err)
	}
	var data []byte
	if zipped {
		data, err = gunzip(buf, limit)
	} else {
		data, err = readAll(buf, min(resp.ContentLength, limit))
	}
	if err != nil {
		return nil, bodyError(err)
	}
	return data, nil
}

// readAll is io.ReadAll into a buffer of the announced size, which may be wrong,
// or -1 for none.
func readAll(r io.Reader, announced int64) ([]byte, error) {
	var body bytes.Buffer
	body.Grow(int(max(announced, 0)) + bytes.MinRead)
	_, err := body.ReadFrom(r)
	return body.Bytes(), err
}

// isGzip decides by the headers whether a body is compressed. A plain .gz file
// counts too, but only when it looks like one: servers disagree on whether they
// already unpacked it.
func isGzip(resp *http.Response, buf *bufio.Reader, recorded bool) (bool, error) {
	head, err := buf.Peek(len(gzipMagic))
	if err != nil && !errors.Is(err, io.EOF) {
		return false, err
	}
	magic := bytes.Equal(head, gzipMagic)
	switch encoding := strings.ToLower(strings.TrimSpace(resp.Header.Get("Content-Encoding"))); encoding {
	case "", "identity":
		path := strings.HasSuffix(strings.ToLower(resp.Request.URL.Path), ".gz")
		return magic && (path || strings.Contains(strings.ToLower(resp.Header.Get("Content-Type")), "gzip")), nil
	case "gzip", "x-gzip":
		if recorded {
			return magic, nil
		}
		return hasBody(resp) && resp.ContentLength != 0, nil
	default:
		if recorded {
			return false, nil
		}
		return false, fmt.Errorf("content encoding %q was not asked for", encoding)
	}
}

// gunzip unpacks all members; a broken checksum or end is an error.
func gunzip(r io.Reader, limit int64) ([]byte, error) {
	z, err := gzip.NewReader(r)
	if err != nil {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return nil, fmt.Errorf("gzip: %w", err)
	}
	return io.ReadAll(&capped{r: z, left: limit})
}

// hasBody tells whether an answer to this request carries a body at all.
func hasBody(resp *http.Response) bool {
	return resp.Request.Method != http.MethodHead &&
		resp.StatusCode != http.StatusNoContent && resp.StatusCode != http.StatusNotModified
}

func bodyError(err error) error {
	kind := scrapers.FetchBody
	if errors.Is(err, errTooLarge) {
		kind = scrapers.FetchTooLarge
	}
	return &scrapers.FetchError{Kind: kind, Err: err}
}
