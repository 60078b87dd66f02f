package main

import (
	"bytes"
	"io"
	"io/fs"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"mtok/scrapers/recorded"
)

// noNetwork fails every request: scripts that run a live night by mistake must
// not reach a provider.
type noNetwork struct{}

func (noNetwork) RoundTrip(*http.Request) (*http.Response, error) { return nil, errNoNetwork }

// internet answers the providers' real addresses with the recorded pages.
type internet struct {
	mu     sync.Mutex
	asked  []string
	agents map[string]bool
}

func (i *internet) RoundTrip(r *http.Request) (*http.Response, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.asked = append(i.asked, r.URL.String())
	if i.agents == nil {
		i.agents = map[string]bool{}
	}
	i.agents[r.Header.Get("User-Agent")] = true
	pages := map[string]string{
		"https://lambda.ai/pricing":               "lambda/pricing-page.html",
		"https://www.coreweave.com/pricing":       "coreweave/pricing-page.html",
		"https://www.crusoe.ai/cloud/pricing":     "crusoe/pricing-page.html",
		"https://www.fluidstack.io/pricing":       "fluidstack/pricing-page.html",
		"https://api.runpod.io/graphql":           "runpod/graphql.json",
		"https://console.vast.ai/api/v0/bundles/": "vast/bundles-api.h100-sxm.asc.json",
	}
	status, body := http.StatusNotFound, []byte("not found")
	if file := pages[r.URL.String()]; file != "" {
		data, err := fs.ReadFile(recorded.Night(), file)
		if err != nil {
			return nil, err
		}
		body = data
		if !strings.HasPrefix(file, "fluidstack/") {
			status = http.StatusOK
		}
	}
	return &http.Response{
		StatusCode: status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: r,
		Header: http.Header{"Content-Type": {"text/html; charset=utf-8"}},
		Body:   io.NopCloser(bytes.NewReader(body)), ContentLength: int64(len(body)),
	}, nil
}

// TestLiveNight runs `nightly` without --recorded against the providers' real
// addresses, answered here.
func TestLiveNight(t *testing.T) {
	dir := t.TempDir()
	config := filepath.Join(dir, "config.toml")
	writeText(t, config, "[fetch]\ncontact = \"https://example.org/why\"\n[providers.vast]\nmodels = [\"H100 SXM\"]\n")
	net := &internet{}
	now := time.Date(2026, 8, 23, 6, 10, 0, 0, time.UTC)
	d := deps{Env: func(string) string { return "" }, Now: func() time.Time { return now }, Transport: net}
	var out, logs bytes.Buffer
	args := []string{"nightly", "--config", config, "--db", filepath.Join(dir, "mtok.db")}
	// The pauses between requests are those of a real night, on a clock that
	// does not wait.
	synctest.Test(t, func(t *testing.T) {
		if code := run(t.Context(), args, &out, &logs, d); code != exitOK {
			t.Fatalf("exit %d\n%s%s", code, &out, &logs)
		}
	})
	for _, want := range []string{"Night 2026-08-23, live", "28 offers", "32 offers", "6 offers", "no price"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("screen lacks %q:\n%s", want, &out)
		}
	}
	if len(net.agents) != 1 || !net.agents["mtok/"+version+" (+https://example.org/why)"] {
		t.Errorf("User-Agents %v", net.agents)
	}
	robots := 0
	for _, u := range net.asked {
		if strings.HasSuffix(u, "/robots.txt") {
			robots++
		}
	}
	if robots != 6 || len(net.asked) != 12 {
		t.Errorf("asked %v; want each page once and its robots.txt", net.asked)
	}
}
