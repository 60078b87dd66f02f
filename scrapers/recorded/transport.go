package recorded

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"

	"mtok/scrapers"
)

// RoundTrip serves the recorded answer of the target in the request's context,
// see scrapers.WithTarget; the URL, the body and the validators of the request
// are not looked at, so that a status 304 is served only where it is recorded.
// The Date header is fetched_at, and absent where there is none. A target with
// no file is a *scrapers.FetchError of kind FetchNotRecorded.
func (d *Dir) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Body != nil {
		req.Body.Close() // a RoundTripper has to, read or not
	}
	if err := req.Context().Err(); err != nil {
		return nil, err
	}
	target, tagged := scrapers.TargetFrom(req.Context())
	if !tagged {
		return nil, notRecorded(req, errors.New("the request names no target"))
	}
	a, found := d.find(target)
	if !found && target.Source == scrapers.SourceRobots {
		return response(req, answer{ext: robotsExt, meta: meta{Status: http.StatusNotFound}}, nil), nil
	}
	key, err := stem(target)
	if err != nil {
		return nil, notRecorded(req, err)
	}
	if !found {
		return nil, notRecorded(req, fmt.Errorf("no file %s.html or .json", key))
	}
	var body []byte
	if a.ext != "" {
		body, err = fs.ReadFile(d.fsys, key+a.ext)
	}
	if err != nil {
		return nil, notRecorded(req, err)
	}
	return response(req, a, body), nil
}

func response(req *http.Request, a answer, body []byte) *http.Response {
	header := http.Header{}
	for name, value := range a.meta.Headers {
		header.Set(name, value)
	}
	header.Set("Content-Type", a.meta.ContentType)
	if a.meta.ContentType == "" {
		header.Set("Content-Type", defaultType(a.ext))
	}
	if at := a.meta.FetchedAt; at != nil {
		header.Set("Date", at.UTC().Format(http.TimeFormat))
	}
	return &http.Response{
		Status:        fmt.Sprintf("%d %s", a.meta.Status, http.StatusText(a.meta.Status)),
		StatusCode:    a.meta.Status,
		Proto:         "HTTP/1.1",
		ProtoMajor:    1,
		ProtoMinor:    1,
		Header:        header,
		Body:          io.NopCloser(bytes.NewReader(body)),
		ContentLength: int64(len(body)),
		Request:       req,
	}
}

// notRecorded names the URL without its query, which may hold a secret.
func notRecorded(req *http.Request, err error) error {
	return &scrapers.FetchError{
		Kind: scrapers.FetchNotRecorded,
		URL:  req.URL.Scheme + "://" + req.URL.Host + req.URL.EscapedPath(),
		Err:  err,
	}
}
