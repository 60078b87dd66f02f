package fetch_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"mtok/scrapers"
)

func zip(t *testing.T, body []byte) []byte {
	t.Helper()
	var buf bytes.Buffer
	z := gzip.NewWriter(&buf)
	if _, err := z.Write(body); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// encoded serves bytes under a Content-Encoding.
func encoded(encoding string, body []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if encoding != "" {
			w.Header().Set("Content-Encoding", encoding)
		}
		_, _ = w.Write(body)
	}
}

func TestBodyLimit(t *testing.T) {
	limit := int(options().Limits.MaxBody)
	full := bytes.Repeat([]byte("x"), limit)
	over := append(bytes.Clone(full), 'y')
	cases := []struct {
		name, path string
		handler    http.HandlerFunc
		size       int // 0 for too large
	}{
		{"limit", "/p", encoded("", full), limit},
		{"limit + 1", "/p", encoded("", over), 0},
		{"gzip of limit", "/p", encoded("gzip", zip(t, full)), limit},
		{"gzip of limit + 1", "/p", encoded("gzip", zip(t, over)), 0},
		{"file of limit", "/p.xml.gz", encoded("", zip(t, full)), limit},
		{"file of limit + 1", "/p.xml.gz", encoded("", zip(t, over)), 0},
		{"error page of limit + 1", "/p", func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(404)
			_, _ = w.Write(over)
		}, 0},
		{"text that grows over it", "/p", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=windows-1252")
			_, _ = w.Write(bytes.Repeat([]byte{0xe9}, limit))
		}, 0},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := newSite(t, map[string]http.HandlerFunc{c.path: c.handler})
			got, err := get(newFetcher(t, options()), s.URL+c.path)
			if c.size > 0 && err != nil {
				t.Fatal(err)
			}
			if c.size == 0 {
				wantKind(t, err, scrapers.FetchTooLarge)
			}
			if len(got.Body) != c.size || s.hits() != 1 {
				t.Errorf("%d bytes after %d requests", len(got.Body), s.hits())
			}
		})
	}
}

// 64 MiB of zeros in 64 KiB, by every way that has a server's bytes unpacked.
func TestGzipBomb(t *testing.T) {
	bomb := zip(t, make([]byte, 64<<20))
	members := bytes.Repeat(zip(t, nil), 1<<20) // 20 MiB that unpack to nothing
	for name, c := range map[string]struct {
		path, encoding, contentType string
		body                        []byte
	}{
		"encoding":      {"/p", "gzip", "text/html", bomb},
		"file":          {"/p.xml.gz", "", "text/xml", bomb},
		"type":          {"/p", "", "application/x-gzip", bomb},
		"empty members": {"/p", "gzip", "text/html", members},
	} {
		s := newSite(t, map[string]http.HandlerFunc{c.path: func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", c.contentType)
			if c.encoding != "" {
				w.Header().Set("Content-Encoding", c.encoding)
			}
			_, _ = w.Write(c.body)
		}})
		f := newFetcher(t, options())
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := get(f, s.URL+c.path)
		runtime.ReadMemStats(&after)
		if kind := wantFetchError(t, err).Kind; kind != scrapers.FetchTooLarge {
			t.Errorf("%s: kind %q", name, kind)
		}
		if used := after.TotalAlloc - before.TotalAlloc; used > 8<<20 {
			t.Errorf("%s: %d MiB allocated", name, used>>20)
		}
	}
}

// raw serves bytes as they are, then closes the connection.
func raw(t *testing.T, answer string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			head := make([]byte, 4096)
			n, _ := c.Read(head)
			if bytes.HasPrefix(head[:n], []byte("GET /robots.txt")) {
				_, _ = io.WriteString(c, "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
			} else {
				_, _ = io.WriteString(c, answer)
			}
			c.Close()
		}
	}()
	return "http://" + l.Addr().String() + "/p"
}

func TestBrokenBody(t *testing.T) {
	good := string(zip(t, []byte(strings.Repeat("<tr><td>H100</td></tr>", 500))))
	badSum := good[:len(good)-8] + "\x00\x00\x00\x00" + good[len(good)-4:]
	head := func(extra string) string {
		return "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n" + extra + "\r\n\r\n"
	}
	zipped := func(body string) string {
		return head(fmt.Sprintf("Content-Encoding: gzip\r\nContent-Length: %d", len(body))) + body
	}
	for name, answer := range map[string]string{
		"short of its length":        head("Content-Length: 100") + "short",
		"bad chunk":                  head("Transfer-Encoding: chunked") + "5\r\nhello\r\nzz\r\n",
		"no last chunk":              head("Transfer-Encoding: chunked") + "5\r\nhello\r\n",
		"gzip cut in the middle":     zipped(good[:len(good)/2]),
		"gzip cut in its trailer":    zipped(good[:len(good)-3]),
		"gzip with a wrong checksum": zipped(badSum),
		"gzip with a tail":           zipped(good + "garbage after the end"),
		"gzip that is none":          zipped("<html>plain</html>"),
		"gzip of nothing, chunked":   head("Content-Encoding: gzip\r\nTransfer-Encoding: chunked") + "0\r\n\r\n",
		"gzip cut, closed":           head("Content-Encoding: gzip\r\nConnection: close") + good[:len(good)-20],
		"unasked encoding":           head("Content-Encoding: br\r\nContent-Length: 4") + "abcd",
	} {
		_, err := get(newFetcher(t, options()), raw(t, answer))
		if kind := wantFetchError(t, err).Kind; kind != scrapers.FetchBody {
			t.Errorf("%s: kind %q: %v", name, kind, err)
		}
	}
	got, err := get(newFetcher(t, options()), raw(t, zipped(good)))
	if err != nil || len(got.Body) != 11000 {
		t.Errorf("whole gzip: %d bytes, %v", len(got.Body), err)
	}
}

func TestBrokenBodyIsTriedAgain(t *testing.T) {
	tries := 0
	whole := zip(t, []byte("whole"))
	s := newSite(t, map[string]http.HandlerFunc{"/p": func(w http.ResponseWriter, r *http.Request) {
		body := whole
		if tries++; tries < 3 {
			body = whole[:10]
		}
		encoded("gzip", body)(w, r)
	}})
	got, err := get(newFetcher(t, options()), s.URL+"/p")
	if err != nil || string(got.Body) != "whole" || tries != 3 {
		t.Errorf("%q after %d tries, %v", got.Body, tries, err)
	}
}

func TestTimeLimits(t *testing.T) {
	drip := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		for r.Context().Err() == nil {
			_, _ = io.WriteString(w, "x")
			_ = http.NewResponseController(w).Flush()
			time.Sleep(10 * time.Millisecond)
		}
	}
	late := func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	cases := []struct {
		name    string
		handler http.HandlerFunc
		header  time.Duration
		body    time.Duration
		total   time.Duration
		hits    int
	}{
		{"slow drip", drip, time.Minute, 200 * time.Millisecond, time.Minute, 4},
		{"late headers", late, 200 * time.Millisecond, time.Minute, time.Minute, 4},
		{"drip beyond the total", drip, time.Minute, time.Minute, 400 * time.Millisecond, 1},
		{"headers beyond the total", late, time.Minute, time.Minute, 400 * time.Millisecond, 1},
		{"tries beyond the total", late, 400 * time.Millisecond, time.Minute, 600 * time.Millisecond, 2},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t, map[string]http.HandlerFunc{"/p": c.handler})
			o := options()
			o.Limits.Header, o.Limits.Body, o.Limits.Total = c.header, c.body, c.total
			started := time.Now()
			_, err := get(newFetcher(t, o), s.URL+"/p")
			wantKind(t, err, scrapers.FetchTimeout)
			if took := time.Since(started); took > 5*time.Second || s.hits() != c.hits {
				t.Errorf("took %v and %d requests, want %d", took, s.hits(), c.hits)
			}
		})
	}
}
