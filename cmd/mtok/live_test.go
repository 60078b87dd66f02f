package main

import (
	"bytes"
	"io"
	"io/fs"
	"net/http"
	"os"
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
	for url, file := range map[string]string{
		"https://openrouter.ai/api/v1/models":                                                         "openrouter/night",
		"https://openrouter.ai/api/v1/models/z-ai/glm-5.3-flash/endpoints":                            "openrouter/endpoints",
		"https://raw.githubusercontent.com/BerriAI/litellm/main/model_prices_and_context_window.json": "litellm/file",
	} {
		if r.URL.String() == url {
			return listAnswer(r, file)
		}
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

// listAnswer answers with the page of a parser's case.
func listAnswer(r *http.Request, name string) (*http.Response, error) {
	body, err := os.ReadFile(filepath.Join("..", "..", "scrapers", "testdata", name, "page.json"))
	if err != nil {
		return nil, err
	}
	return &http.Response{
		StatusCode: http.StatusOK, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: r,
		Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(bytes.NewReader(body)), ContentLength: int64(len(body)),
	}, nil
}

// TestLiveNight runs `nightly` without --recorded against the providers' real
// addresses, answered here.
func TestLiveNight(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	config := filepath.Join(dir, "config.toml")
	writeText(t, config, "[fetch]\ncontact = \"https://example.org/why\"\n[providers.vast]\nmodels = [\"H100 SXM\"]\n"+
		"[providers.openrouter]\nmodels = [\"z-ai/glm-5.3-flash\"]\n")
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
	for _, want := range []string{"Night 2026-08-23, live", "28 offers", "32 offers", "6 offers", "no price", "11 models", "6 models", "of 6 watched", "By API 0.13 $ in + 0.40 out"} {
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
	if robots != 8 || len(net.asked) != 17 {
		t.Errorf("asked %v; want each page once and its robots.txt", net.asked)
	}
}
