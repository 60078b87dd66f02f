package fetch_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"mtok/scrapers"
	"mtok/scrapers/fetch"
)

const canary = "canary/5f1d+a9c3e7b24680"

// found lists every spelling of the canary in a text.
func found(text string) []string {
	var hits []string
	for _, form := range []string{canary, url.QueryEscape(canary), url.PathEscape(canary), "5f1d", "a9c3e7b24680"} {
		if strings.Contains(text, form) {
			hits = append(hits, form)
		}
	}
	return hits
}

// whole prints an error in every way, with all that can be unwrapped from it.
func whole(err error) string {
	var b strings.Builder
	for e := err; e != nil; e = errors.Unwrap(e) {
		fmt.Fprintf(&b, "%v %+v %#v\n", e, e, e)
	}
	return b.String()
}

// A key in URL, user and headers shows up nowhere, whatever goes wrong.
func TestCanary(t *testing.T) {
	echo := func(code int) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			user, password, _ := r.BasicAuth()
			w.Header().Set("Etag", `"`+canary+`"`)
			w.WriteHeader(code)
			_, _ = fmt.Fprintln(w, r.URL, r.Header, user, password, r.URL.Query())
		}
	}
	away := func(to string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) { redirect(302, to+"?"+r.URL.RawQuery)(w, r) }
	}
	s := newSite(t, map[string]http.HandlerFunc{
		"/ok": echo(200), "/403": echo(403), "/404": echo(404), "/429": echo(429), "/500": echo(500),
		"/home": away("/404"), "/loop": away("/loop"), "/address": away("http://10.0.0.1/"), "/host": away("http://other.example/"),
		"/file": away("file:///x"), "/location": away("http://[broken/"), "/control": away("http://x\x7f/"),
		"/drop": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"/hang": func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
		"/big":  func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(make([]byte, 100<<10)) },
		"/zip":  encoded("gzip", []byte("not gzip")),
	})
	s.Config.ErrorLog = quiet()
	var log bytes.Buffer
	o := options()
	o.Limits.Total = 500 * time.Millisecond
	o.Logger = slog.New(slog.NewJSONHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	query := "?api_key=" + url.QueryEscape(canary) + "&gpu=H100#" + url.PathEscape(canary)
	header := http.Header{
		"Authorization": {"Bearer " + canary}, "X-Api-Key": {canary}, "Cookie": {"session=" + canary},
	}
	bad := http.Header{"Authorization": {"Bearer " + canary + "\n"}}
	ask := func(what, at string, h http.Header) {
		got, err := fetch.New(o).Fetch(context.Background(), page, scrapers.Request{URL: at, Header: h}, scrapers.Validators{})
		if (err == nil) != (what == "/ok") {
			t.Errorf("%s: %v", what, err)
		}
		got.Robots = nil
		for part, text := range map[string]string{"error": whole(err), "answer": fmt.Sprintf("%+v %s", got, got.Body), "log": log.String()} {
			if hits := found(text); hits != nil {
				t.Errorf("%s: %s has %v: %s", what, part, hits, text)
			}
		}
	}
	for _, path := range []string{
		"/ok", "/403", "/404", "/429", "/500", "/home", "/loop", "/address", "/host", "/file", "/location", "/control",
		"/drop", "/hang", "/big", "/zip",
	} {
		ask(path, s.URL+path+query, header)
	}
	for _, path := range []string{"/ok", "/404", "/drop", "/location"} { // one carrier at a time
		ask(path, s.URL+path+"?gpu=H100", header)
		ask(path, s.URL+path+query, nil)
		ask(path, strings.Replace(s.URL, "//", "//user:"+url.PathEscape(canary)+"@", 1)+path, nil)
	}
	ask("header", s.URL+"/ok"+query, bad)
	ask("refused", "http://127.0.0.1:1/p"+query, header)
	ask("scheme", "ftp://user:"+url.PathEscape(canary)+"@127.0.0.1/p"+query, header)
	ask("URL", "http://127.0.0.1:port/p"+query, header)
	ask("raw", raw(t, "HTTP/9 "+canary+"\r\n\r\n")+query, header)
	if log.Len() == 0 {
		t.Error("nothing was logged, so nothing was tested")
	}
}

// A key too short to be searched for is masked where a URL shows it.
func TestShortKey(t *testing.T) {
	_, err := get(newFetcher(t, options()), "http://127.0.0.1:1/p?api_key=zq9x&gpu=h100")
	if text := whole(err); strings.Contains(text, "zq9x") || !strings.Contains(text, "gpu=h100") {
		t.Error(text)
	}
}

// What is no secret stays as it was asked for.
func TestURLOfAnswer(t *testing.T) {
	s := newSite(t, map[string]http.HandlerFunc{"/p": func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, r.URL.RawQuery)
	}})
	const query = `q=%7B%22limit%22%3A64%7D&sort_key=dph_total_ascending&monkey=1&token=`
	got, err := get(newFetcher(t, options()), s.URL+"/p?"+query+"abcdefgh&Signature=zyxwvuts")
	if err != nil {
		t.Fatal(err)
	}
	if want := s.URL + "/p?" + query + "REDACTED&Signature=REDACTED"; got.URL != want {
		t.Errorf("URL %s, want %s", got.URL, want)
	}
	if !strings.Contains(string(got.Body), "sort_key=dph_total_ascending") {
		t.Errorf("body %s", got.Body)
	}
}
